export const wallet = {
  title: "Your payout address",
  explain: "Swaps, locks and unlocks pay out here. Check it character by character.",
  signs:
    "It has to be an account in your own Klever wallet, which signs and pays for everything that you confirm here.",
  since: (time: string) => `Set on ${time}.`,
  change: "To change it, paste another klv1… address here.",
  ask: "Where should your tokens go? Send your klv1… address. Never send a key or a seed phrase.",
  pasted: "Should your tokens go to this address?",
  pastedOther: "This isn't your payout address:",
  useButton: "📬 Use as payout",
  changeTitle: "Change your payout address?",
  from: "Your address until now",
  to: "The new address",
  changeWarning: "Everything would pay out to the new address. If somebody asked you to do this, don't.",
  changeButton: "Yes, change it",
  changed: (before: string) => `Your payout address was changed. Until now it was ${before}.`,
  cardsCanceled: (count: number) =>
    count === 1
      ? "One open card still paid to the old address; it was cancelled."
      : `${count} open cards still paid to the old address; they were cancelled.`,
};

export const balance = {
  nothing: "Nothing that I know of.",
  locked: "Locked",
  until: (asset: string, epoch: bigint, date: string | undefined) =>
    date === undefined ? `${asset}, until epoch ${epoch}` : `${asset}, until ${date} (epoch ${epoch})`,
  standsFor: (first: string, second: string) => `stands for ${first} and ${second}`,
  more: (lines: number) => `and ${lines} more lines`,
  onlyKnown: "As the node reports it now, for the tokens I know and what I locked for you.",
  beforeAfter: (before: string, after: string) => `Balance: ${before} → ${after}`,
  check: "🔎 Check",
  file: "✖️ It didn't happen",
  filed: (time: string) => `✖️ Filed by you: it didn't happen (${time}).`,
  filedExplain: "It still counts in your limits. If it arrives after all, Check finds it.",
  arrived: (time: string) => `🔎 It has arrived (${time}).`,
  notArrived: (time: string) => `🔎 It hasn't arrived so far (${time}). Check again in a minute.`,
  unclear: (time: string) => `🔎 I can't tell (${time}).`,
  onChain: "🔎 The chain carried it out.",
  refusedOnChain: "🔎 The chain refused it: nothing was carried out.",
  why: {
    "unknown-before": "I don't know what you held before it.",
    "unknown-now": "I can't read what you hold now.",
    "other-calls": "You have made other calls since, so balances prove nothing. Compare:",
    other: "Your balances changed, but not as this would change them. Compare:",
  },
};
