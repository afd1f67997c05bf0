import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { addressFromBytes, addressToBytes, parseAddress } from "../../src/encoding/address.js";
import { isTokenId } from "../../src/encoding/amount.js";
import { readerOf, decodeOutputs } from "../../src/encoding/result.js";

/** What the public reference implementations' tests assert about the encoding; each record names its source. */
const records = z
  .array(z.object({ id: z.string(), function: z.string(), given: z.unknown(), expect: z.unknown() }))
  .parse(JSON.parse(readFileSync(new URL("../vectors/contracts.json", import.meta.url), "utf8")));

function recordsOf<Given, Expected>(names: readonly string[], given: z.ZodType<Given>, expected: z.ZodType<Expected>) {
  return records
    .filter((record) => names.includes(record.function))
    .map((record) => ({ id: record.id, given: given.parse(record.given), expected: expected.parse(record.expect) }));
}

const integer = z.string().transform((text) => BigInt(text));
const payment = z.object({ tokenIdentifier: z.string(), nonce: integer, amount: integer });
const hex = z.object({ hex: z.string() });

test("every record about the encoding is used below", () => {
  const mine = records.filter((record) => /^(codec|token)\./.test(record.function));
  expect(new Set(mine.map((record) => record.function))).toEqual(
    new Set(["codec.KdaTokenPayment", "codec.EsdtTokenPayment", "codec.address", "token.isValidKda"]),
  );
  expect(mine).toHaveLength(11);
});

describe("payments", () => {
  test.each(recordsOf(["codec.KdaTokenPayment", "codec.EsdtTokenPayment"], payment, hex))("$id", (record) => {
    const { tokenIdentifier, nonce, amount } = record.given;
    const reader = readerOf(Buffer.from(record.expected.hex, "hex"));
    expect([reader.text(), reader.u64(), reader.bigUint()]).toEqual([tokenIdentifier, nonce, amount]);
    expect(reader.isAtEnd()).toBe(true);
  });

  test.each(recordsOf(["codec.KdaTokenPayment"], payment, hex))("$id, as an answer", (record) => {
    expect(decodeOutputs("simpleLock", "lockTokens", [record.expected.hex], "hex")).toEqual([
      { tokenId: record.given.tokenIdentifier, units: record.given.amount },
    ]);
  });
});

describe("addresses", () => {
  test.each(recordsOf(["codec.address"], hex, z.object({ bech32: z.string() })))("$id", (record) => {
    const bytes = Buffer.from(record.given.hex, "hex");
    expect(addressFromBytes(bytes)).toBe(record.expected.bech32);
    expect(bytes.equals(addressToBytes(parseAddress(record.expected.bech32)))).toBe(true);
  });
});

describe("token ids", () => {
  test.each(recordsOf(["token.isValidKda"], z.object({ id: z.string() }), z.object({ valid: z.boolean() })))(
    "$id $given.id",
    (record) => {
      expect(isTokenId(record.given.id)).toBe(record.expected.valid);
    },
  );
});
