import { advance, closing, conclude, givenUp, momentOf } from "./steps.js";
import {
  isLookedFor,
  isOpenRequest,
  isRequest,
  isSigned,
  reasonOf,
  type Intent,
  type Reason,
  type RequestEnd,
  type SignedIntent,
} from "./intent.js";
import type { Recheck } from "./kind.js";
import { changeIntent, type IntentParts } from "./change.js";
import { findIntent } from "./queries.js";
import { Fault, isFault } from "../../fault.js";
import type { Person } from "../person/person.js";
import { assertNotFrozen, personIn } from "../person/people.js";

/**
 * Requests for a signature, from SIGNING on. Each gives the intent as it is afterwards, whatever its state, and undefined
 * when there is none.
 */
export function createRequests(parts: IntentParts) {
  const close = (owner: number, id: string, end: RequestEnd): Promise<Intent | undefined> =>
    changeIntent(parts, owner, id, (intent) => closing(intent, end));

  return {
    /**
     * SIGNING to SENT with the signature, unless the request closed or the person froze or changed their address. It closes
     * where the bot is not set up for its contract or pair any more.
     */
    sign: async (owner: number, id: string, signature: string): Promise<Intent | undefined> => {
      const intent = await findIntent(parts.store.db, owner, id);
      // A call never changes, so what is asked about it holds in the write too.
      if (intent !== undefined && !(await parts.isConfigured(intent.call))) {
        return close(owner, id, { state: "FAILED", code: "contract-changed" });
      }
      return changeIntent(parts, owner, id, (request, person) => {
        const isAllowed = person.frozenSince === undefined && person.wallet?.address === request.terms.payout;
        if (!isOpenRequest(request, parts.clock.now()) || !isAllowed) return request;
        const transaction = { ...request.transaction, signature };
        return { ...advance(request, "SENT", momentOf(parts)), transaction };
      });
    },
    /**
     * To SENT, where the chain knows a transaction that the bot has not given to it, however its request ended.
     * @param signature as the chain has it, verified.
     */
    sentByWallet: (owner: number, id: string, signature: string): Promise<Intent | undefined> =>
      changeIntent(parts, owner, id, (intent) => {
        if (!isSigned(intent) || !(intent.state === "SIGNING" || isLookedFor(intent))) return intent;
        const { outcome: _outcome, replacedBy, messageId, ...sent } = advance(intent, "SENT", momentOf(parts));
        const { closing: _closing, givenAt = parts.clock.now(), ...transaction } = intent.transaction;
        // Where another card has its message, it gets one of its own.
        const message = replacedBy === undefined && messageId !== undefined ? { messageId } : {};
        return { ...sent, ...message, transaction: { ...transaction, signature, givenAt } };
      }),
    /** See {@link mayLeave}. */
    mayLeave: (sent: SignedIntent, recheck?: (intent: Intent) => Promise<Recheck>) => mayLeave(parts, sent, recheck),
    /** It is certain that what was about to be given to the network did not reach it. */
    markNotGiven: (owner: number, id: string): Promise<void> => markNotGiven(parts, owner, id),
    /** Keeps why the network refused it, though it may have taken it before; undefined where that is over. */
    markRefused: (owner: number, id: string, refusal: string): Promise<Intent | undefined> =>
      changeIntent(parts, owner, id, (intent) =>
        intent.state !== "SENT" || !isSigned(intent) || intent.transaction.refusal === refusal
          ? intent
          : { ...intent, transaction: { ...intent.transaction, refusal } },
      ),
    /** Nobody looks for it any more. */
    giveUp: async (owner: number, id: string): Promise<void> => {
      await changeIntent(parts, owner, id, givenUp);
    },
    /** No signature is taken any more. It ends by `end`, once the chain was asked. */
    close,
    /** Ends a request that closed. */
    end: (owner: number, id: string): Promise<Intent | undefined> =>
      changeIntent(parts, owner, id, (intent) => {
        const end = isRequest(intent) ? intent.transaction.closing : undefined;
        if (end === undefined) return intent;
        if (end.state !== "FAILED") return advance(intent, end.state, momentOf(parts));
        const { state: _state, ...reason } = end;
        return conclude(intent, { kind: "not-sent", ...reason }, momentOf(parts));
      }),
  };
}

/**
 * The one question before each time that a signed transaction is given to the network, the first time or another: whether its
 * owner and the operator still let it, whether it is still of today, and before a first time whether its price still holds.
 * Once it may, it is on disk that the network may have it.
 * @param recheck the price before a first time; absent where that was asked a moment ago.
 * @returns why it stays; undefined where it may leave.
 * @throws Fault `service-…` and `store-…`, where it can't be said now.
 */
export async function mayLeave(
  parts: IntentParts,
  { owner, id, transaction }: SignedIntent,
  recheck?: (intent: Intent) => Promise<Recheck>,
): Promise<Reason | undefined> {
  const isFirst = transaction.givenAt === undefined;
  const assertLeaving = (intent: Intent | undefined, person: Person): SignedIntent => {
    // Cancelled in the meantime: it has an end already, which this one does not replace.
    if (intent?.transaction === undefined || intent.state !== "SENT") throw new Fault("sent-too-late", {});
    assertNotFrozen(person);
    if (person.wallet?.address !== intent.terms.payout) throw new Fault("wallet-changed", {});
    if (parts.clock.now() >= intent.transaction.sendUntil) throw new Fault("sent-too-late", {});
    return { ...intent, transaction: intent.transaction };
  };
  try {
    const { db } = parts.store;
    const sent = assertLeaving(await findIntent(db, owner, id), await personIn(db, owner));
    if (isFirst && recheck !== undefined && (await recheck(sent)).kind !== "holds") throw new Fault("price-moved", {});
    const givenAt = parts.clock.now();
    await changeIntent(parts, owner, id, (intent, person) => {
      const leaving = assertLeaving(intent, person);
      return isFirst ? { ...leaving, transaction: { ...leaving.transaction, givenAt } } : intent;
    });
    // Last, so that nothing leaves after a pause was written: the write may have taken a while.
    await parts.assertOpen().catch(async (error: unknown) => {
      if (isFirst) await markNotGiven(parts, owner, id);
      throw error;
    });
    return undefined;
  } catch (error) {
    return reasonAgainst(error);
  }
}

/** Takes back what {@link mayLeave} wrote, where it is certain that nothing reached the network. */
export async function markNotGiven(parts: IntentParts, owner: number, id: string): Promise<void> {
  await changeIntent(parts, owner, id, (intent) => {
    if (intent.transaction?.givenAt === undefined || intent.state !== "SENT") return intent;
    const { givenAt: _givenAt, ...transaction } = intent.transaction;
    return { ...intent, transaction };
  });
}

/** What a fault says against sending. @throws what is only away, or no fault at all: it says nothing yet. */
export function reasonAgainst(error: unknown): Reason {
  if (!isFault(error) || error.code.startsWith("service-") || error.code.startsWith("store-")) throw error;
  return reasonOf(error);
}
