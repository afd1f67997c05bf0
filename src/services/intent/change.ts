import type { Basics } from "../../loop.js";
import type { ContractCall } from "../../encoding/call.js";
import { findsAny, type Reader, type Transaction, type Database, type Store } from "../../store/store.js";
import type { KeyedQueue } from "../limits/keyed-queue.js";
import { tell, type RowKey } from "../outbox/outbox.js";
import { personIn, type Person } from "../person/person.js";
import { isLookedFor, isRequest, isSigned } from "./intent.js";
import type { ContractOutcome, Intent, IntentState, IntentTransaction, RequestEnd } from "./intent.js";
import type { Draft, Holdings, Movement } from "./kind.js";
import { findIntent } from "./queries.js";
import { deleteUnspent, insertIntent, updateIntent } from "./row.js";
import type { Terms } from "../terms/terms.js";
import { countEnd, countPerson } from "./totals.js";

type Begun =
  /**
   * Once SENT is written, `send` sends it exactly once. It never retries. @throws where the answer doesn't say what became of the
   * call: it may have been executed, and must not be sent again, unless {@link isNeverSent} says that the request never left.
   */
  | { readonly state: "SENT"; readonly send: () => Promise<ContractOutcome> }
  | { readonly state: "SIGNING"; readonly transaction: IntentTransaction };

/** How contract calls travel. Nothing above may assume more than is said here. */
export interface CallGateway {
  /** For the account of its payout. Sends nothing. @throws Fault for whatever speaks against it. */
  readonly begin: (intent: Pick<Intent, "call" | "id"> & { readonly terms: Pick<Terms, "payout"> }) => Promise<Begun>;
  /** What became of a call when the program ended after its claim, before SENT or SIGNING was written. */
  readonly interrupted: "not-sent" | "unknown";
}

export type Change = { readonly before: Intent | undefined; readonly after: Intent };

export interface IntentParts extends Basics {
  readonly store: Database & Pick<Store, "assertOwned">;
  readonly gateway: CallGateway;
  /** In the transaction of that end; locks, say. */
  readonly book: (tx: Transaction, ended: Intent) => Promise<void>;
  /** What a call moves; its fee as far as that is proven. */
  readonly movementOf: (intent: Intent) => Movement;
  /** Whether a call goes to contracts that the bot is set up for, and to pairs that its router lists: a card can be older. */
  readonly isConfigured: (call: ContractCall) => Promise<boolean>;
  /**
   * The draft with less that there is now; undefined where the card still holds. Sends nothing.
   * @param person as they were at the claim. @throws Fault for what closes the card as not sent.
   */
  readonly recheck: (intent: Intent, person: Person) => Promise<Draft | undefined>;
  /** Asked right before a call leaves. @throws Fault `trading-paused`. */
  readonly assertOpen: () => Promise<void>;
  /** Undefined where unknown. Never throws, and never takes long. */
  readonly holdings: (intent: Intent) => Promise<Holdings | undefined>;
  readonly onChanged: (change: Change) => void;
  readonly onUnreadable: (error: unknown) => void;
  /** 16 random bytes in base64url. */
  readonly newId: () => string;
  /** Names this run of the process: nobody works any more on what another run left unfinished. */
  readonly run: string;
}

/** With what holds up the end of the program until a call's end is on disk. */
export type RunningParts = IntentParts & { readonly running: KeyedQueue };

/** How long a card that spent nothing is kept, and how many of those go with a new one: however many there are, they become fewer. */
const UNSPENT_MS = 30 * 86_400_000;
const UNSPENT_BATCH = 10;

/**
 * Several steps in one transaction; changes are announced once they are on disk. @param work gets what writes a step
 * and returns the intent; an unchanged one writes nothing.
 */
export async function changeIntents<Result>(
  { book, clock, log, movementOf, onChanged, store }: IntentParts,
  work: (tx: Transaction, step: (before: Intent | undefined, after: Intent) => Promise<Intent>) => Promise<Result>,
): Promise<Result> {
  const changes: Change[] = [];
  const result = await store.write((tx) =>
    work(tx, async (before, after) => {
      if (after === before) return after;
      if (before === undefined) {
        await insertIntent(tx, after);
        await countPerson(tx, after.owner, clock.now());
        await deleteUnspent(tx, clock.now() - UNSPENT_MS, UNSPENT_BATCH);
      } else {
        const { fee } = movementOf(after);
        await updateIntent(tx, before, after, fee);
        await countEnd(tx, before, after, movementOf(before).fee, fee);
        if (before.outcome === undefined && after.outcome !== undefined) await book(tx, after);
      }
      await tellChange(tx, before, after, clock.now());
      changes.push({ before, after });
      return after;
    }),
  );
  for (const change of changes) {
    try {
      onChanged(change);
    } catch (error) {
      // It is on disk: a mistake in what follows it must not leave it half done.
      log.error({ err: error, intent: change.after.id }, "Change not announced");
    }
  }
  return result;
}

type Next = (intent: Intent, person: Person) => Intent;

/** Undefined where there is none; an unchanged intent writes nothing. */
export function changeIntent(parts: IntentParts, owner: number, id: string, next: Next): Promise<Intent | undefined> {
  return changeIntents(parts, async (tx, step) => {
    const intent = await findIntent(tx, owner, id);
    return intent && step(intent, next(intent, await personIn(tx, owner)));
  });
}

export const CARD = "card";
export const CALL = "call";
/** What its owner learns in a message under the card, since a changed card notifies nobody. */
export type CallNews = "found" | "interrupted";

/** Who brings a change about shows it. Only where that fails, or nobody does, the outbox does it after so long. */
const GRACE_MS = 2_000;

/** What names a card in the outbox. */
export function cardOf({ owner, id }: Pick<Intent, "id" | "owner">): RowKey {
  return { user_id: owner, topic: CARD, subject: id };
}

/** Has the owner of an intent told what it has become. */
async function tellChange(tx: Transaction, before: Intent | undefined, after: Intent, now: number): Promise<void> {
  const news = newsOf(before, after);
  if (news !== undefined) await tell(tx, { ...cardOf(after), topic: CALL }, news, now);
  // An interrupted call's end is shown by nobody else.
  const dueAt = news === undefined ? now + GRACE_MS : now;
  if (isOnCard(before, after)) await tell(tx, cardOf(after), null, now, dueAt);
}

function newsOf(before: Intent | undefined, { state, outcome }: Intent): CallNews | undefined {
  if (before === undefined || before.state === state) return undefined;
  if (state === "SENT") return isLookedFor(before) ? "found" : undefined;
  const isInterrupted = outcome?.kind === "unknown" && outcome.code === "interrupted";
  return state === "UNKNOWN" && isInterrupted ? "interrupted" : undefined;
}

/** Whether its card says something else now. */
function isOnCard(before: Intent | undefined, after: Intent): boolean {
  // Its message shows another card.
  if (after.replacedBy !== undefined) return false;
  // Any other new card is the answer to an update, which is handled again where it got lost.
  if (before === undefined) return after.actsFrom !== undefined;
  // Until it is answered, the card goes on saying that it is being sent.
  if (after.state === "SENT" && after.transaction === undefined) return false;
  return (
    (["state", "messageId", "balances", "check"] as const).some((key) => before[key] !== after[key]) ||
    (["closing", "refusal"] as const).some((key) => before.transaction?.[key] !== after.transaction?.[key])
  );
}

/** Whether a person has not been told of everything that became of their cards. */
export const hasUntold = (db: Reader, owner: number) =>
  findsAny(db.selectFrom("outbox").where("user_id", "=", owner).where("topic", "in", [CARD, CALL]));

/** Every step that exists. A state without one is final. */
export const steps: Readonly<Record<IntentState, readonly IntentState[]>> = {
  QUOTED: ["CLAIMED", "EXPIRED", "CANCELED", "SUPERSEDED"],
  // Superseded by a fresh quote, or failed before anything was sent; unknown after a crash.
  CLAIMED: ["SIGNING", "SENT", "SUPERSEDED", "FAILED", "UNKNOWN"],
  SIGNING: ["SENT", "EXPIRED", "CANCELED", "SUPERSEDED", "FAILED"],
  // Cancelled only where it was never given to the network.
  SENT: ["OK", "FAILED", "UNKNOWN", "CANCELED"],
  OK: [],
  // A wallet may send what it was asked to sign after everybody has stopped waiting for it.
  FAILED: ["SENT"],
  UNKNOWN: ["SENT"],
  EXPIRED: ["SENT"],
  CANCELED: ["SENT"],
  SUPERSEDED: ["SENT"],
};

type Run = Pick<IntentParts, "clock" | "run">;

/**
 * The intent one step on. @param time of the step, in milliseconds since 1970.
 * @throws TypeError for a step that does not exist, which is a mistake in the program.
 */
export function advance(intent: Intent, state: IntentState, { clock, run }: Run, time = clock.now()): Intent {
  if (!steps[intent.state].includes(state)) throw new TypeError(`no step from ${intent.state} to ${state}`);
  return { ...intent, state, run, times: { ...intent.times, [state]: time } };
}

/**
 * Whether a card's life is over. A step of the time of day never makes it longer: in the run that opened the card the time
 * that has passed counts too, and in a later one a card that seems to come from the future is over.
 */
export function isExpired(intent: Intent, { clock, run }: Run): boolean {
  const now = clock.now();
  if (now >= intent.expiresAt) return true;
  if (intent.run !== run || intent.openedAt === undefined) return now < intent.quotedAt;
  return clock.monotonic() - intent.openedAt >= intent.expiresAt - intent.quotedAt;
}

/** How long the buttons of a card that came instead of a confirmed one do nothing. */
const ACTS_AFTER_MS = 1_500;

/** The intent of a card that is about to be shown. @param isWorse whether it has less than one had that was confirmed. */
export function newIntent(p: IntentParts, of: Pick<Intent, "chatId" | "owner">, draft: Draft, isWorse = false): Intent {
  const now = p.clock.now();
  return {
    ...draft,
    id: p.newId(),
    owner: of.owner,
    chatId: of.chatId,
    quotedAt: now,
    state: "QUOTED",
    run: p.run,
    openedAt: p.clock.monotonic(),
    times: { QUOTED: now },
    ...(isWorse && { actsFrom: now + ACTS_AFTER_MS }),
  };
}

/** Both cards after a fresh one took over the message of another. */
export function inPlaceOf(before: Intent, fresh: Intent): readonly [before: Intent, fresh: Intent] {
  const { messageId } = before;
  return [{ ...before, replacedBy: fresh.id }, messageId === undefined ? fresh : { ...fresh, messageId }];
}

/** The request closing, the first reason counting; anything else as it is. */
export function closing(intent: Intent, end: RequestEnd): Intent {
  if (!isRequest(intent) || intent.transaction.closing !== undefined) return intent;
  return { ...intent, transaction: { ...intent.transaction, closing: end } };
}

/** Nobody looks any more on the chain for one that ended otherwise. */
export function givenUp(intent: Intent): Intent {
  if (!isSigned(intent) || !isLookedFor(intent)) return intent;
  return { ...intent, transaction: { ...intent.transaction, isOver: true } };
}
