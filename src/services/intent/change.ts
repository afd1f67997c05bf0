import { DAY_MS } from "../../clock.js";
import type { Fault } from "../../fault.js";
import type { Basics } from "../../loop.js";
import { findsAny, type Reader, type Transaction, type Database, type Store } from "../../store/store.js";
import type { KeyedQueue } from "../base/keyed-queue.js";
import { enqueue, type RowKey } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";
import { isIn, mayStillExecute, quoted } from "./machine.js";
import type { ContractOutcome, Intent, PreparedTransaction } from "./intent.js";
import type { Draft, IntentKinds } from "./trade-kind.js";
import { findIntent } from "./queries.js";
import { deleteOwnUnspent, deleteUnspent, insertIntent, updateIntent } from "./intent-row.js";
import type { Terms } from "../terms/terms.js";
import { countEnd, countPerson } from "./totals.js";

type Begun =
  /**
   * Called once, after SENT is written; never retries. @throws if the answer doesn't say what became of the call, which
   * may have been executed and must not be sent again, unless {@link isNeverSent} says that the request never left.
   */
  | { readonly kind: "call"; readonly send: () => Promise<ContractOutcome> }
  /** The user's wallet has to sign it first. */
  | { readonly kind: "request"; readonly transaction: PreparedTransaction };

/** How contract calls are made. Callers must not assume more than this interface says. */
export interface CallGateway {
  /** Prepares a call from the payout account. Sends nothing. @throws Fault if the call can't be made. */
  readonly begin: (intent: Pick<Intent, "call" | "id"> & { readonly terms: Pick<Terms, "payout"> }) => Promise<Begun>;
  /** Outcome of a call if the process died after its claim, before SENT or SIGNING was written. */
  readonly interrupted: "not-sent" | "unknown";
}

/** `dueAt`: when the outbox shows it, if it does. */
export type IntentChange = {
  readonly before: Intent | undefined;
  readonly after: Intent;
  readonly dueAt?: number | undefined;
};

export interface IntentParts extends Basics {
  readonly store: Database & Pick<Store, "assertOwned">;
  readonly gateway: CallGateway;
  readonly kinds: IntentKinds;
  /**
   * Why a card can't be claimed, or its transaction signed: what it belongs to is over, or has another call that may
   * happen. Asked in the transaction that would do so.
   */
  readonly objection: (
    tx: Transaction,
    intent: Intent,
    transaction?: PreparedTransaction,
  ) => Promise<Fault | undefined>;
  /** Learns of each change, in its transaction. */
  readonly noteChange: (tx: Transaction, after: Intent) => Promise<void>;
  /** Where changes are announced, once they are on disk. */
  readonly events: {
    readonly emit: (name: "changed", change: IntentChange) => unknown;
    readonly on: (name: "changed", listener: (change: IntentChange) => void) => unknown;
  };
  readonly outbox: Pick<Outbox, "wakeBy">;
  readonly onUnreadable: (error: unknown) => void;
  /** 16 random bytes in base64url. */
  readonly newId: () => string;
  /** Identifies this run of the process. What another run left unfinished is abandoned. */
  readonly run: string;
}

/** `running` holds up the shutdown until the end of each call is on disk. */
export type RunningParts = IntentParts & { readonly running: KeyedQueue };

/** How long cards that spent nothing are kept. Each new card deletes several old ones, so any backlog shrinks. */
const UNSPENT_MS = 30 * DAY_MS;
const UNSPENT_BATCH = 10;
/** Nobody has more of them, however many they ask for: they would fill the disk. */
const MAX_OWN_UNSPENT = 100;

/**
 * Runs several steps in one transaction, and announces the changes once they are on disk.
 * @param work is passed a function that writes a step and returns the intent; it writes nothing if that is unchanged.
 */
export async function changeIntents<Result>(
  { kinds, noteChange, clock, events, log, store }: IntentParts,
  work: (tx: Transaction, step: (before: Intent | undefined, after: Intent) => Promise<Intent>) => Promise<Result>,
): Promise<Result> {
  const changes: IntentChange[] = [];
  const result = await store.write((tx) =>
    work(tx, async (before, after) => {
      if (after === before) return after;
      if (before === undefined) {
        await insertIntent(tx, after);
        await countPerson(tx, after.owner, clock.now());
        await deleteUnspent(tx, clock.now() - UNSPENT_MS, UNSPENT_BATCH);
        await deleteOwnUnspent(tx, after.owner, MAX_OWN_UNSPENT, UNSPENT_BATCH);
      } else {
        const { fee } = kinds.flowOf(after);
        await updateIntent(tx, before, after, fee);
        await countEnd(tx, before, after, kinds.flowOf(before).fee, fee);
        if (before.outcome === undefined && after.outcome !== undefined) await kinds.recordEffects(tx, after);
      }
      await noteChange(tx, after);
      changes.push({ before, after, dueAt: await tellChange(tx, before, after, clock.now()) });
      return after;
    }),
  );
  for (const change of changes) {
    try {
      events.emit("changed", change);
    } catch (error) {
      // The change is on disk: a bug in a listener must not stop the caller halfway.
      log.error({ err: error, intent: change.after.id }, "Change not announced");
    }
  }
  return result;
}

/** Undefined if there is no such intent. Writes nothing if it is unchanged. */
export function changeIntent(
  parts: IntentParts,
  owner: number,
  id: string,
  next: (intent: Intent, tx: Transaction) => Intent | Promise<Intent>,
): Promise<Intent | undefined> {
  return changeIntents(parts, async (tx, step) => {
    const intent = await findIntent(tx, owner, id);
    return intent && step(intent, await next(intent, tx));
  });
}

export const CARD = "card";
export const CALL = "call";
/** News sent to the owner as a message under the card, since edits notify nobody. */
export type CallNews = "found" | "interrupted";

/** The code that makes a change also shows it. If that fails, or there is none, the outbox does so after this delay. */
const SHOW_GRACE_MS = 2_000;

/** The outbox key of a card. */
export function cardKey({ owner, id }: Pick<Intent, "id" | "owner">): RowKey {
  return { user_id: owner, topic: CARD, subject: id };
}

/** Queues the notifications of a change for its owner. @returns when the first of them is due. */
async function tellChange(tx: Transaction, before: Intent | undefined, after: Intent, now: number) {
  const news = callNews(before, after);
  if (news !== undefined) await enqueue(tx, { ...cardKey(after), topic: CALL }, news, now);
  // Nothing else shows the end of an interrupted call.
  const dueAt = news === undefined ? now + SHOW_GRACE_MS : now;
  const isShown = isOnCard(before, after);
  // A card that no message shows yet is sent as one.
  const isEdit = after.messageId !== undefined;
  if (isShown) await enqueue(tx, cardKey(after), null, now, { dueAt, isEdit });
  return isShown || news !== undefined ? dueAt : undefined;
}

function callNews(before: Intent | undefined, { state, outcome }: Intent): CallNews | undefined {
  if (before === undefined || before.state === state) return undefined;
  if (state === "SENT") return mayStillExecute(before) ? "found" : undefined;
  const isInterrupted = outcome?.kind === "unknown" && outcome.code === "interrupted";
  return state === "UNKNOWN" && isInterrupted ? "interrupted" : undefined;
}

/** Whether the change is visible on the card. */
function isOnCard(before: Intent | undefined, after: Intent): boolean {
  // The message shows another card.
  if (after.replacedBy !== undefined) return false;
  // What offers a card sends it.
  if (before === undefined) return after.origin === "recheck";
  // Until the call is answered, the card keeps saying that it is being sent.
  if (after.state === "SENT" && after.transaction === undefined) return false;
  if ((["state", "messageId", "balances", "check"] as const).some((key) => before[key] !== after[key])) return true;
  if (isIn(after, "withdrawn")) return !isIn(before, "withdrawn");
  return isIn(after, "broadcast") && after.transaction.refusal !== refusalIn(before);
}

const refusalIn = (intent: Intent) => (isIn(intent, "broadcast") ? intent.transaction.refusal : undefined);

/** Whether the outbox still has news of a user's cards. */
export const hasUntold = (db: Reader, owner: number) =>
  findsAny(db.selectFrom("outbox").where("user_id", "=", owner).where("topic", "in", [CARD, CALL]));

/** How long the buttons of a card that comes by itself, where a tap may be meant for another, do nothing. */
export const ACTS_AFTER_MS = 1_500;

/** Creates the intent of a new card. */
export function newIntent(
  p: IntentParts,
  of: Pick<Intent, "chatId" | "owner">,
  draft: Draft & Pick<Intent, "proposed">,
  origin?: NonNullable<Intent["origin"]>,
): Intent {
  const now = p.clock.now();
  const card = {
    ...draft,
    id: p.newId(),
    owner: of.owner,
    chatId: of.chatId,
    quotedAt: now,
    openedAt: p.clock.monotonic(),
    ...(origin !== undefined && { origin }),
    ...(origin === "recheck" && { actsFrom: now + ACTS_AFTER_MS }),
  };
  return quoted(card, p);
}

/** Returns both cards after `fresh` has taken over the message of `before`. */
export function inPlaceOf(before: Intent, fresh: Intent): readonly [before: Intent, fresh: Intent] {
  const { messageId } = before;
  return [{ ...before, replacedBy: fresh.id }, messageId === undefined ? fresh : { ...fresh, messageId }];
}
