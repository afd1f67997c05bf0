import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { createTokenMarket } from "../../../src/services/history/token-market.js";
import type { Pool } from "../../../src/services/market/pool.js";
import { notePrice } from "../../../src/services/market/price-history.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import type { Reader } from "../../../src/store/store.js";
import { temporaryStore } from "../../support/engine.js";
import { assertNoScans } from "../../support/plans.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { testLog } from "../../bot/receive/updates.js";
import { poolAddress, poolOf } from "../market/pool-samples.js";
import { dvk, kfi, klv, referralContract } from "../samples.js";

const [MINUTE, HOUR] = [60_000, 3_600_000];
const DAY = 24 * HOUR;
const supply = { lpTokenId: "LP-0000", totalSupply: 10_001n };
const deep = poolOf(0, ["KLV", 200_000_000_000n], ["KFI", 2_000_000_000n], supply);

async function arrange(pools: readonly Pool[] | "away" = [deep], locked: bigint | "away" = 0n) {
  const clock = createVirtualClock(Date.UTC(2026, 10, 23, 12, 34));
  const store = await temporaryStore();
  const asked: string[] = [];
  const parts: Omit<Parameters<typeof createTokenMarket>[0], "store"> = {
    pools: {
      fresh: async () => {
        if (pools === "away") throw new Fault("pools-unknown", {});
        return createPoolGraph(pools);
      },
    },
    balances: {
      known: async (address, assets) => {
        asked.push(`${address === referralContract ? "lock contract" : address}: ${assets.join()}`);
        return locked === "away" ? undefined : { [assets[0] ?? ""]: locked };
      },
    },
    lock: { target: { contract: "simpleLock", address: referralContract } },
    clock,
    log: testLog().log,
  };
  const market = createTokenMarket({ ...parts, store });
  const now = clock.now();
  return {
    asked,
    now,
    store,
    kfi: () => market(kfi, klv),
    /** A reading of the router's pairs found a pool newly open at this time; 0: it was open before. */
    opens: ({ address, first, second }: Pool, at: number) =>
      store.write((tx) => {
        const row = { address, first, second, opened: at === 0 ? 0 : 9, opened_at: at, peak: "0".repeat(40) };
        return tx.insertInto("pairs_seen").values(row).execute();
      }),
    of: market,
    over: (db: Reader) => createTokenMarket({ ...parts, store: { db } })(kfi, klv),
    /** Notes a price of 1 KFI in KLV. */
    sees: (klvPerKfi: bigint, ago: number, [first, second]: readonly [string, string] = ["KFI", "KLV"]) =>
      store.write((tx) =>
        notePrice(
          tx,
          { tokenIn: first, unitsIn: 1_000n, tokenOut: second, unitsOut: klvPerKfi * 1_000n },
          { isAsked: false },
          now - ago,
        ),
      ),
  };
}

describe("the change of a price", () => {
  it("is from the last price seen a day and a week ago, to the basis point, rounded down", async () => {
    const desk = await arrange();
    await desk.sees(125n, 7 * DAY + HOUR);
    await desk.sees(96n, DAY + HOUR);
    await desk.sees(500n, HOUR);
    // 100 / 96 = 1.041666…; 100 / 125 = 0.8.
    expect((await desk.kfi()).changes).toEqual({ day: 416n, week: -2_000n });
    // And the other way round: 96 / 100, 125 / 100.
    expect((await desk.of(klv, kfi)).changes).toEqual({ day: -400n, week: 2_500n });
  });

  it.each([
    ["nothing was seen", [], {}],
    ["only today", [2 * HOUR, 22 * HOUR], {}],
    ["long before a day ago, and not since", [DAY + 5 * HOUR], {}],
    ["a little before a day ago", [DAY + 2 * HOUR], { day: 0n }],
    ["a week ago, with a gap since", [7 * DAY + 3 * HOUR], { week: 0n }],
    ["a day before a week ago", [8 * DAY], {}],
  ] as const)("is absent where the history has none: %s", async (_name, seen, changes) => {
    const desk = await arrange();
    for (const ago of seen.toReversed()) await desk.sees(100n, ago);
    expect((await desk.kfi()).changes).toEqual({ day: undefined, week: undefined, ...changes });
  });

  it("is absent if a row can't be read, and the rest is there", async () => {
    const desk = await arrange();
    await desk.sees(100n, DAY + HOUR);
    await desk.store.write((tx) => tx.updateTable("prices").set({ units_first: "x" }).execute());
    expect(await desk.kfi()).toMatchObject({
      changes: { day: undefined },
      firstSeen: undefined,
      pool: deep,
      locked: { isNone: true },
    });
  });
});

describe("a pair", () => {
  it("was seen since its first price: by the hour for two weeks, then by the day", async () => {
    const desk = await arrange();
    expect((await desk.kfi()).firstSeen).toBeUndefined();
    await desk.sees(100n, 3 * DAY);
    await desk.sees(100n, HOUR);
    const at = desk.now - 3 * DAY;
    expect((await desk.kfi()).firstSeen).toEqual({ at: at - (at % HOUR), isOpening: false });
    const older = await arrange();
    await older.sees(100n, 40 * DAY);
    await older.sees(100n, DAY);
    const dayOf = older.now - 40 * DAY - ((older.now - 40 * DAY) % DAY);
    expect((await older.kfi()).firstSeen).toEqual({ at: dayOf, isOpening: false });
  });

  it.each([
    ["no price was seen", [], true],
    ["its first price was seen later", [2 * DAY], true],
    ["its first price was seen within the same hour", [3 * DAY + 20 * MINUTE], true],
    ["prices were seen before, as it was closed for a while", [3 * DAY + 2 * HOUR], false],
    ["prices were seen weeks before", [40 * DAY], false],
  ] as const)("was first seen when a reading found it newly open, if %s", async (_name, prices, isOpening) => {
    const desk = await arrange();
    for (const ago of prices) await desk.sees(100n, ago);
    const opened = desk.now - 3 * DAY;
    await desk.opens(deep, opened);
    const { firstSeen } = await desk.kfi();
    expect(firstSeen?.isOpening).toBe(isOpening);
    if (isOpening) expect(firstSeen?.at).toBe(opened);
    else expect(firstSeen?.at).toBeLessThan(opened - HOUR);
  });

  it("that was open when readings began has no opening, nor has one of the same tokens", async () => {
    const desk = await arrange();
    await desk.opens(deep, 0);
    await desk.opens(poolOf(7, ["KLV", 5n], ["KFI", 5n]), desk.now - DAY);
    expect((await desk.kfi()).firstSeen).toBeUndefined();
    await desk.sees(100n, HOUR);
    expect((await desk.kfi()).firstSeen?.isOpening).toBe(false);
  });

  it("is that of the deepest pool towards the other token, however the token gets there", async () => {
    const far = poolOf(1, ["DVK-34ZH", 9_000_000_000n], ["KFI", 500_000_000n]);
    const shallow = poolOf(2, ["DVK-34ZH", 9n], ["KFI", 5n]);
    const desk = await arrange([deep, shallow, far]);
    await desk.sees(2n, 5 * HOUR, ["DVK-34ZH", "KFI"]);
    expect(await desk.of(dvk, klv)).toMatchObject({
      pool: far,
      firstSeen: { at: expect.any(Number) as number, isOpening: false },
      locked: undefined,
    });
  });

  it("has the share of its LP tokens that lies in the lock contract, rounded down", async () => {
    for (const [units, bps] of [
      [0n, 0n],
      [1n, 0n],
      [1_234n, 1_233n],
      [10_001n, 10_000n],
    ] as const) {
      const desk = await arrange([deep], units);
      expect((await desk.kfi()).locked).toEqual({ isNone: units === 0n, bps });
      expect(desk.asked).toEqual(["lock contract: LP-0000"]);
    }
  });

  it("has an unknown share if balances, the LP token or its supply can't be read, or don't fit together", async () => {
    const unissued = poolOf(0, ["KLV", 200_000_000_000n], ["KFI", 2_000_000_000n]);
    for (const desk of [
      await arrange([deep], "away"),
      await arrange([unissued]),
      await arrange([{ ...deep, totalSupply: 0n }]),
      await arrange([deep], 10_002n),
    ]) {
      expect(await desk.kfi()).toMatchObject({ pool: { first: "KLV" }, locked: undefined });
    }
  });
});

it("is found without reading a whole table", async () => {
  const desk = await arrange();
  await assertNoScans(
    (data) => {
      const seen = data.prepare("INSERT INTO pairs_seen VALUES (?, 'KLV', 'KFI', 1, 1, '')");
      const price = data.prepare("INSERT INTO prices VALUES ('KFI', ?, 'day', 1, '1', '1')");
      for (let number = 1; number <= 2_000; number += 1) {
        seen.run(poolAddress(number));
        price.run(`TKN-${number}`);
      }
    },
    { market: (tx) => desk.over(tx) },
  );
});

describe("a token", () => {
  it("in no open pool has none, nor a price", async () => {
    const closed = { ...deep, state: "Inactive" } as const;
    for (const pools of [[], [closed]]) {
      const desk = await arrange(pools);
      expect(await desk.kfi()).toMatchObject({ pools, pool: undefined, price: undefined, locked: undefined });
      expect(desk.asked).toEqual([]);
    }
  });

  it("whose pools can't be read has no pools, and nothing is thrown", async () => {
    expect(await (await arrange("away")).kfi()).toMatchObject({ pools: undefined, pool: undefined, price: undefined });
  });

  it("whose price anybody could have set says so", async () => {
    expect((await (await arrange()).kfi()).isThin).toBe(false);
    const thin = poolOf(0, ["KLV", 49_999_000_000n], ["KFI", 2_000_000_000n]);
    expect((await (await arrange([thin])).kfi()).isThin).toBe(true);
  });
});
