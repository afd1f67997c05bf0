import { Fault, isFault, unlessFault } from "../../fault.js";
import { createLoop } from "../../loop.js";
import { dueFrom, inLots, type Reader, readSetting } from "../../store/store.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import { cardKey, changeIntent, changeIntents, inPlaceOf, newIntent } from "./change.js";
import type { IntentParts } from "./change.js";
import { assertMayLeave, confirm } from "./confirm.js";
import { balancesFinding, markChecked, noteArrived } from "./findings.js";
import { createIntentLoop, endIntent, recover } from "./finish-call.js";
import { isResolved, reasonAgainst } from "./intent.js";
import type { ClosedState, OutcomeFinding, Intent, IntentOutcome, Reason, RequestEnd } from "./intent.js";
import {
  broadcastFrom,
  canceled,
  closedAs,
  foundOnChain,
  givenUp,
  isExpired,
  isHeld,
  isIn,
  isOpenRequest,
} from "./machine.js";
import { EXPIRY_GRACE_MS, notBroadcast, refused, signedWith, timeLeft, withdrawn } from "./machine.js";
import { offerCard } from "./offer-card.js";
import { rewriteOldRows } from "./old-rows.js";
import { enqueue } from "../telegram/outbox.js";
import { personIn } from "../person/person.js";
import { checkBalances, MAX_CARD_MS, type Draft, type Sighting } from "./trade-kind.js";
import * as queries from "./queries.js";
import { noteDue, noteMessage, packDue, PACKED_AFTER_MS, toPack } from "./intent-row.js";
import { earnedFees } from "./totals.js";

export type Intents = ReturnType<typeof createIntents>;

/**
 * Everything that spends, from its card to its end, each step in one transaction. All functions throw Fault `store-…`
 * if nothing could be saved, and `store-unreadable` for damaged records.
 */
export function createIntents(parts: IntentParts) {
  const running = createKeyedQueue();
  const confirmOne = confirm.bind(undefined, { ...parts, running });
  const cards = createCards(parts);
  const expiry = createExpiry(parts, cards.expire);
  parts.events.on("changed", ({ after, dueAt }) => {
    if (after.state === "QUOTED") expiry.wakeBy(after.expiresAt + EXPIRY_GRACE_MS);
    if (dueAt !== undefined) parts.outbox.wakeBy(dueAt);
  });
  return {
    ...cards,
    ...createQuestions(parts),
    /** The only way to make a call. */
    confirm: (...tap: Parameters<typeof confirmOne>) => running.take(Symbol(), () => confirmOne(...tap)),
    /** Records a call's end; without an outcome, its request ends as it was closed. See {@link endIntent}. */
    settle: (owner: number, id: string, outcome?: IntentOutcome) => endIntent(parts, { owner, id }, outcome),
    markChecked: markChecked.bind(undefined, parts),
    noteArrived: noteArrived.bind(undefined, parts),
    recover: (signal?: AbortSignal) => recover(parts, signal),
    rewriteOldRows: rewriteOldRows.bind(undefined, parts),
    expiry,
    packing: createPacking(parts),
    requests: createRequests(parts),
    /** Resolves when no call is in progress and every known end is on disk. */
    idle: running.settled,
  };
}

/** Expires open cards on time, also those that expired while the bot wasn't running. */
function createExpiry(parts: IntentParts, expire: ReturnType<typeof createCards>["expire"]) {
  return createIntentLoop(parts, {
    name: "expiry",
    horizon: MAX_CARD_MS + EXPIRY_GRACE_MS,
    run: async (card) => {
      // Only one attempt: a failure must not hold up other cards, and a tap also expires the card.
      await parts.store.write((tx) => noteDue(tx, card, null));
      const after = await expire(card.owner, card.id);
      if (after?.state !== "QUOTED") return;
      // The clock has been set back since it was opened.
      const due = Math.ceil(parts.clock.now() + timeLeft(after, parts) + EXPIRY_GRACE_MS);
      await parts.store.write((tx) => noteDue(tx, { ...card, due_at: null }, due));
    },
  });
}

/** Rows packed at a time, and the pause after them: while there are many to pack, other writes wait for one lot. */
const [PACK_LOT, PACK_REST_MS] = [20, 100];

/** Packs calls whose end nothing can contradict any more. They read as before. */
function createPacking(parts: IntentParts) {
  const { clock, store } = parts;
  return createLoop(parts, {
    name: "packing",
    width: 1,
    ...dueFrom(toPack(store.db), "id", { column: "pack_at", horizon: PACKED_AFTER_MS }),
    run: async ({ pack_at }, signal) => {
      await store.write((tx) => packDue(tx, pack_at ?? 0, clock.now(), PACK_LOT));
      await clock.sleep(PACK_REST_MS, signal).catch(() => undefined);
    },
  });
}

/** Cards that can be confirmed, and those that replace them. */
function createCards(parts: IntentParts) {
  const keep = (intent: Intent): Promise<Intent> => changeIntents(parts, (_tx, step) => step(undefined, intent));
  /** Ends an open card's intent. An expired card becomes EXPIRED, whatever `state` is. */
  const over = (intent: Intent, state: ClosedState): Intent =>
    closedAs(intent, isExpired(intent, parts) ? "EXPIRED" : state, parts);

  return {
    /** Stores a new card's intent, as QUOTED. */
    open: (owner: number, chatId: number, draft: Draft) => keep(newIntent(parts, { owner, chatId }, draft)),
    /** Stores a card that is worse than a confirmed one, and so asks for an extra confirmation. */
    openWorse: (before: Intent, draft: Draft) => keep(newIntent(parts, before, draft, "recheck")),
    offer: offerCard.bind(undefined, parts),
    /** Records which message shows a card. @returns whether that isn't open any more: the outbox then shows its end. */
    attachMessage: (id: string, messageId: number): Promise<boolean> =>
      parts.store.write(async (tx) => {
        const shown = await noteMessage(tx, id, messageId);
        if (shown === undefined || shown.state === "QUOTED") return false;
        await enqueue(tx, cardKey({ owner: shown.owner, id }), null, parts.clock.now());
        return true;
      }),
    /** Ends an open card that has expired. @returns the intent afterwards. */
    expire: (owner: number, id: string) =>
      changeIntent(parts, owner, id, (intent) =>
        intent.state === "QUOTED" && isExpired(intent, parts) ? closedAs(intent, "EXPIRED", parts) : intent,
      ),
    /**
     * Cancels an open card, a request for a signature (which ends a little later), or a signed transaction never
     * broadcast. @returns the intent afterwards, whatever its state; undefined if there is none.
     */
    cancel: (owner: number, id: string) =>
      changeIntent(parts, owner, id, (intent) => {
        if (isHeld(intent)) return canceled(intent, parts);
        return intent.state === "QUOTED" ? over(intent, "CANCELED") : withdrawn(intent, "CANCELED");
      }),
    /** Closes an open card because a newer one asks for the same. @returns the intent afterwards. */
    supersede: (owner: number, id: string) =>
      changeIntent(parts, owner, id, (intent) => (intent.state === "QUOTED" ? over(intent, "SUPERSEDED") : intent)),
    /**
     * Replaces a card, closing it if it is open, by the open card `by`, which takes over the message unless that shows
     * how a call ended. @returns the new card afterwards; undefined if there is none.
     */
    replace: (owner: number, id: string, by: string, settlesAt?: number): Promise<Intent | undefined> =>
      changeIntents(parts, async (tx, step) => {
        const [before, fresh] = [await queries.findIntent(tx, owner, id), await queries.findIntent(tx, owner, by)];
        if (before === undefined || fresh === undefined) return fresh;
        const now = before.state === "QUOTED" ? over(before, "SUPERSEDED") : before;
        if (now.state !== "SUPERSEDED" && now.state !== "EXPIRED") return fresh;
        const [left, shown] = inPlaceOf(now, { ...fresh, ...(settlesAt !== undefined && { settlesAt }) });
        await step(before, left);
        return step(fresh, shown);
      }),
  };
}

/** Queries about a user's intents. */
function createQuestions(parts: IntentParts) {
  const { store, onUnreadable } = parts;
  /** Reports unreadable records and rethrows: they are never ignored. */
  const asking =
    <Asked extends readonly unknown[], Result>(query: (db: Reader, ...asked: Asked) => Promise<Result>) =>
    (...asked: Asked): Promise<Result> =>
      query(store.db, ...asked).catch((error: unknown) => {
        if (isFault(error, "store-unreadable")) onUnreadable(error);
        throw error;
      });
  const [lotAfter, isOnlyCall] = [asking(queries.callsAfter), asking(queries.isAlone)];
  return {
    find: asking(queries.findIntent),
    listOpen: asking(queries.openIntents),
    inMessage: asking(queries.intentInMessage),
    toSign: asking(queries.intentToSign),
    rivals: asking(queries.rivalsOf),
    spentLately: asking((db, owner: number) => queries.spentLately(db, owner, parts.clock.now())),
    history: asking(queries.historyPage),
    count: asking(queries.countCalls),
    countUnresolved: asking(queries.countUnresolved),
    fees: asking((db, owner: number) => readSetting(db, earnedFees(owner))),
    /** Yields calls made or in progress in lots, oldest first: at most `most`, after skipping `from`. */
    everything: (owner: number, from: number, most: number) =>
      inLots<Intent>(most, (last) => lotAfter(owner, last ?? from)),
    /**
     * Reads and stores what the account holds after a call that is OK or UNKNOWN, if it is known what it held before.
     * Skips calls that have arrived.
     */
    look: async (intent: Intent): Promise<Intent> => {
      const { owner, id, balances } = intent;
      if (balances === undefined || !mayArrive(intent)) return intent;
      const after = await parts.kinds.holdings(intent);
      if (after === undefined) return intent;
      const { before } = balances;
      const finding = (await isOnlyCall(intent)) && checkBalances(parts.kinds.flowOf(intent), before, after);
      const looked = { before, after, ...(finding && { finding }) };
      const withLook = (now: Intent) => (mayArrive(now) ? { ...now, balances: looked } : now);
      const kept = await changeIntent(parts, owner, id, withLook);
      // The end may not be written yet.
      return kept?.state === intent.state ? kept : withLook(intent);
    },
    /**
     * What balances, as last looked at, and else views show now of how a call ended. A transaction's end is the chain's
     * alone to show, as another one can have had the same effect. What the views prove of other calls is saved.
     */
    findOut: async (intent: Intent): Promise<OutcomeFinding> => {
      const byBalances = balancesFinding(intent);
      if (byBalances.finding === "arrived" || intent.transaction !== undefined) return byBalances;
      const seen = (await unlessFault(() => parts.kinds.seen(intent))) ?? [];
      const isOwn = ({ call }: Sighting) => call.id === intent.id;
      const others = seen.filter((each) => !isOwn(each));
      await unlessFault(() => noteArrived(parts, others, parts.clock.now()));
      return seen.find(isOwn)?.found ?? byBalances;
    },
  };
}

/** Whether balances can still show how the call ended. */
function mayArrive(intent: Intent): boolean {
  const { state, balances } = intent;
  return (state === "UNKNOWN" && !isResolved(intent)) || (state === "OK" && balances?.finding !== "arrived");
}

/** Undoes what {@link mayLeave} wrote, once it is certain that nothing reached the network. */
function clearBroadcast(parts: IntentParts, { owner, id }: Intent): Promise<Intent | undefined> {
  return changeIntent(parts, owner, id, notBroadcast);
}

/** Returns a worse draft if the card no longer holds, otherwise undefined. @throws Fault */
async function recheck(parts: IntentParts, intent: Intent): Promise<Draft | undefined> {
  return parts.kinds.recheck(intent, await personIn(parts.store.db, intent.owner));
}

/**
 * Whether a signed transaction may be broadcast. If so, it is on disk that the network may have it.
 * @param isFresh whether the price, which is rechecked before the first broadcast, was checked a moment ago.
 * @returns why it may not be broadcast; undefined if it may.
 * @throws Fault `service-…` and `store-…` if that can't be decided now.
 */
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

/**
 * Requests for a signature, from SIGNING on. Functions that change an intent return it afterwards, whatever its state,
 * and undefined if there is none.
 */
function createRequests(parts: IntentParts) {
  const change = changeIntent.bind(undefined, parts);
  /** Stops accepting signatures. The request ends with `settle`, once the chain was checked. */
  const close = (owner: number, id: string, end: RequestEnd) => change(owner, id, (intent) => withdrawn(intent, end));

  return {
    close,
    recheck: recheck.bind(undefined, parts),
    mayLeave: mayLeave.bind(undefined, parts),
    clearBroadcast: clearBroadcast.bind(undefined, parts),
    /**
     * Moves SIGNING to SENT with the signature, unless the request has closed or the user has frozen trading or changed
     * their address. Closes the request if its contract or pair is no longer configured.
     */
    sign: async (owner: number, id: string, signature: string): Promise<Intent | undefined> => {
      const intent = await queries.findIntent(parts.store.db, owner, id);
      // A call never changes, so the answer still holds in the write.
      if (intent !== undefined && !(await parts.kinds.isConfigured(intent.call))) {
        return close(owner, id, { code: "contract-changed" });
      }
      return change(owner, id, async (request, tx) => {
        const person = await personIn(tx, owner);
        const isAllowed = person.frozenSince === undefined && person.wallet?.address === request.terms.payout;
        if (!isOpenRequest(request, parts.clock.now()) || !isAllowed) return request;
        return signedWith(request, signature, parts);
      });
    },
    /**
     * Moves an intent to SENT because the chain has its transaction, however the request ended.
     * @param signature the verified one from the chain.
     */
    sentByWallet: (owner: number, id: string, signature: string) =>
      change(owner, id, (intent) => foundOnChain(intent, signature, parts)),
    /** Records why the network rejected a transaction that it may have accepted before. */
    markRefused: ({ owner, id }: Intent, refusal: string) => change(owner, id, (intent) => refused(intent, refusal)),
    /** Stops looking for it on the chain. */
    giveUp: (owner: number, id: string) => change(owner, id, givenUp),
  };
}
