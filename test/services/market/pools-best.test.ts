import { pino } from "pino";
import { expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { bestOfPools, type Pools } from "../../../src/services/market/pools.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { poolOf } from "./pool-samples.js";
import { kfi, klv } from "../samples.js";

const direct = poolOf(0, ["KLV", 10n ** 12n], ["KFI", 10n ** 12n]);
const other = poolOf(1, ["KLV", 10n ** 12n], ["KFI", 9n * 10n ** 11n]);

function over(pools: Partial<Pools>) {
  const clock = createVirtualClock();
  const graph = createPoolGraph([direct, other]);
  const known = { areOffered: () => true, known: async () => graph, reread: async () => graph, ...pools };
  const log = pino({ level: "silent" });
  return { clock, graph, best: bestOfPools({ pools: known, clock, log }, amountOf(klv, 1_000_000n), kfi) };
}

test("the best route is found with pools that were read for it", async () => {
  const reread: string[][] = [];
  const graph = createPoolGraph([direct, other]);
  const { best } = over({
    known: async () => graph,
    reread: async (addresses) => {
      reread.push([...addresses]);
      if (addresses.includes(direct.address)) graph.update({ ...direct, reserveSecond: 4n * 10n ** 11n });
      return graph;
    },
  });
  expect(await best).toMatchObject({ best: { hops: [{ pool: { address: other.address } }] } });
  expect(reread).toEqual([[direct.address], [other.address]]);
});

test.each<[string, Partial<Pools>]>([
  ["no pools are known", { known: async () => undefined }],
  ["no pool leads there", { known: async () => createPoolGraph([]) }],
  ["they can't be read again", { reread: () => Promise.reject(new Fault("pools-unknown", {})) }],
])("nothing is compared if %s", async (_, pools) => {
  expect(await over(pools).best).toBeUndefined();
});

test("a node that offers no pools is told apart from one whose pools are unavailable now", async () => {
  expect(await over({ known: async () => undefined, areOffered: () => false }).best).toBe("not-offered");
});

test("pools are awaited for at most a second and a half", async () => {
  const { clock, best } = over({ reread: () => new Promise(() => undefined) });
  let found: unknown = "waiting";
  void best.then((route) => (found = route));
  await clock.advance(1499);
  expect(found).toBe("waiting");
  await clock.advance(1);
  expect(await best).toBeUndefined();
});
