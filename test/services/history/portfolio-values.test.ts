import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { erase } from "../../../src/services/operator/forget.js";
import {
  type Asset,
  type Portfolio,
  MAX_VALUES,
  noteValue,
  totalOf,
  valuesOf,
} from "../../../src/services/history/portfolio.js";
import { temporaryStore, writeEach } from "../../support/engine.js";
import { assertNoScans } from "../../support/plans.js";
import { kfi, klv } from "../samples.js";

const DAY = 86_400_000;
const START = Date.UTC(2026, 6, 1);
const asset = (units: bigint | undefined, token = klv): Asset => ({
  token,
  bought: 0n,
  cost: 0n,
  realised: 0n,
  soldUnknown: 0n,
  held: amountOf(token, 5n),
  sale: units === undefined ? undefined : { value: amountOf(token, units) },
  paid: undefined,
  unrealised: undefined,
});
const worth = (at: number, ...assets: Asset[]): Portfolio => ({
  countedIn: klv,
  at,
  isSeen: true,
  assets,
  watchOnly: [],
  shares: [],
  locks: [],
  otherLocks: [],
  uncounted: 0,
  tooOld: 0,
  unknownRoyalties: 0,
});

describe("the values of a portfolio", () => {
  it("are the last of each day, kept per token and user", async () => {
    const store = await temporaryStore();
    const note = (userId: number, portfolio: Portfolio) => store.write((tx) => noteValue(tx, userId, portfolio));
    await note(1, worth(START + 1, asset(7n), asset(5n)));
    await note(1, worth(START + DAY - 1, asset(10n ** 30n)));
    await note(1, worth(START + DAY, asset(3n)));
    await note(1, worth(START + DAY, asset(9n, kfi)));
    await note(2, worth(START, asset(4n)));
    expect((await valuesOf(store.db, 1, klv)).map(({ at, value }) => [at, value.units])).toEqual([
      [START, 10n ** 30n],
      [START + DAY, 3n],
    ]);
    await store.write((tx) => erase(tx, 1, START));
    expect(await valuesOf(store.db, 1, klv)).toEqual([]);
    expect(await valuesOf(store.db, 2, klv)).toHaveLength(1);
  });

  it("leave out a day on which something was unknown, rather than show a loss", async () => {
    const store = await temporaryStore();
    const unpriced = worth(START, asset(7n), asset(undefined));
    expect(totalOf(unpriced)).toEqual({ total: amountOf(klv, 7n), open: 1 });
    for (const one of [unpriced, worth(START), { ...worth(START, asset(7n)), isSeen: false }]) {
      await store.write((tx) => noteValue(tx, 1, one));
    }
    expect(await valuesOf(store.db, 1, klv)).toEqual([]);
  });

  it.each(["", "damaged", "-1", "1.5"])(
    "that can't be read (%j) are a fault, and never taken for zero",
    async (units) => {
      const store = await temporaryStore();
      const damaged = { user_id: 1, token: klv.id, day: START, units };
      await store.write((tx) => tx.insertInto("portfolio_values").values(damaged).execute());
      const told = { code: "store-unreadable", parameters: { document: "portfolio_values/1/KLV" } };
      await expect(valuesOf(store.db, 1, klv)).rejects.toMatchObject(told);
    },
  );

  it(`are of a year at most, and ${MAX_VALUES} a person`, async () => {
    const store = await temporaryStore();
    const days = Array.from({ length: 400 }, (_, day) => START + day * DAY);
    const note = (some: readonly number[], token = klv) =>
      writeEach(store, some, (tx, at) => noteValue(tx, 1, worth(at, asset(1n, token))));
    await note(days);
    expect(await valuesOf(store.db, 1, klv)).toHaveLength(366);
    const tokens = Array.from({ length: 4 }, (_, index) => ({ ...kfi, id: `T${index}-AAAA` }));
    for (const token of tokens) await note(days.slice(100), token);
    const rows = await store.db.selectFrom("portfolio_values").select("day").execute();
    expect(rows.length).toBeLessThanOrEqual(MAX_VALUES);
    expect(rows.length).toBeGreaterThan(MAX_VALUES - 10);
  });

  it(`stay for their own day in more than ${MAX_VALUES} tokens`, async () => {
    const store = await temporaryStore();
    const note = (at: number, ids: readonly string[]) =>
      writeEach(store, ids, (tx, id) => noteValue(tx, 1, worth(at, asset(1n, { ...kfi, id }))));
    const all = Array.from({ length: MAX_VALUES + 1 }, (_, index) => `T${index}-AAAA`);
    await note(START, ["OLD-AAAA"]);
    await note(START + DAY, all);
    const daysOf = async (): Promise<number[]> =>
      (await store.db.selectFrom("portfolio_values").select("day").execute()).map(({ day }) => day);
    expect(await daysOf()).toEqual(all.map(() => START + DAY));
    await note(START + 2 * DAY, all.slice(0, 1));
    expect(await daysOf()).toEqual([START + 2 * DAY]);
  });

  it("are read and written without reading a whole table", async () => {
    await assertNoScans(
      (data) => {
        const row = data.prepare("INSERT INTO portfolio_values VALUES (?, 'KLV', ?, '1')");
        for (let user = 0; user < 200; user += 1) for (let day = 0; day < 100; day += 1) row.run(user, day * DAY);
      },
      {
        note: (tx) => noteValue(tx, 7, worth(START, asset(1n))),
        read: (tx) => valuesOf(tx, 7, klv),
        erase: (tx) => tx.deleteFrom("portfolio_values").where("user_id", "=", 7).execute(),
      },
    );
  });
});
