import { resultCode } from "./refusals.js";

/** What a card says through its life, whatever it is about. */
export const intent = {
  sending: "⏳ Final check, then sending…",
  sent: "⏳ Sent. Waiting for the answer…",
  signing: "✍️ Waiting for your wallet to sign. Nothing is sent before you do.",
  sign: "✍️ Sign in your wallet",
  closing: "Closing this. I'm making sure that your wallet hasn't sent it…",
  sentToChain: "⏳ Signed. Waiting for the chain to confirm it…",
  refusedNow: "⏳ Signed, but the network refuses it now",
  refusedNext: (until: string) =>
    `It may have taken it before, so I keep looking, and trying until ${until}. To make sure that it can't go through, send any other transaction from your wallet: that one takes its number.`,
  carriedOut: "✅ Carried out on the chain",
  networkFee: "Network fee",
  networkFeeAbout: "Network fee about",
  networkFeeLater: "Network fee: shown before you sign",
  networkFeeWarning: (percent: string) => `⚠️ That is ${percent} % of what you pay`,
  transaction: "Transaction",
  explorer: "🔎 View in explorer",
  feeKept: "The chain keeps the part of the network fee that pays for bandwidth and gas.",
  accepted: "☑️ The node accepted it",
  /** Of an answer that nothing else proves yet. */
  reported: "It reported",
  paidTo: (account: string) => `To ${account}`,
  account: "Account",
  fromYours: "From and to your account:",
  fromNode: "From the node's account to yours:",
  fromCaller: "From and to the account that makes the call; it should be yours:",
  signUntil: (time: string) => `Sign it before ${time}.`,
  unverified:
    "The node answered ok, but not with what the contract promises, so I can't say what happened. This is its answer, unchanged:",
  unreadable:
    "The answer isn't what the contract promises, so I can't give you the figures. This is the answer, unchanged:",
  checkWallet: "Check your wallet's balance before you go on.",
  failed: "❌ Refused",
  refusalSays: (text: string) => `The refusal says: “${text}”`,
  resultCode,
  notSent: "❌ Not sent",
  unknown: "⚠️ Outcome unknown",
  unknownWhy: "It was sent, but no clear answer came: it may or may not have been carried out.",
  unknownLost:
    "The chain doesn't show it so far: it may still go through. I keep looking for two days. To make sure that it can't be, send any other transaction from your wallet: that one takes its number.",
  unknownReplaced:
    "Its number is used, but the node doesn't show by which transaction: it may or may not have gone through. I keep looking for two days.",
  foundLater: (what: string) =>
    `I found this on the chain after its card had ended: ${what}. Its card says what becomes of it.`,
  interrupted: "I was interrupted before anything was sent.",
  unknownInterrupted: "I was interrupted before the answer: it may or may not have been carried out.",
  expired: "⌛ This card has expired. Nothing was sent.",
  renewed: "⌛ The card had expired, so nothing was sent. This one has the figures of now:",
  canceled: "✖️ Cancelled. Nothing was sent.",
  superseded: "This card was replaced by a newer one. Nothing was sent for it.",
  lookAgain: "It promises less than the card you confirmed. Look before you decide.",
  lookAgainButton: "Show the new card",
  tooSoon: "This card has only just replaced the one before. Read it, then tap again.",
  worse: (then: string, now: string) =>
    `The price moved against you, so nothing was sent: your minimum was ${then}, the output would now be ${now}. Here is a new card:`,
};
