import { people, type Person } from "../../model/person.js";
import type { Address } from "../../encoding/address.js";
import type { Intent, IntentOutcome, IntentState, RequestEnd, SignedIntent } from "../../model/intent.js";
import type { IntentParts } from "./parts.js";
import { advance, conclude, momentOf } from "./lifecycle.js";
import { intentOf, withEnd, withIntent } from "./person-intents.js";

/**
 * Requests for a signature, from SIGNING on. Each gives the intent as it is afterwards, whatever its state, and undefined
 * when there is none.
 */
export interface Requests {
  /** SIGNING to SENT with the signature, unless the request closed or the person froze or changed their address. */
  readonly sign: (owner: number, id: string, signature: string) => Promise<Intent | undefined>;
  /**
   * To SENT, where the chain knows a transaction that nobody brought a signature of, though its request may have closed.
   * @param signature as the chain has it, verified.
   */
  readonly sentByWallet: (owner: number, id: string, signature?: string) => Promise<Intent | undefined>;
  /** No signature is taken any more. It ends by {@link Requests.end}, once the chain was asked. */
  readonly close: (owner: number, id: string, end: RequestEnd) => Promise<Intent | undefined>;
  /** Ends a request that closed. */
  readonly end: (owner: number, id: string) => Promise<Intent | undefined>;
}

/** States of a transaction that the bot never sent. */
const UNSENT: readonly IntentState[] = ["SIGNING", "EXPIRED", "CANCELED", "SUPERSEDED"];

export function createRequests(parts: IntentParts): Requests {
  const { store, clock } = parts;

  /** Changes a request that waits for its signature, and nothing else. */
  const change = (
    owner: number,
    id: string,
    next: (request: SignedIntent, person: Person) => readonly [person: Person, intent: Intent],
  ): Promise<Intent | undefined> =>
    store.update(people, String(owner), (person): readonly [Person, Intent | undefined] => {
      const intent = intentOf(person, id);
      return intent !== undefined && isRequest(intent) ? next(intent, person) : [person, intent];
    });

  return {
    sign: async (owner, id, signature) => {
      const person = await store.read(people, String(owner));
      const intent = person && intentOf(person, id);
      // A call never changes, so what is asked about it holds in the write too.
      const isConfigured = intent !== undefined && (await parts.isConfigured(intent.call));
      return change(owner, id, (request, person) => {
        const { transaction } = request;
        const isOpen = transaction.closing === undefined && clock.now() < transaction.signUntil;
        const isAllowed = person.frozenSince === undefined && person.wallet?.address === request.terms.payout;
        if (!isOpen || !isAllowed || !isConfigured) return [person, request];
        const sent = { ...advance(request, "SENT", momentOf(parts)), transaction: { ...transaction, signature } };
        return [withIntent(person, sent), sent];
      });
    },
    sentByWallet: (owner, id, signature) =>
      store.update(people, String(owner), (person): readonly [Person, Intent | undefined] => {
        const intent = intentOf(person, id);
        if (intent === undefined || !isSigned(intent) || !UNSENT.includes(intent.state)) return [person, intent];
        const transaction = { ...intent.transaction, ...(signature !== undefined && { signature }) };
        const sent = { ...advance(intent, "SENT", momentOf(parts)), transaction };
        return [withIntent(person, sent), sent];
      }),
    close: async (owner, id, end) => {
      const closed = await change(owner, id, (request, person) => {
        const next = closing(request, end);
        return next === request ? [person, request] : [withIntent(person, next), next];
      });
      if (closed !== undefined && isRequest(closed)) parts.onRequest(closed);
      return closed;
    },
    end: async (owner, id) => {
      const ended = await change(owner, id, (request, person) => {
        const { closing: end } = request.transaction;
        if (end === undefined) return [person, request];
        if (end.state !== "FAILED") {
          const closed = advance(request, end.state, momentOf(parts));
          return [withIntent(person, closed), closed];
        }
        const outcome: IntentOutcome = { kind: "not-sent", code: end.code };
        const failed = conclude(request, outcome, momentOf(parts));
        return [withEnd(parts, person, failed), failed];
      });
      if (ended?.outcome !== undefined) parts.onEnded(ended);
      return ended;
    },
  };
}

/** Whether it waits for a signature. */
export function isRequest(intent: Intent): intent is SignedIntent {
  return intent.state === "SIGNING" && isSigned(intent);
}

/** Whether its call is a transaction that a wallet signs. */
export function isSigned(intent: Intent): intent is SignedIntent {
  return intent.transaction !== undefined;
}

/** The transactions of an address that wait for a signature, or for their end on the chain. */
export function transactionsUnderWay(person: Person, address: Address): readonly SignedIntent[] {
  return Object.values(person.intents)
    .filter(isSigned)
    .filter(({ state, terms }) => (state === "SIGNING" || state === "SENT") && terms.payout === address);
}

/** The request closing, the first reason counting; anything else as it is. */
export function closing(intent: Intent, end: RequestEnd): Intent {
  if (!isRequest(intent) || intent.transaction.closing !== undefined) return intent;
  return { ...intent, transaction: { ...intent.transaction, closing: end } };
}
