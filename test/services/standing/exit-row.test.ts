import { expect, it } from "vitest";
import { amountOf, BPS, type Amount, type Token } from "../../../src/encoding/amount.js";
import { withoutShare } from "../../../src/encoding/proportion.js";
import { exitFigures, numberedFrom, shrunkTo, withTrailLine } from "../../../src/services/standing/exit-plan.js";
import type { ExitRule } from "../../../src/services/standing/exit-plan.js";
import { exitOfRow, storedExit, exitToRow } from "../../../src/services/standing/exit-row.js";
import { turnedTo } from "../../../src/services/standing/last-card.js";
import { putStandingOrder, standingOrder, withMiss } from "../../../src/services/standing/standing-queries.js";
import { withWatches } from "../../../src/services/standing/watched-lines.js";
import { newId } from "../../../src/services/base/new-id.js";
import { fromJson, toJson } from "../../../src/store/store.js";
import { temporaryStore } from "../../support/engine.js";
import { fc, property } from "../../support/property.js";
import { kfi, klv, person } from "../samples.js";
import { NOW, standingSample } from "./standing-world.js";

const of = (token: Token) => fc.bigInt({ min: 0n, max: 10n ** 39n }).map((units) => amountOf(token, units));
const [taken, got] = [of(kfi), of(klv)];
const n = fc.nat(1000);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const target = fc.record({ n, takes: taken, pay: taken, net: got, then: taken });
const stop = fc.record({ n, net: got });
const trail = fc
  .record({
    n,
    bps: fc.bigInt(100n, BPS),
    from: fc.bigInt(0n, 10n ** 39n),
    line: maybe(got),
    high: maybe(fc.bigInt(0n, 9n)),
  })
  .map(({ line, high, ...rest }) => ({ ...rest, ...(line && { line }), ...(high !== undefined && { high }) }));
const other = fc.record({
  n,
  offeredAt: fc.constantFrom(null, NOW),
  offeredMoved: fc.nat(),
  offeredOn: fc.constantFrom(null, "2027-01-03"),
  today: fc.nat(3),
});
const rules: fc.Arbitrary<ExitRule> = fc
  .record({
    whole: fc.record({
      begins: n,
      of: n,
      all: taken,
      left: taken,
      targets: fc.array(target),
      comesAtNight: fc.boolean(),
    }),
    sold: maybe(taken),
    floor: maybe(fc.oneof(stop, trail)),
    other: maybe(other),
    shrunk: maybe(fc.record({ planned: taken, held: taken })),
  })
  .map(({ whole, sold, floor, other: asked, shrunk }) => ({
    ...whole,
    ...(sold && { sold }),
    ...(floor && { floor }),
    ...(asked && { other: asked }),
    ...(shrunk && { shrunk }),
  }));

property("an exit reads as it was stored", [rules], (rule) => {
  const row = storedExit.parse(fromJson(toJson(exitToRow(rule))));
  expect(exitOfRow(row, { from: kfi, to: klv })).toEqual(rule);
});

/** Payments are int64 on the chain. */
const MOST = 2n ** 63n - 1n;
const longest = (id: string): Token => ({ id, name: id.repeat(3).slice(0, 40), precision: 18, kind: "fungible" });

/** Of six parts, each with a royalty: one was asked about in place of another, less is held than was, and it has fallen. */
function largest(payable: (takes: Amount) => Amount) {
  const [from, to] = [longest("ABCDEFGHIJ-WXYZ"), longest("KLMNOPQRST-UVWX")];
  const targets = [5000n, 10_000n, 15_000n, 20_000n, 25_000n].map((upBps) => ({ shareBps: 1500n, upBps }));
  const all = amountOf(from, MOST);
  const figures = { all, base: amountOf(to, MOST / 3n), payable, fixed: 0n, referralPercentage: 1000 };
  const set = exitFigures({ targets, floor: { trailBps: 2500n, fromBps: 2500n } }, figures);
  const state = { ...set, rule: numberedFrom(set.rule, 1_000_000) };
  const { rule, pay } = shrunkTo(state, amountOf(from, MOST - 1n), payable);
  const floor = rule.floor as Extract<ExitRule["floor"], { bps: bigint }>;
  const fallen = withTrailLine(
    { ...rule, sold: amountOf(from, MOST) },
    { way: "trail", bps: floor.bps, from: floor.from },
    MOST / 2n,
    to,
    1000,
  );
  const order = standingSample({
    id: newId(),
    kind: "exit",
    request: { pay, from, to },
    rule: fallen,
    n: 1_000_000,
    card: newId(),
    held: "trading-paused",
    heldTold: ["no-price", "trading-paused"],
    askAt: NOW,
    failedAt: NOW,
    offeredAt: NOW,
    offeredMoved: NOW,
    offeredOn: "2027-01-03",
    today: 3,
  });
  const missed = withMiss(withMiss(order, "not-tapped", 30), "unreachable", 9);
  const { offeredAt, offeredMoved, offeredOn, today } = order;
  const both = { offeredAt, offeredMoved, offeredOn, today };
  return { ...turnedTo(missed, 1_000_005), ...both, told: missed.missed };
}

const bytesOf = (row: object): number =>
  Object.values(row).reduce<number>((sum, value: unknown) => {
    if (value === null) return sum;
    return sum + (typeof value === "string" ? Buffer.byteLength(value) : 8);
  }, 0);

it("the largest exit, with all that has become of it, takes less than 2 kB", async () => {
  const store = await temporaryStore();
  const order = largest((takes) => withoutShare(takes, 100n));
  const { request, rule } = order;
  expect("targets" in rule && [rule.targets.length, Object.keys(rule.floor ?? {}), Object.keys(rule)]).toEqual([
    5,
    ["n", "bps", "from", "line"],
    expect.arrayContaining(["other", "shrunk", "sold"]),
  ]);
  await store.write(async (tx) => {
    const watched = await withWatches(tx, order, { person: person(), now: NOW }, 1000);
    await putStandingOrder(tx, watched, NOW, NOW);
  });
  const rows = await store.db.selectFrom("standing_orders").selectAll().execute();
  expect(rows.map(({ watched }) => watched?.split("\n").length)).toEqual([2]);
  const [bytes = Infinity] = rows.map(bytesOf);
  expect(bytes).toBeLessThan(2000);
  expect(await standingOrder(store.db, order.id)).toMatchObject({ request, rule });
});

it("orders of the other kinds are read as earlier versions have stored them", async () => {
  const store = await temporaryStore();
  const token = (id: string) => `{"id":"${id}","name":"${id}","precision":6,"kind":"fungible"}`;
  const amount = (id: string, units: string) => `{"token":${token(id)},"units":{"$bigint":"${units}"}}`;
  const schedule = `{"zone":"UTC","from":{"date":"2027-01-04","time":"09:00"},"every":{"count":1,"unit":"d"},"times":3}`;
  const stored = { limit: `{"net":${amount("KFI", "900")}}`, dca: `{"schedule":${schedule},"begins":4}` };
  await store.write(async (tx) => {
    for (const kind of ["limit", "dca"] as const) {
      await putStandingOrder(tx, standingSample({ id: kind, kind }), NOW, NOW);
      const request = `{"pay":${amount("KLV", "5")},"from":${token("KLV")},"to":${token("KFI")}}`;
      await tx.updateTable("standing_orders").set({ request, rule: stored[kind] }).where("id", "=", kind).execute();
    }
  });
  const request = { pay: amountOf(klv, 5n), from: klv, to: kfi };
  expect(await standingOrder(store.db, "limit")).toMatchObject({ request, rule: { net: amountOf(kfi, 900n) } });
  expect(await standingOrder(store.db, "dca")).toMatchObject({ rule: { ...standingSample().rule, begins: 4 } });
});
