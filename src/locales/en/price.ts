/** What a card says of its price beside the pools'. */
export const price = {
  impact: "Price impact",
  times: (count: bigint) => `${count} times`,
  notCompared: "⚠️ Not compared with the pools",
  unknown: (payment: string) =>
    `I can't compare this price with any pool right now, so you could lose up to all of your ${payment}.`,
  impactWarning: (percent: string, loss: string) => `⚠️ Price impact ${percent} %: −${loss}`,
  belowWarning: (howFar: string, loss: string) => `⚠️ ${howFar} below the pools: −${loss}`,
  lossWarning: (percent: string) => `⛔ You would lose about ${percent} %`,
  worth: (payment: string) => `Your ${payment} are worth`,
  otherWay: (tokens: string) => (tokens === "" ? "A route gives you about" : `Via ${tokens} you get about`),
  loseButton: (loss: string) => `⚠️ Lose ${loss} and go on`,
  aboveWarning: (howFar: string) => `⚠️ ${howFar} above the pools`,
  above: (path: string, best: string) =>
    `In the pools, ${path} gives only ${best}. This swap will most likely be refused, and then nothing is swapped.`,
  acceptButton: "⚠️ Swap at this price anyway",
  bestRoute: "The pools' best",
  byRoute: (tokens: string) => (tokens === "" ? "As a route, no bot fee" : `Via ${tokens}, no bot fee`),
  bySwap: (percent: string) => `As a swap, bot fee ${percent} %`,
};
