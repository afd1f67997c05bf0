import { isTokenId } from "../../encoding/amount.js";
import { createLoop, readOrLog } from "../../loop.js";
import type { StoreBasics, Transaction } from "../../store/store.js";
import { canSwap } from "../market/pool.js";
import type { Pools } from "../market/pools.js";
import { poolDepth } from "../market/price-tree.js";
import { changePerson } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import type { Topic } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";
import * as rows from "./new-pair-queries.js";
import { alone, createTelling } from "./telling.js";

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
  const { clock, log, pools, store } = parts;
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

  const readingDue = () => rows.readingDue(db, clock.now(), EVERY_MS);
  const reading = createLoop(parts, {
    name: "new-pairs",
    ...alone(readingDue, EVERY_MS),
    run: (_row, signal) => read(signal),
  });
  const { hearNews: hear, tellingDue: dueAt, dueToTell: due, takeNews: take, tellAt } = rows;
  const telling = createTelling(parts, {
    name: "new-pairs-told",
    topic: TOPIC,
    gap: LEAST_GAP_MS,
    hear,
    dueAt,
    due,
    take,
    tellAt,
  });

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
        onSent: (tx, now) => rows.tellAt(tx, { user_id: userId }, now + LEAST_GAP_MS),
      };
    },
  };
}
