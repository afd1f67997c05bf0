import { resultCode } from "./faults.js";

/** What a card says through its life, whatever it is about. */
export const intent = {
  sendingButton: "⏳ Sending…",
  expiredButton: "Price too old",
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
  networkFeeWarning: (percent: string) => `⚠️ That is ${percent} of what you pay`,
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
  signUntil: (time: string, left: string) => `Sign it by ${time} · ${left}`,
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

/** The words of the page on which a person's wallet signs. */
export const signing = {
  title: "Sign this transaction",
  titleOver: "There is nothing to sign here",
  titleTrouble: "No connection",
  networkFee: "Network fee, at most",
  account: "Your account",
  chain: "Chain",
  hash: "Hash",
  timeLeft: "Time left",
  everything: "Everything about it",
  back: "Back to the chat",
  sign: "Sign with my wallet",
  waiting: "Waiting for your wallet…",
  again: "Try again",
  decline: "Don't sign",
  needsScript:
    "This page needs JavaScript to talk to your wallet. Switch it on and reload, or cancel the card in the chat.",
  ready:
    "The button opens your wallet. Compare what it shows with this page: I send it only once you have signed there.",
  looking: "Looking for your wallet…",
  opening: "Opening your wallet. If it asks for its password, or whether to connect, answer it there.",
  notOpened: "Your wallet did not open, or did not let this page in. I have sent nothing.",
  noAccount: "Your wallet shows no account. Unlock it, choose your account there, then try again. I have sent nothing.",
  asking: "Your wallet is asking you now. If you can't see its window, reload this page.",
  checking: "Checking the signature…",
  notSigned: "Your wallet did not sign, so I have sent nothing.",
  noAnswer: "Your wallet closed without an answer. It handed me no signature, so I have sent nothing.",
  unsigned: "Your wallet handed the transaction back unsigned, so I have sent nothing.",
  walletError: "Your wallet reports an error instead of a signature, so I have sent nothing.",
  walletFailed: "Your wallet's answer is no signature, so I have sent nothing.",
  walletSays: "It says",
  wrongSignature:
    "This signature doesn't match the transaction: your wallet signed something else, or with another key. I have sent nothing. If it happens again, don't sign, and tell the operator.",
  otherAccount: "Your wallet is on a different account. Choose the right one there, or try again.",
  shownAccount: "Your wallet shows",
  wantedAccount: "This card needs",
  signed: "Signed. The chat shows what happens next; you can close this page.",
  declining: "Telling the bot…",
  declined: "You declined, so I won't send it.",
  unknown: "This link is not valid, or has expired. Ask for a new card in the chat.",
  trouble:
    "No answer right now: the bot, or a service that it asks, can't be reached. This page keeps trying; leave it open.",
  noWallet: "No wallet has turned up in this browser.",
  noWalletHelp:
    "Open this page in the Klever app, or in a desktop browser with the Klever extension. If the button below does nothing, copy the address and open it in the app's own browser.",
  openApp: "Open in the Klever app",
  copy: "Copy the address of this page",
  copied: "Copied",
  qr: "QR code of this page's address, for a phone",
};
