import { addressToBytes, type Address } from "../../../src/encoding/address.js";
import {
  bigTradeKind,
  type BigTrade,
  type BigTrades,
  createBigTrades,
} from "../../../src/services/alerts/big-trades.js";
import { newsTopic, type ToldNews } from "../../../src/services/alerts/news.js";
import { createBlocks } from "../../../src/services/chain/blocks.js";
import type { MovedTransaction } from "../../../src/services/chain/read-block.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { createChainOfBlocks, SLOT } from "../../support/chain-of-blocks.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { poolOf } from "../market/pool-samples.js";
import { type ChatProcess, createChats } from "./chats.js";
import { alice } from "../samples.js";

export const NOW = 1_700_000_000_000;
export const [MINUTE, HOUR] = [60_000, 3_600_000];
const MILLION = 10n ** 6n;

export const base64Of = (address: Address): string => Buffer.from(addressToBytes(address)).toString("base64");
/** In base units. */
export const unitsOf = (whole: number): bigint => BigInt(whole) * MILLION;
export const hashOf = (number: number): string => number.toString(16).padStart(64, "0");

/** `least` is in whole KLV. */
export const watchOf = (least: number, base = "KFI") => ({ base, quote: "KLV", least: unitsOf(least) });

export interface TradesProcess extends ChatProcess {
  readonly bigTrades: BigTrades;
}

/** Two pairs, KFI/KLV and DVK-34ZH/KLV, a chain with blocks of four seconds, chats and a disk, which outlive processes. */
export function createTradesWorld() {
  const clock = createVirtualClock(NOW);
  const pairs = [
    poolOf(1, ["KFI", unitsOf(10_000)], ["KLV", unitsOf(20_000)]),
    poolOf(2, ["DVK-34ZH", unitsOf(10_000)], ["KLV", unitsOf(20_000)]),
  ] as const;
  const chain = createChainOfBlocks(clock);
  let swaps = 0;
  const chats = createChats(clock, ({ named, more }: ToldNews<BigTrade["what"]>) => ({
    largest: named.map((trade) => ({ ...trade.what, quoteUnits: trade.units })),
    more,
  }));
  const world = Object.assign(chats, {
    pairs,
    chain,
    /** A swap: so many whole tokens for so many KLV, bought unless `isSale`. */
    swap: (klv: number, { pair = 0, isSale = false, tokens = 5, isOk = true, by = alice } = {}): MovedTransaction => {
      const { address, first } = pairs[pair]!;
      const [own, trader] = [address, by].map(base64Of) as [string, string];
      const [into, out] = [
        { asset: "KLV", units: unitsOf(klv) },
        { asset: first, units: unitsOf(tokens) },
      ];
      const [paid, got] = isSale ? [out, into] : [into, out];
      swaps += 1;
      const transfers = [
        { from: trader, to: own, ...paid },
        { from: own, to: trader, ...got },
      ];
      return { hash: hashOf(swaps), block: 0, isOk, transfers };
    },
    block: (swapped: readonly MovedTransaction[] = []) => chain.slot(swapped),
    blocks: (count: number) => chain.slots(count),
    /** Time passes, with blocks. */
    after: (milliseconds: number) => chain.slots(Math.ceil(milliseconds / SLOT)),
    /** `1: buy 12000` for each trade that was told, in order; `+3` if so many more were only counted. */
    shorts: () =>
      world.told.flatMap(({ userId, what }) => [
        ...what.largest.map(({ isBuy, quoteUnits }) => `${userId}: ${isBuy ? "buy" : "sell"} ${quoteUnits / MILLION}`),
        ...(what.more > 0 ? [`${userId}: +${what.more}`] : []),
      ]),
    start: async (): Promise<TradesProcess> => {
      const { shared, run } = chats.begin(newsTopic({ clock }, bigTradeKind));
      const { store, log } = shared;
      const readBlock: typeof chain.node.readBlock = (...asked) => chain.node.readBlock(...asked);
      const blocks = createBlocks({ ...chain.node, readBlock, store, clock, log });
      const pools = { fresh: async () => createPoolGraph(pairs) };
      const bigTrades = createBigTrades({ ...shared, blocks, pools });
      const process = { ...run([blocks.run, ...bigTrades.loops]), bigTrades };
      await world.block();
      return process;
    },
  });
  return world;
}
