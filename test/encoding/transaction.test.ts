import { parse as parseProto } from "protobufjs";
import { describe, expect, it, test } from "vitest";
import { addressFromBytes, addressToBytes } from "../../src/encoding/address.js";
import { callData, contractCall } from "../../src/encoding/call.js";
import {
  bytesOf,
  transactionHash,
  rawDataSchema,
  transactionOf,
  type RawData,
} from "../../src/encoding/transaction.js";
import { fromJson, toJson } from "../../src/store/store.js";
import { transfer, transferOfTwo } from "../vectors/transactions.js";
import { goldenCalls } from "./golden-transactions.js";
import { account } from "./samples.js";
import { fc, often } from "../support/property.js";

describe("golden transactions", () => {
  test.each(goldenCalls)("%s has its hash, and reads back from the store unchanged", (_what, raw, hash) => {
    expect(transactionHash(raw)).toBe(hash);
    expect(rawDataSchema.parse(fromJson(toJson(raw)))).toEqual(raw);
  });

  it("a published transfer has its bytes and hash", () => {
    expect(bytesOf(transfer.raw).toString("hex")).toBe(
      "08271220e41b323a571fd955e09cd41660ff4465c3f44693c87f2faea4a0fc408727c8ea325412520a2a747970652e676f6f676c65617069732e636f6d2f70726f746f2e5472616e73666572436f6e747261637412240a2032b32834023f318ffaebe57194ea227e013236f669d11d2d16d01ac2d6fcf408180a68a0c21e70c0843d7801820106313030343230",
    );
    expect(transactionHash(transfer.raw)).toBe(transfer.hash);
  });

  it("a published transfer of several signers has its hash", () => {
    expect(transactionHash(transferOfTwo.raw)).toBe(transferOfTwo.hash);
  });

  test.each(goldenCalls)("%s is built from its call, field by field", (_what, raw, _hash, _signature, call) => {
    const frame = { sender: account, nonce: raw.Nonce ?? 0n, chainId: "109" };
    const built = transactionOf(call, frame, raw);
    expect(built).toEqual(raw);
    expect(Object.keys(built)).toEqual(Object.keys(raw));
  });
});

const messages = parseProto(
  `
  syntax = "proto3";
  message Any { string type_url = 1; bytes value = 2; }
  message TXContract { int32 Type = 1; Any Parameter = 2; }
  message Raw {
    uint64 Nonce = 1; bytes Sender = 2; repeated TXContract Contract = 6; repeated bytes Data = 10;
    int64 KAppFee = 13; int64 BandwidthFee = 14; uint32 Version = 15; bytes ChainID = 16;
  }
  message CallValue { int64 Amount = 1; int64 KDARoyalties = 2; int64 KLVRoyalties = 3; }
  message Entry { string key = 1; CallValue value = 2; }
  message SmartContract { int32 Type = 1; bytes Address = 2; repeated Entry CallValue = 3; }
`,
  { keepCase: true },
).root;

/** The form that protobufjs takes, with numbers as text. */
function forPeer(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(forPeer);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, forPeer(part)]));
}

/** Never zero, as zero is left out. */
const int = (bits: bigint) => fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, (1n << bits) - 1n));
const someBytes = (maxLength: number) =>
  fc.uint8Array({ minLength: 1, maxLength }).map((bytes) => Buffer.from(bytes).toString("base64"));
const raws: fc.Arbitrary<RawData> = fc.record(
  {
    Nonce: int(64n),
    Sender: someBytes(40),
    Contract: fc.array(
      fc.record({
        Type: int(31n),
        Parameter: fc.record({ type_url: fc.string({ minLength: 1 }), value: someBytes(200) }),
      }),
      { maxLength: 2 },
    ),
    Data: fc.array(someBytes(200), { maxLength: 3 }),
    KAppFee: int(63n),
    BandwidthFee: int(63n),
    Version: int(32n),
    ChainID: someBytes(10),
  },
  { requiredKeys: ["Sender", "Contract", "Version", "ChainID"] },
);
const addresses = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte > 0))
  .map((bytes) => addressFromBytes(bytes));
const payments = fc.record({ tokenId: fc.stringMatching(/^[A-Z0-9]{3,10}-[A-Z0-9]{4}$/), units: int(63n) });

describe("random transactions", () => {
  it("are written as protobufjs writes them", () => {
    const raw = messages.lookupType("Raw");
    fc.assert(
      fc.property(raws, (value) => {
        const theirs = raw.encode(raw.fromObject(forPeer(value) as object)).finish();
        expect(bytesOf(value).toString("hex")).toBe(Buffer.from(theirs).toString("hex"));
      }),
      { numRuns: often(10_000) },
    );
  });

  it("have the intended call and payments, as protobufjs reads them", () => {
    const message = messages.lookupType("SmartContract");
    fc.assert(
      fc.property(addresses, payments, payments, int(64n), (address, first, second, nonce) => {
        const call = contractCall({ contract: "pair", address }, "addInitialLiquidity", {}, [first, second]);
        const fees = { KAppFee: 1n, BandwidthFee: 0n };
        const raw = transactionOf(call, { sender: account, nonce, chainId: "109" }, fees);
        const read = message.decode(Buffer.from(raw.Contract[0]!.Parameter.value, "base64"));
        expect(message.toObject(read, { longs: String, bytes: String })).toEqual({
          Address: Buffer.from(addressToBytes(address)).toString("base64"),
          CallValue: [first, second].map(({ tokenId, units }) => ({ key: tokenId, value: { Amount: String(units) } })),
        });
        expect(raw).not.toHaveProperty("BandwidthFee");
        expect(Buffer.from(raw.Data![0]!, "base64").toString()).toBe(callData(call));
      }),
      { numRuns: often(10_000) },
    );
  });
});

test.each([
  ["a text", "RawData"],
  ["nothing", undefined],
  ["a list", []],
  ["a number as text", { Nonce: "1" }],
  ["a fraction", { Nonce: 1.5 }],
  ["bytes that are not base64", { Sender: "e41b!" }],
  ["bytes that are a number", { Sender: 5n }],
  ["one part instead of a list", { Data: "AA==" }],
])("a stored transaction is refused with %s", (_what, json) => {
  const [[, raw]] = goldenCalls as [(typeof goldenCalls)[number]];
  const kept = typeof json === "object" && !Array.isArray(json) ? { ...raw, ...json } : json;
  expect(rawDataSchema.safeParse(kept).success).toBe(false);
});
