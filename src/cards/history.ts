import { buttons } from "./buttons.js";
import type { Amount } from "../encoding/amount.js";
import { formatReferralPercentage } from "../encoding/percent.js";
import type { Intent, IntentState } from "../model/intent.js";
import { withToken } from "./amount.js";
import { bold, button, card, type Card, type Line } from "./card.js";
import type { Page } from "./page.js";
import { formatMoment } from "./time.js";
import type { View } from "./view.js";

/** So many intents stand on one page. */
export const HISTORY_PAGE_SIZE = 8;
/** More tokens than this are counted, not listed: a message has its limits. */
const MAX_FEE_TOKENS = 30;

/** One page of past and open intents, as they are ordered. `now` in milliseconds since 1970. */
export function historyCard(
  { items, page, pages }: Page<Intent>,
  now: number,
  view: View,
  summaryOf: (intent: Intent, view: View) => string,
): Card {
  const { history, common } = view.words;
  if (items.length === 0 && pages === 1) return card([bold(history.title), history.empty]);
  const turn = [
    ...(page > 0 ? [button(common.newer, buttons.historyPage, page - 1)] : []),
    ...(page < pages - 1 ? [button(common.older, buttons.historyPage, page + 1)] : []),
  ];
  return card(
    [
      bold(history.title),
      "",
      ...items.flatMap((intent) => row(intent, summaryOf(intent, view), now, view)),
      pages > 1 ? history.page(page + 1, pages) : undefined,
    ],
    turn.length > 0 ? [turn] : undefined,
  );
}

/** What the fee is, and what was paid by token as far as the node's answers could be verified. */
export function feesCard(paid: readonly Amount[], referralPercentage: number, view: View): Card {
  const { history } = view.words;
  return card([
    bold(history.feesTitle),
    history.feesExplain(formatReferralPercentage(referralPercentage)),
    "",
    ...(paid.length === 0
      ? [history.feesNone]
      : [
          history.feesPaid,
          ...paid.slice(0, MAX_FEE_TOKENS).map((amount) => bold(withToken(amount, view.words))),
          paid.length > MAX_FEE_TOKENS ? history.feesMore(paid.length - MAX_FEE_TOKENS) : undefined,
        ]),
  ]);
}

const SIGNS: Record<IntentState, string> = {
  QUOTED: "🕓",
  CLAIMED: "⏳",
  SIGNING: "✍️",
  SENT: "⏳",
  OK: "✅",
  FAILED: "❌",
  UNKNOWN: "⚠️",
  EXPIRED: "⌛",
  CANCELED: "✖️",
  SUPERSEDED: "↪️",
};

function row(intent: Intent, summary: string, now: number, view: View): Line[] {
  // A card that nobody touched again has expired, though nobody wrote it down.
  const state = intent.state === "QUOTED" && now >= intent.expiresAt ? "EXPIRED" : intent.state;
  const moment = formatMoment(intent.times[state] ?? intent.quotedAt, view.timeZone);
  return [`${SIGNS[state]} ${summary}`, `     ${moment} · ${view.words.history.states[state]}`];
}
