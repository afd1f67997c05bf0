/** A duration in whole years. */
const lasting = (years: bigint) =>
  years === 0n ? "less than a year" : years === 1n ? "more than a year" : `more than ${years} years`;

export const lock = {
  title: (amount: string) => `Lock ${amount}`,
  lockedUntil: (amount: string, epoch: string, date: string | undefined) =>
    date === undefined ? `Lock ${amount} until epoch ${epoch}` : `Lock ${amount} until ${date} (epoch ${epoch})`,
  unlockTitle: (amount: string) => `Unlock ${amount}`,
  confirmLock: "✅ Confirm lock",
  confirmReturn: "✅ Confirm sending",
  confirmUnlock: "✅ Confirm unlock",
  youLock: "You lock",
  until: "Until",
  untilEpoch: "Until epoch",
  dateOfEpoch: (moment: string, epoch: bigint) => `about ${moment} (epoch ${epoch})`,
  now: (epoch: bigint) => `Current epoch: ${epoch}`,
  nowUnknown: (epoch: bigint) =>
    `⚠️ I can't see the current epoch. If epoch ${epoch} has already started, nothing is locked and your tokens come straight back.`,
  noDate: "The node doesn't report how long an epoch lasts, so I can't show a date.",
  noWayBack: "Until then nobody can unlock them: not you, not this bot, not its operator.",
  noWayBackBefore: (epoch: bigint) => `Otherwise nobody can unlock them before epoch ${epoch}.`,
  youReceive:
    "You receive a locked token 1:1. From that epoch on, it unlocks your tokens. Keep it: without it they can't be unlocked.",
  merges: (locked: string) => `It is added to your locked token ${locked}, which unlocks at the same epoch.`,
  mayMerge:
    "Your locked token shares its number with other people's locks to the same epoch. Yours is the amount in your wallet.",
  past: (epoch: bigint, amount: string) =>
    `Nothing will be locked: epoch ${epoch} has already started. ${amount} would be sent and returned, and you pay the network fee.`,
  epochBegan: "⚠️ That epoch has just started. Nothing was sent.",
  long: (years: bigint, moment: string) => `⚠️ This locks your tokens for ${lasting(years)}, until about ${moment}.`,
  longAtUsualLength: (epoch: bigint, years: bigint) =>
    `⚠️ At about 6 hours per epoch (Klever mainnet), epoch ${epoch} is ${lasting(years)} away.`,
  longAtMost: (years: bigint) => `Estimated lock time: ${years === 1n ? "less than a year" : `up to ${years} years`}.`,
  sure: "Continue?",
  sureButton: "I understand, continue",
  tooMuch: (locked: string, recorded: string) =>
    `⚠️ My records show only ${recorded} in ${locked}. They may be incomplete; the contract decides.`,
  noneLeft: (locked: string) =>
    `⚠️ By my records, you have already unlocked all of ${locked}. They may be incomplete; the contract decides.`,
  tooEarly: (unlockEpoch: bigint, epoch: bigint, moment: string | undefined) =>
    `⚠️ My records say it unlocks ${moment === undefined ? `at epoch ${unlockEpoch}` : `about ${moment} (epoch ${unlockEpoch})`}; it is epoch ${epoch} now. Until then the contract rejects it.`,
  recordChanged: "⚠️ Your locks have changed. Nothing was sent.",
  done: "✅ Locked",
  notLocked: "↩️ Not locked",
  unlockDone: "✅ Unlocked",
  youLocked: "You locked",
  gaveBack: "You unlocked",
  locked: "Locked token",
  returned: "The epoch had already started, so nothing was locked. Returned",
  unlockAfter: (moment: string | undefined, epoch: bigint) =>
    moment === undefined
      ? `Can be unlocked from epoch ${epoch}.`
      : `Can be unlocked from about ${moment} (epoch ${epoch}).`,
  keptTokens: "Nothing was locked; you keep your tokens.",
  keptLocked: "Nothing was unlocked; you keep your locked token.",
  unknownLock: "Check your wallet for the locked token before you lock again.",
  unknownUnlock: "Check whether your tokens arrived before you unlock again.",
  youBurn: "You unlock",
  youGet: "You get",
  sameAmount: "the same amount of the original token",
  unknownLocked:
    "It was locked elsewhere, so I don't know until when. If it is too early, the contract rejects it, and you pay the network fee.",
  notYetElsewhere: "It can't be unlocked yet. It was locked elsewhere, so I don't know until when.",
  listEmpty: "No locks found. Start with /lock.",
  elsewhere: "locked elsewhere; I don't know until when",
  onlyOnRecord: "I can't see your account right now, so only locks made through me are shown.",
  lookedUpTo: (most: number, locked: string) =>
    `I looked for ${locked} with numbers up to ${most}. To unlock another one, send /unlock ${locked}/NUMBER.`,
  epochUnknown:
    "The node isn't reporting the current epoch, so I can't tell which locks are ready. Try /locks again in a moment.",
  ready: "can be unlocked now",
  unlocksAt: (epoch: bigint) => `unlocks at epoch ${epoch}`,
  unlocksOn: (moment: string, epoch: bigint, left: string) => `unlocks ${moment} (epoch ${epoch}), in about ${left}`,
  unlockButton: (locked: string) => `🔓 Unlock ${locked}`,
  days: (count: number) => (count === 1 ? "1 day" : `${count} days`),
  hours: (count: number) => (count === 1 ? "1 hour" : `${count} hours`),
  minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
  askToken: "Which token do you want to lock? Choose one, or send its name or ID.",
  askAmount: (token: string) => `How much ${token}? Send an amount.`,
  askUntil: "Lock until when? Choose, or send a date (2026-12-31), a duration (12h, 30d, 4w, 1y) or an epoch (5500).",
  askLocked:
    "Which locked token do you want to unlock? Choose one, or send its ID with the number, such as LKTOK-1A2B/7.",
  askUnlockAmount: "How much of it? Send an amount.",
  allOf: (amount: string) => `All: ${amount}`,
  reminder: (amount: string, locked: string) => `🔓 ${amount} can be unlocked now (${locked}).`,
  reminderHow: (command: string) => `Send ${command} to unlock.`,
  usage: "Send the amount, the token and the unlock time, such as /lock 5 LPKLVKFI-3I0N 30d.",
  unlockUsage:
    "Send the locked token with its number, and an amount if you don't want all of it, such as /unlock LKTOK-1A2B/7 5.",
};
