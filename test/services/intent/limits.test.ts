import {
  limitFault,
  changedLimit,
  activeLimit,
  spentToday,
  usedUp,
  withLimit,
  type Spent,
} from "../../../src/services/intent/limits.js";
import { describe, expect, it } from "vitest";
import type { SwapTerms } from "../../../src/services/terms/swap-terms.js";
import type { Terms } from "../../../src/services/terms/terms.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { dvk, kfi, klv, person } from "../samples.js";
import { draft, holds, opened, owner } from "./arrange.js";
import { amountOf } from "../../../src/encoding/amount.js";
import { people } from "../../support/documents.js";
import type { Person } from "../../../src/services/person/person.js";
import { lockTerms, swapTerms } from "../../cards/arrange.js";
import { fc } from "../../support/property.js";

const HOUR = 3_600_000;
const noon = Date.parse("2026-07-01T12:00:00Z");
const most = (swap?: bigint, day?: bigint) => ({
  perTransaction: swap === undefined ? undefined : amountOf(klv, swap),
  perDay: day === undefined ? undefined : amountOf(klv, day),
});

describe("a limit", () => {
  it("is lowered at once and raised a day later, each figure separately", () => {
    const first = changedLimit(undefined, most(100n, 500n), noon)!;
    expect(first).toEqual({ most: most(100n, 500n) });
    const mixed = changedLimit(first, most(200n, 300n), noon)!;
    expect(activeLimit(mixed, noon)).toEqual(most(100n, 300n));
    expect(activeLimit(mixed, noon + 24 * HOUR - 1)).toEqual(most(100n, 300n));
    expect(activeLimit(mixed, noon + 24 * HOUR)).toEqual(most(200n, 300n));
    // Lowering one while a raise waits cancels the raise.
    expect(changedLimit(mixed, most(50n, 300n), noon)).toEqual({ most: most(50n, 300n) });
  });

  it("is removed a day later, too", () => {
    const limit = changedLimit({ most: most(100n) }, most(), noon)!;
    expect(activeLimit(limit, noon)).toEqual(most(100n));
    expect(activeLimit(limit, noon + 24 * HOUR)).toEqual(most());
    expect(changedLimit(undefined, most(), noon)).toBeUndefined();
  });
});

describe("a limit per day below the one per transaction", () => {
  const tokens = tokenListOf([klv, kfi]);

  it("is refused, with what is meant, and an equal one is not", () => {
    const refused = (typed: string) => () => withLimit(person(), typed, tokens, noon);
    const figures = { perTransaction: "500", perDay: "100", token: "KLV" };
    const parameters = { text: "klv 500 / 100", meant: ["KLV 100 / 500"], ...figures };
    expect(refused("klv 500 / 100")).toThrow(expect.objectContaining({ code: "limit-day-below", parameters }));
    expect(refused("KFI 0.5/0.25")).toThrow(
      expect.objectContaining({ parameters: expect.objectContaining({ meant: ["KFI 0.25 / 0.5"] }) as object }),
    );
    for (const typed of ["KLV 100 / 100", "KLV 100 / 500", "KLV 100 / -", "KLV - / 100"]) {
      expect(refused(typed)).not.toThrow();
    }
  });

  it("is not taken for one while a raise of the other waits", () => {
    const before = withLimit(person(), "KLV 100 / 500", tokens, noon);
    const { limits } = withLimit(before, "KLV - / 50", tokens, noon);
    expect(limits?.["KLV"]).toEqual({
      most: most(100_000_000n, 50_000_000n),
      later: { most: most(undefined, 50_000_000n), from: noon + 24 * HOUR },
    });
  });
});

describe("a limit that today's trades have used up", () => {
  const tokens = tokenListOf([klv, kfi]);
  const spent: readonly Spent[] = [{ at: noon - HOUR, amount: amountOf(klv, 1_100_000_000n) }];
  const asked = (before: Person, typed: string, since = spent) =>
    usedUp(before, withLimit(before, typed, tokens, noon), since, noon);

  it("is found with its figures, also if it is exactly used up", () => {
    const figures = { spent: amountOf(klv, 1_100_000_000n), perDay: amountOf(klv, 500_000_000n) };
    expect(asked(person(), "KLV 100 / 500")).toEqual(figures);
    expect(asked(person(), "KLV 100 / 1100")).toBeDefined();
    expect(asked(withLimit(person(), "KLV 100 / 5000", tokens, noon), "KLV 100 / 500")).toEqual(figures);
    // A dash as the limit per day, or less than before, isn't used up.
    for (const typed of ["KLV 100 / 1101", "KLV 100 / -", "KFI 1 / 1"]) expect(asked(person(), typed)).toBeUndefined();
    expect(asked(person(), "KLV 100 / 500", [])).toBeUndefined();
    expect(asked(person(), "KLV 100 / 500", [{ ...spent[0]!, at: noon - 30 * HOUR }])).toBeUndefined();
  });

  it("is not asked about if it was used up before, or is only raised", () => {
    const held = withLimit(person(), "KLV 100 / 500", tokens, noon);
    for (const typed of ["KLV 50 / 500", "KLV 100 / 900", "KLV - / -"]) expect(asked(held, typed)).toBeUndefined();
    expect(asked(held, "KLV 100 / 400")).toBeDefined();
  });
});

describe("what was spent today", () => {
  const swap = (at: number): Spent => ({ at, amount: amountOf(klv, 100_000_000n) });
  const lisbon = { timeZone: "Europe/Lisbon" };
  /** Amount spent today, as a multiple of 100 KLV. */
  const times = (spent: readonly Spent[], now: number, spender: Parameters<typeof spentToday>[0] = lisbon) =>
    spentToday(spender, spent, klv, now).units / 100_000_000n;

  it("counts each token separately", () => {
    const spent = [swap(noon), swap(noon), { at: noon, amount: amountOf(kfi, 1n) }];
    expect(times(spent, noon)).toBe(2n);
    expect(spentToday(lisbon, spent, kfi, noon).units).toBe(1n);
  });

  it("counts a payment that lies ahead because the clock was set back past midnight", () => {
    const afterMidnight = Date.parse("2026-07-01T00:10:00Z");
    expect(times([swap(afterMidnight)], afterMidnight - 2 * HOUR)).toBe(1n);
  });

  it("restarts at midnight in the user's time zone, even on days when clocks change", () => {
    const midnight = Date.parse("2026-06-30T23:00:00Z");
    const late = [swap(midnight - 1)];
    expect([times(late, midnight - 1), times(late, midnight)]).toEqual([1n, 0n]);
    // A day of 25 hours.
    const begins = Date.parse("2026-10-24T23:00:00Z");
    const early = [swap(begins)];
    expect([times(early, begins + 25 * HOUR - 1), times(early, begins + 25 * HOUR)]).toEqual([1n, 0n]);
  });

  it("is not reduced by another time zone", () => {
    const spent = [swap(noon - 3 * HOUR)];
    // It is already tomorrow there.
    expect(times(spent, noon, { timeZone: "Pacific/Kiritimati" })).toBe(0n);
    expect(times(spent, noon, { timeZone: "Pacific/Kiritimati", timeZoneSince: noon })).toBe(1n);
    expect(times([swap(noon - 24 * HOUR)], noon, { timeZone: "Pacific/Kiritimati", timeZoneSince: noon })).toBe(0n);
  });
});

const NOW = Date.UTC(2026, 5, 1, 12);
const DAY = 86_400_000;
const tokens = tokenListOf([klv, kfi, dvk]);
const limited = (typed: string, now = NOW) => withLimit(person(), typed, tokens, now);
const paying = (units: bigint) => ({ ...draft.terms, amountIn: amountOf(klv, units) }) as SwapTerms;

describe("a limit", () => {
  it("is typed as a token, the maximum per transaction and the maximum per day, with a dash for none", () => {
    expect(limited("KLV 100 / 500").limits).toEqual({
      KLV: { most: { perTransaction: amountOf(klv, 100_000_000n), perDay: amountOf(klv, 500_000_000n) } },
    });
    expect(limited(" KLV - / 500").limits?.["KLV"]?.most).toEqual({ perDay: amountOf(klv, 500_000_000n) });
    expect(limited("KLV 100/–").limits?.["KLV"]?.most).toEqual({ perTransaction: amountOf(klv, 100_000_000n) });
    expect(limited("KLV - / -").limits).toEqual({});
  });

  it.each([
    ["KLV", "limit-unreadable"],
    ["KLV 100", "limit-unreadable"],
    ["KLV 100 / 1 / 2", "limit-unreadable"],
    ["NONE 1 / 2", "token-unknown"],
    ["KLV many / 2", "amount-not-a-number"],
  ])("%s is refused", (typed, code) => {
    expect(() => limited(typed)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it("can be set for at most 20 tokens, and each can still be changed", () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ ...klv, id: `TK${at}-ABCD`, name: `TK${at}` }));
    const list = tokenListOf(many);
    const full = many.slice(0, 20).reduce((before, { id }) => withLimit(before, `${id} 1 / 2`, list, NOW), person());
    expect(() => withLimit(full, "TK20-ABCD 1 / 2", list, NOW)).toThrow(
      expect.objectContaining({ code: "limits-full" }) as Error,
    );
    expect(Object.keys(withLimit(full, "TK3-ABCD 1 / 1", list, NOW).limits ?? {})).toHaveLength(20);
  });

  it("is lowered at once, and raised a day later", () => {
    const before = limited("KLV 100 / 500");
    const raised = withLimit(before, "KLV 200 / 300", tokens, NOW);
    const asked = paying(150_000_000n);
    expect(limitFault(raised, asked, [], NOW + DAY - 1)).toMatchObject({ code: "limit-per-transaction" });
    expect(limitFault(raised, asked, [], NOW + DAY)).toBeUndefined();
    expect(limitFault(raised, paying(301_000_000n), [], NOW + DAY)).toBeDefined();
  });
});

describe("a call", () => {
  it.each([
    [4, "a hundredth of the units"],
    [8, "a hundred times the units"],
    [undefined, "an unknown number"],
  ])("is compared in whole tokens if the token list corrects a precision to %s: %s", (precision, _units) => {
    const { precision: _before, ...rest } = klv;
    const corrected = { ...rest, ...(precision !== undefined && { precision }) };
    const whole = 10n ** BigInt(precision ?? 0);
    const asks = (limits: Person, units: bigint) =>
      limitFault(limits, { ...paying(0n), amountIn: amountOf(corrected, units) }, [], NOW);
    const before = limited("KLV 100 / 500");
    expect(asks(before, 100n * whole)).toBeUndefined();
    expect(asks(before, 100n * whole + 1n)).toMatchObject({
      code: "limit-per-transaction",
      parameters: { most: "100" },
    });
    // Raising a limit still takes a day.
    const list = { ...tokens, find: () => corrected };
    if (precision === undefined) return;
    const raised = withLimit(before, "KLV 9000 / 9000", list, NOW);
    expect(asks(raised, 100n * whole + 1n)).toMatchObject({ code: "limit-per-transaction" });
    expect(asks(withLimit(before, "KLV 50 / 500", list, NOW), 51n * whole)).toMatchObject({
      parameters: { most: "50" },
    });
  });

  it("of a token without a limit, or of exactly the limit, is allowed", () => {
    expect(limitFault(person(), paying(10n ** 30n), [], NOW)).toBeUndefined();
    expect(limitFault(limited("KFI 1 / 1"), paying(10n ** 30n), [], NOW)).toBeUndefined();
    expect(limitFault(limited("KLV 100 / -"), paying(100_000_000n), [], NOW)).toBeUndefined();
  });

  it("above what is left of the day is refused with that amount, even if more was spent than is allowed now", () => {
    const spent = [{ at: NOW - 900_000, amount: amountOf(klv, 450_000_000n) }];
    const fault = (typed: string, units: bigint) => limitFault(limited(typed), paying(units), spent, NOW);
    expect(fault("KLV - / 500", 50_000_000n)).toBeUndefined();
    expect(fault("KLV - / 500", 50_000_001n)).toMatchObject({ code: "limit-per-day", parameters: { left: "50" } });
    expect(fault("KLV - / 400", 1n)).toMatchObject({ parameters: { left: "0", most: "400" } });
  });

  it("confirmed above a limit is not claimed", async () => {
    const { id, confirm, changePerson, find, sent } = await opened();
    await changePerson((before) => withLimit(before, "KLV 99 / -", tokens, 0));
    expect(await confirm(owner, id, holds)).toMatchObject({
      kind: "refused",
      fault: { code: "limit-per-transaction" },
    });
    expect(await find(owner, id)).toMatchObject({ state: "QUOTED" });
    expect(sent).toEqual([]);
  });
});

const IN_A_DAY = 100n;
/** Offsets of whole hours and of three quarters, and a summer time of half an hour. */
const ZONES = ["UTC", "Asia/Kathmandu", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Kiritimati"];

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("pay" as const), units: fc.bigInt({ min: 1n, max: 60n }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("wait" as const), time: fc.nat({ max: 9 * HOUR }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move" as const), zone: fc.constantFrom(...ZONES) }) },
);

it("no day in a user's time zone exceeds their limit, whatever is paid when, and however often they move", () => {
  const begins = fc.date({
    min: new Date("2026-01-01T00:00:00Z"),
    max: new Date("2027-01-01T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(begins, fc.array(step, { maxLength: 60 }), (begin, steps) => {
      let now = begin.getTime();
      let person: Person = {
        ...people.create("1"),
        limits: { [klv.id]: { most: { perDay: amountOf(klv, IN_A_DAY) } } },
      };
      const paid: { at: number; units: bigint }[] = [];
      const sum = (counts: (at: number) => boolean) =>
        paid.reduce((total, { at, units }) => (counts(at) ? total + units : total), 0n);
      for (const [index, taken] of steps.entries()) {
        switch (taken.do) {
          case "wait":
            now += taken.time;
            break;
          case "move":
            person = { ...person, timeZone: taken.zone, timeZoneSince: now };
            break;
          case "pay": {
            const amount = amountOf(klv, taken.units);
            const terms: Terms = index % 2 === 0 ? { ...swapTerms, amountIn: amount } : { ...lockTerms, amount };
            const spent = paid.map(({ at, units }) => ({ at, amount: amountOf(klv, units) }));
            // Older payments aren't read.
            const lately = spent.filter(({ at }) => at > now - 49 * HOUR);
            if (limitFault(person, terms, lately, now) !== undefined) break;
            paid.push({ at: now, units: taken.units });
            const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: person.timeZone });
            const today = dayOf.format(now);
            expect(sum((at) => dayOf.format(at) === today)).toBeLessThanOrEqual(IN_A_DAY);
            const hasMoved = now - (person.timeZoneSince ?? 0) < 24 * HOUR;
            if (hasMoved) expect(sum((at) => now - at < 24 * HOUR)).toBeLessThanOrEqual(IN_A_DAY);
          }
        }
      }
    }),
  );
});
