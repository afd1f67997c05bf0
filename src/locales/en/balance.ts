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
  arrived: (time: string) => `🔎 It has arrived: your balances show it (${time}).`,
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
