import { addAmounts, type Amount } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Intent } from "../../model/intent.js";
import { readSwapOutcome } from "./referral-swap.js";

/** What was paid to the operator by token, with what these intents add as far as the node's answers prove it. */
export function withFeesOf(
  intents: readonly Intent[],
  encoding: ReturnDataEncoding,
  paid: ReadonlyMap<string, Amount>,
): ReadonlyMap<string, Amount> {
  const totals = new Map(paid);
  for (const { terms, outcome } of intents) {
    const referral = terms.kind === "swap" ? readSwapOutcome({ terms, outcome }, encoding)?.referral : undefined;
    if (referral === undefined) continue;
    const before = totals.get(referral.token.id);
    totals.set(referral.token.id, before === undefined ? referral : addAmounts(before, referral));
  }
  return totals;
}
