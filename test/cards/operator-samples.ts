import {
  adminFeesCard,
  announcementCard,
  announcingCard,
  auditCard,
  memberCard,
  operatorCard,
  operatorCommandsCard,
  overviewCard,
  pauseCard,
  requestsCard,
  resumeCard,
  unknownCard,
  unreadableCard,
} from "../../src/cards/admin.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { VolumeAsked } from "../../src/cards/buttons.js";
import { volumePicture } from "../../src/cards/receipt.js";
import type { DayVolume } from "../../src/services/history/receipt.js";
import type { OperatorEvent } from "../../src/services/telegram/outbox.js";
import type { LogEntry, Overview } from "../../src/services/operator/operator.js";
import { kfi, klv } from "../services/samples.js";
import { intent, now, swapTerms } from "./arrange.js";
import { asIs, type Change, type CardSample } from "./card-sample.js";

const reason = "The node is being updated, back at 14:00 UTC";
const sums = { reached: { OK: 41, FAILED: 2, UNKNOWN: 1 }, fees: { KFI: amountOf(kfi, 123_456n) }, people: 7 };
const overview: Overview = {
  pause: undefined,
  updates: { count: 1, oldestMilliseconds: 40 },
  alerts: { count: 3, oldestMilliseconds: 65_000 },
  services: [
    { service: "node", failures: 0, medianSeconds: 0.039, answeredAt: now },
    { service: "quotation", failures: 4, failingSince: now - 300_000 },
    { service: "exchange", failures: 0 },
    { service: "telegram", failures: 0, answeredAt: now },
  ],
  today: sums,
  total: sums,
  underWay: 1,
  unspent: 104,
  unknown: 1,
  standing: { limit: 12, stop: 3, dca: 40, exit: 5, most: 1000 },
  prices: { watched: 58, perSecond: 2 },
  away: [],
  requests: 0,
  reading: { isCurrent: true, since: now - 300_000, isClosed: false, missedAt: undefined },
  now,
};
const audit: readonly LogEntry[] = [
  { at: now, operator: 3003, action: "pause", about: reason },
  { at: now, operator: 3003, action: "approve", about: "4200" },
];
const unknown = intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" });
const poisonedTerms = (as: Change) => ({ ...unknown, terms: as(unknown.terms) });
const eventOf = (name: string, event: OperatorEvent): CardSample => ({
  name,
  draw: (view, as = asIs) => operatorCard("name" in event ? { ...event, name: as(event.name) } : event, view),
});

const volumes: readonly DayVolume[] = [
  { day: "2026-07-01", tokenId: "KLV", trades: 2, volume: 200_000_000n, earned: 0n },
  { day: "2026-07-01", tokenId: "KFI", trades: 1, volume: 5_000_000n, earned: 19_838n },
  { day: "2026-06-30", tokenId: "KLV", trades: 1, volume: 100_000_000n, earned: 0n },
];
const volume =
  (of: VolumeAsked["of"]): CardSample["draw"] =>
  (view) =>
    volumePicture(volumes, (id) => (id === "KFI" ? kfi : klv), { of, tokenId: "KFI" }, view)!.card;

export const operatorSamples: readonly CardSample[] = [
  { name: "overview", draw: (view) => overviewCard(overview, view) },
  {
    name: "overview, paused",
    draw: (view, as = asIs) => overviewCard({ ...overview, pause: as({ since: now, reason }) }, view),
  },
  {
    name: "overview, with nothing unresolved",
    draw: (view) => overviewCard({ ...overview, unknown: 0, away: [3003] }, view),
  },
  { name: "overview, with access requests", draw: (view) => overviewCard({ ...overview, requests: 312 }, view) },
  { name: "access requests", draw: (view) => requestsCard([1002, 1003], 0, view) },
  { name: "no access request", draw: (view) => requestsCard([], 0, view) },
  eventOf("many access requests", { about: "newcomers", people: 312 }),
  {
    name: "overview, while older blocks are read",
    draw: (view) => {
      const reading = { isCurrent: false, since: now - 300_000, isClosed: false, missedAt: undefined };
      return overviewCard({ ...overview, reading }, view);
    },
  },
  {
    name: "overview, with a node that serves no blocks",
    draw: (view) => {
      const reading = { isCurrent: false, since: undefined, isClosed: true, missedAt: undefined };
      return overviewCard({ ...overview, reading }, view);
    },
  },
  { name: "commands", draw: ({ words }) => operatorCommandsCard("", words) },
  { name: "no command", draw: ({ words }, as = asIs) => operatorCommandsCard(as("allow 123"), words) },
  { name: "fees", draw: (view, as = asIs) => adminFeesCard({ today: as(sums), total: as(sums) }, view) },
  {
    name: "no fees",
    draw: (view) => adminFeesCard({ today: { ...sums, fees: {} }, total: { ...sums, fees: {} } }, view),
  },
  { name: "volume", draw: volume("volume") },
  { name: "earnings", draw: volume("earned") },
  { name: "unknown outcomes", draw: (view, as = asIs) => unknownCard([poisonedTerms(as)], 0, view) },
  { name: "unknown outcomes, several", draw: (view) => unknownCard([unknown, unknown], 0, view) },
  { name: "no unknown outcome", draw: (view) => unknownCard([], 0, view) },
  {
    name: "audit log",
    draw: (view, as = asIs) =>
      auditCard({ items: audit.map((each) => ({ ...each, about: as(each.about) })), page: 0, pages: 1 }, view),
  },
  {
    name: "audit log, every action",
    draw: (view) =>
      auditCard(
        {
          items: (["resume", "decline", "withdraw", "broadcast", "settle", "halt", "anew"] as const).map((action) => ({
            at: now,
            operator: 3003,
            action,
            about: "",
          })),
          page: 1,
          pages: 3,
        },
        view,
      ),
  },
  { name: "audit log, empty", draw: (view) => auditCard({ items: [], page: 0, pages: 1 }, view) },
  { name: "a pause: extra confirmation", draw: ({ words }, as = asIs) => pauseCard(as(reason), "AAAA", words) },
  { name: "resuming: extra confirmation", draw: ({ words }) => resumeCard(words) },
  {
    name: "a broadcast: extra confirmation",
    draw: ({ words }) => announcementCard({ text: "The bot moves tonight.", entities: [] }, 120, "AAAA", words),
  },
  { name: "a broadcast, in progress", draw: ({ words }) => announcingCard(words) },
  eventOf("a broadcast, sent", { about: "broadcast", people: 118, others: 0 }),
  eventOf("a broadcast, sent, but not to all", { about: "broadcast", people: 115, others: 3 }),
  eventOf("an unknown outcome", { about: "unknown", calls: 1, owners: [1001] }),
  eventOf("unknown outcomes", { about: "unknown", calls: 6, owners: [1001, 1002] }),
  eventOf("an outage", { about: "incident", incident: "node-outage", since: now }),
  ...(["router-mismatch", "lock-mismatch", "chain-mismatch", "late-alerts", "refused-messages"] as const).map(
    (incident) => eventOf(incident, { about: "incident", incident, since: now }),
  ),
  ...(["rejected-buttons", "rejected-explorer-url", "rejected-public-url"] as const).map((incident) =>
    eventOf(incident, { about: "incident", incident, since: now }),
  ),
  ...(
    [
      "late-prices",
      "late-orders",
      "full-orders",
      "stuck-news",
      "full-disk",
      "late-blocks",
      "chain-begun-again",
      "wrong-clock",
    ] as const
  ).map((incident) => eventOf(incident, { about: "incident", incident, since: now })),
  ...(["quotation-outage", "exchange-outage", "telegram-outage"] as const).map((incident) =>
    eventOf(incident, { about: "incident", incident, since: now }),
  ),
  eventOf("outage over", { about: "return", service: "node", since: now }),
  eventOf("data was restored", { about: "restored", from: now - 3_600_000, until: now }),
  eventOf("an update that was given up", { about: "given-up", updateId: 917_231, userId: 1001 }),
  eventOf("an alert that was put aside", { about: "put-aside", userId: 1001 }),
  eventOf("a user who can't be read", { about: "unreadable", userId: 1001 }),
  {
    name: "what to do about a user who can't be read",
    draw: (view) => unreadableCard(1001, view.words),
  },
  eventOf("a second instance", { about: "incident", incident: "second-poller", since: now }),
  eventOf("an access request", { about: "newcomer", userId: 4200, name: "Dora" }),
  eventOf("a request to list a token", {
    about: "listing",
    rights: {
      sign: {
        tokenId: "GEM-5D0X",
        readAt: now,
        powers: ["destroy"],
        royalties: { leastBps: 250, mostBps: 250, fixed: 0n },
      },
      canMint: true,
    },
  }),
  { name: "a user with access", draw: ({ words }) => memberCard(4200, "in", words) },
  { name: "a user of an open bot", draw: ({ words }) => memberCard(4200, "open", words) },
  { name: "a user allowed by the configuration", draw: ({ words }) => memberCard(4200, "fixed", words) },
  { name: "a user without access", draw: ({ words }) => memberCard(4200, "out", words) },
];
