import { DAY_MS } from "../../clock.js";
import { amountOf, gainBps, type Token } from "../../encoding/amount.js";
import { type Fault, unlessFault } from "../../fault.js";
import type { Basics } from "../../loop.js";
import { type Database, unlessUnreadable } from "../../store/store.js";
import type { Balances } from "../chain/query-gateway.js";
import type { Pool } from "../market/pool.js";
import type { Pools } from "../market/pools.js";
import { type Grain, grains, type Price, type PricePoint, pricesOf } from "../market/price-history.js";
import { pairPrice, poolPrice } from "../market/price-tree.js";
import type { LockContract } from "../trade/lock-contract.js";
import { type LockedShare, lockedShareOf } from "../trade/locked-share.js";
import { POOLS_MAX_AGE_MS } from "./portfolio.js";

/** How long ago the earlier price of a change is from, and how much older it may be if none was seen just then. */
const SPANS = {
  day: { ago: DAY_MS, slack: DAY_MS / 12 },
  week: { ago: 7 * DAY_MS, slack: DAY_MS / 2 },
} as const;

/** What anybody may know of a token's market. Whatever can't be read, or isn't there, is undefined. */
export interface TokenMarket {
  /** The token that its price is in. */
  readonly counter: Token;
  readonly pools: readonly Pool[] | undefined;
  /** The deepest one of the token's, on the way to the other token. */
  readonly pool: Pool | undefined;
  readonly price: Price | undefined;
  /** Whether anybody could have set that price. */
  readonly isThin: boolean;
  /** Since a price of about a day and a week ago, in basis points, rounded down. */
  readonly changes: Readonly<Record<keyof typeof SPANS, bigint | undefined>>;
  /** When the pool was first found open if that was seen, else the pair's first price here, which may be much later. */
  readonly firstSeen: { readonly at: number; readonly isOpening: boolean } | undefined;
  readonly locked: LockedShare | undefined;
}

/** Never throws a Fault. */
export type ReadTokenMarket = (token: Token, counter: Token) => Promise<TokenMarket>;

interface TokenMarketParts extends Basics {
  readonly pools: Pick<Pools, "fresh">;
  readonly balances: Pick<Balances, "known">;
  readonly lock: Pick<LockContract, "target">;
  readonly store: Pick<Database, "db">;
}

export function createTokenMarket(parts: TokenMarketParts): ReadTokenMarket {
  const { pools, store, clock, log } = parts;
  const pointsOf = async (pair: Pick<Price, "tokenIn" | "tokenOut">, grain: Grain): Promise<readonly PricePoint[]> => {
    const onFault = (err: Fault) => log.error({ err }, "Prices unreadable");
    return (await unlessUnreadable(() => pricesOf(store.db, pair, grain, clock.now()), onFault)) ?? [];
  };

  /** A first price counts to the hour for two weeks, then to the day. One from before the opening was seen comes first. */
  const firstSeenOf = async ({ address, first, second }: Pool): Promise<TokenMarket["firstSeen"]> => {
    const pair = { tokenIn: first, tokenOut: second };
    const seen = store.db.selectFrom("pairs_seen").select("opened_at as at").where("address", "=", address);
    const [[day], [hour], opened] = await Promise.all([
      pointsOf(pair, "day"),
      pointsOf(pair, "hour"),
      seen.where("opened_at", ">", 0).executeTakeFirst(),
    ]);
    const [price, grain] = day && hour && hour.at - day.at < DAY_MS ? [hour, "hour" as const] : [day, "day" as const];
    if (opened && !(price && price.at + grains[grain].milliseconds <= opened.at)) return { ...opened, isOpening: true };
    return price && { at: price.at, isOpening: false };
  };

  return async (token, counter) => {
    const graph = await unlessFault(
      () => pools.fresh(POOLS_MAX_AGE_MS),
      (err) => log.info({ err }, "Token shown without its pools"),
    );
    const price = graph && pairPrice(graph, token.id, counter.id);
    const deepest = graph && poolPrice(graph, token.id, counter.id);
    const pool = deepest?.hops()[0]?.pool;
    const [points, firstSeen, locked] = await Promise.all([
      pointsOf({ tokenIn: token.id, tokenOut: counter.id }, "hour"),
      pool && firstSeenOf(pool),
      pool && lockedShareOf(parts, pool),
    ]);
    const changeSince = ({ ago, slack }: (typeof SPANS)[keyof typeof SPANS]) => {
      const from = clock.now() - ago;
      const before = points.findLast(({ at }) => at <= from);
      const isNear = before !== undefined && before.at > from - slack - grains.hour.milliseconds;
      return price && isNear ? priceChange(before, price, counter) : undefined;
    };
    const changes = { day: changeSince(SPANS.day), week: changeSince(SPANS.week) };
    return {
      counter,
      pools: graph?.pools(),
      pool,
      price,
      isThin: deepest?.isThin === true,
      changes,
      firstSeen,
      locked,
    };
  };
}

type Units = Pick<Price, "unitsIn" | "unitsOut">;

/** In basis points, rounded down. */
function priceChange(before: Units, now: Units, counter: Token): bigint | undefined {
  return gainBps(amountOf(counter, now.unitsOut * before.unitsIn), amountOf(counter, before.unitsOut * now.unitsIn));
}
