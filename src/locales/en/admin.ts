import type { ServiceName } from "../../fault.js";
import type { Incident } from "../../model/operator-event.js";
import type { AuditAction } from "../../services/operator/audit.js";

const services: Record<ServiceName, string> = {
  node: "Node",
  quotation: "Quotation",
  exchange: "Exchange",
  telegram: "Telegram",
};
const actions: Record<AuditAction, string> = {
  pause: "Paused trading",
  resume: "Resumed trading",
  approve: "Let a person in",
  decline: "Turned a person away",
  withdraw: "Shut a person out",
  broadcast: "Sent to everybody",
};

const incidents: Record<Incident, string> = {
  "router-mismatch": "⚠️ The referral contract swaps through another router than ROUTER_CONTRACT. Nobody can swap.",
  "chain-mismatch": "⚠️ The node belongs to another chain than CHAIN_ID. Nobody can trade.",
  "second-poller": "⚠️ Another copy of this bot receives its updates. Stop one of them.",
  "late-alerts": "⚠️ An alert has been waiting to leave for more than a minute.",
  "full-disk": "⚠️ The disk with the store is nearly full.",
  "node-outage": "⚠️ The node fails: nobody can trade.",
  "quotation-outage": "⚠️ The quotation service fails: nobody can swap.",
  "exchange-outage": "⚠️ The exchange fails: watched orders aren't seen.",
  "telegram-outage": "⚠️ Telegram failed: nobody could reach me.",
};

export const admin = {
  title: "Operator",
  open: "✅ Trading is open",
  pausedSince: (time: string) => `⏸ Trading is paused since ${time}`,
  updatesWaiting: (count: number) => `Updates being handled: ${count}`,
  alertsWaiting: (people: number) => `People with alerts waiting: ${people}`,
  oldest: (duration: string) => `↳ the oldest for ${duration}`,
  servicesTitle: "Services",
  service: (service: ServiceName) => services[service],
  failing: (duration: string) => `failing for ${duration}`,
  notAsked: "not asked yet",
  callsTitle: "Calls",
  today: "Today",
  total: "In all",
  calls: (ok: number, failed: number, unknown: number) => `✅ ${ok} ❌ ${failed} ⚠️ ${unknown}`,
  underWay: (count: number) => `Under way: ${count}`,
  peopleTitle: "People who asked for a card",
  unknownButton: (count: number) => `⚠️ Unknown: ${count}`,
  feesButton: "💰 Fees",
  auditButton: "📜 What was done",
  pauseButton: "⏸ Pause trading",
  resumeButton: "▶️ Resume trading",
  feesTitle: "Fees earned (days in UTC)",
  feesNone: "none yet",
  unknownTitle: "Calls with an unknown outcome",
  unknownNone: "There are none.",
  unknownAdvice:
    "I never send one of these again. See at the address whether it was carried out, and tell its owner: their card says the same.",
  unknownPush: "⚠️ A call's outcome is unknown",
  unknownPushExplain: (owner: number) => `It is a call of person ${owner}. I won't send it again.`,
  incident: (incident: Incident) => incidents[incident],
  since: (time: string) => `Since ${time}.`,
  returned: (service: ServiceName, since: string) =>
    `✅ ${services[service]} answers again. It had been failing since ${since}.`,
  look: "🔎 Look",
  ofPerson: (id: number, time: string) => `Person ${id} · ${time}`,
  auditTitle: "What operators did",
  auditNone: "Nothing yet.",
  action: (action: AuditAction) => actions[action],
  howToPause: "Send /admin pause and a reason, which people will read. For example:",
  pauseExample: "/admin pause The node is being updated, back at 14:00 UTC",
  pauseQuestion: "Pause trading for everybody?",
  pauseExplain: "Nothing can be confirmed until you resume. People will read:",
  pauseNowButton: "⏸ Pause now",
  paused: "Trading is paused. No call leaves from now on.",
  resumeQuestion: "Let people trade again?",
  resumed: "Trading is open again.",
  reasonTooLong: (maximum: number) => `Keep the reason within ${maximum} characters.`,
};
