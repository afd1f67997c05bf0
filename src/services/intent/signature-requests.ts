import { Fault } from "../../fault.js";
import { personIn } from "../person/person.js";
import { changeIntent, type IntentParts } from "./change.js";
import { assertMayLeave } from "./confirm.js";
import { type Intent, type Reason, reasonAgainst, type RequestEnd } from "./intent.js";
import { broadcastFrom, foundOnChain, givenUp, isIn, isOpenRequest } from "./machine.js";
import { notBroadcast, refused, signedWith, withdrawn } from "./machine.js";
import { findIntent } from "./queries.js";
import type { Draft } from "./trade-kind.js";

/**
 * Requests for a signature, from SIGNING on. Functions that change an intent return it afterwards, whatever its state,
 * and undefined if there is none.
 */
export interface SignatureRequests {
  /** Stops accepting signatures. The request ends with `settle`, once the chain was checked. */
  readonly close: (owner: number, id: string, end: RequestEnd) => Promise<Intent | undefined>;
  /** Returns a worse draft if the card no longer holds, otherwise undefined. @throws Fault */
  readonly recheck: (intent: Intent) => Promise<Draft | undefined>;
  /**
   * Whether a signed transaction may be broadcast. If so, it is on disk that the network may have it.
   * @param isFresh whether the price, which is rechecked before the first broadcast, was checked a moment ago.
   * @returns why it may not be broadcast; undefined if it may.
   * @throws Fault `service-…` and `store-…` if that can't be decided now.
   */
  readonly mayLeave: (sent: Intent, isFresh: boolean) => Promise<Reason | undefined>;
  /** Undoes what `mayLeave` wrote, once it is certain that nothing reached the network. */
  readonly clearBroadcast: (intent: Intent) => Promise<Intent | undefined>;
  /**
   * Moves SIGNING to SENT with the signature, unless the request has closed or the user has frozen trading or changed
   * their address. Closes the request if its contract or pair is no longer configured.
   */
  readonly sign: (owner: number, id: string, signature: string) => Promise<Intent | undefined>;
  /**
   * Moves an intent to SENT because the chain has its transaction, however the request ended.
   * @param signature the verified one from the chain.
   */
  readonly sentByWallet: (owner: number, id: string, signature: string) => Promise<Intent | undefined>;
  /** Records why the network rejected a transaction that it may have accepted before. */
  readonly markRefused: (intent: Intent, refusal: string) => Promise<Intent | undefined>;
  /** Stops looking for it on the chain. */
  readonly giveUp: (owner: number, id: string) => Promise<Intent | undefined>;
}

function clearBroadcast(parts: IntentParts, { owner, id }: Intent): Promise<Intent | undefined> {
  return changeIntent(parts, owner, id, notBroadcast);
}

async function recheck(parts: IntentParts, intent: Intent): Promise<Draft | undefined> {
  return parts.kinds.recheck(intent, await personIn(parts.store.db, intent.owner));
}

async function mayLeave(parts: IntentParts, sent: Intent, isFresh: boolean): Promise<Reason | undefined> {
  try {
    await assertMayLeave(parts, sent);
    if (!isIn(sent, "signed")) return undefined;
    if (!isFresh && (await recheck(parts, sent)) !== undefined) throw new Fault("price-moved", {});
    const now = parts.clock.now();
    await changeIntent(parts, sent.owner, sent.id, (intent) => broadcastFrom(intent, now));
    await assertMayLeave(parts, sent).catch(async (error: unknown) => {
      await clearBroadcast(parts, sent);
      throw error;
    });
    return undefined;
  } catch (error) {
    return reasonAgainst(error);
  }
}

export function createSignatureRequests(parts: IntentParts): SignatureRequests {
  const change = changeIntent.bind(undefined, parts);
  const close: SignatureRequests["close"] = (owner, id, end) => change(owner, id, (intent) => withdrawn(intent, end));

  return {
    close,
    recheck: recheck.bind(undefined, parts),
    mayLeave: mayLeave.bind(undefined, parts),
    clearBroadcast: clearBroadcast.bind(undefined, parts),
    sign: async (owner, id, signature) => {
      const intent = await findIntent(parts.store.db, owner, id);
      // A call never changes, so the answer still holds in the write.
      if (intent !== undefined && !(await parts.kinds.isConfigured(intent.call))) {
        return close(owner, id, { code: "contract-changed" });
      }
      return change(owner, id, async (request, tx) => {
        const person = await personIn(tx, owner);
        const isAllowed = person.frozenSince === undefined && person.wallet?.address === request.terms.payout;
        if (!isOpenRequest(request, parts.clock.now()) || !isAllowed) return request;
        // What asked for it may have been deleted or paused; that withdraws it, too.
        if ((await parts.objection(tx, request)) !== undefined) return request;
        return signedWith(request, signature, parts);
      });
    },
    sentByWallet: (owner, id, signature) => change(owner, id, (intent) => foundOnChain(intent, signature, parts)),
    markRefused: ({ owner, id }, refusal) => change(owner, id, (intent) => refused(intent, refusal)),
    giveUp: (owner, id) => change(owner, id, givenUp),
  };
}
