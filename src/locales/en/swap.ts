export const swap = {
  title: (from: string, to: string) => `Swap ${from} → ${to}`,
  quoteTitle: (from: string, to: string) => `Quote ${from} → ${to}`,
  youPay: "You pay",
  quoted: "Quoted",
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
  sending: "⏳ Checking the price once more and sending…",
  sent: "⏳ Sent. Waiting for the answer…",
  answered: "✅ The node answered ok",
  received: "You received",
  feePaid: (percent: string) => `Fee ${percent} %`,
  total: "Output in all",
  unverified:
    "The node answered ok, but its figures are not the split that the contract promises, so I claim nothing. Its answer as it came:",
  checkWallet: "Check your wallet's balance before you go on.",
  failed: "❌ Not swapped",
  contractSaid: (text: string) => `The contract refused: “${text}”`,
  keptTokens: "Nothing was swapped.",
  notSent: "❌ Not sent",
  unknown: "⚠️ Outcome unknown",
  unknownWhy: "The call left, but no clear answer came back. It may have been carried out or not.",
  unknownInterrupted:
    "I was interrupted between your confirm and the answer. The call may have been carried out or not.",
  unknownNext: (token: string) =>
    `I will not send it again. Look in your wallet whether ${token} arrived, before you swap once more.`,
  expired: "⌛ This quote has expired. Nothing was sent.",
  canceled: "✖️ Cancelled. Nothing was sent.",
  superseded: "This card was replaced by a newer one. Nothing was sent for it.",
  worse: (then: string, now: string) =>
    `The price moved against you, so nothing was sent: your minimum was ${then} before the fee, the output would now be ${now}. This is a fresh card:`,
  toTrade: "To trade it, send:",
  usage: "In one line it goes:",
};
