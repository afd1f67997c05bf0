import { describe, expect, test } from "vitest";
import { readSwap, swappable } from "../../../src/services/swap/request.js";
import { tokenListOf } from "../../../src/services/token/list.js";
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

  test("that leaves something out is incomplete, unless the rest is wrong; one with more words is unreadable", () => {
    for (const line of ["", "100", "100 KLV", "KFI", "KLV KFI", "max KLV"]) expect(codes(line)).toBe("incomplete");
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
