import { addAmounts, formatAmount, type Amount } from "../encoding/amount.js";
import { formatReferralPercentage } from "../encoding/percent.js";
import type { Intent, IntentState } from "../services/intents/intent.js";
import { readSwapOutcome } from "../services/referral-swap.js";
import { bold, button, card, labelled, type Card, type Line } from "./card.js";
import { summaryOf } from "./summary.js";
import { formatMoment } from "./time.js";
import type { View } from "./view.js";

const PAGE_SIZE = 8;

/** Past and open intents, the newest first. `page` counts from 0 and is brought into range. */
export function historyCard(intents: readonly Intent[], page: number, view: View): Card {
  const { history, common } = view.words;
  if (intents.length === 0) return card([bold(history.title), history.empty]);
  const newestFirst = [...intents].sort((left, right) => right.quotedAt - left.quotedAt);
  const pages = Math.ceil(newestFirst.length / PAGE_SIZE);
  const shown = Math.min(Math.max(page, 0), pages - 1);
  const rows = newestFirst.slice(shown * PAGE_SIZE, (shown + 1) * PAGE_SIZE);
  const turn = [
    ...(shown > 0 ? [button(common.newer, "h", String(shown - 1))] : []),
    ...(shown < pages - 1 ? [button(common.older, "h", String(shown + 1))] : []),
  ];
  return card(
    [
      bold(history.title),
      "",
      ...rows.flatMap((intent) => row(intent, view)),
      pages > 1 ? history.page(shown + 1, pages) : undefined,
    ],
    turn.length > 0 ? [turn] : undefined,
  );
}

/** What the fee is, and what was paid by token as far as the node's answers could be verified. */
export function feesCard(intents: readonly Intent[], referralPercentage: number, view: View): Card {
  const { history } = view.words;
  const paid = feesPaid(intents, view);
  return card([
    bold(history.feesTitle),
    history.feesExplain(formatReferralPercentage(referralPercentage)),
    "",
    ...(paid.length === 0
      ? [history.feesNone]
      : [history.feesPaid, ...paid.map((amount) => labelled(amount.token.id, formatAmount(amount)))]),
  ]);
}

const SIGNS: Record<IntentState, string> = {
  QUOTED: "🕓",
  CLAIMED: "⏳",
  SENT: "⏳",
  OK: "✅",
  FAILED: "❌",
  UNKNOWN: "⚠️",
  EXPIRED: "⌛",
  CANCELED: "✖️",
  SUPERSEDED: "↪️",
};

function row(intent: Intent, view: View): Line[] {
  const moment = formatMoment(intent.times[intent.state] ?? intent.quotedAt, view.timeZone);
  return [
    `${SIGNS[intent.state]} ${summaryOf(intent, view)}`,
    `     ${moment} · ${view.words.history.states[intent.state]}`,
  ];
}

function feesPaid(intents: readonly Intent[], view: View): Amount[] {
  const totals = new Map<string, Amount>();
  for (const { terms, outcome } of intents) {
    if (outcome?.kind !== "ok" || terms.kind !== "swap") continue;
    const reading = readSwapOutcome(terms, outcome.returnData, view.returnDataEncoding);
    if (reading.kind !== "split") continue;
    const before = totals.get(reading.referral.token.id);
    totals.set(
      reading.referral.token.id,
      before === undefined ? reading.referral : addAmounts(before, reading.referral),
    );
  }
  return [...totals.values()];
}
