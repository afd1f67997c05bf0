import { isTokenId } from "../../encoding/amount.js";
import { alone, createLoop, readOrLog } from "../../loop.js";
import type { Transaction } from "../../store/store.js";
import { canSwap } from "../market/pool.js";
import type { Pools } from "../market/pools.js";
import { poolDepth } from "../market/price-tree.js";
import { type Unclear, unclearOf } from "../telegram/outbox-unclear.js";
import { deleteWatch, newsWatchesOf, putWatch } from "./news-queries.js";
import { createNewsLoop, type NewsParts } from "./news.js";
import { ANY_PAIR, newPairKind, nextReading, noteReading, readingDue } from "./pair-readings.js";

interface NewPairsParts extends NewsParts {
  readonly pools: Pick<Pools, "fresh" | "unread">;
}

/** How often the router's pairs are read while somebody wants to be told of new ones. */
const EVERY_MS = 120_000;
const POOLS_MAX_AGE_MS = 10_000;
const RETRY_MS = 30_000;

/** What somebody is told of, and what may not have reached them. */
export interface WatchedPairs {
  /** Undefined if they don't want to be told of any. */
  readonly least: bigint | undefined;
  readonly unclear?: Unclear | undefined;
}

/** Tells users of pairs that open, from a depth on that each chooses. Depths are in base units of the native token. */
export interface NewPairs {
  readonly list: (userId: number) => Promise<WatchedPairs>;
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
    const { tooMany, beyond } = await store.write((tx) => noteReading(tx, reading));
    if (tooMany > 0) log.warn({ pairs: tooMany }, "Too many new pairs at once; nobody is told of the shallowest");
    if (beyond > 0)
      log.error({ pairs: beyond }, "As many pairs as can be kept have been seen; shallower ones are left out");
    readAt = clock.monotonic();
    telling.wake();
  };

  const reading = createLoop(parts, {
    name: "new-pairs",
    ...alone(() => readingDue(db, clock.now(), EVERY_MS), EVERY_MS),
    run: (_row, signal) => read(signal),
  });
  const telling = createNewsLoop(parts, newPairKind);
  const change = async (work: (tx: Transaction) => Promise<unknown>): Promise<void> => {
    await store.write(work);
    reading.wake();
  };

  return {
    list: async (userId) => ({
      least: (await newsWatchesOf(db, newPairKind, userId))[0]?.least,
      unclear: await unclearOf(db, { user_id: userId, topic: newPairKind.name }, clock.now()),
    }),
    watch: (userId, least) =>
      change(async (tx) =>
        putWatch(tx, newPairKind, userId, { subject: ANY_PAIR, least, since: await nextReading(tx) }),
      ),
    unwatch: (userId) => change((tx) => deleteWatch(tx, newPairKind, { user_id: userId, subject: ANY_PAIR })),
    loops: [reading.run, telling.run],
  };
}
