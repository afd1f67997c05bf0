import { describe, expect, it, onTestFinished } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { amountOut, type Pool, sideOf } from "../../../src/services/market/pool.js";
import { watch } from "../../../src/services/price-watches/price-watch-queries.js";
import { createPriceWatches } from "../../../src/services/price-watches/price-watches.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { poolOf } from "../market/pool-samples.js";
import { kfi, klv, silent } from "../samples.js";

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const TEN_KFI = amountOf(kfi, 10_000_000n);

/** A watch of 10 KFI in KLV, with a pool between them and a feed that tells of it, unless a test changes that. */
async function createWorld({ service = 1_000n, hasPools = true, isReadable = true } = {}) {
  const clock = createVirtualClock(NOW);
  const store = createMemoryDisk().open();
  const looks = new Map<string, () => Promise<boolean>>();
  const lost: (() => void)[] = [];
  const first = poolOf(0, ["KLV", 100_000_000_000_000n], ["KFI", 1_000_000_000_000n]);
  const chain = {
    pool: first,
    reads: 0,
    fault: isReadable ? undefined : new Fault("service-unreachable", { service: "node" }),
    covers: true,
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
    watched: () => [...looks.keys()],
    price: () => (outOf(chain.pool) * world.service) / 1_000n,
    /** Trades until the price has changed by so many percent. */
    moves: (percent: number) => {
      const { pool } = chain;
      chain.pool = { ...pool, reserveFirst: (pool.reserveFirst * BigInt(100 + percent)) / 100n };
    },
    /** The feed tells of the pair. Resolves with what the look found. */
    touch: () => Promise.all([...looks.values()].map((look) => look())),
    lose: () => {
      chain.covers = false;
      for (const listener of lost) listener();
    },
  };
  const readReserves = async () => {
    chain.reads += 1;
    if (chain.fault !== undefined) throw chain.fault;
    if (hasPools) graph.update(chain.pool);
    return graph;
  };
  const watches = createPriceWatches({
    ...{ store, clock, log: silent, requestsPerSecond: 2, everySeconds: 15 },
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
    feed: {
      covers: () => chain.covers,
      onLost: (listener) => void lost.push(listener),
      watch: (address, look) => {
        looks.set(address, look);
        return () => void looks.delete(address);
      },
    },
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

describe("a watched price whose pools the feed tells of", () => {
  it("is asked for when the reserves reach its line, and told of at once", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    expect(world.watched()).toHaveLength(1);
    world.moves(6);
    const before = world.asked;
    await Promise.all([world.touch(), world.clock.advance(1_000)]);
    expect(world.asked).toBe(before + 1);
    expect(world.told).toEqual([world.price()]);
  });

  it("is asked for every five minutes however often the pools move away from the line", async () => {
    const world = await createWorld();
    const before = world.asked;
    for (let minute = 0; minute < 60; minute += 1) {
      world.moves(minute % 2 === 0 ? 3 : -3);
      await Promise.all([world.touch(), world.clock.advance(HOUR / 60)]);
    }
    expect(world.asked - before).toBeLessThanOrEqual(13);
    expect(world.asked - before).toBeGreaterThanOrEqual(11);
    expect(world.told).toEqual([]);
  });

  it("is found at the slow pace if the feed loses what moved it", async () => {
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
    await Promise.all([world.touch(), world.clock.advance(1_000)]);
    expect(world.asked).toBe(before + 1);
    expect(world.told).toEqual([]);
    // From then on it is polled, since the two differ.
    await world.clock.advance(61_000);
    expect(world.asked - before).toBeGreaterThanOrEqual(5);
  });

  it("costs one read of the pair and no request to the service if the feed tells of nothing", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    const { asked, chain } = { ...world };
    const { reads } = chain;
    for (let time = 0; time < 10; time += 1)
      expect((await Promise.all([world.touch(), world.clock.advance(1_000)]))[0]).toEqual([false]);
    expect(chain.reads - reads).toBe(10);
    expect(world.asked).toBe(asked);
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

  it("once the feed tells of nothing, within fifteen seconds", async () => {
    const world = await createWorld();
    await world.clock.advance(30_000);
    expect(await polls(world)).toBeLessThanOrEqual(1);
    world.lose();
    expect(await polls(world)).toBeGreaterThanOrEqual(9);
  });

  it("if its pools can't be read", async () => {
    expect(await polls(await createWorld({ isReadable: false }))).toBeGreaterThanOrEqual(9);
  });
});
