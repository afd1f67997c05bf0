import { createLoop, type LoopRunner } from "../../loop.js";
import { dueFrom, type Transaction } from "../../store/store.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import { enqueue } from "../telegram/outbox.js";
import { noteCardSending, type CardSending } from "./card-sending.js";
import { cardKey, changeIntent, changeIntents, inPlaceOf, newIntent } from "./change.js";
import type { IntentParts } from "./change.js";
import { confirm, type Confirmation } from "./confirm.js";
import { markChecked, noteArrived } from "./findings.js";
import { createIntentLoop, endIntent, recover } from "./finish-call.js";
import { createIntentQuestions, type IntentQuestions } from "./intent-questions.js";
import { noteDue, noteMessage, packDue, PACKED_AFTER_MS, toPack } from "./intent-row.js";
import type { ClosedState, Intent, IntentOutcome, OutcomeCheck } from "./intent.js";
import { canceled, closedAs, EXPIRY_GRACE_MS, isExpired, isHeld, timeLeft, withdrawn } from "./machine.js";
import { endLostCards } from "./lost-cards.js";
import { offerCard } from "./offer-card.js";
import { rewriteOldRows } from "./old-rows.js";
import { findIntent, openOfOrder } from "./queries.js";
import { standingIn } from "../terms/terms.js";
import { createSignatureRequests, type SignatureRequests } from "./signature-requests.js";
import { MAX_CARD_MS, type Draft, type Sighting } from "./trade-kind.js";

/**
 * Everything that spends, from its card to its end, each step in one transaction. All functions throw Fault `store-…`
 * if nothing could be saved, and `store-unreadable` for damaged records.
 */
export interface Intents extends OpenCards, IntentQuestions {
  /** The only way to make a call. Sends once at most, however often it is called. @throws as `confirm.ts` says. */
  readonly confirm: (owner: number, id: string) => Promise<Confirmation>;
  /** Records a call's end; without an outcome, its request ends as it was closed. See {@link endIntent}. */
  readonly settle: (owner: number, id: string, outcome?: IntentOutcome) => Promise<Intent | undefined>;
  /** Saves a check of a call's end, by the bot or by its owner. @returns the intent afterwards. */
  readonly markChecked: (intent: Intent, check: OutcomeCheck) => Promise<Intent>;
  /** Saves which calls views have proven. */
  readonly noteArrived: (sightings: readonly Sighting[], at: number) => Promise<void>;
  /** Ends what was open in data that was restored. */
  readonly endLost: () => Promise<void>;
  /** Ends what earlier runs left in progress. @throws AggregateError of those that can't be read; see {@link recover}. */
  readonly recover: (signal?: AbortSignal) => Promise<void>;
  /** Rewrites rows of version 1.0.0, in lots. Rejects only if the signal is aborted. */
  readonly rewriteOldRows: (signal: AbortSignal) => Promise<void>;
  /** Expires open cards on time, also those that expired while the bot wasn't running. */
  readonly expiry: LoopRunner;
  /** Packs calls whose end nothing can contradict any more. They read as before. */
  readonly packing: LoopRunner;
  readonly requests: SignatureRequests;
  /** Resolves when no call is in progress and every known end is on disk. */
  readonly idle: () => Promise<void>;
}

/** Cards that can be confirmed, and those that replace them. Times are milliseconds since 1970. */
interface OpenCards {
  /** Stores a new card's intent, as QUOTED. */
  readonly open: (owner: number, chatId: number, draft: Draft) => Promise<Intent>;
  /** Stores a card that is worse than a confirmed one, and so asks for an extra confirmation. */
  readonly openWorse: (before: Intent, draft: Draft) => Promise<Intent>;
  /**
   * Stores a card that nobody just asked for, and closes the one `before`, if that is open. @param note runs in the same
   * transaction, and has it sent. @returns undefined if it is false: then there is no card.
   */
  readonly offer: (
    of: Pick<Intent, "chatId" | "owner">,
    draft: Draft & Pick<Intent, "proposed">,
    before: string | null,
    note: (tx: Transaction, id: string) => Promise<boolean>,
  ) => Promise<Intent | undefined>;
  /** Notes what became of sending a card that nobody just asked for, in that transaction. */
  readonly noteCardSending: (
    tx: Transaction,
    card: Pick<Intent, "id" | "owner">,
    sending: CardSending,
  ) => Promise<void>;
  /** Records which message shows a card. @returns whether that isn't open any more: the outbox then shows its end. */
  readonly attachMessage: (id: string, messageId: number) => Promise<boolean>;
  /** Ends an open card that has expired. @returns the intent afterwards; undefined if there is none. */
  readonly expire: (owner: number, id: string) => Promise<Intent | undefined>;
  /**
   * Cancels an open card, a request for a signature (which ends a little later), or a signed transaction never
   * broadcast. @returns the intent afterwards, whatever its state; undefined if there is none.
   */
  readonly cancel: (owner: number, id: string) => Promise<Intent | undefined>;
  /** Closes an open card because a newer one asks for the same. @returns the intent afterwards. */
  readonly supersede: (owner: number, id: string) => Promise<Intent | undefined>;
  /**
   * Replaces a card, closing it if it is open, by the open card `by`, which takes over the message unless that shows
   * how a call ended. Of a standing order, no other card stays open. @returns the new card afterwards; undefined if there is none.
   */
  readonly replace: (owner: number, id: string, by: string, settlesAt?: number) => Promise<Intent | undefined>;
}

export function createIntents(parts: IntentParts): Intents {
  const running = createKeyedQueue();
  const cards = createCards(parts);
  const expiry = createExpiry(parts, cards.expire);
  parts.events.on("changed", ({ after, dueAt }) => {
    if (after.state === "QUOTED") expiry.wakeBy(after.expiresAt + EXPIRY_GRACE_MS);
    if (dueAt !== undefined) parts.outbox.wakeBy(dueAt);
  });
  return {
    ...cards,
    ...createIntentQuestions(parts),
    confirm: (owner, id) => running.take(Symbol(), () => confirm({ ...parts, running }, owner, id)),
    settle: (owner, id, outcome) => endIntent(parts, { owner, id }, outcome),
    markChecked: markChecked.bind(undefined, parts),
    noteArrived: noteArrived.bind(undefined, parts),
    endLost: () => endLostCards(parts),
    recover: (signal) => recover(parts, signal),
    rewriteOldRows: rewriteOldRows.bind(undefined, parts),
    expiry,
    packing: createPacking(parts),
    requests: createSignatureRequests(parts),
    idle: running.settled,
  };
}

function createExpiry(parts: IntentParts, expire: OpenCards["expire"]): LoopRunner {
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

function createPacking(parts: IntentParts): LoopRunner {
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

function createCards(parts: IntentParts): OpenCards {
  const keep = (intent: Intent): Promise<Intent> => changeIntents(parts, (_tx, step) => step(undefined, intent));
  /** Ends an open card's intent. An expired card becomes EXPIRED, whatever `state` is. */
  const over = (intent: Intent, state: ClosedState): Intent =>
    closedAs(intent, isExpired(intent, parts) ? "EXPIRED" : state, parts);

  return {
    open: (owner, chatId, draft) => keep(newIntent(parts, { owner, chatId }, draft)),
    openWorse: (before, draft) => keep(newIntent(parts, before, draft, "recheck")),
    offer: offerCard.bind(undefined, parts),
    noteCardSending: noteCardSending.bind(undefined, parts),
    attachMessage: (id, messageId) =>
      parts.store.write(async (tx) => {
        const shown = await noteMessage(tx, id, messageId);
        if (shown === undefined || shown.state === "QUOTED") return false;
        await enqueue(tx, cardKey({ owner: shown.owner, id }), null, parts.clock.now(), { isEdit: true });
        return true;
      }),
    expire: (owner, id) =>
      changeIntent(parts, owner, id, (intent) =>
        intent.state === "QUOTED" && isExpired(intent, parts) ? closedAs(intent, "EXPIRED", parts) : intent,
      ),
    cancel: (owner, id) =>
      changeIntent(parts, owner, id, (intent) => {
        if (isHeld(intent)) return canceled(intent, parts);
        return intent.state === "QUOTED" ? over(intent, "CANCELED") : withdrawn(intent, "CANCELED");
      }),
    supersede: (owner, id) =>
      changeIntent(parts, owner, id, (intent) => (intent.state === "QUOTED" ? over(intent, "SUPERSEDED") : intent)),
    replace: (owner, id, by, settlesAt) =>
      changeIntents(parts, async (tx, step) => {
        const [before, fresh] = [await findIntent(tx, owner, id), await findIntent(tx, owner, by)];
        if (before === undefined || fresh === undefined) return fresh;
        const order = standingIn(fresh.terms.request);
        for (const other of order === undefined ? [] : await openOfOrder(tx, order.id))
          if (other.id !== id && other.id !== by) await step(other, over(other, "SUPERSEDED"));
        const now = before.state === "QUOTED" ? over(before, "SUPERSEDED") : before;
        if (now.state !== "SUPERSEDED" && now.state !== "EXPIRED") return fresh;
        const [left, shown] = inPlaceOf(now, { ...fresh, ...(settlesAt !== undefined && { settlesAt }) });
        await step(before, left);
        return step(fresh, shown);
      }),
  };
}
