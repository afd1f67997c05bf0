import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { changedLimit, mostNow, spentToday, type Spent } from "../../../src/services/intent/limits.js";
import { kfi, klv } from "../samples.js";

const HOUR = 3_600_000;
const noon = Date.parse("2026-07-01T12:00:00Z");
const most = (swap?: bigint, day?: bigint) => ({
  inOneSwap: swap === undefined ? undefined : amountOf(klv, swap),
  inADay: day === undefined ? undefined : amountOf(klv, day),
});

describe("a limit", () => {
  it("is lowered at once and raised a day later, each figure by itself", () => {
    const first = changedLimit(undefined, most(100n, 500n), noon)!;
    expect(first).toEqual({ most: most(100n, 500n) });
    const mixed = changedLimit(first, most(200n, 300n), noon)!;
    expect(mostNow(mixed, noon)).toEqual(most(100n, 300n));
    expect(mostNow(mixed, noon + 24 * HOUR - 1)).toEqual(most(100n, 300n));
    expect(mostNow(mixed, noon + 24 * HOUR)).toEqual(most(200n, 300n));
    // Lowered while a raise waits: the raise is off.
    expect(changedLimit(mixed, most(50n, 300n), noon)).toEqual({ most: most(50n, 300n) });
  });

  it("is lifted a day later, too", () => {
    const limit = changedLimit({ most: most(100n) }, most(), noon)!;
    expect(mostNow(limit, noon)).toEqual(most(100n));
    expect(mostNow(limit, noon + 24 * HOUR)).toEqual(most());
    expect(changedLimit(undefined, most(), noon)).toBeUndefined();
  });
});

describe("what was spent today", () => {
  const swap = (at: number): Spent => ({ at, amount: amountOf(klv, 100_000_000n) });
  const lisbon = { timeZone: "Europe/Lisbon" };
  /** How often 100 KLV. */
  const times = (spent: readonly Spent[], now: number, spender: Parameters<typeof spentToday>[0] = lisbon) =>
    spentToday(spender, spent, klv, now).units / 100_000_000n;

  it("counts each token by itself", () => {
    const spent = [swap(noon), swap(noon), { at: noon, amount: amountOf(kfi, 1n) }];
    expect(times(spent, noon)).toBe(2n);
    expect(spentToday(lisbon, spent, kfi, noon).units).toBe(1n);
  });

  it("counts what lies ahead, since the clock was set back over midnight", () => {
    const afterMidnight = Date.parse("2026-07-01T00:10:00Z");
    expect(times([swap(afterMidnight)], afterMidnight - 2 * HOUR)).toBe(1n);
  });

  it("begins anew at midnight of the person's zone, also where clocks change", () => {
    const midnight = Date.parse("2026-06-30T23:00:00Z");
    const late = [swap(midnight - 1)];
    expect([times(late, midnight - 1), times(late, midnight)]).toEqual([1n, 0n]);
    // A day of 25 hours.
    const begins = Date.parse("2026-10-24T23:00:00Z");
    const early = [swap(begins)];
    expect([times(early, begins + 25 * HOUR - 1), times(early, begins + 25 * HOUR)]).toEqual([1n, 0n]);
  });

  it("is not made less by another zone", () => {
    const spent = [swap(noon - 3 * HOUR)];
    // There it is tomorrow already.
    expect(times(spent, noon, { timeZone: "Pacific/Kiritimati" })).toBe(0n);
    expect(times(spent, noon, { timeZone: "Pacific/Kiritimati", timeZoneSince: noon })).toBe(1n);
  });
});
