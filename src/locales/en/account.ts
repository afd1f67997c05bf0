export const wallet = {
  explain: "Swaps, locks and unlocks are paid to this address. Check every character.",
  signs: "It must be an account in your own Klever wallet, which signs and pays for everything you confirm here.",
  since: (time: string) => `Set on ${time}.`,
  change: "To change it, paste another klv1… address here.",
  ask: "Send your klv1… wallet address. Never send a private key or seed phrase.",
  pasted: "Use this as your wallet address?",
  pastedOther: "This is not the address you have set:",
  useButton: "📬 Use this address",
  changeTitle: "Change your wallet address?",
  from: "Current address",
  to: "New address",
  changeWarning: "Everything would be paid to the new address. If someone told you to do this, it is a scam: stop.",
  changeButton: "Yes, change it",
  kept: "Nothing changed: your wallet address stays as it is.",
  savedAs: "✅ Saved. Everything is paid to this address:",
  changed: (before: string) => `Your wallet address was changed. Previous address: ${before}.`,
  quotesCanceled: (count: number) =>
    `${count} open ${count === 1 ? "quote for the old address was" : "quotes for the old address were"} cancelled.`,
  requestsCanceled: (count: number) =>
    `${count} open ${count === 1 ? "request for the old address was" : "requests for the old address were"} cancelled.`,
};

export const addresses = {
  none: "None yet.",
  explain: "I only look at these, in /balance and /portfolio. Nothing is ever paid to them or from them.",
  nowOwn: "your own now, so it isn't listed twice",
  add: "➕ Add an address",
  watch: "👁 Only look at it",
  ask: "Which klv1… address should I look at? Never send a private key or seed phrase.",
  askName: (address: string) => `Which name for ${address}? It is for your eyes only.`,
  removed: (name: string) => `${name} removed:`,
  title: "👁 Watch-only",
  unknown: "Balance unknown right now.",
  notInTotal: "👁 Watch-only (not in the total above; gain unknown)",
  withTotal: "Total with watch-only",
};

export const balance = {
  nothing: "No balance found.",
  locked: "Locked",
  until: (asset: string, epoch: string, date: string | undefined) =>
    date === undefined ? `${asset}, until epoch ${epoch}` : `${asset}, until ${date} (epoch ${epoch})`,
  standsFor: (first: string, second: string) => `represents ${first} + ${second}`,
  onlyKnown: "Reported by the node just now. Tokens that aren't on this bot's list aren't shown.",
  beforeAfter: (before: string, after: string) => `Balance: ${before} → ${after}`,
  check: "🔎 Check",
  file: "✖️ It didn't happen",
  filed: (time: string) => `✖️ You marked this as not happened (${time})`,
  filedExplain: "It still counts towards your limits. If it arrives after all, 🔎 Check finds it.",
  arrived: (time: string) => `🔎 It has arrived (${time}).`,
  notArrived: (time: string) =>
    `🔎 Nothing has arrived yet (${time}). Check again in a minute, and don't swap again before.`,
  notShown: (time: string) => `🔎 The chain doesn't show it yet (${time}). Check again in a minute.`,
  unclear: (time: string) => `🔎 Still unclear (${time}).`,
  onChain: "🔎 Confirmed on chain.",
  why: {
    "nothing-to-read": "It changes nothing that I can read. Look in your wallet or an explorer.",
    "unknown-before": "I have no earlier balance to compare with.",
    "unknown-now": "I can't read your balance right now.",
    "other-calls": "You've traded since, so your balance proves nothing.",
    other: "Your balance changed, but not by the expected amount.",
    "no-view": "The node can't show this step by itself. Once it shows the next one, this one is certain too.",
    unread: "I can't reach the node right now. Check again in a minute.",
    "not-own": "The chain shows this step as done, but not that this transaction did it.",
  },
  compare: "Compare:",
};

export const history = {
  empty: "Nothing here yet. Start with /swap.",
  nothingHere: "Nothing of this kind yet.",
  filters: { all: "All", swap: "Swaps", multihop: "Routes", lock: "Locks", launch: "Launches" },
  done: "done",
  accepted: "accepted, not confirmed",
  refused: "rejected",
  notSent: "not sent",
  unknown: "outcome unknown",
  arrived: "done (no response came)",
  filed: "marked by you as not happened",
  signing: "waiting for your signature",
  underWay: "in progress",
  file: "📄 Export CSV",
  fileName: "history.csv",
  fileCaption: "Your full history, oldest first. Amounts are exact; rejected and unknown transactions have none.",
  taxCaption: (program: string) =>
    `For ${program}, oldest first, in UTC: what is proven, with network fees. Locks and deposits in pools aren't trades and are left out.`,
  keptOnTheWay: (count: number) =>
    `Exact trades that left some of a token on the way in your account, which the file doesn't have: ${count}.`,
  leftOut: (count: number) =>
    `⚠️ ${count === 1 ? "1 trade is" : `${count} trades are`} not in there: ${count === 1 ? "its outcome or amounts aren't" : "their outcomes or amounts aren't"} proven. /history csv lists all of them.`,
  feesTitle: "Fees",
  feesExplain: (percent: string) =>
    `Each swap's output is split on chain: ${percent} goes to this bot's operator, the rest to you. You see both amounts before you confirm. There is no other bot fee.`,
  feesPaid: "Paid by your swaps in /history, according to the node or your balance:",
  feesNone: "No swap in /history has paid a fee.",
  feesMore: (tokens: number) => `and in ${tokens} more tokens`,
};

export const receipt = {
  title: "🧾 Receipt",
  none: "No receipt: this trade isn't finished, or its outcome or amounts are unknown.",
  quote: "Vs. quote",
  best: "Vs. best route",
  notCompared: "The pools couldn't be read at the time, so there is no price to compare with.",
  explain: (seconds: number) =>
    `What you received after all fees, compared with figures from ${seconds}\u00a0s before it was sent. The pool price is without fees.`,
  month: "📅 Month",
  monthTitle: (month: string) => `Receipts for ${month} (UTC)`,
  mostOnADay: (amount: string) => `Most in one day: ${amount}`,
  usage: "Send /receipt, /receipt month, or a month such as /receipt 2026-12. Add csv to get a file.",
  empty: "No finished trades in this month.",
  trades: (count: number) => (count === 1 ? "1 trade" : `${count} trades`),
  compared: (count: number, of: number) => `Pool prices known for ${count} of ${of} trades.`,
  isCut: (count: string) => `Only the first ${count} trades are counted.`,
  fileCaption: (month: string) => `Your trades in ${month}. Amounts are exact; unknown ones are empty.`,
};

export const portfolio = {
  countIn: (token: string) => `In ${token}`,
  asOf: (time: string, token: string) =>
    `In ${token}: what selling everything at ${time} would bring, after the bot fee`,
  unseen: "⚠️ I can't see your balance right now. This shows only your trades here.",
  noBalance: (token: string) => `${token}: balance unknown`,
  valueUnknown: "value unknown",
  totalUnknown: "unknown",
  saleCost: (percent: string) => `selling it all now: ${percent} below the pool price`,
  cost: (cost: string, price: string | undefined) => `cost ${cost}${price === undefined ? "" : ` (${price} each)`}`,
  costOnly: (amount: string) => `known for ${amount} only`,
  costUnknown: "cost unknown",
  unrealised: "unrealised",
  realised: "realised",
  total: "Total value",
  totalOpen: (count: number) => `${count} of unknown value not counted`,
  unrealisedTotal: "Unrealised gain",
  realisedTotal: "Realised gain",
  shares: "In pools (not in the total)",
  sharesUnknown: "⚠️ I can't read the pools, so I don't know what your LP tokens are worth.",
  locks: "Locked (not in the total)",
  unknownRoyalties: (count: number) => `Trades whose royalty isn't known, and isn't counted as a cost: ${count}.`,
  beforeRoyalty: "before a royalty, which I can't read now",
  uncounted: (count: number) =>
    `${count} ${count === 1 ? "trade isn't counted: its" : "trades aren't counted: their"} outcome or amounts are unknown.`,
  tooOld: (count: number) =>
    count === 1 ? "Your oldest transaction isn't counted." : `Your ${count} oldest transactions aren't counted.`,
  soldUnknown: (amount: string) => `sold at unknown cost: ${amount}`,
  explain: "Cost is the average cost of what you bought here. Tokens from elsewhere have no known cost.",
  overTime: "📈 Over time",
  notYet: "I note the total on each day you open /portfolio. A chart needs two days: come back tomorrow.",
  lookedAt: (date: string) => `Since ${date}: the last total of each day (UTC) on which you opened /portfolio`,
  fileName: "portfolio.csv",
  fileCaption: (token: string) => `Your portfolio in ${token}. Amounts are exact; unknown ones are empty.`,
};

export const week = {
  title: (from: string, to: string) => `Your week: ${from} to ${to}`,
  gain: "Gain from sales",
  trades: "Trades",
  saved: "Saved by routes",
  unknown: "unknown",
  nothingSold: "nothing sold",
  noRoutes: "no routes",
  none: "No finished trades in these seven days.",
  unknownSales: (count: number, of: number) =>
    `${count} of ${of} ${of === 1 ? "sale" : "sales"}: cost unknown in whole or in part. What is unknown isn't counted.`,
  unproven: (count: number) =>
    `${count} ${count === 1 ? "trade isn't counted: it isn't" : "trades aren't counted: they aren't"} proven.`,
  savedExplain: (percent: string) => `A plain swap takes ${percent} of what it brings as the bot fee. Routes don't.`,
  unknownRoutes: (count: number, of: number, token: string) =>
    `${count} of ${of} ${of === 1 ? "route" : "routes"} without ${token}: not counted.`,
  explain: "What you sold, against its average cost here. What you still hold is in /portfolio.",
  choose: { on: "🗓 Send it every Sunday", off: "🗓 No more Sundays" },
  chosen: {
    on: (zone: string) => `It comes on Sundays at 19:00 (${zone}), if you traded.`,
    off: () => "It won't come any more. /week shows it.",
  },
  setting: "Week on Sundays",
  settingAs: { on: "at 19:00", off: "off" },
};

export const settings = {
  title: "Settings",
  slippage: "Slippage",
  slippageExplain: (maximum: string) =>
    `How far the price may move against you before the swap fails. Higher: more swaps succeed. Lower: better protection. Maximum: ${maximum}.`,
  presets: "Quick amounts",
  language: "Language",
  timeZone: "Time zone",
  custom: "Custom",
  askSlippage: (maximum: string) => `Send the slippage in percent, for example 0.5 or 2. Maximum: ${maximum}.`,
  badSlippage: (maximum: string) => `Send a number from 0 to ${maximum} with at most two decimals, such as 0.5.`,
  askPresets:
    "Send up to four amounts in KLV, separated by spaces, such as 10 50 250. For other tokens, the buttons offer about as much.",
  badPresets: "Send one to four plain amounts, separated by spaces, such as 10 50 250.",
  askTimeZone: "Which city is in your time zone? Choose one, or send a city or a time zone, such as Europe/Lisbon.",
  badTimeZone:
    "I don't know that place. Send a larger city near you, or a time zone such as Europe/Lisbon or America/Sao_Paulo.",
  unclearTimeZone: (typed: string) =>
    `“${typed}” is several time zones. Send a city near you, such as Lisbon or New York.`,
  severalTowns: (typed: string) => `Several countries have a town called “${typed}”. Choose your time zone.`,
  saved: "Saved.",
  savedTimeZone: (time: string) => `Saved. It is ${time} there now.`,
  unknownTimeZone: (name: string) => `${name}: not known, so UTC counts`,
  appliesToNew: "Changes apply to new quotes only.",
  alerts: "Order alerts",
  charts: "Charts",
  chartsAs: { dark: "dark", light: "light" },
  makeCharts: { dark: "🌙 Dark charts", light: "☀️ Light charts" },
};

export const security = {
  title: "Security",
  notFrozen: "Trading is enabled. Tap 🧊 Freeze to block all trading immediately.",
  frozen: (since: string) => `🧊 Frozen since ${since}. Send /unfreeze to trade again.`,
  lifting: (duration: string) => `Lifting a freeze takes ${duration}.`,
  liftingAtOnce: "You can lift a freeze at once.",
  freezeQuestion: "🧊 Freeze trading?",
  freezeExplain: "Nothing can leave from then on, and what you haven't confirmed is cancelled.",
  freezeNow: "🧊 Freeze now",
  keepTrading: "Keep trading",
  kept: "Not frozen. You can go on trading.",
  phrase: "Anti-phishing phrase",
  noPhrase:
    "Anti-phishing phrase: not set. Choose one that I show on everything you confirm; a fake bot can't know it.",
  limits: "Your limits",
  noLimits: "None. New and lower limits apply at once; raising one takes 24 hours.",
  most: (perTransaction: string, perDay: string) => `${perTransaction} per transaction, ${perDay} per day`,
  unlimited: "no limit",
  later: (from: string, most: string) => `from ${from}: ${most}`,
  unfreezeLater: (from: string) => `You can trade again from ${from}.`,
  walletLater: (from: string) => `From ${from}, this will be your wallet address:`,
  walletInEffect: "Your wallet address has changed. It is now:",
  undo: { wallet: "↩️ Keep my current address", unfreeze: "↩️ Stay frozen", forget: "↩️ Don't delete anything" },
  undone: {
    wallet: "↩️ Undone: your wallet address stays as it is.",
    unfreeze: "↩️ Undone: you stay frozen.",
    forget: "↩️ Nothing will be deleted.",
  },
  forgetTitle: "What I keep about you",
  forgetKept:
    "Your wallet address, the addresses you look at, settings, limits and phrase; the history of your transactions; what you locked and launched through me; the orders you watch; your price alerts; your limit orders, stops, regular purchases and exits; your links for programs, and what came by them in a week; whether I tell you of new pairs; whether I tell you what arrives, and what you held then; and what your portfolio was worth. I can delete all of it.",
  forgetFile: "Save your history first. The file has every transaction, and I can't send it afterwards.",
  forgetUnknown: (count: number) =>
    `⚠️ ${count === 1 ? "One of your transactions has" : `${count} of your transactions have`} an unknown outcome. Check first: afterwards I can't.`,
  forgetTokens: "Your tokens don't move. They are in your own account, locked ones too.",
  forgetStays:
    "What stays: what anyone can see on chain, this chat until you delete it, and what the operator keeps: an audit log, who was given access, and backups.",
  forgetAsk: "🗑 Delete everything…",
  forgetReally: "⚠️ Delete everything I keep about you?",
  forgetGuards: "Your limits, your phrase and your history go too, and can't be restored.",
  forgetAtOnce: "It happens at once and can't be undone.",
  forgetFrom: (from: string) => `It happens on ${from}. Until then you can undo it, and /freeze stops it.`,
  forgetWaits:
    "If a transaction is still pending then, or your wallet can still send one, I wait for it and show you its outcome first.",
  forgetKeep: "↩️ Keep everything",
  forgetConfirm: "🗑 Yes, delete everything",
  forgetLater: (from: string) => `On ${from}, I'll delete everything I keep about you.`,
  forgetNothing: "I keep nothing about you.",
  forgotten: "I have deleted everything I kept about you. Send /start if you want to come back.",
  changes: "Recent changes",
  noChanges: "None.",
  guards: {
    "first-wallet": "address set",
    wallet: "address changed",
    freeze: "frozen",
    unfreeze: "unfrozen",
    limit: "limit changed",
    phrase: "phrase changed",
    slippage: "slippage changed",
    timezone: "time zone changed",
  },
  usedUp: (spent: string, perDay: string, token: string) =>
    `⚠️ Today you have already used ${spent}. With ${perDay} per day you can't trade any more ${token} today.`,
  usedUpLater: "Raising it again takes 24 hours. Set it?",
  setAnyway: "⚠️ Set it",
  keepLimits: "Keep my limits",
  limitsKept: "Nothing changed.",
  takeBackUntil: (time: string) => `A mistake? Until ${time} you can take it back.`,
  takeBack: "↩️ Take it back",
  takenBack: "↩️ Taken back: your limits are as before.",
  tooLateToTakeBack:
    "This can't be taken back any more: a minute has passed, or something has changed since. /security shows your limits.",
  setLimit: "Set a limit",
  setPhrase: "Set a phrase",
  freeze: "🧊 Freeze",
  askLimit:
    "Send a token, a limit per transaction and a limit per day, for example KLV 100 / 500. Use - for no limit: KLV - / 500. Swaps, routes, locks and deposits count. Lower limits apply at once, higher ones after 24 hours.",
  askPhrase: "Send a phrase of up to 40 characters. I'll show it on everything you confirm.",
  badPhrase: "Use 1 to 40 characters of plain text.",
  slippageZero: "⚠️ With 0% slippage almost every swap fails: any price move is too much.",
  slippageHigh: (percent: string) =>
    `⚠️ With ${percent} slippage you could get up to ${percent} less than quoted, and bots can take advantage of it.`,
};
