import { describe, expect, test } from "vitest";
import {
  checkPayment,
  formatAssetId,
  formatPayments,
  isTokenId,
  parseAssetId,
  type Payment,
} from "../../src/encoding/amount.js";
import { faultOf } from "./fault-of.js";
import { fc, property } from "../support/property.js";

const MAX_U64 = 2n ** 64n - 1n;

const tokenIds = fc.oneof(
  fc.constantFrom("KLV", "KFI"),
  fc.stringMatching(/^[A-Z0-9]{3,10}-[A-Z0-9]{4}$/, { size: "max" }),
);
const payments: fc.Arbitrary<Payment> = fc
  .record({ tokenId: tokenIds, nonce: fc.option(fc.bigInt(1n, MAX_U64)), units: fc.bigInt(1n, 2n ** 256n - 1n) })
  .map(({ nonce, ...payment }) => (nonce === null ? payment : { ...payment, nonce }));

describe("asset ids", () => {
  test.each([
    ["KFI", { tokenId: "KFI" }],
    [" kfi ", { tokenId: "KFI" }],
    ["dvk-34zh", { tokenId: "DVK-34ZH" }],
    ["LKTOK-1A2B/7", { tokenId: "LKTOK-1A2B", nonce: 7n }],
    [`LKTOK-1A2B/${MAX_U64}`, { tokenId: "LKTOK-1A2B", nonce: MAX_U64 }],
  ])("%j is read", (text, asset) => {
    expect(parseAssetId(text)).toEqual(asset);
  });

  test.each([
    "",
    "KL",
    "KLVX",
    "DVK34ZH",
    "DV-34ZH",
    "DVKDVKDVKDV-34ZH",
    "DVK-34Z",
    "DVK-34ZHX",
    "DVK-34-ZH",
    "DV K-34ZH",
    "LKTOK-1A2B/",
    "LKTOK-1A2B/0",
    "LKTOK-1A2B/07",
    "LKTOK-1A2B/-1",
    "LKTOK-1A2B/1.5",
    "LKTOK-1A2B/1/2",
    "/7",
    `LKTOK-1A2B/${MAX_U64 + 1n}`,
    `LKTOK-1A2B/${10n ** 20n}`,
    "KLV=5",
    "ＫＬＶ",
  ])("%j is refused", (text) => {
    expect(faultOf(() => parseAssetId(text))).toBe("asset-invalid");
  });

  test("a token id must be in capitals", () => {
    expect(isTokenId("DVK-34ZH")).toBe(true);
    expect(isTokenId("dvk-34zh")).toBe(false);
    expect(isTokenId("DVK-34ZH/1")).toBe(false);
  });
});

describe("payments", () => {
  test.each<[string, Payment[]]>([
    ["KLV=100000000", [{ tokenId: "KLV", units: 100000000n }]],
    ["KFIKLVLP-2GC1=1000000", [{ tokenId: "KFIKLVLP-2GC1", units: 1000000n }]],
    ["LKTOK-1A2B/7=5", [{ tokenId: "LKTOK-1A2B", nonce: 7n, units: 5n }]],
    [
      "KFI=9007199254740993,KLV=1",
      [
        { tokenId: "KFI", units: 9007199254740993n },
        { tokenId: "KLV", units: 1n },
      ],
    ],
  ])("%s", (text, list) => {
    expect(formatPayments(list)).toBe(text);
  });

  property("text -> asset is the inverse", [payments], (payment) => {
    const { units: _, ...asset } = payment;
    expect(parseAssetId(formatAssetId(asset))).toEqual(asset);
    expect(() => checkPayment(payment)).not.toThrow();
  });

  test.each<[string, Payment, string]>([
    ["nothing", { tokenId: "KLV", units: 0n }, "value-out-of-range"],
    ["less than nothing", { tokenId: "KLV", units: -1n }, "value-out-of-range"],
    ["more than 32 bytes", { tokenId: "KLV", units: 2n ** 256n }, "value-out-of-range"],
    ["nonce 0", { tokenId: "LKTOK-1A2B", nonce: 0n, units: 1n }, "value-out-of-range"],
    ["a nonce beyond u64", { tokenId: "LKTOK-1A2B", nonce: MAX_U64 + 1n, units: 1n }, "value-out-of-range"],
    ["no token id", { tokenId: "", units: 1n }, "asset-invalid"],
    ["another payment inside the id", { tokenId: "KLV=1,KFI", units: 1n }, "asset-invalid"],
  ])("%s cannot be sent", (_, payment, code) => {
    expect(faultOf(() => checkPayment(payment))).toBe(code);
  });
});
