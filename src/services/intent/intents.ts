import { Fault, isFault } from "../../fault.js";
import { inLots, type Reader, readSetting } from "../../store/store.js";
import { createKeyedQueue } from "../limits/keyed-queue.js";
import { advance, changeIntent, changeIntents, closing, givenUp, inPlaceOf, isExpired, newIntent } from "./change.js";
import type { IntentParts } from "./change.js";
import { assertMayLeave, confirm } from "./confirm.js";
import { createIntentLoop, endIntent, recover } from "./end.js";
import { isFoundOut, isLookedFor, isOpenRequest, isSigned, reasonAgainst, withCheck } from "./intent.js";
import type { Intent, IntentOutcome, IntentTransaction, OutcomeCheck, Reason } from "./intent.js";
import type { RequestEnd, SignedIntent } from "./intent.js";
import { personIn } from "../person/person.js";
import { checkBalances, type Draft } from "./kind.js";
import * as queries from "./queries.js";
import { noteDue, noteMessage } from "./row.js";
import { feesOf } from "./totals.js";

export type Intents = ReturnType<typeof createIntents>;

/**
 * Everything that spends, from its card to its end, each step being one transaction. All functions throw Fault `store-…` when
 * nothing could be saved, and `store-unreadable` for what can't be read.
 */
export function createIntents(parts: IntentParts) {
  const running = createKeyedQueue();
  const confirmOne = confirm.bind(undefined, { ...parts, running });
  const cards = createCards(parts);
  return {
    ...cards,
    ...createQuestions(parts),
    /** The one way in which a call leaves. */
    confirm: (...tap: Parameters<typeof confirmOne>) => running.take(Symbol(), () => confirmOne(...tap)),
    /** Records how a call ended; without an outcome, as its request for a signature closed. See {@link endIntent}. */
    settle: (owner: number, id: string, outcome?: IntentOutcome) => endIntent(parts, { owner, id }, outcome),
    /** Keeps what a look at a call's end found out, or what its owner says of it, and gives the intent as it is then. */
    markChecked: async (intent: Intent, check: OutcomeCheck): Promise<Intent> =>
      (await changeIntent(parts, intent.owner, intent.id, (now) => withCheck(now, check))) ?? withCheck(intent, check),
    recover: () => recover(parts),
    /** Ends open cards in time, also those of which the time passed while the program did not run. */
    expiry: createIntentLoop(parts, "expiry", async (card) => {
      // Once: what goes wrong with it must not hold up others, and a tap does the same.
      await parts.store.write((tx) => noteDue(tx, card, null));
      await cards.expire(card.owner, card.id);
    }),
    requests: createRequests(parts),
    /** Resolves when no call is in progress and every end that is known is on disk. */
    idle: running.settled,
  };
}

/** Cards that can be confirmed, from the first to what takes their place. */
function createCards(parts: IntentParts) {
  const keep = (intent: Intent): Promise<Intent> => changeIntents(parts, (_tx, step) => step(undefined, intent));
  /** An open card's intent at its end. One that has expired stays that, whatever is done to it later. */
  const closed = (intent: Intent, state: "CANCELED" | "SUPERSEDED"): Intent =>
    advance(intent, isExpired(intent, parts) ? "EXPIRED" : state, parts);

  return {
    /** Keeps a new card's intent, QUOTED, on disk. */
    open: (owner: number, chatId: number, draft: Draft) => keep(newIntent(parts, { owner, chatId }, draft)),
    /** Keeps one with less than a card had that was confirmed: it asks for an extra confirmation. */
    openWorse: (before: Intent, draft: Draft) => keep(newIntent(parts, before, draft, true)),
    /** Remembers the message of a card. */
    attachMessage: (id: string, messageId: number) => parts.store.write((tx) => noteMessage(tx, id, messageId)),
    /** Ends an open card whose time has passed; gives the intent as it is now. */
    expire: (owner: number, id: string) =>
      changeIntent(parts, owner, id, (intent) =>
        intent.state === "QUOTED" && isExpired(intent, parts) ? advance(intent, "EXPIRED", parts) : intent,
      ),
    /**
     * Closes an open card, a request for a signature (which ends a little later), or what was signed and never given to the network.
     * Gives the intent as it is now, whatever its state; undefined when there is none.
     */
    cancel: (owner: number, id: string) =>
      changeIntent(parts, owner, id, (intent) => {
        const isHeld = intent.state === "SENT" && isSigned(intent) && intent.transaction.givenAt === undefined;
        if (isHeld) return advance(intent, "CANCELED", parts);
        return intent.state === "QUOTED" ? closed(intent, "CANCELED") : closing(intent, { state: "CANCELED" });
      }),
    /**
     * Puts an open card in the place of another, which closes where it was open. It takes over the message, unless that tells how
     * a call ended. Gives the card as it is now; undefined when there is none.
     */
    replace: (owner: number, id: string, by: string, settlesAt?: number): Promise<Intent | undefined> =>
      changeIntents(parts, async (tx, step) => {
        const [before, fresh] = [await queries.findIntent(tx, owner, id), await queries.findIntent(tx, owner, by)];
        if (before === undefined || fresh === undefined) return fresh;
        const over = before.state === "QUOTED" ? closed(before, "SUPERSEDED") : before;
        if (over.state !== "SUPERSEDED" && over.state !== "EXPIRED") return fresh;
        const [left, shown] = inPlaceOf(over, { ...fresh, ...(settlesAt !== undefined && { settlesAt }) });
        await step(before, left);
        return step(fresh, shown);
      }),
  };
}

/** What is asked about a person's intents. */
function createQuestions(parts: IntentParts) {
  const { store, onUnreadable } = parts;
  /** What can't be read is told of, and never taken for nothing. */
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
    history: asking(queries.history),
    count: asking(queries.countCalls),
    countUnresolved: asking(queries.countUnresolved),
    fees: asking((db, owner: number) => readSetting(db, feesOf(owner))),
    /** The calls that were made or are in progress, in lots, the oldest first: so many at most, after passing over others. */
    everything: (owner: number, from: number, most: number) =>
      inLots<Intent>(most, (last) => lotAfter(owner, last ?? from)),
    /**
     * Looks what the account holds after a call that was answered ok or is of unknown outcome, where that is known from before it,
     * and keeps it; what has arrived is not looked for again.
     */
    look: async (intent: Intent): Promise<Intent> => {
      const { owner, id, balances } = intent;
      if (balances === undefined || !mayArrive(intent)) return intent;
      const after = await parts.holdings(intent);
      if (after === undefined) return intent;
      const { before } = balances;
      const finding = (await isOnlyCall(intent)) && checkBalances(parts.movementOf(intent), before, after);
      const looked = { before, after, ...(finding && { finding }) };
      const withLook = (now: Intent) => (mayArrive(now) ? { ...now, balances: looked } : now);
      const kept = await changeIntent(parts, owner, id, withLook);
      // Its end may not be written yet.
      return kept?.state === intent.state ? kept : withLook(intent);
    },
  };
}

/** Whether balances can still say something about the end of its call. */
function mayArrive(intent: Intent): boolean {
  const { state, balances } = intent;
  return (state === "UNKNOWN" && !isFoundOut(intent)) || (state === "OK" && balances?.finding !== "arrived");
}

/** Notes something of a transaction that is SENT; anything else stays as it is. */
function noteSent(parts: IntentParts, { owner, id }: Intent, note: (sent: IntentTransaction) => IntentTransaction) {
  return changeIntent(parts, owner, id, (intent) =>
    intent.state === "SENT" && isSigned(intent) ? { ...intent, transaction: note(intent.transaction) } : intent,
  );
}

/** Takes back what {@link mayLeave} wrote, where it is certain that nothing reached the network. */
function markNotGiven(parts: IntentParts, sent: SignedIntent): Promise<Intent | undefined> {
  return noteSent(parts, sent, ({ givenAt: _givenAt, ...transaction }) => transaction);
}

/** What there is now instead of what a card shows; undefined where it holds. @throws Fault */
async function recheck(parts: IntentParts, intent: Intent): Promise<Draft | undefined> {
  return parts.recheck(intent, await personIn(parts.store.db, intent.owner));
}

/**
 * Whether a signed transaction may be given to the network. Once it may, it is on disk that the network may have it.
 * @param isFresh whether its price, which is asked before a first time, was asked a moment ago.
 * @returns why it stays; undefined where it may leave.
 * @throws Fault `service-…` and `store-…`, where it can't be said now.
 */
async function mayLeave(parts: IntentParts, sent: SignedIntent, isFresh: boolean): Promise<Reason | undefined> {
  try {
    await assertMayLeave(parts, sent);
    if (sent.transaction.givenAt !== undefined) return undefined;
    if (!isFresh && (await recheck(parts, sent)) !== undefined) throw new Fault("price-moved", {});
    const givenAt = parts.clock.now();
    await noteSent(parts, sent, (transaction) => ({ ...transaction, givenAt }));
    await assertMayLeave(parts, sent).catch(async (error: unknown) => {
      await markNotGiven(parts, sent);
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
function createRequests(parts: IntentParts) {
  const change = changeIntent.bind(undefined, parts);
  /** No signature is taken any more. It ends by `settle`, once the chain was asked. */
  const close = (owner: number, id: string, end: RequestEnd) => change(owner, id, (intent) => closing(intent, end));

  return {
    close,
    recheck: recheck.bind(undefined, parts),
    mayLeave: mayLeave.bind(undefined, parts),
    markNotGiven: markNotGiven.bind(undefined, parts),
    /**
     * SIGNING to SENT with the signature, unless the request closed or the person froze or changed their address. It closes
     * where the bot is not set up for its contract or pair any more.
     */
    sign: async (owner: number, id: string, signature: string): Promise<Intent | undefined> => {
      const intent = await queries.findIntent(parts.store.db, owner, id);
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
    markRefused: (sent: SignedIntent, refusal: string) =>
      noteSent(parts, sent, (transaction) => ({ ...transaction, refusal })),
    /** Nobody looks for it any more. */
    giveUp: (owner: number, id: string) => change(owner, id, givenUp),
  };
}
