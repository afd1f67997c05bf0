export const common = {
  confirmSwap: "✅ Confirm swap",
  refresh: "🔄 Refresh",
  repeat: "🔁 Repeat",
  tryAgain: "🔄 Try again",
  cancel: "✖️ Cancel",
  back: "‹ Back",
  detailsCut: "… and more, which has no room here.",
  older: "Older ›",
  newer: "‹ Newer",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  somethingWentWrong:
    "Something went wrong on my side, so I stopped and sent nothing. Try again; if it keeps happening, tell the operator.",
  notAllowed: (id: number) => `This bot is private. Ask whoever runs it to let you in; your Telegram id is ${id}.`,
  askInButton: "🙋 Ask to be let in",
  askIn: {
    asked: "I've asked whoever runs this bot. If they let you in, I'll tell you here.",
    already: "I've asked already. Once a day is enough.",
    full: "Too many people have asked today. Try again tomorrow.",
  },
  letIn: "✅ You're in. Send /start to begin.",
  openPrivately: "Open the private chat",
  privateOnly: "Money matters stay between the two of us: open a private chat with me and send the command there.",
  foreignCommand:
    "This command was forwarded or sent by another bot, so I won't act on it. If you mean it, send it yourself.",
  secretDeleted: "⚠️ Your message looked like a seed phrase or a private key. I deleted it and kept no copy.",
  secretNotDeleted:
    "⚠️ Your message looks like a seed phrase or a private key. I kept no copy, but I can't delete it: delete it yourself, now.",
  secretAdvice:
    "If it is one, treat it as stolen: move what it guards to a new wallet. I never need a key or a phrase, and anyone who asks you for one is a thief. (A transaction's hash looks like a key. If it was only that, nothing has happened.)",
  slowDown:
    "That was too much at once, so I dropped what I couldn't keep up with. Wait for my answers, then send it again.",
  unknownText: "I don't know what to do with this. /help lists what I can do.",
  unknownCommand: "I don't know this command. /help lists what I can do.",
  oldButton: "This button belongs to an earlier step. Start again with the command.",
  notYours:
    "This card isn't one of yours, or I no longer know it, so its buttons are gone. Ask for a new one, with /swap for instance; /history has what was done.",
  dialogLeft: "Left the dialog.",
  cardsCanceled: "Cancelled:",
  cardsClosing: "Closing, while I make sure that your wallet hasn't sent it:",
  andMore: (count: number) => `and ${count} more`,
  tooLate: "On its way already, so it can't be stopped:",
  given: "Already given to the network, so it may still go through:",
  nothingToCancel: "There was nothing to cancel.",
  froze: (canceled: number) =>
    `Frozen. Nothing can be confirmed until you send /unfreeze.${canceled > 0 ? ` Open cards cancelled: ${canceled}.` : ""}`,
  unfroze: "Unfrozen. You can trade again; earlier cards stay cancelled.",
  notFrozen: "Your account isn't frozen.",
  tooLong: (maximum: number) => `That's too long for me: I read up to ${maximum} characters. Send something shorter.`,
  textOnly: "I can only read text here. Type your answer, or send /cancel.",
  smallestUnits: (units: string, token: string) => `${units} smallest units of ${token}`,
  youHave: (amount: string, token: string) => `You have ${amount} ${token}.`,
  youHaveNone: (token: string) => `You have no ${token}.`,
  fromOperator: "📣 From the operator of this bot:",
  goOn: "▶️ Go on",
  manyTries: (count: number) =>
    `That makes ${count} answers that I couldn't use. What you chose so far is kept: go on, or send /cancel to leave.`,
  priceHeld: (time: string, left: string) => `Price held to ${time} · ${left}`,
  validUntil: (time: string, left: string) => `Valid until ${time} · ${left}`,
  dialogOutdated:
    "I was updated in the middle of our dialog and lost the thread. Nothing was sent; start again with the command.",
};
