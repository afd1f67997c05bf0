export const swap = {
  title: (from: string, to: string) => `Swap ${from} → ${to}`,
  quoteTitle: (from: string, to: string) => `Quote ${from} → ${to}`,
  youPay: "You pay",
  quoted: "Quoted output",
  rate: (from: string, rate: string, to: string) => `1 ${from} = ${rate} ${to}`,
  fee: (percent: string) => `Fee ${percent} %`,
  feeDeducted: "Fee, taken from that",
  feeGoesTo: "to whoever runs this bot",
  expected: "You get about",
  atLeast: "You get at least",
  orNothing: (slippage: string) => `or nothing is swapped (slippage ${slippage} %)`,
  failsBelow: (amount: string, units: string) =>
    `The contract holds the output, before the fee, to at least ${amount} (${units} smallest units); below that the swap fails and you keep your tokens.`,
  askIn: "Which token do you pay with? Choose one, or send its name or id.",
  askOut: (token: string) => `You pay with ${token}. Which token do you want?`,
  askAmount: (from: string, to: string) =>
    `How much ${from} do you want to swap to ${to}? Choose, or send an amount in whole ${from}.`,
  done: "✅ Swap done",
  paid: "You paid",
  received: "You received",
  reported: "You got, it says",
  keptTokens: "Nothing was swapped; you keep your tokens.",
  unknownNext: (token: string) => `I won't send it again. See whether ${token} has arrived before you swap again.`,
  swapThis: "💱 Swap this",
  toTrade: "To trade it, send:",
  usage: (command: string) =>
    `Send the amount, the token you pay with and the one you want, such as ${command} 100 KLV KFI.`,
};
