import type { ServiceName } from "../../fault.js";
import type { AlertKind, AlertMode } from "../../model/alert-control.js";
import { services } from "./faults.js";

const sides: Record<string, string> = { BUY: "Buy", SELL: "Sell" };
const types: Record<string, string> = { LIMIT: "limit", MARKET: "market" };
const trades: Record<string, string> = { MAKER: "maker", TAKER: "taker" };
const statuses: Record<string, string> = {
  OPEN: "open",
  PARTIALLY: "partly filled",
  DONE: "done",
  CANCELED: "cancelled",
};
const kinds: Record<AlertKind, string> = {
  fill: "Partly filled",
  done: "Done",
  canceled: "Cancelled",
  other: "Anything else about an order",
  service: "Exchange can't be reached",
};
const modes: Record<AlertMode, string> = { on: "🔔 on", silent: "🔕 silent", off: "✖️ off" };

export const orders = {
  watch: "🔔 Watch",
  unwatch: "🔕 Unwatch",
  mute: "🔇 Mute",
  unmute: "🔊 Unmute",
  copyLink: "🔗 Copy link",
  open: (position: number) => `${position} · Open`,
  side: (side: string) => sides[side] ?? side,
  type: (type: string) => types[type] ?? type,
  trade: (trade: string) => trades[trade] ?? trade,
  /** A status that is new to us is shown as the exchange wrote it. */
  status: (status: string) => statuses[status] ?? status,
  statusLabel: "Status",
  priceLabel: "Price",
  marketPrice: "at market",
  averageLabel: "Average price",
  filledLabel: "Filled",
  ofQuantity: (filled: string, quantity: string, percent: string) => `${filled} of ${quantity} (${percent} %)`,
  feeLabel: "Fee",
  created: (time: string) => `Placed ${time}`,
  updated: (time: string) => `Changed ${time}`,
  seen: (time: string) => `As of ${time}`,
  missing: (time: string) => `The exchange hasn't recognised this order since ${time}. I'll keep asking for a day.`,
  watched: "You are watching this order: I'll tell you about every change.",
  watchedMuted: "You are watching this order without sound.",
  nowWatching: "Watching. I'll tell you about every change.",
  nowUnwatched: "No longer watched.",
  overNothingToWatch: "This order won't change any more, so there is nothing to watch.",
  listTitle: "Orders you watch",
  listEmpty: "You aren't watching any orders. Send /order and an order's id, then tap 🔔 Watch.",
  askId: "Which order? Send its id; it looks like 1989652f-be77-4179-924e-b71c03a4198a.",
  alertDone: "✅ Done",
  alertCanceled: "✖️ Cancelled, nothing was filled",
  alertCanceledAt: (percent: string) => `✖️ Cancelled at ${percent} %`,
  alertOther: "🔔 Changed",
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  at: (amount: string, price: string) => `${amount} at ${price}`,
  atAbout: (amount: string, price: string) => `${amount} at about ${price}`,
  alertGone: "❔ Watch ended",
  goneExplain:
    "The exchange hasn't recognised this order for a day, so I've stopped watching it. This was its last state:",
  goneUnknown: "The exchange hasn't recognised this order for a day, so I've stopped watching it.",
  alertTest: "🔔 Test alert",
  testExplain: "This is how alerts reach you. This one came the same way.",
  outage: (service: ServiceName, since: string) =>
    `⚠️ I haven't been able to reach ${services[service]} since ${since}. I keep watching, and I'll tell you when it is back.`,
  back: (service: ServiceName, since: string) =>
    `✅ I can reach ${services[service]} again (it had been out since ${since}). You'll now hear of everything that changed in the meantime.`,
  settingsTitle: "Alerts",
  settingsExplain: "Tap a kind to switch it: on, silent, off.",
  kind: (kind: AlertKind) => kinds[kind],
  mode: (mode: AlertMode) => modes[mode],
  quietLabel: "Quiet hours",
  quietNone: "none",
  quietExplain: "During quiet hours alerts still come, without sound.",
  quietAsk: "From when to when should alerts make no sound? Send it like 22:00-07:00, in your time zone.",
  quietInvalid: "Send two times like 22:00-07:00.",
  quietOff: "No quiet hours",
  testButton: "🔔 Send a test alert",
};
