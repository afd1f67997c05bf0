import { describe, expect, it, onTestFinished } from "vitest";
import { addressToBytes } from "../../../src/encoding/address.js";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { createBlocks } from "../../../src/services/chain/blocks.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { amountOut, type Pool, sideOf } from "../../../src/services/market/pool.js";
import { watch } from "../../../src/services/price-watches/price-watch-queries.js";
import type { BlocksOfPairs } from "../../../src/services/price-watches/price-reserves.js";
import { createPriceWatches } from "../../../src/services/price-watches/price-watches.js";
import type { StoreBasics } from "../../../src/store/store.js";
import { behindByTurns, createChainOfBlocks, movedTo, SLOT } from "../../support/chain-of-blocks.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { toldBlocks } from "../../support/told-blocks.js";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.js";
import { poolOf } from "../market/pool-samples.js";
import { kfi, klv, silent } from "../samples.js";

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const TEN_KFI = amountOf(kfi, 10_000_000n);

/** A watch of 10 KFI in KLV, with a pool between them and blocks that tell of it, unless a test changes that. */
async function createWorld({
  service = 1_000n,
  hasPools = true,
  isReadable = true,
  reader,
}: {
  readonly service?: bigint;
  readonly hasPools?: boolean;
  readonly isReadable?: boolean;
  readonly reader?: (basics: StoreBasics & { readonly clock: VirtualClock }) => BlocksOfPairs;
} = {}) {
  const clock = createVirtualClock(NOW);
  const store = createMemoryDisk().open();
  const told = toldBlocks();
  const first = poolOf(0, ["KLV", 100_000_000_000_000n], ["KFI", 1_000_000_000_000n]);
  const chain = {
    pool: first,
    reads: 0,
    fault: isReadable ? undefined : new Fault("service-unreachable", { service: "node" }),
  };
  const graph = createPoolGraph(hasPools ? [first] : []);
  const outOf = (pool: Pool) => amountOut(sideOf(pool, "KFI"), TEN_KFI.units);
  const world = {
    clock,
    store,
    chain,
    told: [] as bigint[],
    asked: 0,
    /** The service's answers are the reserves' in parts of a thousand. */
    service,
    blocks: told,
    price: () => (outOf(chain.pool) * world.service) / 1_000n,
    /** What a node says of the pool. */
    shown: () => chain.pool,
    /** Trades until the price has changed by so many percent. */
    moves: (percent: number) => {
      const { pool } = chain;
      chain.pool = { ...pool, reserveFirst: (pool.reserveFirst * BigInt(100 + percent)) / 100n };
    },
    /** A block moves something in the pair. */
    touch: () => told.next([first.address]),
  };
  const readReserves = async () => {
    chain.reads += 1;
    if (chain.fault !== undefined) throw chain.fault;
    if (hasPools) graph.update(world.shown());
    return graph;
  };
  const watches = createPriceWatches({
    ...{ store, clock, log: silent, pace: { requestsPerSecond: 2, everySeconds: 15 } },
    polled: {
      quote: async (_, out) => {
        world.asked += 1;
        return amountOf(out, world.price());
      },
    },
    tokens: { byId: (id) => [klv, kfi].find((token) => token.id === id) },
    prices: { noteQuote: () => true },
    noteError: () => undefined,
    pools: { known: async () => graph, rereadReserves: readReserves },
    blocks: reader?.({ store, clock, log: silent }) ?? told.blocks,
  });
  watches.subscribe({
    kind: "alert",
    onCrossed: async (_tx, _watch, { units }) => void world.told.push(units),
    onUnlisted: async () => undefined,
    wake: () => undefined,
  });
  const anchor = world.price();
  const rule = { way: "least", units: (anchor * 105n) / 100n } as const;
  const wanted = { kind: "alert", subject: "s1", userId: 1, amount: TEN_KFI, out: klv, rule, anchor };
  await store.write((tx) => watch(tx, wanted, NOW));
  const stopping = new AbortController();
  void watches.run(stopping.signal);
  onTestFinished(() => stopping.abort());
  await clock.advance(16_000);
  return world;
}

describe("a watched price whose pools blocks tell of", () => {
  it("is asked for when the reserves reach its line, and told of at once", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    expect(world.blocks.isWanted()).toBe(true);
    world.moves(6);
    const before = world.asked;
    world.touch();
    await world.clock.advance(1_000);
    expect(world.asked).toBe(before + 1);
    expect(world.told).toEqual([world.price()]);
  });

  it("is asked for every five minutes however often the pools move away from the line", async () => {
    const world = await createWorld();
    const before = world.asked;
    for (let minute = 0; minute < 60; minute += 1) {
      world.moves(minute % 2 === 0 ? 3 : -3);
      world.touch();
      await world.clock.advance(HOUR / 60);
    }
    expect(world.asked - before).toBeLessThanOrEqual(13);
    expect(world.asked - before).toBeGreaterThanOrEqual(11);
    expect(world.told).toEqual([]);
  });

  it("is found at the slow pace if blocks don't tell what moved it", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    world.moves(6);
    await world.clock.advance(301_000);
    expect(world.told).toHaveLength(1);
  });

  it("isn't told of if the service answers otherwise than the reserves imply", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    world.moves(6);
    world.service = 950n;
    const before = world.asked;
    world.touch();
    await world.clock.advance(1_000);
    expect(world.asked).toBe(before + 1);
    expect(world.told).toEqual([]);
    // From then on it is polled, since the two differ.
    await world.clock.advance(61_000);
    expect(world.asked - before).toBeGreaterThanOrEqual(5);
  });

  it("costs four reads of the pair and no request to the service for a block that moves nothing", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    const { asked, chain } = { ...world };
    const { reads } = chain;
    world.touch();
    await world.clock.advance(1_000);
    for (let blocks = 0; blocks < 10; blocks += 1) {
      world.blocks.next();
      await world.clock.advance(1_000);
    }
    expect(chain.reads - reads).toBe(4);
    expect(world.asked).toBe(asked);
  });

  it.each([1, 2, 3])("is asked for in time if the node is %i blocks behind", async (behind) => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    world.touch();
    for (let blocks = 0; blocks < behind; blocks += 1) {
      await world.clock.advance(4_000);
      if (blocks === behind - 1) world.moves(6);
      world.blocks.next();
    }
    await world.clock.advance(1_000);
    expect(world.told).toEqual([world.price()]);
  });

  it.each([1, 2, 3])("is asked for again if the service is %i blocks behind the node", async (behind) => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    const [price, before] = [world.price, world.price()];
    world.moves(6);
    world.price = () => before;
    world.touch();
    for (let blocks = 0; blocks < behind; blocks += 1) {
      await world.clock.advance(4_000);
      expect(world.told).toEqual([]);
      if (blocks === behind - 1) world.price = price;
      world.blocks.next();
    }
    await world.clock.advance(1_000);
    expect(world.told).toEqual([price()]);
  });

  it.each(Object.entries(behindByTurns))(
    "is told of in fifteen seconds if %s a node answers that is behind",
    async (_, by) => {
      const isBehind = by();
      const made = { chain: undefined as ReturnType<typeof createChainOfBlocks> | undefined };
      const world = await createWorld({
        reader: (basics) => {
          made.chain = createChainOfBlocks(basics.clock);
          made.chain.lag = () => (isBehind() ? 2 : 0);
          const blocks = createBlocks({ ...made.chain.node, ...basics });
          const stopping = new AbortController();
          void blocks.run(stopping.signal);
          onTestFinished(() => stopping.abort());
          return blocks;
        },
      });
      const chain = made.chain!;
      await chain.slots(20);
      const before = world.chain.pool;
      await world.clock.advance(SLOT);
      world.moves(6);
      chain.add([movedTo(Buffer.from(addressToBytes(before.address)).toString("base64"))]);
      const at = world.clock.now();
      world.shown = () => (world.clock.now() < at + 2 * SLOT && isBehind() ? before : world.chain.pool);
      await world.clock.advance(0);
      await chain.slots(3);
      await world.clock.advance(3_000);
      expect(world.told).toEqual([world.price()]);
    },
  );

  it("is looked at again if another block moves it while it is looked at", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    world.moves(3);
    world.touch();
    world.touch();
    await world.clock.advance(1_000);
    world.moves(3);
    world.blocks.next();
    await world.clock.advance(1_000);
    expect(world.told).toEqual([world.price()]);
  });

  it("isn't waited for any longer once nobody asks for it", async () => {
    const world = await createWorld();
    await world.store.write((tx) => tx.deleteFrom("price_watches").execute());
    await world.clock.advance(HOUR);
    expect(world.blocks.isWanted()).toBe(false);
  });
});

describe("a watched price is polled as ever", () => {
  const polls = async (world: Awaited<ReturnType<typeof createWorld>>) => {
    const before = world.asked;
    await world.clock.advance(150_000);
    return world.asked - before;
  };

  it("without pools", async () => {
    expect(await polls(await createWorld({ hasPools: false }))).toBeGreaterThanOrEqual(9);
  });

  it("if the service differs from the reserves by more than one percent", async () => {
    expect(await polls(await createWorld({ service: 985n }))).toBeGreaterThanOrEqual(9);
    expect(await polls(await createWorld({ service: 995n }))).toBeLessThanOrEqual(1);
  });

  it("once blocks aren't read as they come, within fifteen seconds", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    expect(await polls(world)).toBeLessThanOrEqual(1);
    world.blocks.lose();
    expect(await polls(world)).toBeGreaterThanOrEqual(9);
  });

  it("while the node leaves transactions out of its blocks", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    world.blocks.next([], { isWhole: false });
    expect(await polls(world)).toBeGreaterThanOrEqual(9);
    world.blocks.next();
    expect(await polls(world)).toBeLessThanOrEqual(2);
  });

  it("if its pools can't be read", async () => {
    expect(await polls(await createWorld({ isReadable: false }))).toBeGreaterThanOrEqual(9);
  });
});
