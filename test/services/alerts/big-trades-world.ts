import { addressToBytes, type Address } from "../../../src/encoding/address.js";
import { Fault } from "../../../src/fault.js";
import {
  bigTradesTopic,
  type BigTrades,
  type BigTradesTold,
  createBigTrades,
} from "../../../src/services/alerts/big-trades.js";
import { createHeardTransactions } from "../../../src/services/chain/heard-transactions.js";
import type { Movements, Transfer } from "../../../src/services/chain/transfers.js";
import { createPairTrades } from "../../../src/services/market/pair-trades.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { createMemoryDisk, type MemoryStore } from "../../support/memory-store.js";
import { talkingFeed } from "../../support/talking-feed.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { poolOf } from "../market/pool-samples.js";
import { alice, silent } from "../samples.js";
import { outboxTo } from "../telegram/noticed.js";

export const NOW = 1_700_000_000_000;
export const SLOT = 4000;
export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const MILLION = 10n ** 6n;

export const base64Of = (address: Address): string => Buffer.from(addressToBytes(address)).toString("base64");
/** In base units. */
export const unitsOf = (whole: number): bigint => BigInt(whole) * MILLION;
export const hashOf = (number: number): string => number.toString(16).padStart(64, "0");

/** `least` is in whole KLV. */
export const watchOf = (least: number, base = "KFI") => ({ base, quote: "KLV", least: unitsOf(least) });

interface TradesTold {
  readonly at: number;
  readonly userId: number;
  readonly what: BigTradesTold;
}

export interface TradesProcess {
  readonly bigTrades: BigTrades;
  readonly store: MemoryStore;
  readonly feed: ReturnType<typeof talkingFeed>;
  readonly waiting: () => Promise<{ readonly count: number }>;
  readonly hears: (userId: number) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** SIGKILL. */
  readonly kill: () => void;
}

/** Two pairs, KFI/KLV and DVK-34ZH/KLV, a node with blocks of four seconds, chats and a disk, which outlive processes. */
export function createTradesWorld({ answers = true } = {}) {
  const clock = createVirtualClock(NOW);
  const disk = createMemoryDisk();
  const pairs = [
    poolOf(1, ["KFI", unitsOf(10_000)], ["KLV", unitsOf(20_000)]),
    poolOf(2, ["DVK-34ZH", unitsOf(10_000)], ["KLV", unitsOf(20_000)]),
  ] as const;
  const chain = new Map<string, Movements>();
  const living = new Set<TradesProcess>();
  let height = 1000;
  let swaps = 0;
  const moved = (block: number, transfers: readonly Transfer[]): Movements => ({
    block: BigInt(block),
    isOk: true,
    transfers,
  });
  const world = {
    clock,
    pairs,
    /** What the node has in its blocks, by hash. */
    chain,
    /** Whether the node answers at all. */
    isDown: false,
    /** Hashes that the node was asked for. */
    read: [] as string[],
    told: [] as TradesTold[],
    telegramFault: (_userId: number): Error | undefined => undefined,
    height: () => height,
    /** A swap in the next block: so many whole tokens for so many KLV, bought unless `isSale`. @returns its hash. */
    swap: (klv: number, { pair = 0, isSale = false, tokens = 5 } = {}): string => {
      const { address, first } = pairs[pair]!;
      const [own, trader] = [address, alice].map(base64Of) as [string, string];
      const [into, out] = [
        { asset: "KLV", units: unitsOf(klv) },
        { asset: first, units: unitsOf(tokens) },
      ];
      const [paid, got] = isSale ? [out, into] : [into, out];
      swaps += 1;
      const hash = hashOf(swaps);
      const transfers = [
        { from: trader, to: own, ...paid },
        { from: own, to: trader, ...got },
      ];
      chain.set(hash, moved(height + 1, transfers));
      return hash;
    },
    /** What the feed tells of a pair, whatever is so. */
    say: (hash: string, pair = 0): void => {
      for (const { feed } of living) feed.touch(pairs[pair]!.address, height, hash);
    },
    /** A slot passes, and the next block comes; the feed tells of these transactions in it. */
    block: async (said: readonly string[] = [], pair = 0): Promise<void> => {
      await clock.advance(SLOT);
      height += 1;
      for (const { feed } of living) feed.block(height);
      for (const hash of said) world.say(hash, pair);
      await clock.advance(0);
    },
    blocks: async (count: number): Promise<void> => {
      for (let number = 0; number < count; number += 1) await world.block();
    },
    /** Time passes, with blocks. */
    after: (milliseconds: number) => world.blocks(Math.ceil(milliseconds / SLOT)),
    /** The last block is undone, with its transactions: another takes its place. */
    undo: (): void => {
      for (const [hash, { block }] of chain)
        if (block === BigInt(height)) chain.set(hash, { ...chain.get(hash)!, block: 0n });
    },
    /** `1: buy 12000` for each trade that was told, in order; `+3` if so many more were only counted. */
    shorts: () =>
      world.told.flatMap(({ userId, what }) => [
        ...what.largest.map(({ isBuy, quoteUnits }) => `${userId}: ${isBuy ? "buy" : "sell"} ${quoteUnits / MILLION}`),
        ...(what.more > 0 ? [`${userId}: +${what.more}`] : []),
      ]),
    start: async (): Promise<TradesProcess> => {
      const store = disk.open();
      const stopping = new AbortController();
      let isAlive = true;
      const ifAlive = () => (isAlive ? Promise.resolve() : new Promise<void>(() => undefined));
      const node = async <Answer>(answer: () => Answer): Promise<Answer> => {
        await ifAlive();
        if (world.isDown) throw new Fault("service-unreachable", { service: "node" });
        return answer();
      };
      const shared = { store, clock, log: silent };
      const deliver = async (userId: number, what: BigTradesTold): Promise<number> => {
        await ifAlive();
        const fault = world.telegramFault(userId);
        if (fault !== undefined) throw fault;
        world.told.push({ at: clock.now(), userId, what });
        await clock.sleep(20);
        await ifAlive();
        return 1;
      };
      const feed = talkingFeed(clock, { answers });
      const { outbox, pacer } = outboxTo({ ...shared, deliver, run: `run ${clock.monotonic()}` });
      outbox.use([bigTradesTopic({ clock })]);
      const read = (hash: string) =>
        node(() => {
          world.read.push(hash);
          return chain.get(hash);
        });
      const heard = createHeardTransactions({
        ...shared,
        feed: feed.feed,
        read,
        height: () => node(() => BigInt(height)),
      });
      const trades = createPairTrades(heard);
      const pools = { fresh: async () => createPoolGraph(pairs) };
      const bigTrades = await createBigTrades({ ...shared, feed: feed.feed, trades, pools, outbox });
      outbox.start();
      const running = Promise.all([feed.feed.run, ...bigTrades.loops].map((run) => run(stopping.signal)));
      const process: TradesProcess = {
        bigTrades,
        store,
        feed,
        waiting: outbox.waiting,
        hears: async (userId) => {
          const person = { chatId: userId, language: "en", timeZone: "UTC", presets: [], recentTokens: [] };
          await outbox.onUserReturned(userId, { ...person, restingSince: 1 });
        },
        stop: async () => {
          living.delete(process);
          stopping.abort();
          await running;
          await outbox.stop();
          pacer.stop();
        },
        kill: () => {
          living.delete(process);
          isAlive = false;
          store.kill();
          pacer.stop();
          stopping.abort();
          void outbox.stop();
        },
      };
      living.add(process);
      await clock.advance(0);
      await world.block();
      return process;
    },
  };
  return world;
}
