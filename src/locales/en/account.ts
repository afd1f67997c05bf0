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
  changed: (before: string) => `Your wallet address was changed. Previous address: ${before}.`,
  cardsCanceled: (count: number) =>
    count === 1
      ? "1 open quote for the old address was cancelled."
      : `${count} open quotes for the old address were cancelled.`,
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
  notArrived: (time: string) => `🔎 Nothing has arrived yet (${time}). Check again in a minute.`,
  unclear: (time: string) => `🔎 Still unclear (${time}).`,
  onChain: "🔎 Confirmed on chain.",
  why: {
    "unknown-before": "I have no earlier balance to compare with.",
    "unknown-now": "I can't read your balance right now.",
    "other-calls": "You've traded since, so your balance proves nothing. Compare:",
    other: "Your balance changed, but not by the expected amount. Compare:",
  },
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
  fileCaption: "Your full history, oldest first. Amounts are exact; unconfirmed entries have none.",
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
  price: "Vs. pool price",
  best: "Vs. best route",
  notCompared: "The pools couldn't be read at the time, so there is no price to compare with.",
  explain: (seconds: number) =>
    `What you received (after the bot fee), compared with figures from ${seconds} s before it was sent. The pool price and the best route are before that fee.`,
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
  uncounted: (count: number) =>
    count === 1
      ? "1 trade isn't counted: its outcome or amounts are unknown."
      : `${count} trades aren't counted: their outcome or amounts are unknown.`,
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
