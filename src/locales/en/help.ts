export const help = {
  welcomeTitle: "Welcome to Swapdesk",
  welcome:
    "I swap tokens for you from this chat. You see every number before anything is sent, and one confirm sends exactly one call.",
  holdsNoKeys:
    "I hold no keys and never ask for one. Whoever asks you for a seed phrase or a private key in my name is a thief.",
  nextWallet: "First tell me where your tokens should go. Send your klv1… address like this:",
  nextSwap: "Try this, or send /swap and I'll take you through it step by step:",
  title: "What I can do",
  oneLine: "Each works step by step, or in one line:",
  fee: (percent: string) =>
    `A swap pays a fee of ${percent} % of its output to whoever runs this bot. Each card shows it in tokens.`,
  commands: {
    start: "Say hello",
    help: "What I can do",
    quote: "Ask for a price",
    swap: "Swap tokens",
    multihop: "Trade over several pools",
    lock: "Lock tokens",
    unlock: "Take locked tokens back",
    locks: "What is locked",
    launch: "Launch a pair, step by step",
    order: "Look at an exchange order",
    orders: "Orders you watch",
    testalert: "See how an alert reaches you",
    wallet: "Where your tokens go",
    settings: "Slippage, amounts, language",
    history: "What you did",
    fees: "What the fee is, and what you have paid",
    freeze: "Stop everything at once",
    unfreeze: "Go on after a freeze",
    cancel: "Leave a dialog, cancel open cards",
  },
};
