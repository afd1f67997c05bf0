import { describe, expect, test } from "vitest";
import { amountOf, unlistedToken } from "../../../src/encoding/amount.js";
import { readLock, readUnlock } from "../../../src/services/trade/lock-request.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { kfi, klv, locked } from "../samples.js";

const tokens = tokenListOf([klv, kfi, locked]);
const codes = (read: object | string) =>
  typeof read === "object" && "faults" in read ? (read.faults as { code: string }[]).map(({ code }) => code) : read;

describe("a lock's line", () => {
  test("becomes a request, also with the LP token of a pair the user is launching", () => {
    expect(readLock("5 kfi 30d", tokens)).toEqual({
      kind: "lock",
      pay: amountOf(kfi, 5_000_000n),
      token: kfi,
      until: { count: 30, unit: "d" },
    });
    expect(readLock("max lpx-1a2b #5500", tokens, [unlistedToken("LPX-1A2B", "LPX")])).toMatchObject({
      pay: { shareBps: 10_000n },
      token: { id: "LPX-1A2B" },
      until: { epoch: 5500n },
    });
  });

  test.each([
    ["", "incomplete"],
    ["5", "incomplete"],
    ["KFI", "incomplete"],
    ["5 KFI", "incomplete"],
    ["5 KFI 60 now", "unreadable"],
    ["1 NOPE soon", ["token-unknown", "unlock-time-invalid"]],
    ["-1 KFI 60", ["amount-negative"]],
    ["1 LKTOK-1A2B 60", ["token-not-lockable"]],
    ["1 KFI 20261231", ["unlock-time-ambiguous"]],
  ])("%j is %j", (line, expected) => {
    expect(codes(readLock(line, tokens))).toEqual(expected);
  });
});

describe("an unlock's line", () => {
  test("becomes a request, in the decimals of what was locked", () => {
    const seven = { tokenId: "LKTOK-1A2B", nonce: 7n };
    expect(readUnlock("lktok-1a2b/7", tokens)).toEqual({ kind: "unlock", locked: seven });
    expect(readUnlock("LKTOK-1A2B/7 2.5", tokens)).toMatchObject({ pay: { units: 2_500_000n } });
    const lock = { locked: seven, amount: amountOf({ ...kfi, precision: 2 }, 5n) };
    expect(readUnlock("LKTOK-1A2B/7 2.5", tokens, [lock])).toMatchObject({
      pay: { units: 250n },
    });
  });

  test.each([
    ["", "incomplete"],
    ["LKTOK-1A2B/7 1 KFI", "unreadable"],
    ["LKTOK-1A2B", ["locked-token-invalid"]],
    ["LKTOK-1A2B/7 x", ["amount-not-a-number"]],
  ])("%j is %j", (line, expected) => {
    expect(codes(readUnlock(line, tokens))).toEqual(expected);
  });
});

test("an unlock's amount is in tokens once the list names the token that was locked", () => {
  const lp = unlistedToken("LPX-1A2B");
  const locks = [{ locked: { tokenId: "LKTOK-1A2B", nonce: 7n }, amount: amountOf(lp, 25_000_000n) }];
  const read = (list: typeof tokens) => readUnlock("LKTOK-1A2B/7 5", list, locks);
  expect(read(tokens)).toMatchObject({ pay: { units: 5n } });
  expect(read(tokenListOf([klv, kfi, locked, { ...lp, precision: 6 }]))).toMatchObject({ pay: { units: 5_000_000n } });
});
