export const multihop = {
  title: (path: string) => `Route ${path}`,
  confirm: "✅ Confirm route",
  hop: (position: number, from: string, to: string) => `${position}. ${from} → ${to}`,
  pool: "pool",
  expected: (amount: string) => `about ${amount}`,
  atLeast: (amount: string) => `at least ${amount}`,
  exactly: (amount: string) => `exactly ${amount}`,
  spends: (expected: string, atMost: string) => `spends about ${expected}, at most ${atMost}`,
  spendsUnbound: (hops: string) =>
    `⚠️ What hop ${hops} spends at most is checked when you confirm, but the call can't enforce it: if the price moves after that, everything that arrives there may be spent.`,
  comesBack: (amount: string) => `about ${amount} comes back unused`,
  impact: (percent: string) => `price impact ${percent} %`,
  impactWhole: (percent: string) => `Price impact of the whole route: ${percent} %`,
  youGet: "You get about",
  youGetAtLeast: "You get at least",
  youGetExactly: "You get exactly",
  youPayAtMost: "You pay at most",
  fails: (slippage: string) =>
    `If the last hop gives less (slippage ${slippage} %), the whole route fails and you keep your tokens.`,
  failsExactly:
    "If the payment no longer suffices for that, the whole route fails and you keep your tokens. What is left over comes back.",
  failsMixed: (slippage: string) =>
    `If a hop gives less than it must (slippage ${slippage} %) or what arrives no longer suffices, the whole route fails and you keep your tokens.`,
  wholeOrNot: "A route runs whole or not at all, so the last hop's minimum is the one that protects you.",
  noFee: "This route pays no referral fee.",
  noPayoutAddress:
    "The router takes no payout address: the output goes to the account that makes the call, which should be yours:",
  received: "You received",
  change: "Came back unused",
  unknownNext: (token: string) =>
    `I won't send it again. Check whether ${token} has arrived in your wallet before you trade again.`,
  kept: "Nothing was swapped: a route runs whole or not at all, and your tokens stay where they are.",
  betterRoute: (amount: string, percent: string) =>
    `Straight through the pools you would get about ${amount}, ${percent} % more than here: a route pays no fee to this bot.`,
  uncompared: "The pools could not be read in the last minute, so I can't say whether they would give more.",
  betterRouteButton: "🔀 Show that route",
  betterSwap: (amount: string, percent: string) =>
    `The ordinary swap would give you about ${amount} after its fee, ${percent} % more than this route.`,
  betterSwapButton: "🔀 Show that swap",
  askPath:
    "Send the amount you pay and the tokens along the way, such as 100 KLV DVK-34ZH KFI. With two tokens, I look for the best route myself.",
  exactHint: "To get an exact amount of a token, write it after that token, as in KFI=25.",
};
