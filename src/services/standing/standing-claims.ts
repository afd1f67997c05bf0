import { isDeepStrictEqual } from "node:util";
import { DAY_MS } from "../../clock.js";
import { Fault } from "../../fault.js";
import type { Transaction } from "../../store/store.js";
import type { IntentParts } from "../intent/change.js";
import type { Intent, PreparedTransaction, SignedIntent } from "../intent/intent.js";
import { isOnChain } from "../intent/machine.js";
import { rivalsOf } from "../intent/queries.js";
import { standingIn } from "../terms/terms.js";
import { makeStandingDue, occurrenceOf, standingCalls, standingOrder, standingRequest } from "./standing-queries.js";

/**
 * Why a card of a standing order can't be claimed or signed: of an order, or of one of its occurrences, there is never a
 * second call while one may be executed, isn't known to have failed, or is done.
 */
export function standingObjection(now: () => number): IntentParts["objection"] {
  return async (tx, intent, transaction) => {
    const { request } = intent.terms;
    const reference = standingIn(request);
    if (reference === undefined) return undefined;
    const order = await standingOrder(tx, reference.id);
    const isCurrent =
      order?.userId === intent.owner && order.ended === null && isDeepStrictEqual(request, standingRequest(order));
    if (!isCurrent) return new Fault("standing-over", {});
    if (order.paused !== null || order.payout !== intent.terms.payout) return new Fault("standing-paused", {});
    const { isUnderWay, done, signed } = await standingCalls(tx, order.id, intent.id);
    if (isUnderWay) return new Fault("standing-busy", {});
    const own = occurrenceOf(intent);
    if (done.includes(own)) return new Fault("standing-over", {});
    if (transaction === undefined) return undefined;
    for (const other of signed.filter((one) => occurrenceOf(one) === own)) {
      if (await mayBeOnChain(tx, other, transaction, now())) return new Fault("standing-busy", {});
    }
    return undefined;
  };
}

/** After so long, a wallet that still has an unsigned request has forgotten it, and a node a signed one. */
const REMEMBERED_MS = 2 * DAY_MS;

/**
 * Whether an earlier transaction may have been executed unseen. The chain executes one with each nonce at most: with the
 * same nonce, it isn't yet, and only one of the two can be; with another nonce, its own is used, perhaps by itself.
 */
async function mayBeOnChain(tx: Transaction, other: SignedIntent, { nonce }: PreparedTransaction, now: number) {
  if (other.transaction.nonce === nonce || now - (other.times[other.state] ?? 0) > REMEMBERED_MS) return false;
  return !(await rivalsOf(tx, other)).some(isOnChain);
}

/** An order learns of each step of its cards by being looked at. */
export function noteStandingChange(now: () => number) {
  return async (tx: Transaction, { terms }: Intent): Promise<void> => {
    const reference = standingIn(terms.request);
    if (reference !== undefined) await makeStandingDue(tx, { id: reference.id }, now());
  };
}
