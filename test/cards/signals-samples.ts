import { intentCard } from "../../src/cards/intent.js";
import { deleteLinkCard, linksCard, newLinkCard } from "../../src/cards/signals.js";
import type { View } from "../../src/cards/card.js";
import type { ProposalLink } from "../../src/services/standing/proposal-queries.js";
import { card } from "../../src/cards/card.js";
import { intent, now, routeTerms, swapTerms } from "./arrange.js";
import type { CardSample } from "./card-sample.js";

const link: ProposalLink = {
  id: "AAAAAAAAAAAAAAAAAAAAAA",
  user_id: 1001,
  name: "TradingView",
  secret: "",
  created_at: now - 86_400_000,
  last_at: now - 300_000,
  paused: null,
  day: new Date(now).toISOString().slice(0, 10),
  came: 4,
  unread: 3,
  late: 1,
  unmade: 2,
};
const script = {
  ...link,
  id: "BBBBBBBBBBBBBBBBBBBBBB",
  name: "My n8n workflow 2nd one",
  paused: 1,
  last_at: null,
  day: "",
};
const proposed = { link: link.id, by: link.name, until: now + 120_000 };
const by = { origin: "proposal", proposed, expiresAt: now + 120_000 } as const;
const url = `https://bot.example/propose/${"A".repeat(43)}`;

export const signalsSamples: readonly CardSample[] = [
  { name: "no link yet", draw: (view) => linksCard([], view) },
  { name: "links", lines: 16, draw: (view) => linksCard([link, script], view) },
  { name: "a new link", lines: 26, draw: (view) => newLinkCard(link.name, url, "swap 1 KLV KFI", view) },
  { name: "deletion of a link", draw: (view) => deleteLinkCard(link, view) },
  { name: "proposed swap", lines: 14, draw: (view) => intentCard({ ...intent(swapTerms), ...by }, view) },
  { name: "proposed route", lines: 15, draw: (view) => intentCard({ ...intent(routeTerms), ...by }, view) },
  {
    name: "proposed, and asked about first",
    draw: (view: View) => intentCard({ ...intent({ ...swapTerms, isResaleUnknown: true }), ...by }, view),
  },
  { name: "paused on its quote", draw: ({ words }) => card([words.signals.nowPaused(link.name)]) },
  { name: "which program", draw: ({ words }) => card([words.signals.ask]) },
  { name: "a bot without an address", draw: ({ words }) => card([words.signals.noAddress]) },
];
