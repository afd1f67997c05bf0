import { DAY_MS } from "../../clock.js";
import { createLoop, type DueTimes, type LoopRunner } from "../../loop.js";
import { findsAny, type Reader, type StoreBasics, type Transaction, unlessUnreadable } from "../../store/store.js";
import { personIn } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import { enqueue, type RowKey } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";

interface TellingParts extends StoreBasics {
  readonly outbox: Pick<Outbox, "waiting" | "wake">;
}

/** A user and what they are told of. */
export type ToldUser = Pick<RowKey, "user_id" | "subject">;

/** News that many may want to be told of at once. */
interface News {
  /** The loop's. */
  readonly name: string;
  /** The outbox's. */
  readonly topic: string;
  /** Milliseconds between two messages about the same. */
  readonly gap: number;
  /** Makes some users due for whom there is news. */
  readonly hear: (tx: Transaction, limit: number, now: number) => Promise<unknown>;
  /** When somebody is due, or {@link UNHEARD}; undefined if there is nothing to tell. */
  readonly dueAt: (db: Reader) => Promise<number | undefined>;
  readonly due: (tx: Transaction, now: number, limit: number) => Promise<readonly ToldUser[]>;
  /** What a user hasn't been told, for the outbox: from now on it counts as told. Undefined if there is nothing. */
  readonly take: (tx: Transaction, told: ToldUser) => Promise<object | undefined>;
  /** Makes a user due at a time, or not at all. */
  readonly tellAt: (tx: Transaction, told: ToldUser, at: number | null) => Promise<void>;
}

/** Before any time: somebody has to be looked at for whom there may be news. */
export const UNHEARD = 0;
/** Quiet hours hold nobody back for longer: who is due later was, before the clock was set back. */
export const MAX_HELD_MS = DAY_MS;
/** While this many users have messages waiting, nobody else is told: alerts stay on time. */
const MOST_WAITING = 20;
const FULL_OUTBOX_MS = 250;
/** Maximum number of users in one transaction. */
const LOT = 250;

/** Puts news into the outbox for a few users at a time, for nobody in their quiet hours. */
export function createTelling(parts: TellingParts, { name, topic, gap, ...news }: News): LoopRunner {
  const { clock, outbox, store } = parts;
  const tell = async (): Promise<void> => {
    const room = MOST_WAITING - (await outbox.waiting()).count;
    await store.write(async (tx) => {
      const now = clock.now();
      // However much there is to look at, those who are due are told in between.
      await news.hear(tx, LOT, now);
      for (const told of await news.due(tx, now, Math.max(0, room))) {
        const person = await unlessUnreadable(() => personIn(tx, told.user_id));
        const until = person && quietUntil(person, now);
        const key = { ...told, topic };
        const isQueued = await findsAny(tx.selectFrom("outbox").where((row) => row.and(key)));
        const taken = until === undefined && !isQueued ? await news.take(tx, told) : undefined;
        await news.tellAt(tx, told, until ?? (isQueued || taken ? now + gap : null));
        if (taken) await enqueue(tx, key, taken, now);
      }
    });
    outbox.wake();
  };
  const dueAt = async () => {
    const [now, at] = [clock.now(), await news.dueAt(store.db)];
    const isTurn = at !== undefined && at !== UNHEARD && at <= now;
    return isTurn && (await outbox.waiting()).count >= MOST_WAITING ? now + FULL_OUTBOX_MS : at;
  };
  return createLoop(parts, { name, ...alone(dueAt, MAX_HELD_MS), run: tell });
}

/** A loop with one thing to do. @param horizon how far ahead it can be due, in milliseconds. */
export function alone(dueAt: () => Promise<number | undefined>, horizon: number) {
  const times = async () => [(await dueAt()) ?? []].flat();
  const isDue = (at: number, then: DueTimes) => ("until" in then ? at <= then.until : at > then.after);
  const due = async (then: DueTimes) => (await times()).filter((at) => isDue(at, then));
  return { width: 1, horizon, keyOf: () => "alone", due, times };
}
