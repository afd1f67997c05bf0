import { addAmounts, type Amount } from "../encoding/amount.js";
import { formatReferralPercentage } from "../encoding/percent.js";
import type { Intent, IntentState } from "../model/intent.js";
import { readSwapOutcome } from "../services/swap/referral-swap.js";
import { withToken } from "./amount.js";
import { bold, button, card, type Card, type Line } from "./card.js";
import { pageOf } from "./page.js";
import { summaryOf } from "./summary.js";
import { formatMoment } from "./time.js";
import type { View } from "./view.js";

const PAGE_SIZE = 8;
/** More tokens than this are counted, not listed: a message has its limits. */
const MAX_FEE_TOKENS = 30;

/** Past and open intents, as they are ordered. `page` counts from 0 and is brought into range; `now` in milliseconds since 1970. */
export function historyCard(intents: readonly Intent[], page: number, now: number, view: View): Card {
  const { history, common } = view.words;
  if (intents.length === 0) return card([bold(history.title), history.empty]);
  const { items, page: shown, pages } = pageOf(intents, page, PAGE_SIZE);
  const turn = [
    ...(shown > 0 ? [button(common.newer, "h", String(shown - 1))] : []),
    ...(shown < pages - 1 ? [button(common.older, "h", String(shown + 1))] : []),
  ];
  return card(
    [
      bold(history.title),
      "",
      ...items.flatMap((intent) => row(intent, now, view)),
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
  SENT: "⏳",
  OK: "✅",
  FAILED: "❌",
  UNKNOWN: "⚠️",
  EXPIRED: "⌛",
  CANCELED: "✖️",
  SUPERSEDED: "↪️",
};

function row(intent: Intent, now: number, view: View): Line[] {
  // A card that nobody touched again has expired, though nobody wrote it down.
  const state = intent.state === "QUOTED" && now >= intent.expiresAt ? "EXPIRED" : intent.state;
  const moment = formatMoment(intent.times[state] ?? intent.quotedAt, view.timeZone);
  return [`${SIGNS[state]} ${summaryOf(intent, view)}`, `     ${moment} · ${view.words.history.states[state]}`];
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
