import { isTokenId } from "../../encoding/amount.js";
import { createLoop, type DueTimes, readOrLog } from "../../loop.js";
import type { StoreBasics, Transaction } from "../../store/store.js";
import { findsAny, unlessUnreadable } from "../../store/store.js";
import { canSwap } from "../market/pool.js";
import type { Pools } from "../market/pools.js";
import { poolDepth } from "../market/price-tree.js";
import { changePerson, personIn } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import { enqueue, type Topic } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";
import * as rows from "./new-pair-queries.js";

interface NewPairsParts extends StoreBasics {
  readonly pools: Pick<Pools, "fresh" | "unread">;
  readonly outbox: Pick<Outbox, "waiting" | "wake">;
}

/** How often the router's pairs are read while somebody wants to be told of new ones. */
const EVERY_MS = 120_000;
const POOLS_MAX_AGE_MS = 10_000;
const RETRY_MS = 30_000;
/** Between two messages to a user, however fast somebody opens pairs: what is found meanwhile comes together. */
const LEAST_GAP_MS = 15 * 60_000;
/** While this many users have messages waiting, nobody else is told: alerts stay on time. */
const MOST_WAITING = 20;
const FULL_OUTBOX_MS = 250;
/** Maximum number of users in one transaction. */
const LOT = 250;
const TOPIC = "new-pairs";

/** Tells users of pairs that open, from a depth on that each chooses. Depths are in base units of the native token. */
export interface NewPairs {
  /** Undefined if the user doesn't want to be told of any. */
  readonly leastOf: (userId: number) => Promise<bigint | undefined>;
  /** Pairs that are open by now count as old, unless the user has asked for the same before. */
  readonly watch: (userId: number, least: bigint) => Promise<void>;
  readonly unwatch: (userId: number) => Promise<void>;
  /** Each runs until the signal is aborted. */
  readonly loops: readonly ((signal: AbortSignal) => Promise<void>)[];
}

export function createNewPairs(parts: NewPairsParts): NewPairs {
  const { clock, log, outbox, pools, store } = parts;
  const { db } = store;
  /** When this process read the pairs last, by the monotonic clock. */
  let readAt: number | undefined;

  const read = async (signal: AbortSignal): Promise<void> => {
    const graph = await readOrLog(parts, "New pairs could not be looked for", () => pools.fresh(POOLS_MAX_AGE_MS));
    if (graph === undefined) return clock.sleep(RETRY_MS, signal).catch(() => undefined);
    // What a pair calls its tokens is its creator's text.
    const open = graph.pools().filter((pool) => canSwap(pool) && isTokenId(pool.first) && isTokenId(pool.second));
    const reading = {
      open: open.map((pool) => ({ ...pool, depth: poolDepth(graph, pool) })),
      unread: pools.unread(),
      now: clock.now(),
      sinceLast: readAt === undefined ? undefined : clock.monotonic() - readAt,
    };
    const { tooMany, beyond } = await store.write((tx) => rows.noteReading(tx, reading));
    if (tooMany > 0) log.warn({ pairs: tooMany }, "Too many new pairs at once; nobody is told of the shallowest");
    if (beyond > 0)
      log.error({ pairs: beyond }, "As many pairs as can be kept have been seen; shallower ones are left out");
    readAt = clock.monotonic();
    telling.wake();
  };

  const tell = async (): Promise<void> => {
    const room = MOST_WAITING - (await outbox.waiting()).count;
    await store.write(async (tx) => {
      const now = clock.now();
      if (await rows.hearNews(tx, LOT, now)) return;
      for (const userId of await rows.dueToTell(tx, now, Math.max(0, room))) {
        const person = await unlessUnreadable(() => personIn(tx, userId));
        const until = person && quietUntil(person, now);
        const key = { user_id: userId, topic: TOPIC, subject: "" };
        const isQueued = await findsAny(tx.selectFrom("outbox").where((row) => row.and(key)));
        const news = until === undefined && !isQueued ? await rows.takeNews(tx, userId) : undefined;
        await rows.tellAt(tx, userId, until ?? (isQueued || news ? now + LEAST_GAP_MS : null));
        if (news) await enqueue(tx, key, news, now);
      }
    });
    outbox.wake();
  };

  const readingDue = () => rows.readingDue(db, clock.now(), EVERY_MS);
  const tellingDue = async () => {
    const [now, at] = [clock.now(), await rows.tellingDue(db)];
    const isTurn = at !== undefined && at !== rows.UNHEARD && at <= now;
    return isTurn && (await outbox.waiting()).count >= MOST_WAITING ? now + FULL_OUTBOX_MS : at;
  };
  const reading = createLoop(parts, {
    name: "new-pairs",
    ...alone(readingDue, EVERY_MS),
    run: (_row, signal) => read(signal),
  });
  const telling = createLoop(parts, { name: "new-pairs-told", ...alone(tellingDue, rows.MAX_HELD_MS), run: tell });

  const change = async (work: (tx: Transaction) => Promise<unknown>): Promise<void> => {
    await store.write(work);
    reading.wake();
  };

  return {
    leastOf: (userId) => rows.leastOf(db, userId),
    watch: (userId, least) =>
      change(async (tx) => {
        // Everybody who watches gets a record, so that `/forget` finds them.
        await changePerson(tx, userId, (person) => ({ ...person }));
        await rows.putPairWatcher(tx, userId, least);
      }),
    unwatch: (userId) => change((tx) => rows.deletePairWatcher(tx, userId)),
    loops: [reading.run, telling.run],
  };
}

/** A loop with one thing to do. @param horizon how far ahead it can be due, in milliseconds. */
function alone(dueAt: () => Promise<number | undefined>, horizon: number) {
  const times = async () => [(await dueAt()) ?? []].flat();
  const isDue = (at: number, then: DueTimes) => ("until" in then ? at <= then.until : at > then.after);
  const due = async (then: DueTimes) => (await times()).filter((at) => isDue(at, then));
  return { width: 1, horizon, keyOf: () => TOPIC, due, times };
}

/** What is new for a user. */
export interface NewPairsTold {
  /** The deepest. */
  readonly pairs: readonly rows.NewPair[];
  /** Number of others. */
  readonly more: number;
}

const MAX_NAMED = 3;

/** Reports news that count as told since the message was queued: a crash while it is sent repeats none. */
export function newPairsTopic({ clock }: Pick<StoreBasics, "clock">): Topic<NewPairsTold> {
  return {
    name: TOPIC,
    isOnce: true,
    onReach: (tx, userId, isReachable, now) => rows.noteReachOfWatcher(tx, userId, isReachable, now),
    render: async (db, { userId, payload }, person) => {
      const pairs = await rows.pairsTaken(db, userId, payload as rows.TakenNews);
      if (pairs.length === 0) return undefined;
      return {
        message: { pairs: pairs.slice(0, MAX_NAMED), more: Math.max(0, pairs.length - MAX_NAMED) },
        // They may have begun since it was queued.
        isMuted: quietUntil(person, clock.now()) !== undefined,
        onSent: (tx, now) => rows.tellAt(tx, userId, now + LEAST_GAP_MS),
      };
    },
  };
}
