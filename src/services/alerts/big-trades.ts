import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { Fault } from "../../fault.js";
import type { ReadingState } from "../chain/block-progress.js";
import type { MovedTransaction } from "../chain/read-block.js";
import type { Pools } from "../market/pools.js";
import { pairTradesIn, payersIn } from "../market/pair-trades.js";
import { canSwap, otherToken } from "../market/pool.js";
import { stored } from "../../store/store.js";
import { type Unclear, unclearOf } from "../telegram/outbox-unclear.js";
import * as rows from "./news-queries.js";
import type { FreshNews, News, NewsKind, NewsWatch } from "./news-queries.js";
import { type BlockNewsParts, blockNewsListener } from "./block-news.js";
import { createNewsLoop } from "./news.js";

const tradeSchema = stored({
  hash: z.string(),
  at: z.number(),
  isBuy: z.boolean(),
  baseUnits: z.bigint(),
  /** The accounts that paid something in its transaction. Absent in what earlier versions wrote. */
  by: z.array(z.string()).readonly().exactOptional(),
});
/** A swap as seen from a watch: of `base`, for the news' units of `quote`. */
export type BigTrade = News<z.infer<typeof tradeSchema>>;

export const bigTradeKind: NewsKind<BigTrade["what"]> = {
  name: "big-trades",
  gap: 300_000,
  keptFor: 2 * DAY_MS,
  maximum: 1000,
  waitsForReturn: false,
  what: tradeSchema,
  isDoneBy: ({ by = [] }, addresses) => by.some((account) => addresses.includes(account)),
};

/** What a user wants to be told of: `least` is in base units of `quote`. */
export interface TradeWatch {
  readonly pair: Address;
  readonly base: string;
  readonly quote: string;
  readonly least: bigint;
}

const pairSubject = ({ pair, base, quote }: Omit<TradeWatch, "least">) => `${pair} ${base} ${quote}`;

export function tradeWatchOf({ subject, least }: NewsWatch): TradeWatch {
  const [pair = "", base = "", quote = ""] = subject.split(" ");
  // It was an address when it was stored.
  return { pair: pair as Address, base, quote, least };
}

interface BigTradesParts extends BlockNewsParts {
  readonly pools: Pick<Pools, "fresh">;
}

/** What a user is told of, and how far the chain is read for it. */
export interface TradeWatches extends ReadingState {
  readonly watches: readonly TradeWatch[];
  /** What may not have reached them. */
  readonly unclear?: Unclear | undefined;
}

/** Tells users of large swaps in pairs that they chose. Amounts are in base units. */
export interface BigTrades {
  readonly list: (userId: number) => Promise<TradeWatches>;
  /**
   * From an amount of `quote` on. @throws Fault `pool-none`, `trade-watches-full`, `blocks-closed`, and as
   * {@link Pools.fresh}.
   */
  readonly watch: (userId: number, asked: Omit<TradeWatch, "pair">) => Promise<void>;
  readonly unwatch: (userId: number, pair: Address) => Promise<void>;
  /** Each runs until the signal is aborted. */
  readonly loops: readonly ((signal: AbortSignal) => Promise<void>)[];
}

/** Of one user. */
const MAX_TRADE_PAIRS = 5;
const LISTED_MAX_AGE_MS = 60_000;

export function createBigTrades(parts: BigTradesParts): BigTrades {
  const { blocks, clock, pools, store } = parts;
  const telling = createNewsLoop(parts, bigTradeKind);
  const watchesOf = async (userId: number) =>
    (await rows.newsWatchesOf(store.db, bigTradeKind, userId)).map(tradeWatchOf);

  const newsOf = <Found>(found: readonly Found[]) => Promise.resolve(found);
  blocks.believe(blockNewsListener(parts, { kind: bigTradeKind, find: tradesIn, newsOf, onPublished: telling.wake }));
  return {
    loops: [telling.run],
    list: async (userId) => {
      await blocks.isClosed();
      const unclear = await unclearOf(store.db, { user_id: userId, topic: bigTradeKind.name }, clock.now());
      return { watches: await watchesOf(userId), unclear, ...blocks.state() };
    },
    watch: async (userId, asked) => {
      const { base, quote, least } = asked;
      if (await blocks.isClosed()) throw new Fault("blocks-closed", {});
      const graph = await pools.fresh(LISTED_MAX_AGE_MS);
      const pool = graph.pools().find((each) => canSwap(each) && otherToken(each, base) === quote);
      if (pool === undefined) throw new Fault("pool-none", { from: base, to: quote });
      const [subject, otherWay] = waysOf({ pair: pool.address, base, quote });
      await store.write(async (tx) => {
        await rows.deleteWatch(tx, bigTradeKind, { user_id: userId, subject: otherWay });
        if ((await rows.countOtherWatches(tx, bigTradeKind, { user_id: userId, subject })) >= MAX_TRADE_PAIRS)
          throw new Fault("trade-watches-full", { maximum: MAX_TRADE_PAIRS });
        await rows.putWatch(tx, bigTradeKind, userId, { subject, least, since: blocks.time() });
      });
      blocks.wake();
    },
    unwatch: async (userId, pair) => {
      const own = (await watchesOf(userId)).find((watch) => watch.pair === pair);
      if (own === undefined) return;
      const [subject] = waysOf(own);
      await store.write((tx) => rows.deleteWatch(tx, bigTradeKind, { user_id: userId, subject }));
    },
  };
}

/** The subjects of a pair: its trades are counted in either token. */
function waysOf({ pair, base, quote }: Omit<TradeWatch, "least">): readonly [string, string] {
  return [pairSubject({ pair, base, quote }), pairSubject({ pair, base: quote, quote: base })];
}

/** Swaps that a transaction makes in pairs, as seen from either token. */
function tradesIn({ hash, transfers }: MovedTransaction, at: number): readonly FreshNews<BigTrade["what"]>[] {
  const trades = pairTradesIn(transfers);
  const by = trades.length === 0 ? [] : payersIn(transfers);
  return trades.flatMap(({ pair, paid, paidUnits, got, gotUnits }) => {
    const [bought, sold] = waysOf({ pair, base: got, quote: paid });
    return [
      { subject: bought, units: paidUnits, id: hash, what: { hash, at, isBuy: true, baseUnits: gotUnits, by } },
      { subject: sold, units: gotUnits, id: hash, what: { hash, at, isBuy: false, baseUnits: paidUnits, by } },
    ];
  });
}
