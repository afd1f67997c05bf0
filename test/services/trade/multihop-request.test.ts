import { describe, expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { readMultihop } from "../../../src/services/trade/swap-request.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { dvk, kfi, klv, locked } from "../samples.js";

const tokens = tokenListOf([klv, kfi, dvk, locked]);
const codes = (line: string) => {
  const read = readMultihop(line, tokens);
  return typeof read === "string" ? read : "faults" in read ? read.faults.map(({ code }) => code) : [];
};

describe("a line", () => {
  test("with an amount and the tokens on the way becomes a request", () => {
    expect(readMultihop(" 100 klv dvk=25 KFI ", tokens)).toEqual({
      kind: "multihop",
      pay: amountOf(klv, 100_000_000n),
      from: klv,
      stops: [{ token: dvk, exactly: amountOf(dvk, 25n) }, { token: kfi }],
    });
  });

  test("with too few words is incomplete", () => {
    for (const line of ["", "100", "100 KLV"]) expect(codes(line)).toBe("incomplete");
  });

  test("may return to its first token, and have four hops", () => {
    expect(codes("1 KLV KFI KLV DVK KLV")).toEqual([]);
  });

  test.each([
    ["x NOPE KFI", ["token-unknown", "amount-not-a-number"]],
    ["1 KLV KLV", ["tokens-identical"]],
    ["1 KLV KFI KFI", ["tokens-identical"]],
    ["1 KLV NOPE KLV", ["token-unknown"]],
    ["1 KLV LKTOK-1A2B", ["token-not-swappable"]],
    ["1 KLV KFI=0", ["amount-zero"]],
    ["1 KLV KFI=", ["amount-empty"]],
    ["1 KLV KFI=1=2", ["amount-not-a-number"]],
    ["1 KLV KFI=-1", ["amount-negative"]],
    ["1 KLV KFI KLV KFI KLV KFI", ["route-too-long"]],
    ["1e3 KLV KFI", ["amount-exponent"]],
  ])("%s is refused for %j", (line, expected) => {
    expect(codes(line)).toEqual(expected);
  });
});
