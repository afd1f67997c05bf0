import { describe, expect, test } from "vitest";
import { readSwapRequest, swappable } from "../../../src/services/swap/request.js";
import { readTokenList } from "../../../src/services/tokens.js";
import { dvk, kfi, klv, locked } from "../samples.js";

const tokens = readTokenList([
  klv,
  kfi,
  dvk,
  locked,
  { ...kfi, id: "KFI-0000", name: "Twin" },
  { ...kfi, id: "TWN-0000", name: "Twin" },
]);
const codes = (line: string) => {
  const read = readSwapRequest(line, tokens);
  return read === undefined ? undefined : read.ok ? [] : read.faults.map(({ code }) => code);
};

describe("a line", () => {
  test("becomes a request, whatever the spaces and the case", () => {
    expect(readSwapRequest("  12.50\tklv \n kfi ", tokens)).toEqual({
      ok: true,
      request: { amountIn: { token: klv, units: 12_500_000n }, amountInText: "12.50", tokenOut: kfi },
    });
  });

  test("is read with grouped digits and without the zero before the point, and goes on as plain decimal text", () => {
    const read = (line: string) => {
      const reading = readSwapRequest(line, tokens);
      return reading?.ok === true ? reading.request.amountInText : undefined;
    };
    expect(read("1 000 KLV KFI")).toBe("1000");
    expect(read("12\u202f345.5 KLV KFI")).toBe("12345.5");
    expect(read(".5 KLV KFI")).toBe("0.5");
  });

  test("of another number of words is none", () => {
    for (const line of ["", "100", "100 KLV", "100 KLV KFI DVK"]) expect(codes(line)).toBeUndefined();
  });

  test.each([
    ["x NOPE NADA", ["token-unknown", "token-unknown", "amount-not-a-number"]],
    ["-1 KLV KLV", ["tokens-identical", "amount-negative"]],
    ["0 LKTOK-1A2B KFI", ["token-not-swappable", "amount-zero"]],
    ["1 KLV twin", ["token-ambiguous"]],
    ["1 DVK KFI", ["token-precision-unknown"]],
    ["0.0000001 KLV KFI", ["amount-too-many-decimals"]],
    ["1 KLV DVK", []],
  ])("%s is refused for %j, all at once", (line, expected) => {
    expect(codes(line)).toEqual(expected);
  });
});

test("only an ordinary token can be in a pool", () => {
  expect(swappable("kfi", tokens)).toEqual(kfi);
  expect(() => swappable("LKTOK-1A2B", tokens)).toThrow(/token-not-swappable/);
});
