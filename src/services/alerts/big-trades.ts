import type { Address } from "../../encoding/address.js";
import { Fault } from "../../fault.js";
import type { Transaction, StoreBasics } from "../../store/store.js";
import type { ListedPair, Pools } from "../market/pools.js";
import type { PairTrades } from "../market/pair-trades.js";
import { canSwap, otherToken } from "../market/pool.js";
import { changePerson } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import type { Topic } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";
import * as rows from "./big-trade-queries.js";
import { createTelling } from "./telling.js";

/** What the node's feed is, as far as it matters for what is told. */
interface TradeFeed {
  /** Whether it tells of this address at present, as far as anybody can know. */
  readonly covers: (address: string) => boolean;
  /** `since`: in milliseconds since 1970. */
  readonly state: () => { readonly kind: string; readonly since: number };
}

interface BigTradesParts extends StoreBasics {
  readonly feed: TradeFeed;
  readonly trades: PairTrades;
  readonly pools: Pick<Pools, "fresh">;
  readonly outbox: Pick<Outbox, "waiting" | "wake">;
}

/** A watch, and what was or is missed. */
interface WatchedTrades extends rows.TradeWatch {
  /** When more was told of than could be read, last. */
  readonly missedAt: number | undefined;
  /** The feed doesn't tell of the pair, although it tells of others. */
  readonly isLeft: boolean;
}

/** What a user is told of, and whether and since when the node tells of anything. */
export interface TradeWatches {
  readonly watches: readonly WatchedTrades[];
  readonly isLive: boolean;
  readonly since: number;
}

/** Tells users of large swaps in pairs that they chose. Amounts are in base units. */
export interface BigTrades {
  readonly list: (userId: number) => Promise<TradeWatches>;
  /** From an amount of `quote` on. @throws Fault `pool-none`, `trade-watches-full`, and as {@link Pools.fresh}. */
  readonly watch: (userId: number, asked: Omit<rows.TradeWatch, "pair">) => Promise<void>;
  readonly unwatch: (userId: number, pair: Address) => Promise<void>;
  /** Each runs until the signal is aborted. */
  readonly loops: readonly ((signal: AbortSignal) => Promise<void>)[];
}

const BIG_TRADES = "big-trades";
/** Between two messages to a user about a pair: what is found meanwhile comes together. */
const GAP_OF_TRADES_MS = 300_000;
const LISTED_MAX_AGE_MS = 60_000;
/** By then a node has said whether it tells of an address. */
const COVERED_MS = 60_000;

export async function createBigTrades(parts: BigTradesParts): Promise<BigTrades> {
  const { clock, feed, pools, store, trades } = parts;
  const listening = new Map<Address, { readonly since: number; readonly end: () => void }>();

  const telling = createTelling(parts, {
    name: "big-trades-told",
    topic: BIG_TRADES,
    gap: GAP_OF_TRADES_MS,
    hear: rows.hearOfTrade,
    dueAt: rows.tradesDueAt,
    due: rows.dueForTrades,
    take: rows.takeTrades,
    tellAt: rows.tellOfTradesAt,
  });

  const listen = (pair: ListedPair): void => {
    if (listening.has(pair.address)) return;
    const end = trades.watch(pair, async (trade) => {
      const isWatched = await store.write((tx) => rows.noteTrade(tx, trade, clock.now()));
      if (isWatched) telling.wake();
      else leave(pair.address);
    });
    listening.set(pair.address, { since: clock.monotonic(), end });
  };
  const leave = (pair: Address): void => {
    listening.get(pair)?.end();
    listening.delete(pair);
  };
  let next = await rows.nextWatchedPair(store.db, "");
  for (; next !== undefined; next = await rows.nextWatchedPair(store.db, next.address)) listen(next);

  return {
    loops: [trades.run, telling.run],
    list: async (userId) => {
      const { kind, since } = feed.state();
      const isLive = kind === "live";
      const isLeft = (pair: Address): boolean => {
        const from = listening.get(pair)?.since ?? Number.NEGATIVE_INFINITY;
        return isLive && !feed.covers(pair) && clock.monotonic() - from > COVERED_MS;
      };
      const watches = await rows.tradeWatchesOf(store.db, userId);
      const told = watches.map((watch) => ({
        ...watch,
        missedAt: trades.missedAt(watch.pair),
        isLeft: isLeft(watch.pair),
      }));
      return { watches: told, isLive, since };
    },
    watch: async (userId, asked) => {
      const { base, quote } = asked;
      const graph = await pools.fresh(LISTED_MAX_AGE_MS);
      const pool = graph.pools().find((each) => canSwap(each) && otherToken(each, base) === quote);
      if (pool === undefined) throw new Fault("pool-none", { from: base, to: quote });
      await store.write(async (tx) => {
        // Everybody who watches gets a record, so that `/forget` finds them.
        await changePerson(tx, userId, (person) => ({ ...person }));
        await rows.putTradeWatch(tx, userId, { ...asked, pair: pool.address });
      });
      listen(pool);
    },
    unwatch: async (userId, pair) => {
      const remove = async (tx: Transaction) => {
        await rows.deleteTradeWatch(tx, userId, pair);
        return rows.isPairWatched(tx, pair);
      };
      if (!(await store.write(remove))) leave(pair);
    },
  };
}

/** Large swaps in one pair. */
export interface BigTradesTold {
  readonly watch: rows.TradeWatch;
  /** The largest, the largest first. */
  readonly largest: readonly rows.BigTrade[];
  /** Number of others. */
  readonly more: number;
}

const LARGEST_NAMED = 3;

/** Reports swaps that count as told since the message was queued: a crash while it is sent repeats none. */
export function bigTradesTopic({ clock }: Pick<StoreBasics, "clock">): Topic<BigTradesTold> {
  return {
    name: BIG_TRADES,
    isOnce: true,
    onReach: rows.noteReachForTrades,
    render: async (db, { userId, subject, payload }, person) => {
      const told = { user_id: userId, subject };
      const taken = await rows.tradesTaken(db, told, payload as rows.TakenTrades);
      if (taken === undefined) return undefined;
      const { watch, found } = taken;
      return {
        message: { watch, largest: found.slice(0, LARGEST_NAMED), more: Math.max(0, found.length - LARGEST_NAMED) },
        // They may have begun since it was queued.
        isMuted: quietUntil(person, clock.now()) !== undefined,
        onSent: (tx, now) => rows.tellOfTradesAt(tx, told, now + GAP_OF_TRADES_MS),
      };
    },
  };
}
