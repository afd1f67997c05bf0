/** A length of time by its whole years. */
const lasting = (years: bigint) =>
  years === 0n ? "less than a year" : years === 1n ? "more than a year" : `more than ${years} years`;

export const lock = {
  title: (amount: string) => `Lock ${amount}`,
  lockedUntil: (amount: string, epoch: bigint, date: string | undefined) =>
    date === undefined ? `Lock ${amount} until epoch ${epoch}` : `Lock ${amount} until ${date} (epoch ${epoch})`,
  unlockTitle: (amount: string) => `Unlock ${amount}`,
  confirmLock: "✅ Confirm lock",
  confirmReturn: "✅ Confirm, return them",
  confirmUnlock: "✅ Confirm unlock",
  youLock: "You lock",
  until: "Until",
  untilEpoch: "Until epoch",
  dateOfEpoch: (moment: string, epoch: bigint) => `about ${moment} (epoch ${epoch})`,
  now: (epoch: bigint) => `It is epoch ${epoch} now.`,
  nowUnknown: "⚠️ The node doesn't say which epoch it is. If yours has begun, your tokens just come back.",
  noDate: "The node doesn't say how long an epoch lasts, so there is no date.",
  noWayBack: "Until then nobody can take them back: not you, not me, not the operator.",
  youReceive:
    "You receive a locked token, 1 for 1. From that epoch on you can exchange it back for your tokens, so don't lose it.",
  merges: (locked: string) => `It is added to your locked token ${locked}, which unlocks at the same epoch.`,
  mayMerge:
    "Everybody's locks of the same token until the same epoch share one number. Only the amount you hold is yours.",
  past: (epoch: bigint, now: bigint) =>
    `Epoch ${epoch} has already begun: it is epoch ${now} now. The contract would lock nothing and just send your tokens back.`,
  epochBegan: "That epoch has begun in the meantime, so nothing was sent. Here is a new card:",
  long: (years: bigint, moment: string) => `⚠️ This locks your tokens for ${lasting(years)}, until about ${moment}.`,
  longAtUsualLength: (epoch: bigint, years: bigint) =>
    `⚠️ At six hours an epoch, as on Klever's main network, epoch ${epoch} is ${lasting(years)} away.`,
  longAtMost: (years: bigint) =>
    `By my estimate your tokens would be locked for ${years === 1n ? "less than a year" : `up to ${years} years`}.`,
  sure: "Do you want to go on?",
  sureButton: "I understand, show the card",
  tooMuch: (locked: string, recorded: string) =>
    `⚠️ I have no record of that much locked in ${locked}: by my record, ${recorded} is left. My record can be incomplete, so the contract decides.`,
  tooEarly: (unlockEpoch: bigint, epoch: bigint, moment: string | undefined) =>
    `⚠️ By my record it unlocks ${moment === undefined ? `at epoch ${unlockEpoch}` : `about ${moment} (epoch ${unlockEpoch})`}, and it is epoch ${epoch} now. Until then the contract refuses.`,
  recordChanged: "Your locks have changed since this card was made, so nothing was sent. Here is a new card:",
  done: "✅ Lock done",
  unlockDone: "✅ Unlock done",
  youLocked: "You locked",
  gaveBack: "You gave back",
  locked: "Locked as",
  returned: "The epoch had begun, so nothing was locked. Sent back",
  unlockAfter: (moment: string | undefined, epoch: bigint) =>
    moment === undefined
      ? `Can be unlocked from epoch ${epoch}.`
      : `Can be unlocked from about ${moment} (epoch ${epoch}).`,
  keptTokens: "Nothing was locked; you keep your tokens.",
  keptLocked: "Nothing was unlocked; you keep your locked token.",
  unknownLock: "I won't send it again. See if a locked token arrived before you lock again.",
  unknownUnlock: "I won't send it again. See if it paid out before you unlock again.",
  youBurn: "You give back",
  youGet: "You get",
  sameAmount: "the same number of smallest units of what was locked",
  unknownLocked:
    "I don't know this locked token: it was not locked through me. The contract decides whether it can be unlocked yet.",
  unlocked: "Paid out",
  listTitle: "Your locks",
  listEmpty: "You have no locks that I can see. Start with /lock.",
  notFromHere: "not locked here; the contract decides whether it can be unlocked yet",
  onlyOnRecord: "I can't see what your account holds right now, so locks that were not made here don't show.",
  lookedUpTo: (most: number, locked: string) =>
    `I looked for ${locked} with numbers up to ${most}. Another one is unlocked by /unlock ${locked}/NUMBER.`,
  epochUnknown: "The node doesn't say which epoch it is, so I can't tell what is ready. Send /locks again in a moment.",
  listNow: (epoch: bigint) => `Epoch now: ${epoch}`,
  ready: "can be unlocked now",
  unlocksAt: (epoch: bigint) => `unlocks at epoch ${epoch}`,
  unlocksOn: (moment: string, epoch: bigint, left: string) => `unlocks ${moment} (epoch ${epoch}), in about ${left}`,
  unlockButton: (locked: string) => `🔓 Unlock ${locked}`,
  days: (count: number) => (count === 1 ? "1 day" : `${count} days`),
  hours: (count: number) => (count === 1 ? "1 hour" : `${count} hours`),
  minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
  askToken: "Which token do you want to lock? Choose one, or send its name or id.",
  askAmount: (token: string) => `How much ${token}? Send an amount.`,
  askUntil: "Until when? Choose, or send a date (2026-12-31), a length of time (12h, 30d, 4w, 1y) or an epoch (5500).",
  times: { "7d": "7 d", "30d": "30 d", "90d": "90 d", "1y": "1 y" },
  askLocked:
    "Which locked token do you want to unlock? Choose one, or send its id with the number, such as LKTOK-1A2B/7.",
  askUnlockAmount: "How much of it? Send an amount.",
  allOf: (amount: string) => `All: ${amount}`,
  reminder: (amount: string, locked: string) => `🔓 ${amount} can be unlocked now (${locked}).`,
  reminderHow: (command: string) => `Send ${command} to take it back.`,
  usage: "Send the amount, the token and the unlock time, such as /lock 5 LPKLVKFI-3I0N 30d.",
  unlockUsage:
    "Send the locked token with its number, and the amount if it is not all, such as /unlock LKTOK-1A2B/7 5.",
};
