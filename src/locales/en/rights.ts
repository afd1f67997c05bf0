/** What a token's issuer can do. */
export const rights = {
  title: "What the issuer can do",
  /** On a quote, after the token. */
  signs: {
    paused: "stopped now",
    destroy: "can be destroyed",
    pause: "can be stopped",
    limit: "approved addresses only",
  },
  sentences: {
    paused: (token: string) => `⛔ All transfers of ${token} are stopped now. Only its issuer can resume them.`,
    destroy: (token: string) => `⚠️ The issuer can destroy ${token} in any account: in yours, and in a pool.`,
    pause: (token: string) =>
      `⚠️ The issuer can stop all transfers of ${token}: no buying, no selling, no leaving a pool.`,
    limit: (token: string) => `⚠️ ${token} moves only between addresses that its issuer approves.`,
  },
  onceResumed: "Once resumed, they can't be stopped again.",
  oneWay: (token: string, pair: string) => `⛔ ${token} can be bought but not sold: ${pair} doesn't take it back.`,
  notMoved: (token: string, pair: string) => `⛔ ${token} can't be traded: ${pair} isn't an approved address.`,
  resaleUnknown: (token: string) => `⚠️ I can't check whether ${token} can be sold again`,
  resaleUnknownExplain: "The node doesn't report it right now. If it can't be sold, you lose what you pay.",
  buyAnyway: "⚠️ Buy anyway",
  pausedExplain: "It will almost certainly be rejected.",
  sendAnyway: "⚠️ Try anyway",
  changed: "⚠️ Nothing was sent: something has changed since this quote.",
  mintLimited: (who: string, most: string, now: string) =>
    `More can be made by ${who}, up to ${most} in circulation, ${now} now. What is destroyed makes room for more.`,
  mintUnlimited: (who: string, now: string) => `More can be made without limit by ${who}. In circulation now: ${now}.`,
  mintUnknown: "More can be made.",
  minters: (others: number) =>
    others === 0 ? "the issuer" : `the issuer and ${others} other ${others === 1 ? "address" : "addresses"}`,
  never: (what: string) => `Impossible for ever: ${what}.`,
  nevers: { destroy: "destroying others' coins", pause: "stopping transfers", mint: "making more" },
  royalties: (token: string, costs: string) => `Selling ${token} costs its issuer's royalty on top: ${costs}.`,
  share: (percent: string) => `${percent} of the amount`,
  shares: (least: string, most: string) => `${least} to ${most} of the amount, depending on how much it is`,
  both: (share: string, fixed: string) => `${share}, and ${fixed}`,
  notSoldHere: "can't be sold here yet",
  notSignedHere: (token: string) =>
    `⚠️ ${token} can't be sold here yet: I don't build transactions with a royalty for wallets.`,
  royaltiesNone: "Selling costs no royalty now.",
  royaltiesMayChange: "The issuer can change that.",
  royaltiesFinal: "The issuer can't change that any more.",
  changesUnknown: "I can't read right now whether transfers are stopped, who can make more, or what selling costs.",
  readAt: (time: string, off: string) => `As the node said at ${time}, ${off}.`,
  builtIn: (token: string) => `${token} belongs to the chain itself; its “issuer” is the chain's.`,
  untold: "This bot's node doesn't report what the issuer can do.",
  unreadable: "I can't read right now what the issuer can do. Try again in a moment.",
  noSuchToken: "The node says that there is no such token.",
  unlisted: "It isn't on this bot's list, so it can't be traded here.",
};
