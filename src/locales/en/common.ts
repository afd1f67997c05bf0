export const common = {
  confirmSwap: "✅ Confirm swap",
  refresh: "🔄 Refresh",
  newQuote: "🔄 New quote",
  repeat: "🔁 Repeat",
  tryAgain: "🔄 Try again",
  cancel: "✖️ Cancel",
  back: "‹ Back",
  detailsCut: "… and more that doesn't fit here.",
  open: (position: number) => `${position} · Open`,
  older: "Older ›",
  newer: "‹ Newer",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  somethingWentWrong:
    "Something went wrong on my end. Nothing was sent. Try again; if it keeps happening, contact the operator.",
  notAllowed: (id: number) => `This bot is private. To get access, contact the operator. Your Telegram ID is ${id}.`,
  askInButton: "🙋 Request access",
  askIn: {
    asked: "Request sent to the operator. I'll message you here if it's approved.",
    already: "You've already asked today. Please wait for an answer.",
    full: "Too many requests today. Try again tomorrow.",
  },
  unanswered: (time: string) =>
    `Telegram didn't take my answer (${time}). Please ask again. If you had confirmed a trade, look at /history first.`,
  letIn: "✅ Access granted. Send /start to begin.",
  openPrivately: "Open the private chat",
  privateOnly: "I only trade in private chats. Open a chat with me and send the command there.",
  foreignCommand: "This command was forwarded or sent by another bot, so I ignored it. To run it, send it yourself.",
  secret: {
    deleted: "⚠️ That looked like a seed phrase or private key. I deleted your message and kept no copy.",
    notDeleted:
      "⚠️ That looks like a seed phrase or private key. I couldn't delete it: delete it yourself now. I kept no copy.",
    unless: "(A transaction hash looks like a key. If it was only that, ignore this.)",
  },
  keyFile: {
    deleted:
      "⚠️ That looked like a file with a private key or a wallet. I deleted your message and didn't open the file.",
    notDeleted:
      "⚠️ That looks like a file with a private key or a wallet. I couldn't delete it: delete it yourself now. I didn't open it.",
    unless: "(I go by the file's name and type. If it holds no key, ignore this.)",
  },
  secretAdvice:
    "If it was real, treat it as stolen: move your funds to a new wallet now. I never need a key or seed phrase. Anyone who asks for one is a scammer.",
  slowDown: "You're sending messages faster than I can handle, so I dropped some. Wait for my replies, then resend.",
  unknownText: "I didn't understand that. /help lists what I can do.",
  unknownCommand: "Unknown command. /help lists what I can do.",
  oldButton: "This button is no longer active. Start again with the command.",
  notYours:
    "This isn't yours, or it's too old, so I removed its buttons. Start again, for example with /swap. /history shows what was done.",
  dialogLeft: "✖️ Cancelled. Nothing was sent.",
  dialogEnded: (command: string) => `You began something else, so the question of /${command} ended.`,
  resume: (command: string) => `▶️ Continue /${command}`,
  askedBelow: "A question is open below: answer there.",
  notAnswer: (text: string) => `“${text}” doesn't answer this question.`,
  doInstead: "To do it now, tap it: you can come back to the question.",
  doLater: "Answer or cancel the question first, then send that again.",
  cardsCanceled: "Cancelled:",
  cardsClosing: "Cancelling. Checking that your wallet hasn't already sent:",
  andMore: (count: number) => `and ${count} more`,
  /** Of what goes to and fro. */
  storm: {
    begins: "🌀 This goes to and fro. I say no more of it until it has been steady for ten minutes.",
    over: "🌀 Steady for ten minutes now.",
    count: (count: number, at: string) => `It happened ${count} times, the last time ${at}.`,
  },
  unclear: (count: number, at: string) =>
    count === 1
      ? `⚠️ 1 may not have reached you: I can't tell whether Telegram took it (${at}). I send such a message only once.`
      : `⚠️ ${count} may not have reached you: I can't tell whether Telegram took them (the last: ${at}). I send such messages only once.`,
  tooLate: "Already sent, can't be cancelled:",
  given: "Already handed to the network, so it may still go through:",
  cardsKept: "Swaps of your orders stay open. Cancel below a swap ends it; /orders pauses or deletes its order:",
  nothingToCancel: "Nothing to cancel.",
  froze: "🧊 Frozen. You can't trade until you send /unfreeze.",
  frozeQuotes: (canceled: number) => `Open quotes cancelled: ${canceled}.`,
  frozeRequests: (canceled: number) => `Open requests cancelled: ${canceled}.`,
  unfroze: "Unfrozen. You can trade again. What was cancelled stays cancelled.",
  notFrozen: "Your account isn't frozen.",
  tooLong: (maximum: number) => `That's too long: I read up to ${maximum} characters. Send something shorter.`,
  textOnly: "Please answer with text, or send /cancel.",
  thin: (amount: string) => `thin: about ${amount}`,
  thinExplain: "Thin: too little in the pools to count on, so not in the total.",
  smallestUnits: (units: string, token: string) => `${units} base units of ${token}`,
  youHave: (amount: string, token: string) => `You have ${amount} ${token}.`,
  youHaveNone: (token: string) => `You have no ${token}.`,
  fromOperator: "📣 From the operator of this bot:",
  goOn: "▶️ Continue",
  manyTries: (count: number) =>
    `I couldn't use ${count} of your answers. What you chose so far is kept: continue, or send /cancel to leave.`,
  validUntil: (time: string, left: string) => `Valid until ${time} · ${left}`,
  dialogOutdated:
    "I was updated in the middle of this and lost your answers. Nothing was sent; start again with the command.",
};

export const help = {
  welcomeTitle: "Welcome to Swapdesk",
  welcome:
    "Swap KLV, KFI and other Klever tokens right here, with limit orders, stops and regular purchases that ask you first. Send a token to see what its issuer can do before you buy it. You see every number before you confirm, and each confirmation sends at most one transaction.",
  holdsNoKeys:
    "I never hold your keys or ask for them. Anyone who asks for your seed phrase or private key in my name is a scammer.",
  nextWallet: "Tap 💱 Swap to begin. I'll ask for your wallet address, then what to swap.",
  homeTitle: "🏠 Your account",
  homeUnseen: "I can't see your balance right now.",
  homeTotal: (amount: string) => `Total: about ${amount}`,
  homeAsOf: (time: string) => `As of ${time}, at pool prices`,
  swapButton: "💱 Swap",
  repeatTitle: "Which trade do you want to repeat?",
  nothingToRepeat: "You have no trades to repeat yet.",
  quick: {
    title: "Quickest",
    token: (token: string) =>
      `Send a token, such as ${token}: its price, what its issuer can do, and buttons to trade.`,
    spoken: (token: string) => `Send buy 100 ${token}, or sell 5 ${token}.`,
    reply: "Reply to a quote with a number to change the amount.",
  },
  fee: (percent: string) =>
    `Fee: ${percent} of each swap's output goes to this bot's operator. You see the exact amount before you confirm.`,
  /** Shown next to the command, and above the list that it opens. */
  commands: {
    start: "Your account and the main menu",
    help: "What I can do",
    quote: "Get a quote",
    swap: "Swap tokens",
    limit: "Buy or sell at your price",
    stoploss: "Be asked when a price falls",
    dca: "Buy a little regularly",
    locks: "Your locks",
    order: "Look up an exchange order",
    orders: "Your orders",
    alert: "Set a price alert",
    alerts: "Your price alerts",
    newpairs: "Be told of new pairs",
    bigtrades: "Be told of big trades",
    wallet: "Your wallet address",
    balance: "Your balance",
    addresses: "Addresses you only look at",
    portfolio: "Your portfolio: value, cost, gains",
    settings: "Slippage, amounts, language",
    history: "Your history",
    freeze: "Block all trading now",
    cancel: "Cancel what you are doing",
  },
};

/** Texts of inline mode. */
export const share = {
  open: "Open in Swapdesk",
  hint: "Type 100 KLV KFI, or an order ID",
  busy: "Too many requests. Try again soon",
  none: "Nothing found",
  quoteHint: "Price now, after the bot fee",
  priceAt: (time: string, ago: string) => `Price at ${time}, ${ago}`,
  seenAt: (time: string, ago: string) => `As of ${time}, ${ago}`,
  badLink: "I can't read this link. Send /help to see what I can do.",
};
