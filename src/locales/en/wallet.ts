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
  until: (asset: string, epoch: bigint, date: string | undefined) =>
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
