import { describe, expect, test } from "vitest";
import { formatUntil, parseUntil } from "../../../src/encoding/typed.js";
import { unlockTimeAt, unlockTimeOf, waitFor, LOCK_YEAR_MS } from "../../../src/services/trade/lock-contract.js";
import type { ChainStatus } from "../../../src/services/chain/query-gateway.js";
import { fc, property } from "../../support/property.js";

const readUnlockTime = (text: string, ...at: [Parameters<typeof unlockTimeAt>[1], number]) =>
  unlockTimeAt(parseUntil(text), ...at);
const HOUR = 3_600_000;
const now = Date.parse("2026-07-01T12:00:00Z");
/** Epochs of six hours; the next one begins in two hours. */
const status: ChainStatus = { epoch: 100n, epochMilliseconds: 6 * HOUR, nextEpochAt: now + 2 * HOUR };
const bare: ChainStatus = { epoch: 100n };

describe("an unlock time", () => {
  test("given as an epoch is that epoch, with its date if the epoch length is known", () => {
    expect(readUnlockTime(" 103 ", status, now)).toEqual({ epoch: 103n, beginsAt: now + 14 * HOUR });
    expect(readUnlockTime("103", bare, now)).toEqual({ epoch: 103n });
    expect(readUnlockTime("100", status, now)).toEqual({ epoch: 100n });
    expect(readUnlockTime("0", status, now)).toEqual({ epoch: 0n });
    expect(readUnlockTime("18446744073709551615", status, now)).toEqual({ epoch: (1n << 64n) - 1n });
  });

  test.each([
    ["1h", 101n],
    ["2h", 101n],
    ["3h", 102n],
    ["8 h", 102n],
    ["1D", 105n],
    ["1 w", 129n],
    ["0h", 100n],
    ["2026-07-02", 103n],
    ["2026-07-01", 100n],
    ["2020-02-29", 100n],
  ])("of %s is the first epoch that begins no earlier", (text, epoch) => {
    expect(readUnlockTime(text, status, now).epoch).toBe(epoch);
  });

  test("is late rather than early if the node doesn't say when the next epoch begins", () => {
    const { nextEpochAt: _next, ...vague } = status;
    expect(readUnlockTime("3h", vague, now)).toEqual({ epoch: 101n, beginsAt: now + 6 * HOUR });
  });

  test("that needs the epoch length is refused if that is unknown", () => {
    expect(() => readUnlockTime("3h", bare, now)).toThrow(/epoch-length-unknown/);
  });

  test.each([
    "",
    "soon",
    "-1",
    "+5",
    "1.5d",
    "5 500",
    "30 days",
    "1000000d",
    "2026-13-01",
    "2026-02-30",
    "2026 12 31",
    "18446744073709551616",
    "0x10",
    "1e3",
  ])("%j is invalid", (text) => {
    expect(() => readUnlockTime(text, status, now)).toThrow(/unlock-time-invalid/);
  });

  test.each(["20261231", "20240229", "19991231"])("%s may be a date or an epoch, so it is ambiguous", (text) => {
    const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
    expect(() => readUnlockTime(text, status, now)).toThrow(
      expect.objectContaining({ code: "unlock-time-ambiguous", parameters: { digits: text, date } }),
    );
    expect(readUnlockTime(`#${text}`, status, now).epoch).toBe(BigInt(text));
  });

  test.each(["20260231", "20261301", "2026123", "202612311"])("%s is not a date, so it is an epoch", (text) => {
    expect(readUnlockTime(text, status, now).epoch).toBe(BigInt(text));
  });

  property(
    "given as a duration never begins too early, nor an epoch too late",
    [fc.integer({ min: 0, max: 999_999 }), fc.constantFrom("h", "d")],
    (count, unit) => {
      const { epoch, beginsAt } = readUnlockTime(`${count}${unit}`, status, now);
      const target = now + count * (unit === "h" ? HOUR : 24 * HOUR);
      if (beginsAt === undefined) expect(epoch).toBe(100n);
      else {
        expect(beginsAt).toBeGreaterThanOrEqual(target);
        if (epoch > 101n) expect(beginsAt - 6 * HOUR).toBeLessThan(target);
      }
    },
  );
});

test("an epoch beyond the calendar has no date", () => {
  expect(unlockTimeOf(1n << 63n, status, now)).toEqual({ epoch: 1n << 63n });
  const last = unlockTimeOf(390_000_000n, status, now);
  expect(new Date(last.beginsAt!).getTime()).not.toBeNaN();
});

test("the wait for an epoch counts six hours per epoch if the length is unknown", () => {
  const perYear = 1461n;
  expect(waitFor(100n + perYear, status)).toBe(LOCK_YEAR_MS);
  expect(waitFor(99n + perYear, status)).toBe(LOCK_YEAR_MS - 21_600_000n);
  expect(waitFor(100n + 2n * perYear, bare)).toBe(2n * LOCK_YEAR_MS);
  expect(waitFor(101n + 2n * perYear, bare)).toBe(2n * LOCK_YEAR_MS + 21_600_000n);
  expect(waitFor(50n, status)).toBe(0n);
});

property(
  "an unlock time is read as it is written",
  [
    fc.oneof(
      fc.record({ epoch: fc.bigInt(0n, (1n << 64n) - 1n) }),
      fc.record({ count: fc.nat(999_999), unit: fc.constantFrom("h", "d", "w", "y") }),
      fc.record({
        date: fc
          .date({ min: new Date(0), max: new Date("2199-12-31"), noInvalidDate: true })
          .map((day) => day.toISOString().slice(0, 10)),
      }),
    ),
  ],
  (until) => {
    expect(parseUntil(formatUntil(until))).toEqual(until);
  },
);
