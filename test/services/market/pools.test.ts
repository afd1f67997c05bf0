import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/encoding/address.js";
import { Fault } from "../../../src/fault.js";
import type { ContractGateway } from "../../../src/services/chain/query-gateway.js";
import { poolFile, createPools } from "../../../src/services/market/pools.js";
import { type Pool } from "../../../src/services/market/pool.js";
import { poolAddress, poolOf } from "./pool-samples.js";
import { systemClock } from "../../../src/clock.js";
import { silent, testClock } from "../samples.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { poolsBetween } from "../../../src/services/market/route.js";

const routerContract = poolAddress(99);
const first = poolOf(0, ["KLV", 1_000n], ["KFI", 2_000n], { totalSupply: 50n, lpTokenId: "LPKLVKFI-3I0N" });
const second = poolOf(1, ["KLV", 3_000n], ["DVK-34ZH", 4_000n], { totalSupply: 60n });
const refused = new Fault("contract-failed", { text: "Not active" });
const missing = new Fault("view-missing", { text: "function not found" });
const notReady = new Fault("node-refused", { text: "executeQuery: node is not ready yet to process VM Queries" });
const unreachable = new Fault("service-unreachable", { service: "node" });

const garbage = { firstTokenId: "KLV", secondTokenId: "NONE-0000", address: undefined };

/** A node that reports these pools; a test may change `node`. */
function chainOf(...pools: Pool[]) {
  const node = {
    pools,
    fails: undefined as Fault | undefined,
    broken: new Set<Address>(),
    breaks: refused as Fault,
    /** Whether the router also lists a pair with the zero address. */
    listsGarbage: false,
    asked: [] as string[],
    burst: 0,
    mostAtOnce: 0,
  };
  const query = (async (target, name) => {
    node.asked.push(`${name} ${target.address}`);
    node.mostAtOnce = Math.max(node.mostAtOnce, ++node.burst);
    await Promise.resolve();
    node.burst--;
    if (node.fails !== undefined) throw node.fails;
    if (name === "getAllPairContractMetadata") {
      const listed = node.pools.map(({ address, first, second }) => ({
        address,
        firstTokenId: first,
        secondTokenId: second,
      }));
      return (node.listsGarbage ? [{ ...garbage }, ...listed] : listed) as never;
    }
    if (node.broken.has(target.address)) throw node.breaks;
    const pool = node.pools.find(({ address }) => address === target.address)!;
    const answers: Record<string, unknown> = {
      getReservesAndTotalSupply: [pool.reserveFirst, pool.reserveSecond, pool.totalSupply],
      getTotalFeePercent: [pool.feePercent],
      getState: [pool.state],
      getLpTokenIdentifier: [pool.lpTokenId ?? ""],
    };
    return answers[name] as never;
  }) as ContractGateway["query"];
  return { node, query };
}

/** @param patient whether no request to the node times out. */
function poolsOver(chain: ReturnType<typeof chainOf>, fallback?: readonly Pool[], patient = true, log = silent) {
  const clock = testClock();
  if (!patient) clock.timer = systemClock.timer;
  return { ...createPools({ gateway: chain, routerContract, fallback, clock, log }), clock, node: chain.node };
}

describe("pools from the node", () => {
  test("have their reserves reread with two views each, and those from a file none", async () => {
    const { fresh, rereadReserves, node } = poolsOver(chainOf(first, second));
    await fresh(0);
    node.asked.length = 0;
    node.pools = [{ ...first, reserveFirst: 1_100n }, second];
    expect((await rereadReserves([first.address])).poolAt(first.address)?.reserveFirst).toBe(1_100n);
    expect(node.asked).toEqual([`getReservesAndTotalSupply ${first.address}`, `getState ${first.address}`]);
    const chain = chainOf();
    chain.node.fails = missing;
    const fromFile = poolsOver(chain, [first]);
    await fromFile.fresh(0);
    await expect(fromFile.rereadReserves([first.address])).rejects.toMatchObject({ code: "pools-unknown" });
  });

  test("are read from the router's and the pairs' views", async () => {
    const { fresh, node } = poolsOver(chainOf(first, second));
    expect((await fresh(0)).pools()).toEqual([first, second]);
    expect(node.asked).toHaveLength(1 + 2 * 4);
    expect(node.asked[0]).toBe(`getAllPairContractMetadata ${routerContract}`);
  });

  test("are read again only if they are too old, and once for simultaneous requests", async () => {
    const { fresh, clock, node } = poolsOver(chainOf(first));
    await Promise.all([fresh(5_000), fresh(5_000), fresh(5_000)]);
    expect(node.asked).toHaveLength(5);
    clock.advance(5_000);
    await fresh(5_000);
    expect(node.asked).toHaveLength(5);
    clock.advance(1);
    node.pools = [{ ...first, reserveFirst: 7n }];
    expect((await fresh(5_000)).poolAt(first.address)?.reserveFirst).toBe(7n);
  });

  test("cost the node little: 300 are read a few at a time, constants once, and once for simultaneous requests", async () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      poolOf(index, ["KLV", 1_000n], ["KFI", 2_000n], { lpTokenId: "LP-1234" }),
    );
    const { fresh, reread, clock, node } = poolsOver(chainOf(...many));
    await fresh(0);
    expect(node.asked).toHaveLength(1 + 300 * 4);
    expect(node.mostAtOnce).toBeLessThanOrEqual(32);
    node.asked.length = 0;
    clock.advance(1);
    await fresh(0);
    expect(node.asked).toHaveLength(1 + 300 * 2);
    node.asked.length = 0;
    await Promise.all(Array.from({ length: 50 }, () => reread([many[0]!.address, many[1]!.address])));
    expect(node.asked).toHaveLength(2 * 4);
  });

  test("age with elapsed time, whatever the time of day", async () => {
    const { fresh, clock, node } = poolsOver(chainOf(first));
    await fresh(0);
    node.asked.length = 0;
    clock.step(-3_600_000);
    clock.advance(1_001);
    await fresh(1_000);
    expect(node.asked).not.toEqual([]);
  });

  test("that the router no longer lists are not traded with", async () => {
    const { fresh, clock, node } = poolsOver(chainOf(first, second));
    await fresh(0);
    node.pools = [second];
    clock.advance(1);
    const graph = await fresh(0);
    expect(poolsBetween(graph, "KLV", "KFI")).toEqual([]);
    expect(poolsBetween(graph, "KLV", "DVK-34ZH")).toHaveLength(1);
  });

  test("are used without one that can't be read, which is named", async () => {
    const { fresh, unread, clock, node } = poolsOver(chainOf(first, second));
    await fresh(0);
    expect(unread()).toEqual([]);
    node.broken.add(first.address);
    clock.advance(1);
    const graph = await fresh(0);
    expect(unread()).toEqual([{ address: first.address, first: "KLV", second: "KFI" }]);
    expect(poolsBetween(graph, "KLV", "KFI")).toEqual([]);
    expect(poolsBetween(graph, "KLV", "DVK-34ZH")).toHaveLength(1);
    node.broken.add(second.address);
    clock.advance(1);
    await expect(fresh(0)).rejects.toThrow(/pools-unknown/);
  });

  test("are not used without one that can't be read only now", async () => {
    const { fresh, clock, node } = poolsOver(chainOf(first, second));
    await fresh(0);
    node.broken.add(first.address);
    node.breaks = notReady;
    clock.advance(1);
    await expect(fresh(0)).rejects.toMatchObject({ code: "node-refused" });
  });

  test("with the zero address are left out and logged", async () => {
    const told: string[] = [];
    const chain = chainOf(first);
    chain.node.listsGarbage = true;
    const { fresh } = poolsOver(
      chain,
      undefined,
      true,
      pino({ level: "warn" }, { write: (line) => void told.push(line) }),
    );
    expect((await fresh(0)).pools()).toEqual([first]);
    expect(told).toEqual([expect.stringMatching(/NONE-0000.*zero address/)]);
  });

  test("are checked with the router again before a call, and pass if it doesn't answer", async () => {
    const { areListed, fresh, node } = poolsOver(chainOf(first, second));
    await fresh(0);
    expect(await areListed([first.address, second.address])).toBe(true);
    node.pools = [second];
    expect(await areListed([first.address, second.address])).toBe(false);
    node.fails = unreachable;
    expect(await areListed([first.address])).toBe(true);
  });

  test("are not offered if the node lacks the views, which only a missing view proves", async () => {
    for (const [fault, areOffered] of [
      [missing, false],
      [refused, true],
      [notReady, true],
      [new Fault("answer-unreadable", { reason: "something else" }), true],
      [new Fault("service-status", { service: "node", status: 404 }), true],
      [new Fault("service-status", { service: "node", status: 503 }), true],
      [unreachable, true],
    ] as const) {
      const { known, fresh, areOffered: offered, node } = poolsOver(chainOf(first));
      node.fails = fault;
      expect(offered()).toBe(true);
      expect(await known(0)).toBeUndefined();
      expect(offered()).toBe(areOffered);
      // What was proven holds while the node can't be asked.
      node.fails = notReady;
      await expect(fresh(0)).rejects.toMatchObject({ code: "node-refused" });
      expect(offered()).toBe(areOffered);
    }
    // A node that once answered the views has them.
    const { fresh, areOffered, node } = poolsOver(chainOf(first));
    await fresh(0);
    node.fails = missing;
    await expect(fresh(-1)).rejects.toMatchObject({ code: "pools-unknown" });
    expect(areOffered()).toBe(true);
  });

  test("can be read again one by one", async () => {
    const { fresh, reread, node } = poolsOver(chainOf(first, second));
    await fresh(0);
    node.asked.length = 0;
    node.pools = [
      { ...first, reserveFirst: 7n },
      { ...second, reserveFirst: 7n },
    ];
    const graph = await reread([first.address, poolAddress(50)]);
    expect(graph.poolAt(first.address)?.reserveFirst).toBe(7n);
    expect(graph.poolAt(second.address)?.reserveFirst).toBe(3_000n);
    expect(node.asked).toHaveLength(4);
    node.fails = unreachable;
    await expect(reread([first.address])).rejects.toThrow(/service-unreachable/);
  });

  test("are known without a request while they are young enough, and read again after that", async () => {
    const { known, clock, node } = poolsOver(chainOf(first));
    expect((await known(1_000))?.pools()).toEqual([first]);
    expect(node.asked).toHaveLength(5);
    clock.advance(1_000);
    expect((await known(1_000))?.pools()).toEqual([first]);
    expect(node.asked).toHaveLength(5);
    clock.advance(1);
    node.pools = [{ ...first, reserveFirst: 7n }];
    expect((await known(1_000))?.poolAt(first.address)?.reserveFirst).toBe(7n);
  });

  test("are left out if they take too long", async () => {
    const chain = chainOf(first);
    const { known } = poolsOver({ ...chain, query: () => new Promise(() => {}) }, undefined, false);
    expect(await known(1_000)).toBeUndefined();
  });

  test("are not requested for five seconds after a failed read in the background", async () => {
    const { known, clock, node } = poolsOver(chainOf(first));
    node.fails = unreachable;
    expect(await known(0)).toBeUndefined();
    expect(node.asked).toHaveLength(1);
    node.fails = undefined;
    clock.advance(4_999);
    expect(await known(0)).toBeUndefined();
    expect(node.asked).toHaveLength(1);
    clock.advance(1);
    expect((await known(0))?.pools()).toEqual([first]);
  });
});

describe("a file of pools", () => {
  const stale = { ...first, reserveFirst: 1n };

  test("is used if the node has no views", async () => {
    const { fresh, reread, node } = poolsOver(chainOf(first), [stale]);
    node.fails = refused;
    expect((await fresh(0)).pools()).toEqual([stale]);
    expect((await reread([first.address])).pools()).toEqual([stale]);
  });

  test("is needed if the node has no views", async () => {
    const { fresh, node } = poolsOver(chainOf(first));
    node.fails = refused;
    await expect(fresh(0)).rejects.toMatchObject({ code: "pools-unknown", cause: refused });
  });

  test("never replaces what the node reported", async () => {
    const { fresh, clock, node } = poolsOver(chainOf(first), [stale]);
    await fresh(0);
    node.fails = unreachable;
    clock.advance(1);
    await expect(fresh(0)).rejects.toThrow(/service-unreachable/);
    expect((await fresh(1_000)).poolAt(first.address)).toEqual(first);
  });

  async function file(content: string): Promise<string> {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "pools.json"), content);
    return join(folder, "pools.json");
  }
  const entry = { address: first.address, first: "KLV", second: "KFI", reserveFirst: "1000", reserveSecond: "2000" };

  test("is read with its defaults", async () => {
    expect(await poolFile(await file(JSON.stringify([entry]))).read()).toEqual([
      {
        address: first.address,
        first: "KLV",
        second: "KFI",
        reserveFirst: 1_000n,
        reserveSecond: 2_000n,
        feePercent: 300n,
        state: "Active",
      },
    ]);
  });

  test.each([
    ["no JSON", "{"],
    ["no list", "{}"],
    ["a reserve as a number", JSON.stringify([{ ...entry, reserveFirst: 1000 }])],
    ["a reserve with decimals", JSON.stringify([{ ...entry, reserveFirst: "1.5" }])],
    ["no token id", JSON.stringify([{ ...entry, first: "nope!" }])],
    ["a fee of everything", JSON.stringify([{ ...entry, feePercent: 100_000 }])],
    [
      "a user's address",
      JSON.stringify([{ ...entry, address: "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy" }]),
    ],
  ])("with %s is refused", async (_, content) => {
    await expect(poolFile(await file(content)).read()).rejects.toMatchObject({ code: "pools-file-invalid" });
  });

  test("that changes replaces the first, and drops the pools that left it", async () => {
    const { fresh, replaceFallback, node, clock } = poolsOver(chainOf(), [first]);
    node.fails = unreachable;
    expect((await fresh(0)).poolAt(first.address)).toMatchObject({ state: "Active" });
    replaceFallback([second]);
    clock.advance(1);
    const graph = await fresh(0);
    expect(graph.poolAt(first.address)).toMatchObject({ state: "Inactive" });
    expect(graph.poolAt(second.address)).toMatchObject({ state: "Active" });
  });

  test("that is missing is refused with its name", async () => {
    await expect(poolFile("/nowhere/pools.json").read()).rejects.toMatchObject({
      parameters: { reason: expect.stringContaining("/nowhere/pools.json") as string },
    });
  });
});
