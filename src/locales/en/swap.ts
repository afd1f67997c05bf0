export const swap = {
  title: (from: string, to: string) => `Swap ${from} → ${to}`,
  quoteTitle: (from: string, to: string) => `Quote ${from} → ${to}`,
  youPay: "You pay",
  quoted: "Quoted output",
  rate: (from: string, rate: string, to: string) => `1 ${from} = ${rate} ${to}`,
  fee: (percent: string) => `Fee ${percent} %`,
  feeGoesTo: "to whoever runs this bot",
  expected: "You get about",
  atLeast: "You get at least",
  failsBelow: (amount: string, slippage: string) =>
    `If the output falls below ${amount} before the fee (slippage ${slippage} %), the swap fails and you keep your tokens.`,
  payout: "Paid out to",
  askIn: "Which token do you pay with? Choose one, or send its name or id.",
  askOut: (token: string) => `You pay with ${token}. Which token do you want?`,
  askAmount: (from: string, to: string) =>
    `How much ${from} do you want to swap to ${to}? Choose, or send an amount in whole ${from}.`,
  received: "You received",
  feePaid: (percent: string) => `Fee ${percent} %`,
  total: "Total output",
  keptTokens: "Nothing was swapped; your tokens stay where they are.",
  unknownNext: (token: string) =>
    `I won't send it again. Check whether ${token} has arrived in your wallet before you swap again.`,
  farWorse: "⚠️ This quote is far worse than the pools. Something may be wrong with the quotation service.",
  farWorseButton: "⚠️ Swap at this price all the same",
  swapThis: "💱 Swap this",
  toTrade: "To trade it, send:",
  usage: (command: string) =>
    `Send the amount, the token you pay with and the one you want, such as ${command} 100 KLV KFI.`,
};
