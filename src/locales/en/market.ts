import type { ServiceName } from "../../fault.js";
import { serviceFirst, services } from "./faults.js";

export const token = {
  price: "Price",
  priceNow: (rate: string) => `${rate} before the bot fee`,
  semiFungible: "semi-fungible token (numbered)",
  namesakes: (ids: string) => `⚠️ Other tokens have the same or a similar name: ${ids}. Go by the ID.`,
  issuer: (address: string) => `issuer: ${address}`,
  which: (name: string) => `Several tokens are named “${name}”. Which one? Go by the ID and the issuer.`,
  shareOf: (first: string, second: string) => `LP token of the ${first}/${second} pool.`,
  pools: "Pools",
  poolsUnknown: "I can't read the pools right now. Try again in a moment.",
  poolsNone: "Not in any pool.",
  reserves: (first: string, second: string) => `${first} and ${second}`,
  fee: (percent: string) => `fee ${percent}`,
  states: { Active: "trading enabled", Inactive: "trading disabled", PartialActive: "not open for trading yet" },
  position: "Your position",
  spans: { day: "24\u00a0hours", week: "7\u00a0days" },
  thinPrice: "⚠️ There is so little in the pools that anyone could have set this price.",
  noQuote: "I can't get a quote right now, so nothing can be bought or sold from here. Try again in a moment.",
  deepest: "Deepest pool",
  poolsClosed: "None of its pools is open for trading.",
  locked: "LP tokens in the lock contract",
  lockedUntil: "until when: unknown",
  unknown: "unknown",
  none: "none",
  less: (percent: string) => `less than ${percent}`,
  opened: "First seen open",
  /** It may have been open before. */
  seenSince: "Seen here since",
  /** Each begins a row, whose other buttons are amounts or shares. */
  buy: "Buy",
  sell: "Sell",
  all: "All",
};

export const priceAlert = {
  set: "🔔 Price alert",
  /** As typed before a price. */
  wayAbove: "above",
  wayBelow: "below",
  above: (token: string, price: string) => `${token} above ${price}`,
  below: (token: string, price: string) => `${token} below ${price}`,
  move: (token: string, percent: string, other: string) => `${token} ±${percent} in ${other}`,
  forAmount: (amount: string) => `Quoted price for selling ${amount}, before the bot fee`,
  seen: (time: string) => `as of ${time}`,
  missing: (time: string) => `⚠️ none since ${time}`,
  missingTitle: "⚠️ No price for a day",
  missingExplain:
    "I keep asking for it, and will tell you when there is one again. Until then, these alerts can't come.",
  backTitle: "✅ There is a price again",
  more: (count: number) => `and ${count} more`,
  moreInList: (count: number) => `and ${count} more in /alerts`,
  every: (seconds: number) =>
    seconds < 120 ? `asked every ${seconds}\u00a0s` : `asked every ${Math.round(seconds / 60)}\u00a0min`,
  isBeyond: (back: string) =>
    `The price is already there. I'll alert you the next time it gets there, after returning to ${back}.`,
  moves: (price: string) => `I'll alert you when the price is that far from ${price}. The next move counts from there.`,
  waits: "I'll alert you each time the price gets there. Before the next alert, it must move back by 1%.",
  ends: (time: string) => `Until ${time}`,
  paused: "⏸ Paused",
  held: "🌙 In quiet hours, this alert waits until they end.",
  through: "🌙 This alert comes in quiet hours too.",
  pause: "⏸ Pause",
  resume: "▶️ Resume",
  edit: "✏️ Edit",
  hold: "🌙 Wait in quiet hours",
  comeThrough: "🌙 Also in quiet hours",
  delete: "🗑 Delete",
  all: "‹ All alerts",
  show: "🔔 Open alert",
  listEmpty: "You have no price alerts. Set one, for example: /alert KFI above 120 KLV",
  earlier: (count: number) => `and ${count} earlier`,
  over: (alert: string) => `⌛ Alert ended: ${alert}`,
  overTime: "This alert has expired. Set a new one with /alert.",
  overUnlisted: "This alert has ended: one of its tokens is no longer on this bot's list.",
  askToken: "The price of which token? Choose one, or send its name or ID.",
  askOther: (token: string) => `The price of ${token} in which token?`,
  askRule: (alert: string) =>
    `${alert}: when should I alert you? Send “above 120”, “below 90” or a percentage such as 5%. It lasts a year; add 30d for 30 days.`,
  usage: "Send a token with a price or a percentage, such as /alert KFI above 120 KLV, or /alert 10 KFI 5% KLV 30d.",
};

export const picture = {
  chart: "📈 Chart",
  fills: "📈 Fills",
  share: "🖼 Share",
  usage: (command: string) => `Send two tokens, for example ${command} KFI KLV.`,
  noPrice: (pair: string) => `I haven't seen a price for ${pair} yet.`,
  spans: { minute: "6 hours", hour: "2 weeks", day: "1 year" },
  now: (rate: string) => `Now: ${rate}`,
  change: (percent: string) => `Change: ${percent}`,
  highest: (rate: string) => `Highest: ${rate}`,
  lowest: (rate: string) => `Lowest: ${rate}`,
  seen: (time: string) =>
    `Prices seen by this bot since ${time}: from the pools, before fees; where there is no pool, as quoted`,
  filledTitle: (order: string) => `Filled: ${order}`,
  valueOn: (value: string, time: string) => `${value} on ${time}`,
  started: "Swapped",
  position: "🖼 Position",
};

/** A picture of what is held, or was sold. */
export const position = {
  days: (count: number) => (count === 0 ? "under a day" : `${count} ${count === 1 ? "day" : "days"}`),
  entry: (rate: string) => `Entry: ${rate}`,
  sold: (rate: string) => `Sold: ${rate}`,
  gain: (percent: string) => `Gain: ${percent}`,
  amounts: { shown: "🔢 With amounts", hidden: "🔢 Without amounts" },
  explainHeld:
    "Entry is the average cost of what you bought here. Now is what selling all you hold would bring, after fees. The days count from the first purchase.",
  explainSold:
    "Entry is the average cost of what was sold, the price is what it brought, and the gain is after all fees. The days count from the first purchase.",
  isPart: "Some of it wasn't bought here: entry and gain are of the rest.",
  noHistory: "There is no picture: I've seen too few prices in that time.",
  missing: {
    balance: (token: string) => `I can't see how much ${token} you hold right now.`,
    cost: (token: string) => `I don't know what your ${token} cost. Only what you bought here has a known cost.`,
    depth: (token: string) => `${token} has no price to go by: anyone could have set that of its pools.`,
    price: (token: string) => `I don't know what ${token} is worth right now. Try again later.`,
    royalty: (token: string) => `I can't read the royalty on ${token}, so I don't know what selling it brings.`,
  },
};

/** Terms of the exchange. */
const exchangeTerms = new Map([
  ["BUY", "Buy"],
  ["SELL", "Sell"],
  ["LIMIT", "limit"],
  ["MARKET", "market"],
  ["MAKER", "maker"],
  ["TAKER", "taker"],
  ["OPEN", "open"],
  ["PARTIALLY", "partially filled"],
  ["DONE", "filled"],
  ["CANCELED", "cancelled"],
  ["EXPIRED", "expired"],
  ["REJECTED", "rejected"],
  ["FAILED", "failed"],
]);

export const orders = {
  watch: "🔔 Watch",
  unwatch: "🔕 Unwatch",
  mute: "🔇 Mute",
  unmute: "🔊 Unmute",
  copyLink: "🔗 Copy link",
  /** A term of the exchange; unknown ones are shown as the exchange wrote them. */
  named: (word: string) => exchangeTerms.get(word) ?? word,
  statusLabel: "Status",
  averageLabel: "Average price",
  filledLabel: "Filled",
  ofQuantity: (filled: string, quantity: string, percent: string) => `${filled} of ${quantity} (${percent})`,
  feeLabel: "Fee",
  created: (time: string) => `Placed ${time}`,
  updated: (time: string) => `Updated ${time}`,
  seen: (time: string) => `As of ${time}`,
  /** A time of day only. */
  seenAt: (time: string) => `As of ${time}`,
  missing: (time: string) => `The exchange hasn't found this order since ${time}. I'll keep trying for 24 hours.`,
  watched: "You're watching this order: I'll tell you about every change.",
  watchedMuted: "You're watching this order (muted).",
  nowWatching: "Watching. I'll tell you about every change.",
  nowUnwatched: "Stopped watching.",
  overNothingToWatch: "This order is closed, so there's nothing to watch.",
  listEmpty: "You aren't watching any orders. Send /order and an order ID, then tap 🔔 Watch.",
  askId: "Which order? Send its ID; it looks like 1989652f-be77-4179-924e-b71c03a4198a.",
  alertDone: "✅ Filled",
  /** `end` is a term of the exchange, such as “Cancelled”. */
  alertUnfilled: (end: string) => `✖️ ${end}, nothing was filled`,
  alertEnded: (end: string, percent?: string) => `✖️ ${end}${percent === undefined ? "" : `, ${percent} filled`}`,
  alertOther: "🔔 Order updated",
  at: (amount: string, price: string, isAbout: boolean) => `${amount} at ${isAbout ? "about " : ""}${price}`,
  alertGone: "❔ Stopped watching",
  gone: "The exchange hasn't found this order for 24 hours, so I've stopped watching it.",
  lastState: "Last known state:",
  alertTest: "🔔 Test alert",
  testExplain: "This is a test. Real alerts arrive the same way.",
  outage: (service: ServiceName, since: string) =>
    `⚠️ I can't reach ${services[service]} (since ${since}), so order alerts are delayed. I'll tell you when it's back.`,
  back: (service: ServiceName, since: string) =>
    `✅ ${serviceFirst(service)} is back (down since ${since}). Updates you missed are on their way.`,
  settingsExplain: "Tap an alert type to switch it: on, silent, off.",
  kind: {
    fill: "Partially filled",
    done: "Filled",
    canceled: "Cancelled",
    other: "Other order changes",
    service: "Exchange outages",
  },
  mode: { on: "🔔 on", silent: "🔕 silent", off: "🚫 off" },
  quietLabel: "Quiet hours",
  quietNone: "none",
  quietExplain:
    "During your quiet hours, these alerts arrive silently. Price alerts, limits and purchases wait for the end, unless set otherwise; stops come.",
  quietAsk:
    "When are your quiet hours? Alerts arrive silently then; price alerts, limits and purchases wait; stops come. Send a time range in your time zone, for example 22:00-07:00.",
  quietInvalid: "Send two times like 22:00-07:00.",
  quietOff: "Turn off quiet hours",
  testButton: "🔔 Send a test alert",
};

export const newPairs = {
  off: "Off. To be told of new pairs, choose how much one must hold on either side.",
  on: (depth: string) => `On: I tell you once of each pair that opens with at least ${depth} on either side.`,
  explain:
    "A pair that opens with less is told when it gets there, within 30 days. What is open now counts as old. At most one message comes in 15\u00a0minutes.",
  quietWait: "🌙 In your quiet hours I wait.",
  usage: "For another depth, send for example /newpairs 5000 KLV.",
  turnOff: "🔕 Turn off",
  title: (count: number) => (count === 1 ? "🆕 New pair" : `🆕 ${count} new pairs`),
  depth: "Depth on either side now",
  drained: (now: string, was: string) => `⚠️ Depth on either side: ${now} now; it was ${was}.`,
  empty: (was: string) => `⚠️ Nothing can be swapped in it now; it was ${was} deep on either side.`,
  unread: (was: string) => `It was ${was} deep on either side. What it holds now can't be read.`,
  holds: "In the pool",
  opened: (time: string) => `First seen open ${time}`,
  unlisted: "Not on this bot's list, so I can't trade it yet.",
  beware: "Anyone can open a pair, under any name. Go by the IDs.",
  change: "⚙️ New pairs",
};

export const arrivals = {
  choose: { on: "📥 Tell me what arrives (1 KLV or more)", off: "🔕 Don't tell me what arrives" },
  chosen: {
    on: "From now on I tell you what arrives at your address, once two blocks show it. What is worth less than 1 KLV isn't told.",
    off: "I no longer tell you what arrives.",
  },
  title: "📥 Arrived at your address",
  explain:
    "Two blocks show it. What your own trades here brought isn't in it; what is worth less than 1 KLV isn't told.",
};

export const chainReading = {
  current: (since: string) => `I have been reading each block as it comes since ${since}.`,
  behind: (since: string) =>
    `⚠️ I have been behind the chain since ${since}. I tell you later what happens until I have caught up, up to six hours of it.`,
  closed: "⚠️ This bot's node doesn't show its blocks, so I can't tell you what happens on the chain.",
  missed: (at: string) => `⚠️ The node didn't show me all that happened at ${at}: something may be missing.`,
};

export const bigTrades = {
  none: "Off. Choose a pair, and how large a trade must be.",
  from: (pair: string, least: string) => `🔔 ${pair}: from ${least}`,
  ask: (pair: string) => `${pair}: from how much on?`,
  explain:
    "I tell you of each swap from that amount on once another block stands on its own. Those within five minutes come together.",
  quietWait: "🌙 Those of your quiet hours come at their end.",
  usage: "For another pair or amount, send for example /bigtrades KLV/KFI 500. The amount is of the second token.",
  title: (count: number, pair: string) => (count === 1 ? `📣 Big trade: ${pair}` : `📣 ${count} big trades: ${pair}`),
  bought: (base: string, quote: string) => `🟢 Bought ${base} for ${quote}`,
  sold: (base: string, quote: string) => `🔴 Sold ${base} for ${quote}`,
  change: "📣 Big trades",
};
