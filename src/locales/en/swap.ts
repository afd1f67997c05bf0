export const swap = {
  title: (from: string, to: string) => `Swap ${from} → ${to}`,
  quoteTitle: (from: string, to: string) => `Quote ${from} → ${to}`,
  youPay: "You pay",
  /** What is paid without the royalty on it. */
  traded: "Traded",
  quoted: "Quote before bot fee",
  fee: (percent: string) => `Bot fee ${percent}`,
  feeGoesTo: "to the operator",
  expected: "You get about",
  atLeast: "You get at least",
  orNothing: (slippage: string) => `or nothing is swapped (slippage ${slippage})`,
  failsBelow: (amount: string, units: string) =>
    `On-chain minimum before the bot fee: ${amount} (${units} base units). Below that the swap fails and you keep your tokens.`,
  askIn: "Which token do you pay with? Choose one, or send its name or ID.",
  askOut: (token: string) => `You pay with ${token}. Which token do you want?`,
  askAmount: (from: string, to: string) => `How much ${from} do you want to swap for ${to}? Choose, or send an amount.`,
  orExactly: (example: string) => `To get an exact amount, send it with its token, such as ${example}.`,
  done: "✅ Swap completed",
  paid: "You paid",
  received: "You received",
  keptTokens: "Nothing was swapped; you keep your tokens.",
  unknownNext: (token: string) => `Don't swap again until you've checked whether ${token} arrived.`,
  swapThis: "💱 Swap now",
  toTrade: "To swap, send:",
  spokenUsage: "Say how much of what, such as: buy 100 KFI, buy KFI for 100 KLV, or sell 5 KFI.",
  usage: (command: string) =>
    `Send the amount, the token you pay with and the one you want, such as ${command} 100 KLV KFI.`,
};

/** How a card compares its price with the pools'. */
export const price = {
  totalCost: "Total cost",
  /** The parts of a total, as they stand in their sum. */
  parts: {
    pools: "pools",
    bot: "bot fee",
    royalty: "royalty",
    network: "network fee",
    change: "what came back on the way",
  },
  madeOf: (total: string, parts: string) => `Of the ${total}: ${parts}`,
  without: (parts: string) => `Not known, so not included: ${parts}`,
  none: (why: string) => `none, ${why}`,
  better: (percent: string) => `${percent} better than the pool price`,
  unusual: "unusual: one pool's price is far off",
  about: (loss: string) => `about −${loss}`,
  royalty: {
    toIssuer: "Royalty to the issuer",
    whenSold: "Royalty when you sell",
    included: "included",
    notHere: "not sold here yet",
    otherThanSaid: (said: string) => `By your balances; the quote said ${said}.`,
  },
  poolFee: (pools: number) => (pools === 1 ? "Pool fee" : `Fees of ${pools} pools`),
  impact: "Price impact",
  poolPrice: "Pool price",
  notCompared: "⚠️ I can't check this price right now",
  unknown: (payment: string) =>
    `The pools can't be read. You are protected by the minimum on the next screen, but if the quote itself is bad, you could lose most of your ${payment}.`,
  lossWarning: (percent: string) => `⛔ You would lose about ${percent}`,
  worth: (payment: string) => `Your ${payment} is worth`,
  otherWay: (tokens: string) => (tokens === "" ? "With a route you get about" : `Route over ${tokens}, about`),
  loseButton: (loss: string) => `⚠️ Lose ${loss} and continue`,
  unrealistic: (times: string) => `⚠️ Unrealistic quote: ${times} the pool price`,
  aboveWarning: (percent: string) => `⚠️ ${percent} above the pools`,
  belowWarning: (percent: string) => `⚠️ ${percent} below the pool price`,
  above: (path: string, best: string) =>
    `It will almost certainly be rejected, and nothing would be swapped. The pools give only ${best} (${path}).`,
  acceptButton: "⚠️ Swap at this price anyway",
  bestRoute: "Best pool route",
  byRoute: (tokens: string) => (tokens === "" ? "With a route" : `Route over ${tokens}`),
  bySwap: "As a swap",
};

export const multihop = {
  title: (from: string, path: string) => `Route ${from} → ${path}`,
  buysExactly: (token: string, amount: string, paid: string) => `Buy ${token}: exactly ${amount}, paid in ${paid}`,
  confirm: "✅ Confirm route",
  /** Marks a trade as one, in lists. */
  route: "route",
  pool: "pool",
  expected: (amount: string) => `about ${amount}`,
  atLeast: (amount: string) => `at least ${amount}`,
  exactly: (amount: string) => `exactly ${amount}`,
  spends: (expected: string, atMost: string) => `spends about ${expected}, at most ${atMost}`,
  spendsUnbound: (hops: string) =>
    `⚠️ Hop ${hops} has no spending cap: if the price moves after you confirm, less may be returned than shown, or nothing.`,
  comesBack: (amount: string) => `about ${amount} returned unused`,
  impact: (percent: string) => `price impact ${percent}`,
  youGetExactly: "You get exactly",
  youPayAbout: "You pay about",
  youPayAtMost: "You pay at most",
  /** Below what is likely paid. */
  atMostPaid: "At most",
  paidAtMost: "You paid at most",
  atMost: (amount: string) => `at most ${amount}`,
  orNothingExactly: "or nothing; any excess is returned",
  noFee: "No bot fee",
  allOrNothing: "The route executes completely or not at all.",
  done: "✅ Route completed",
  change: "Returned unused",
  showRoute: (amount: string) => `🔀 Show route: about ${amount}`,
  showSwap: (amount?: string) => (amount === undefined ? "🔀 Show swap" : `🔀 Show swap: about ${amount}`),
  askPath:
    "Send the amount and the tokens in order, for example 100 KLV DVK-34ZH KFI. With only two tokens, I'll find the best route.",
  exactHint: "For an exact amount, add it to the token, for example KFI=25.",
};
