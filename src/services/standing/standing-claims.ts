import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../fault.js";
import type { Transaction } from "../../store/store.js";
import type { IntentParts } from "../intent/change.js";
import type { Intent } from "../intent/intent.js";
import { standingIn } from "../terms/terms.js";
import { makeStandingDue, standingCalls, standingOrder, standingRequest } from "./standing-queries.js";

/**
 * Why a card of a standing order can't be claimed or signed: of an order, or of one of its occurrences, there is never a
 * second call while one may be executed, isn't known to have failed, or is done.
 */
export const standingObjection: IntentParts["objection"] = async (tx, intent, transaction) => {
  const { request } = intent.terms;
  const reference = standingIn(request);
  if (reference === undefined) return undefined;
  const order = await standingOrder(tx, reference.id);
  const isCurrent =
    order?.userId === intent.owner && order.ended === null && isDeepStrictEqual(request, standingRequest(order));
  if (!isCurrent) return new Fault("standing-over", {});
  if (order.paused !== null || order.payout !== intent.terms.payout) return new Fault("standing-paused", {});
  const { isUnderWay, done, loose } = await standingCalls(tx, order.id, intent.id);
  if (isUnderWay) return new Fault("standing-busy", {});
  if (done.includes(reference.occurrence?.n ?? null)) return new Fault("standing-over", {});
  // The chain carries out at most one transaction with each nonce. With another nonce, that of an earlier one is used:
  // perhaps by that one itself.
  const mayBeDone = loose.some((other) => other.transaction?.nonce !== transaction?.nonce);
  return transaction !== undefined && mayBeDone ? new Fault("standing-busy", {}) : undefined;
};

/** An order learns of each step of its cards by being looked at. */
export function noteStandingChange(now: () => number) {
  return async (tx: Transaction, { terms }: Intent): Promise<void> => {
    const reference = standingIn(terms.request);
    if (reference !== undefined) await makeStandingDue(tx, { id: reference.id }, now());
  };
}
