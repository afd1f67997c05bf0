/** What a card says of its price beside the pools'. */
export const price = {
  impact: "Price impact",
  times: (count: bigint) => `${count} times`,
  notCompared: "⚠️ Not compared with the pools",
  unknown: (payment: string) =>
    `⚠️ I can't compare this price with any pool right now, so you could lose up to all of your ${payment}.`,
  impactWarning: (percent: string, loss: string) => `⚠️ Price impact ${percent} %: −${loss}`,
  impactLoss: (percent: string, loss: string) =>
    `⚠️ This trade is large for the pools: it moves their price ${percent} % against you. You lose about ${loss}.`,
  belowWarning: (howFar: string, loss: string) => `⚠️ ${howFar} below the pools: −${loss}`,
  below: (howFar: string, path: string, best: string) =>
    `⚠️ This price is ${howFar} below the pools: ${path} gives ${best}.`,
  loss: (loss: string) => `You lose about ${loss}.`,
  aboveWarning: (howFar: string) => `⚠️ ${howFar} above the pools`,
  above: (howFar: string, path: string, best: string) =>
    `⚠️ This price is ${howFar} above the pools: ${path} gives only ${best}. It will most likely be refused, and then nothing is swapped.`,
  acceptButton: "⚠️ Swap at this price anyway",
  bestRoute: "The pools' best",
  via: (tokens: string, amount: string, percent: string) => `Via ${tokens}: ${amount} (+${percent} %)`,
  direct: (amount: string, percent: string) => `A route gives ${amount} (+${percent} %)`,
};
