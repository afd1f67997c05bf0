import { describe, expect, it } from "vitest";
import { amountOf } from "../../src/encoding/amount.js";
import type { Intent, IntentState } from "../../src/model/intent.js";
import type { Terms } from "../../src/model/terms.js";
import { changedLimit, mostNow, spentToday, withSpent } from "../../src/model/limits.js";
import { intent, lockTerms, swapTerms, unlockTerms } from "../cards/arrange.js";
import { alice, kfi, klv } from "../services/samples.js";

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
  const swap = (id: string, at: number, state: IntentState = "OK"): Intent => ({
    ...intent(swapTerms, state),
    id,
    quotedAt: at,
    times: { CLAIMED: at },
  });
  const of = (intents: readonly Intent[], more: object = {}) => ({
    timeZone: "Europe/Lisbon",
    intents: Object.fromEntries(intents.map((one) => [one.id, one])),
    ...more,
  });
  /** How often 100 KLV. */
  const times = (spender: Parameters<typeof spentToday>[0], now: number) =>
    spentToday(spender, klv, now).units / 100_000_000n;

  it("counts what may have been paid, and nothing that certainly was not", () => {
    const states: IntentState[] = ["CLAIMED", "SIGNING", "SENT", "OK", "UNKNOWN"];
    expect(times(of(states.map((state) => swap(state, noon, state))), noon)).toBe(5n);
    const none: IntentState[] = ["QUOTED", "FAILED", "EXPIRED", "CANCELED", "SUPERSEDED"];
    expect(times(of(none.map((state) => swap(state, noon, state))), noon)).toBe(0n);
  });

  it("counts what is locked and deposited, and nothing that comes back", () => {
    const of100 = amountOf(klv, 100_000_000n);
    const deposit: Terms = {
      kind: "launch",
      request: { kind: "launch", launchId: "launch", step: "add-liquidity" },
      step: "add-liquidity",
      launchId: "L",
      pair: alice,
      payout: alice,
      firstToken: klv,
      secondToken: kfi,
      callerTravels: true,
      first: of100,
      second: amountOf(kfi, 1n),
    };
    const paid = [{ ...lockTerms, amount: of100 }, deposit].map((terms, index) => ({
      ...swap(`${index}`, noon),
      terms,
    }));
    expect(times(of(paid), noon)).toBe(2n);
    expect(spentToday(of(paid), kfi, noon).units).toBe(1n);
    expect(times(of([{ ...swap("back", noon), terms: unlockTerms }]), noon)).toBe(0n);
  });

  it("counts what lies ahead, since the clock was set back over midnight", () => {
    const afterMidnight = Date.parse("2026-07-01T00:10:00Z");
    expect(times(of([swap("ahead", afterMidnight)]), afterMidnight - 2 * HOUR)).toBe(1n);
  });

  it("begins anew at midnight of the person's zone, also where clocks change", () => {
    const midnight = Date.parse("2026-06-30T23:00:00Z");
    const late = of([swap("late", midnight - 1)]);
    expect([times(late, midnight - 1), times(late, midnight)]).toEqual([1n, 0n]);
    // A day of 25 hours.
    const begins = Date.parse("2026-10-24T23:00:00Z");
    const early = of([swap("early", begins)]);
    expect([times(early, begins + 25 * HOUR - 1), times(early, begins + 25 * HOUR)]).toEqual([1n, 0n]);
  });

  it("is not made less by another zone", () => {
    const spent = [swap("a", noon - 3 * HOUR)];
    // There it is tomorrow already.
    expect(times(of(spent, { timeZone: "Pacific/Kiritimati" }), noon)).toBe(0n);
    expect(times(of(spent, { timeZone: "Pacific/Kiritimati", timeZoneSince: noon }), noon)).toBe(1n);
  });

  it("counts calls that have left the document, in a number of figures that has a bound", () => {
    const many = Array.from({ length: 2000 }, (_, index) => swap(`${index}`, noon - index * 60_000));
    const spent = withSpent(withSpent([], many.slice(0, 900), noon), many.slice(900), noon);
    expect(spent.length).toBeLessThan(150);
    const today = many.filter(({ quotedAt }) => quotedAt >= Date.parse("2026-06-30T23:00:00Z")).length;
    expect(times(of([], { spent }), noon)).toBe(BigInt(today));
    expect(withSpent(spent, [], noon + 72 * HOUR)).toEqual([]);
  });
});
