export const swap = {
  title: (from: string, to: string) => `Swap ${from} → ${to}`,
  quoteTitle: (from: string, to: string) => `Quote ${from} → ${to}`,
  youPay: "You pay",
  quoted: "Quoted output",
  fee: (percent: string) => `Bot fee ${percent}`,
  feeDeducted: "Fee deducted",
  feeGoesTo: "to whoever runs this bot",
  expected: "You get about",
  atLeast: "You get at least",
  orNothing: (slippage: string) => `or nothing is swapped (slippage ${slippage})`,
  failsBelow: (amount: string, units: string) =>
    `Before the fee, the contract insists on at least ${amount} (${units} smallest units). Below that, the swap fails and you keep your tokens.`,
  askIn: "Which token do you pay with? Choose one, or send its name or id.",
  askOut: (token: string) => `You pay with ${token}. Which token do you want?`,
  askAmount: (from: string, to: string) => `How much ${from} do you want to swap for ${to}? Choose, or send an amount.`,
  done: "✅ Swap done",
  paid: "You paid",
  received: "You received",
  keptTokens: "Nothing was swapped; you keep your tokens.",
  unknownNext: (token: string) => `I won't send it again. See if ${token} has arrived before you swap again.`,
  swapThis: "💱 Swap this",
  toTrade: "To trade it, send:",
  usage: (command: string) =>
    `Send the amount, the token you pay with and the one you want, such as ${command} 100 KLV KFI.`,
};

/** What a card says of its price beside the pools'. */
export const price = {
  impact: "Price impact",
  times: (count: bigint) => `${count} times`,
  notCompared: "⚠️ Not compared with the pools",
  unknown: (payment: string) =>
    `I can't compare this price with any pool right now, so you could lose up to all of your ${payment}.`,
  impactWarning: (percent: string, loss: string) => `⚠️ Price impact ${percent}: −${loss}`,
  belowWarning: (howFar: string, loss: string) => `⚠️ ${howFar} below the pools: −${loss}`,
  lossWarning: (percent: string) => `⛔ You would lose about ${percent}`,
  worth: (payment: string) => `Your ${payment} are worth`,
  otherWay: (tokens: string) => (tokens === "" ? "A route gives you about" : `Via ${tokens} you get about`),
  loseButton: (loss: string) => `⚠️ Lose ${loss} and go on`,
  aboveWarning: (howFar: string) => `⚠️ ${howFar} above the pools`,
  above: (path: string, best: string) =>
    `In the pools, ${path} gives only ${best}. This swap will most likely be refused, and then nothing is swapped.`,
  acceptButton: "⚠️ Swap at this price anyway",
  bestRoute: "The pools' best",
  byRoute: (tokens: string) => (tokens === "" ? "As a route, no bot fee" : `Via ${tokens}, no bot fee`),
  bySwap: (percent: string) => `As a swap, bot fee ${percent}`,
};
