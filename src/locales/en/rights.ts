/** Who has a token on its way: contracts and accounts by their names, pairs by their tokens. */
const hands: Readonly<Record<string, string>> = {
  account: "your account",
  fee: "the account that gets the bot fee",
  lock: "the lock contract",
  referral: "the referral contract",
  router: "the router",
};
export const handName = (hand: string): string => hands[hand] ?? hand;

/** What a token's issuer can do. */
export const rights = {
  title: "What the issuer can do",
  /** On a quote, after the token. */
  signs: {
    paused: "stopped now",
    destroy: "can be destroyed",
    pause: "can be stopped",
    /** Both in one line of a phone. */
    destroyAndPause: "can be destroyed/stopped",
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
  notMoved: (token: string, pair: string) => `⛔ ${token} can't be traded: ${pair} may not give it out.`,
  unsellable: (token: string, from: string, to: string) =>
    `⛔ ${token} can be bought but not sold: it can't get from ${from} to ${to}.`,
  handName,
  mayNotBeSold: (token: string) => `⚠️ ${token} may be impossible to sell again`,
  mayNotBeBought: (token: string) => `⚠️ ${token} may be impossible to buy`,
  closedStep: (token: string, from: string, to: string) =>
    `The issuer of ${token} lets neither ${from} send it nor ${to} receive it.`,
  orderUnknown: "As far as I know these contracts, that is the way it takes.",
  loseAll: "If it can't be sold, you lose what you pay.",
  resaleUnknown: (token: string) => `⚠️ I can't check whether ${token} can be sold again`,
  costUnknown: (token: string) => `⚠️ I can't check what sending ${token} costs, or whether it moves`,
  unread: "The node doesn't report it right now.",
  returnUnknown: (tokens: string) =>
    `⚠️ I can't check whether the issuer of ${tokens} lets it come out again: the node doesn't report it right now.`,
  buyAnyway: "⚠️ Buy anyway",
  pausedExplain: "It will almost certainly be rejected.",
  sendAnyway: "⚠️ Try anyway",
  changed: "⚠️ Nothing was sent: something has changed since this quote.",
  mintLimited: (who: string, most: string, now: string) =>
    `More can be made by ${who}, up to ${most} in circulation, ${now} now. What is destroyed makes room for more.`,
  mintUnlimited: (who: string, now: string) => `More can be made without limit by ${who}. In circulation now: ${now}.`,
  minters: (others: number) =>
    others === 0 ? "the issuer" : `the issuer and ${others} other ${others === 1 ? "address" : "addresses"}`,
  never: (what: string) => `Impossible for ever: ${what}.`,
  nevers: { destroy: "destroying others' coins", pause: "stopping transfers", mint: "making more" },
  royalties: (token: string, costs: string) => `Selling ${token} costs its issuer's royalty on top: ${costs}.`,
  share: (percent: string) => `${percent} of the amount`,
  shares: (least: string, most: string) => `${least} to ${most} of the amount, depending on how much it is`,
  both: (share: string, fixed: string) => `${share}, and ${fixed}`,
  resaleRoyalty: (costs: string) => `⚠️ Selling it all again would cost ${costs} in royalties`,
  notSoldHere: "can't be sold here yet",
  notSignedHere: (token: string) =>
    `⚠️ ${token} can't be sold here yet: I don't build transactions with a royalty for wallets.`,
  royaltiesNow: "Selling costs a royalty.",
  royaltiesNone: "Selling costs no royalty now.",
  royaltiesMayChange: "The issuer can change that.",
  royaltiesFinal: "The issuer can't change that any more.",
  changesUnknown:
    "I can't read right now whether that is still so: transfers may be stopped, and selling may cost more.",
  readAt: (time: string, off: string) => `As the node said at ${time}, ${off}.`,
  builtIn: (token: string) => `${token} belongs to the chain itself; its “issuer” is the chain's.`,
  untold: "This bot's node doesn't report what the issuer can do.",
  unreadable: "I can't read right now what the issuer can do. Try again in a moment.",
  noSuchToken: "The node says that there is no such token.",
  unlisted: "It isn't on this bot's list, so it can't be traded here.",
  /** To operators, who may not know its precision. */
  mints: "More can be made.",
  askButton: "🙋 Ask the operator to list it",
  asked: {
    asked: "Sent to the operator, who decides. If it's listed, you can trade it here.",
    waiting: "Noted. Many have asked today: it goes to the operator in your turn.",
    already: "The operator has already been asked to list it.",
    enough: "You can ask for three tokens a day. Try again tomorrow.",
    full: "Too many requests are waiting. Try again another day.",
    listed: "It's on the list now. Send its ID to trade it.",
  },
};
