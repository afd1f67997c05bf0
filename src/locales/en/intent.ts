/** What a card says through its life, whatever it is about. */
export const intent = {
  sending: "⏳ Checking once more and sending…",
  sent: "⏳ Sent. Waiting for the answer…",
  signing: "✍️ Waiting for your wallet to sign. Nothing is sent before you do.",
  sign: "✍️ Sign in your wallet",
  closing: "Closing this. I'm making sure that your wallet hasn't sent it…",
  sentToChain: "⏳ Signed and sent. Waiting for the chain to confirm it…",
  carriedOut: "✅ Carried out on the chain",
  networkFee: "Network fee",
  transaction: "Transaction",
  explorer: "🔎 Look at it",
  feeKept: "The chain keeps the part of the network fee that pays for bandwidth and gas; what you paid in comes back.",
  answered: "✅ The node answered ok",
  unverified:
    "The node answered ok, but not with what the contract promises, so I can't say what happened. This is its answer, unchanged:",
  checkWallet: "Check your wallet's balance before you go on.",
  failed: "❌ Refused",
  contractSaid: (text: string) => `The contract refused: “${text}”`,
  notSent: "❌ Not sent",
  unknown: "⚠️ Outcome unknown",
  unknownWhy: "The call was sent, but no clear answer came back. It may or may not have been carried out.",
  unknownInterrupted:
    "I was interrupted between your confirmation and the answer. The call may or may not have been carried out.",
  expired: "⌛ This card has expired. Nothing was sent.",
  canceled: "✖️ Cancelled. Nothing was sent.",
  superseded: "This card was replaced by a newer one. Nothing was sent for it.",
  lookAgain: "It promises less than the card that you confirmed. Look at it before you decide.",
  lookAgainButton: "Show the new card",
  tooSoon: "This card has only just replaced the one before. Read it, then tap again.",
  worse: (then: string, now: string) =>
    `The price moved against you, so nothing was sent: your minimum was ${then}, the output would now be ${now}. This is a fresh card:`,
};
