import { advance, closing, givenUp, momentOf } from "./steps.js";
import { isLookedFor, isOpenRequest, isSigned, type Intent, type RequestEnd, type SignedIntent } from "./intent.js";
import type { Recheck } from "./kind.js";
import { changeIntent, type IntentParts } from "./change.js";
import { findIntent } from "./queries.js";
import { markNotGiven, mayLeave } from "./leave.js";

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
    /** No signature is taken any more. It ends by `settle`, once the chain was asked. */
    close,
  };
}
