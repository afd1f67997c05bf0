import { isDeepStrictEqual } from "node:util";
import { DAY_MS } from "../../clock.js";
import { Fault } from "../../fault.js";
import type { Transaction } from "../../store/store.js";
import type { IntentParts } from "../intent/change.js";
import type { Intent, PreparedTransaction, SignedIntent } from "../intent/intent.js";
import { isOnChain } from "../intent/machine.js";
import { rivalsOf } from "../intent/queries.js";
import { otherWay, standingIn, type Request } from "../terms/terms.js";
import { partNumbers } from "./exit-plan.js";
import { occurrenceOf, standingCalls } from "./standing-calls.js";
import { standingRequest } from "./occurrence.js";
import { makeStandingDue, standingOrder, type StandingOrder } from "./standing-queries.js";

/**
 * Why a card of a standing order can't be claimed or signed: of an order, or of one of its occurrences, there is never a
 * second call while one may be executed, isn't known to have failed, or is done. The parts of an exit share what is left,
 * so none is sold while another's sale isn't subtracted, or may still reach the chain.
 */
export function standingObjection(now: () => number): IntentParts["objection"] {
  return async (tx, intent, transaction) => {
    const { request } = intent.terms;
    const reference = standingIn(request);
    if (reference === undefined) return undefined;
    const order = await standingOrder(tx, reference.id);
    if (order?.userId !== intent.owner || order.ended !== null || !isOf(order, request))
      return new Fault("standing-over", {});
    if (order.paused !== null || order.payout !== intent.terms.payout) return new Fault("standing-paused", {});
    const { isUnderWay, done, signed } = await standingCalls(tx, order.id, intent.id);
    if (isUnderWay) return new Fault("standing-busy", {});
    const own = occurrenceOf(intent);
    const { rule } = order;
    const isExit = "targets" in rule;
    if (isExit && partNumbers(rule).some((n) => n !== own && done.includes(n))) return new Fault("standing-busy", {});
    if (done.includes(own)) return new Fault("standing-over", {});
    if (transaction === undefined) return undefined;
    const place = { payout: intent.terms.payout, nonce: transaction.nonce };
    for (const other of signed.filter((one) => isExit || occurrenceOf(one) === own)) {
      if (await mayBeOnChain(tx, other, place, now())) return new Fault("standing-busy", {});
    }
    return undefined;
  };
}

/** Whether a card asks for what its order is for now, as a swap or by route. An earlier version named no stop's line. */
function isOf(order: StandingOrder, request: Request): boolean {
  const own = standingRequest(order);
  const { most: _most, ...earlier } = own.standing;
  const asked = [own, otherWay(own), { ...own, standing: earlier }];
  return asked.some((one) => isDeepStrictEqual(one, request));
}

/** After so long, a wallet that still has an unsigned request has forgotten it, and a node a signed one. */
const REMEMBERED_MS = 2 * DAY_MS;

/** An account, and the number of one of its transactions. */
type AccountNonce = Pick<PreparedTransaction, "nonce"> & Pick<Intent["terms"], "payout">;

/**
 * Whether an earlier transaction may be executed beside the one at `place`. Of an account, the chain executes one with
 * each nonce at most: at the same place, only one of the two can be; at another, both can, and the earlier one may have
 * been, unseen, until its nonce is known to be used otherwise.
 */
async function mayBeOnChain(tx: Transaction, other: SignedIntent, place: AccountNonce, now: number) {
  const isSamePlace = other.terms.payout === place.payout && other.transaction.nonce === place.nonce;
  if (isSamePlace || now - (other.times[other.state] ?? 0) > REMEMBERED_MS) return false;
  return !(await rivalsOf(tx, other)).some(isOnChain);
}

/** An order learns of each step of its cards by being looked at. */
export function noteStandingChange(now: () => number) {
  return async (tx: Transaction, { terms }: Intent): Promise<void> => {
    const reference = standingIn(terms.request);
    if (reference !== undefined) await makeStandingDue(tx, { id: reference.id }, now());
  };
}
