import { Fault, isFault } from "../../fault.js";
import { assertNotFrozen, personIn } from "../person/people.js";
import { advance, changeIntent, closing, givenUp, type IntentParts } from "./change.js";
import { isLookedFor, isOpenRequest, isSigned, reasonOf } from "./intent.js";
import type { Intent, Reason, RequestEnd, SignedIntent } from "./intent.js";
import type { Recheck } from "./kind.js";
import { findIntent } from "./queries.js";

/** What was checked before the last write ahead of a call does not hold for longer than this. */
const WRITTEN_WITHIN_MS = 10_000;

/**
 * The one question right before every broadcast, the first time or another: whether its owner and the operator still let it, and
 * whether it is still of today. It is asked after SENT was written, so that nothing leaves after a freeze or a pause was.
 * @throws Fault for what speaks against it; `service-…` and `store-…` where it can't be said now.
 */
export async function assertMayLeave(parts: IntentParts, { owner, id }: Intent): Promise<void> {
  const { store, clock } = parts;
  const [intent, person] = [await findIntent(store.db, owner, id), await personIn(store.db, owner)];
  // Cancelled in the meantime: it has an end already, which no other replaces.
  if (intent?.state !== "SENT") throw new Fault("sent-too-late", {});
  const { transaction, times, terms } = intent;
  assertNotFrozen(person);
  if (transaction !== undefined) {
    if (person.wallet?.address !== terms.payout) throw new Fault("wallet-changed", {});
    if (clock.now() >= transaction.sendUntil) throw new Fault("sent-too-late", {});
  } else if (clock.now() - (times.SENT ?? 0) > WRITTEN_WITHIN_MS) throw new Fault("store-slow", {});
  await store.assertOwned();
  await parts.assertOpen();
}

/** What a fault says against sending. @throws what is only away, or no fault at all: it says nothing yet. */
export function reasonAgainst(error: unknown): Reason {
  if (!isFault(error) || error.code.startsWith("service-") || error.code.startsWith("store-")) throw error;
  return reasonOf(error);
}

/** Takes back what {@link mayLeave} wrote, where it is certain that nothing reached the network. */
function markNotGiven(parts: IntentParts, owner: number, id: string): Promise<Intent | undefined> {
  return changeIntent(parts, owner, id, (intent) => {
    if (intent.transaction?.givenAt === undefined || intent.state !== "SENT") return intent;
    const { givenAt: _givenAt, ...transaction } = intent.transaction;
    return { ...intent, transaction };
  });
}

/**
 * Whether a signed transaction may be given to the network. Once it may, it is on disk that the network may have it.
 * @param recheck the price before a first time; absent where that was asked a moment ago.
 * @returns why it stays; undefined where it may leave.
 * @throws Fault `service-…` and `store-…`, where it can't be said now.
 */
async function mayLeave(
  parts: IntentParts,
  sent: SignedIntent,
  recheck?: (intent: Intent) => Promise<Recheck>,
): Promise<Reason | undefined> {
  const { owner, id } = sent;
  try {
    await assertMayLeave(parts, sent);
    if (sent.transaction.givenAt !== undefined) return undefined;
    if (recheck !== undefined && (await recheck(sent)).kind !== "holds") throw new Fault("price-moved", {});
    const givenAt = parts.clock.now();
    await changeIntent(parts, owner, id, (intent) =>
      intent.state !== "SENT" || intent.transaction === undefined
        ? intent
        : { ...intent, transaction: { ...intent.transaction, givenAt } },
    );
    await assertMayLeave(parts, sent).catch(async (error: unknown) => {
      await markNotGiven(parts, owner, id);
      throw error;
    });
    return undefined;
  } catch (error) {
    return reasonAgainst(error);
  }
}

/**
 * Requests for a signature, from SIGNING on. Each gives the intent as it is afterwards, whatever its state, and undefined
 * when there is none.
 */
export function createRequests(parts: IntentParts) {
  const change = changeIntent.bind(undefined, parts);
  /** No signature is taken any more. It ends by `settle`, once the chain was asked. */
  const close = (owner: number, id: string, end: RequestEnd) => change(owner, id, (intent) => closing(intent, end));

  return {
    close,
    mayLeave: mayLeave.bind(undefined, parts),
    markNotGiven: markNotGiven.bind(undefined, parts),
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
      return change(owner, id, (request, person) => {
        const isAllowed = person.frozenSince === undefined && person.wallet?.address === request.terms.payout;
        if (!isOpenRequest(request, parts.clock.now()) || !isAllowed) return request;
        return { ...advance(request, "SENT", parts), transaction: { ...request.transaction, signature } };
      });
    },
    /**
     * To SENT, where the chain knows a transaction that the bot has not given to it, however its request ended.
     * @param signature as the chain has it, verified.
     */
    sentByWallet: (owner: number, id: string, signature: string) =>
      change(owner, id, (intent) => {
        if (!isSigned(intent) || !(intent.state === "SIGNING" || isLookedFor(intent))) return intent;
        const { outcome: _outcome, replacedBy, messageId, ...sent } = advance(intent, "SENT", parts);
        const { closing: _closing, givenAt = parts.clock.now(), ...transaction } = intent.transaction;
        // Where another card has its message, it gets one of its own.
        const message = replacedBy === undefined && messageId !== undefined ? { messageId } : {};
        return { ...sent, ...message, transaction: { ...transaction, signature, givenAt } };
      }),
    /** Keeps why the network refused it, though it may have taken it before; undefined where that is over. */
    markRefused: (owner: number, id: string, refusal: string) =>
      change(owner, id, (intent) =>
        intent.state !== "SENT" || !isSigned(intent) || intent.transaction.refusal === refusal
          ? intent
          : { ...intent, transaction: { ...intent.transaction, refusal } },
      ),
    /** Nobody looks for it any more. */
    giveUp: (owner: number, id: string) => change(owner, id, givenUp),
  };
}
