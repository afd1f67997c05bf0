import { amountOf, type Token } from "../encoding/amount.js";
import { type Fault, unlessFault } from "../fault.js";
import type { Pools, WorthReader } from "../services/market/pools.js";
import { isFine, type Grain, priceBetween, type PricePoint } from "../services/market/price-history.js";
import { type Price, type Prices, pricesOf } from "../services/market/price-history.js";
import { pairPrice } from "../services/market/price-tree.js";
import { unlessUnreadable } from "../store/store.js";
import type { BotBase } from "./context.js";

export interface PicturePriceParts {
  readonly base: BotBase;
  readonly pools: Pools;
  readonly prices: Prices;
  readonly worth: WorthReader;
}

/** The prices that pictures show, of one whole token in another. */
export interface PicturePrices {
  /** Those that are kept, earliest first. */
  readonly seen: (tokenIn: Token, tokenOut: Token, grain: Grain) => Promise<readonly PricePoint[]>;
  /** Measured like the pair's history; undefined if unavailable. */
  readonly now: (userId: number, tokenIn: Token, tokenOut: Token) => Promise<Price | undefined>;
}

/** Maximum age of the reserves behind the current price, in milliseconds. */
const POOLS_MAX_AGE_MS = 10_000;

export function createPicturePrices({ base, pools, prices, worth }: PicturePriceParts): PicturePrices {
  const { store, clock, log } = base;
  return {
    seen: async (tokenIn, tokenOut, grain) => {
      const pair = { tokenIn: tokenIn.id, tokenOut: tokenOut.id };
      // A pair's history is no user's own data: if it is unreadable, show the current price without it.
      const onFault = (err: Fault) => log.error({ err }, "Prices unreadable");
      return (await unlessUnreadable(() => pricesOf(store.db, pair, grain, clock.now()), onFault)) ?? [];
    },
    now: async (userId, tokenIn, tokenOut) => {
      if (tokenIn.precision === undefined) return undefined;
      const graph = await unlessFault(() => pools.fresh(POOLS_MAX_AGE_MS));
      const byPools = graph && pairPrice(graph, tokenIn.id, tokenOut.id);
      if (byPools !== undefined) {
        prices.note([byPools], true, userId);
        return byPools;
      }
      // A cheap token's price has enough digits only for many of them.
      for (const times of [1n, 1_000n, 1_000_000n]) {
        const amount = amountOf(tokenIn, times * 10n ** BigInt(tokenIn.precision));
        const valued = await unlessFault(() => worth(amount, tokenOut, POOLS_MAX_AGE_MS));
        const price = valued && priceBetween(amount, valued);
        if (price !== undefined && isFine(price)) return prices.noteQuote(price, userId) ? price : undefined;
      }
      return undefined;
    },
  };
}
