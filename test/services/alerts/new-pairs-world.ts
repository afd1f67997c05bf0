import type { Clock } from "../../../src/clock.js";
import type { Address } from "../../../src/encoding/address.js";
import { Fault } from "../../../src/fault.js";
import { createNewPairs, type NewPairs } from "../../../src/services/alerts/new-pairs.js";
import { type NewPair, newPairKind } from "../../../src/services/alerts/pair-readings.js";
import { newsTopic, type ToldNews } from "../../../src/services/alerts/news.js";
import type { ContractGateway } from "../../../src/services/chain/query-gateway.js";
import { canSwap, type Pool } from "../../../src/services/market/pool.js";
import { createPools } from "../../../src/services/market/pools.js";
import { createPrices } from "../../../src/services/market/price-history.js";
import { pairPrice } from "../../../src/services/market/price-tree.js";
import { createPoolGraph, type PoolGraph } from "../../../src/services/market/route.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { poolAddress, poolOf } from "../market/pool-samples.js";
import { type ChatProcess, createChats } from "./chats.js";

export const NOW = 1_700_000_000_000;
export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const KLV = 10n ** 6n;

export interface PairsProcess extends ChatProcess {
  readonly newPairs: NewPairs;
}

/**
 * A router with pairs, a node that may fail, chats and a disk, which outlive the processes.
 * @param isSwift whether pools are read at once, instead of view by view, and prices are noted once an hour.
 * @param isPatient whether loops look every two minutes for wakes that were lost, instead of twice a minute, which takes
 * most of a year. Nothing here loses one; yet after a start, the pairs are read up to two minutes late.
 */
export function createPairsWorld({ isSwift = false, isPatient = false } = {}) {
  const clock = createVirtualClock(NOW);
  const timer: Clock["timer"] = (milliseconds, wake) =>
    clock.timer(isPatient && milliseconds === MINUTE / 2 ? 2 * MINUTE : milliseconds, wake);
  const pairs = new Map<Address, Pool>();
  let pricedHour = 0;
  const chats = createChats(clock, ({ named, more }: ToldNews<NewPair>) => ({
    pairs: named.map((pair) => ({ ...pair.what, depth: pair.units })),
    more,
  }));
  const world = Object.assign(chats, {
    pairs,
    /** Whether the node answers at all. */
    isDown: false,
    /** Pairs that the node leaves out, and those that it lists and can't read. */
    hidden: new Set<Address>(),
    broken: new Set<Address>(),
    /** When the router was asked for its pairs. */
    lists: [] as number[],
    /** Opens pair `number`, or changes it: so many whole KLV on one side. */
    open: (number: number, depth: number, changes: Partial<Pool> = {}): Pool => {
      const id = `NEW-${String(1000 + number)}`;
      const pool = poolOf(number, ["KLV", BigInt(depth) * KLV], [id, 5_000_000n], { totalSupply: 1n, ...changes });
      pairs.set(pool.address, pool);
      return pool;
    },
    /** `1001: NEW-1001` for each pair that was told, in order; `+3` if so many more were only counted. */
    shorts: () =>
      world.told.flatMap(({ userId, what }) => [
        ...what.pairs.map(({ first, second }) => `${userId}: ${first === "KLV" ? second : first}`),
        ...(what.more > 0 ? [`${userId}: +${what.more}`] : []),
      ]),
    start: (): PairsProcess => {
      const { shared: own, ifAlive, run } = chats.begin(newsTopic({ clock }, newPairKind));
      const query = (async ({ address }, name) => {
        await ifAlive();
        if (world.isDown) throw unavailable();
        const listed = [...pairs.values()].filter((pool) => !world.hidden.has(pool.address));
        if (name === "getAllPairContractMetadata") {
          world.lists.push(clock.now());
          return listed.map((pool) => ({
            address: pool.address,
            firstTokenId: pool.first,
            secondTokenId: pool.second,
          })) as never;
        }
        if (world.broken.has(address)) throw new Fault("contract-failed", { text: "no" });
        const pool = pairs.get(address)!;
        const answers: Record<string, unknown> = {
          getReservesAndTotalSupply: [pool.reserveFirst, pool.reserveSecond, pool.totalSupply],
          getTotalFeePercent: [pool.feePercent],
          getState: [pool.state],
          getLpTokenIdentifier: [pool.lpTokenId ?? ""],
        };
        return answers[name] as never;
      }) as ContractGateway["query"];
      const shared = { ...own, clock: { ...clock, timer } };
      const prices = createPrices(shared);
      const unavailable = () => new Fault("service-unreachable", { service: "node" });
      const swift = {
        fresh: async () => {
          await ifAlive();
          if (world.isDown) throw unavailable();
          world.lists.push(clock.now());
          const graph = createPoolGraph([...pairs.values()].filter((pool) => !world.hidden.has(pool.address)));
          const hour = Math.floor(clock.now() / HOUR);
          if (hour !== pricedHour) prices.note(pricesIn(graph), false);
          pricedHour = hour;
          return graph;
        },
        unread: () => [],
      };
      const read = createPools({
        ...shared,
        gateway: { query },
        routerContract: poolAddress(9_999),
        fallback: undefined,
      });
      const newPairs = createNewPairs({ ...shared, pools: isSwift ? swift : read });
      return { ...run(newPairs.loops), newPairs };
    },
  });
  return world;
}

const pricesIn = (graph: PoolGraph) =>
  graph.pools().flatMap((pool) => (canSwap(pool) ? (pairPrice(graph, pool.first, pool.second) ?? []) : []));

/** In base units. */
export const klvUnits = (whole: number) => BigInt(whole) * KLV;
