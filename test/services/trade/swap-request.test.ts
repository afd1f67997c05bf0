import { describe, expect, test } from "vitest";
import { readLock } from "../../../src/services/trade/lock-request.js";
import { readMultihop, readSwap, swappable } from "../../../src/services/trade/swap-request.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { dvk, kfi, klv, locked } from "../samples.js";

const tokens = tokenListOf([
  klv,
  kfi,
  dvk,
  locked,
  { ...kfi, id: "KFI-0000", name: "Twin" },
  { ...kfi, id: "TWN-0000", name: "Twin" },
]);
const codes = (line: string) => {
  const read = readSwap(line, tokens);
  return typeof read === "string" ? read : "faults" in read ? read.faults.map(({ code }) => code) : [];
};

describe("a line", () => {
  test("becomes a request, whatever its spaces and case", () => {
    const request = { kind: "swap", pay: { token: klv, units: 12_500_000n }, from: klv, to: kfi };
    expect(readSwap("  12.50\tklv \n kfi ", tokens)).toEqual(request);
    expect(readSwap("12.5 klv to kfi", tokens)).toEqual(request);
  });

  test("may pay a share of what the user holds", () => {
    expect(readSwap("half klv kfi", tokens)).toMatchObject({ pay: { shareBps: 5_000n } });
    expect(readSwap("12.5% klv kfi", tokens)).toMatchObject({ pay: { shareBps: 1_250n } });
  });

  test("may have grouped digits, and no zero before the point", () => {
    const paid = (units: bigint) => ({ pay: { units } });
    expect(readSwap("1 000 KLV KFI", tokens)).toMatchObject(paid(1_000_000_000n));
    expect(readSwap("12\u202f345.5 KLV KFI", tokens)).toMatchObject(paid(12_345_500_000n));
    expect(readSwap(".5 KLV KFI", tokens)).toMatchObject(paid(500_000n));
  });

  test.each([
    ["100KLV KFI", 100_000_000n],
    ["100klv→kfi", 100_000_000n],
    ["100 KLV/KFI", 100_000_000n],
    ["100 KLV-KFI", 100_000_000n],
    ["100klv/kfi", 100_000_000n],
    ["KLV KFI 100", 100_000_000n],
    ["klv to kfi 100", 100_000_000n],
    ["1.5kKLV KFI", 1_500_000_000n],
    ["1m KLV KFI", 1_000_000_000_000n],
    ["1½ KLV KFI", 1_500_000n],
  ])("%s is read as one would read it", (line, units) => {
    expect(readSwap(line, tokens)).toEqual({ kind: "swap", pay: { token: klv, units }, from: klv, to: kfi });
  });

  test("says which token is unknown, although it stands right beside something else", () => {
    expect(codes("100 KLV/KFX")).toEqual(["token-unknown"]);
    expect(readSwap("100 KLV/KFX", tokens)).toMatchObject({ faults: [{ parameters: { text: "KFX" } }] });
    expect(codes("100KLX KFI")).toEqual(["token-unknown"]);
    expect(codes("5 KLV <b>KFI</b>")).toEqual(["token-unknown"]);
  });

  test("isn't read as another token's amount, whatever somebody names a token", () => {
    const named = (...names: string[]) =>
      tokenListOf([klv, kfi, ...names.map((name, at) => ({ ...kfi, id: `TKN-000${at}`, name }))]);
    const paid = (line: string, list: ReturnType<typeof named>) => readSwap(line, list);
    // Without a token of that name it is 1k; with one, the id counts.
    expect(paid("1kklv kfi", named())).toMatchObject({ pay: { token: klv, units: 1_000_000_000n } });
    expect(paid("1kklv kfi", named("KKLV"))).toMatchObject({ pay: { token: klv, units: 1_000_000_000n } });
    expect(paid("100kfi klv", named("fi", "fix"))).toMatchObject({ pay: { token: kfi, units: 100_000_000n } });
    // Two names: neither is guessed.
    expect(paid("1kone klv", named("kone", "one"))).toMatchObject({ faults: [{}] });
    // Units of time are no tokens.
    expect(readLock("5 KFI 30d", named("d", "30d"))).toMatchObject({ until: { count: 30, unit: "d" } });
  });

  test("with another account is refused, and offered without it", () => {
    const account = `klv1${"q".repeat(58)}`;
    for (const line of [`1 KLV KFI to ${account}`, `1 KLV KFI ${account}`, `1 KLV KFI para ${account.toUpperCase()}`]) {
      expect(readSwap(line, tokens)).toMatchObject({
        faults: [{ code: "payout-own", parameters: { meant: ["1 KLV KFI"] } }],
      });
    }
    expect(readMultihop(`1 KLV KFI ${account}`, tokens)).toMatchObject({ faults: [{ code: "payout-own" }] });
    expect(readLock(`1 KLV 30d ${account}`, tokens)).toMatchObject({ faults: [{ code: "payout-own" }] });
  });

  test.each([
    ["100 KLV KFI", 100_000_000n],
    ["12.5 klv to kfi", 12_500_000n],
    ["0.001 KLV KFI", 1_000n],
    ["1234.567 KLV > KFI", 1_234_567_000n],
    ["1 000 000.5 KLV KFI", 1_000_000_500_000n],
  ])("in one line means what it always meant: %s", (line, units) => {
    expect(readSwap(line, tokens)).toEqual({ kind: "swap", pay: { token: klv, units }, from: klv, to: kfi });
  });

  test("for a route or a lock is read the same way", () => {
    const route = { kind: "multihop", pay: { token: klv, units: 100_000_000n }, from: klv };
    expect(readMultihop("100KLV KFI", tokens)).toEqual({ ...route, stops: [{ token: kfi }] });
    expect(readMultihop("100 KLV/DVK-34ZH/KFI", tokens)).toMatchObject({
      ...route,
      stops: [{ token: dvk }, { token: kfi }],
    });
    const lock = { kind: "lock", pay: { token: klv, units: 5_000_000n }, token: klv, until: { count: 30, unit: "d" } };
    for (const line of ["5 KLV 30d", "5KLV 30d", "KLV 5 30d"]) expect(readLock(line, tokens)).toEqual(lock);
    expect(readLock("KLV 5500", tokens)).toBe("incomplete");
    expect(readLock("5 KLV 1m", tokens)).toMatchObject({ faults: [{ code: "unlock-time-months" }] });
  });

  test("that leaves something out is incomplete, unless the rest is wrong; one with more words is unreadable", () => {
    for (const line of ["", "100", "100 KLV", "KFI", "KFI 5", "KLV KFI", "max KLV"])
      expect(codes(line)).toBe("incomplete");
    expect(codes("100 NOPE")).toEqual(["token-unknown"]);
    expect(codes("100 KLV KFI DVK")).toBe("unreadable");
  });

  test.each([
    ["x NOPE NADA", ["token-unknown", "token-unknown", "amount-not-a-number"]],
    ["-1 KLV KLV", ["tokens-identical", "amount-negative"]],
    ["0x1 LKTOK-1A2B KFI", ["token-not-swappable", "amount-hex"]],
    ["1 KLV twin", ["token-ambiguous"]],
    ["1 DVK KFI", ["token-precision-unknown"]],
    ["0.0000001 KLV KFI", ["amount-too-many-decimals"]],
    ["1 KLV DVK", []],
  ])("%s is refused for %j, all at once", (line, expected) => {
    expect(codes(line)).toEqual(expected);
  });
});

test("only a fungible token can be swapped", () => {
  expect(swappable("kfi", tokens)).toEqual(kfi);
  expect(() => swappable("LKTOK-1A2B", tokens)).toThrow(/token-not-swappable/);
});
