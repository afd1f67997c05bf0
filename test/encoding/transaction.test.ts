import { parse as parseProto } from "protobufjs";
import { describe, expect, it, test } from "vitest";
import {
  rawDataFromJson,
  rawDataToJson,
  readRawData,
  readSmartContract,
  smartContract,
  transactionHash,
  writeRawData,
  type RawData,
} from "../../src/encoding/transaction.js";
import { readMessage, writeMessage, type MessageValue } from "../../src/encoding/protobuf.js";
import { transfer, transferOfTwo } from "../vectors/transactions.js";
import { faultOf } from "./fault-of.js";
import { goldenCalls, swapContractHex, swapTransaction } from "./golden-transactions.js";
import { pairHex } from "./samples.js";
import { anyText, fc } from "../support/property.js";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytesOf = (text: string, encoding: BufferEncoding = "hex") => new Uint8Array(Buffer.from(text, encoding));

describe("golden transactions", () => {
  test.each(goldenCalls)("%s has its hash, and comes back from bytes and JSON", (_what, raw, hash) => {
    const bytes = writeRawData(raw);
    expect(hex(transactionHash(bytes))).toBe(hash);
    expect(readRawData(bytes)).toEqual(raw);
    expect(rawDataFromJson(rawDataToJson(raw))).toEqual(raw);
  });

  it("a published transfer has its bytes and hash", () => {
    const raw = rawDataFromJson(transfer.raw);
    const bytes = writeRawData(raw);
    expect(hex(bytes)).toBe(
      "08271220e41b323a571fd955e09cd41660ff4465c3f44693c87f2faea4a0fc408727c8ea325412520a2a747970652e676f6f676c65617069732e636f6d2f70726f746f2e5472616e73666572436f6e747261637412240a2032b32834023f318ffaebe57194ea227e013236f669d11d2d16d01ac2d6fcf408180a68a0c21e70c0843d7801820106313030343230",
    );
    expect(hex(transactionHash(bytes))).toBe(transfer.hash);
  });

  it("a published transfer of several signers has its hash", () => {
    expect(hex(transactionHash(writeRawData(rawDataFromJson(transferOfTwo.raw))))).toBe(transferOfTwo.hash);
  });

  it("the hash of nothing is the published one", () => {
    expect(hex(transactionHash(new Uint8Array()))).toBe(
      "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8",
    );
  });
});

const messages = parseProto(
  `
  syntax = "proto3";
  message Any { string type_url = 1; bytes value = 2; }
  message TXContract { int32 Type = 1; Any Parameter = 2; }
  message KDAFee { bytes KDA = 1; int64 Amount = 2; }
  message Raw {
    uint64 Nonce = 1; bytes Sender = 2; repeated TXContract Contract = 6; int32 PermissionID = 7; repeated bytes Data = 10;
    int64 KAppFee = 13; int64 BandwidthFee = 14; uint32 Version = 15; bytes ChainID = 16; KDAFee KDAFee = 17;
  }
  message CallValue { int64 Amount = 1; int64 KDARoyalties = 2; int64 KLVRoyalties = 3; }
  message Entry { string key = 1; CallValue value = 2; }
  message SmartContract { int32 Type = 1; bytes Address = 2; repeated Entry CallValue = 3; }
`,
  { keepCase: true },
).root;

/** What protobufjs takes: numbers as text, and nothing that is zero, since it would write a zero that is there. */
function forPeer(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((each) => (each instanceof Uint8Array ? each : forPeer(each)));
  if (typeof value !== "object" || value === null) return value;
  const isThere = (part: unknown) =>
    part !== undefined && part !== 0n && part !== "" && !(part instanceof Uint8Array && part.length === 0);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => isThere(part))
      .map(([name, part]) => [name, forPeer(part)]),
  );
}

const int = (bits: bigint) => fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, (1n << bits) - 1n));
const someBytes = (maxLength: number) => fc.uint8Array({ maxLength });
const raws: fc.Arbitrary<RawData> = fc.record({
  Nonce: int(64n),
  Sender: someBytes(40),
  Contract: fc.array(
    fc.record({
      Type: int(31n),
      Parameter: fc.option(fc.record({ type_url: fc.string(), value: someBytes(200) }), { nil: undefined }),
    }),
    { maxLength: 2 },
  ),
  PermissionID: int(31n),
  Data: fc.array(someBytes(200), { maxLength: 3 }),
  KAppFee: int(63n),
  BandwidthFee: int(63n),
  Version: int(32n),
  ChainID: someBytes(10),
  KDAFee: fc.option(fc.record({ KDA: someBytes(12), Amount: int(63n) }), { nil: undefined }),
});
const calls: fc.Arbitrary<MessageValue<typeof smartContract>> = fc.record({
  Type: int(31n),
  Address: someBytes(40),
  CallValue: fc.array(
    fc.record({
      key: anyText,
      value: fc.option(fc.record({ Amount: int(63n), KDARoyalties: int(63n), KLVRoyalties: int(63n) }), {
        nil: undefined,
      }),
    }),
    { maxLength: 5 },
  ),
});

describe("10,000 random transactions", () => {
  it("are written as protobufjs writes them, and read back", () => {
    const raw = messages.lookupType("Raw");
    const call = messages.lookupType("SmartContract");
    fc.assert(
      fc.property(raws, calls, (value, callValue) => {
        const bytes = writeRawData(value);
        expect(hex(bytes)).toBe(hex(raw.encode(raw.fromObject(forPeer(value) as object)).finish()));
        expect(readRawData(bytes)).toEqual(value);
        const callBytes = writeMessage(smartContract, callValue);
        expect(hex(callBytes)).toBe(hex(call.encode(call.fromObject(forPeer(callValue) as object)).finish()));
        expect(readMessage(smartContract, callBytes)).toEqual(callValue);
      }),
      { numRuns: 10_000 },
    );
  });

  it("have one form only: whatever bytes can be read are written again the same", () => {
    const bytes = writeRawData(swapTransaction);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const written = readOrUndefined(changed);
      if (written !== undefined) expect(hex(written)).toBe(hex(changed));
    }
    // A byte order mark belongs to the text.
    expect(hex(writeRawData(readRawData(bytesOf("320712050a03efbbbf"))))).toBe("320712050a03efbbbf");
  });
});

describe("what is refused", () => {
  const contractOf = (rest: string) => bytesOf(`1220${pairHex}${rest}`);
  const klvOnce = "1a0c0a034b4c5612050880c2d72f";

  test.each([
    ["an unknown field", "4001"],
    ["a wrong wire type", "0a01"],
    ["a doubled field", "08070807"],
    ["fields out of order", "7801" + "0807"],
    ["a number that is padded", "088700"],
    ["a number of more than 64 bits", "08ffffffffffffffffff7f"],
    ["a number without an end", "0887"],
    ["a zero that is written out", "0800"],
    ["a length beyond the end", "12ff0f00"],
    ["a negative fee", "68ffffffffffffffffff01"],
    ["a fee of more than 63 bits", "6880808080808080808001"],
    ["a permission of more than 31 bits", "388080808008"],
    ["a version of more than 32 bits", "788080808010"],
    ["a field number of more than 32 bits", "88808080801001"],
    ["a text that is not UTF-8", "320512030a01ff"],
  ])("%s", (_what, bytes) => {
    expect(faultOf(() => readRawData(bytesOf(bytes)))).toBe("transaction-unreadable");
  });

  test.each([
    ["an asset that is paid twice", klvOnce + klvOnce],
    ["an asset in lower case", "1a0c0a036b6c7612050880c2d72f"],
    ["an asset without a name", "1a0712050880c2d72f"],
    ["a key that is not UTF-8", "1a0c0a03ff4c5612050880c2d72f"],
    ["bytes after the end", `${klvOnce}00`],
  ])("%s", (_what, rest) => {
    expect(faultOf(() => readSmartContract(contractOf(rest)))).toBe("transaction-unreadable");
  });

  test.each([
    ["a text", "RawData"],
    ["nothing", undefined],
    ["a list", []],
    ["an unknown field", { Nonce: 1n, Fee: 2n }],
    ["a number as text", { Nonce: "1" }],
    ["a fraction", { Nonce: 1.5 }],
    ["a negative number", { Nonce: -1n }],
    ["a nonce of more than 64 bits", { Nonce: 1n << 64n }],
    ["a fee of more than 63 bits", { KAppFee: 1n << 63n }],
    ["a version of more than 32 bits", { Version: 1n << 32n }],
    ["a permission of more than 31 bits", { PermissionID: 1n << 31n }],
    ["bytes that are not base64", { Sender: "e41b!" }],
    ["bytes that are a number", { Sender: 5n }],
    ["one part instead of a list", { Data: "AA==" }],
  ])("JSON with %s", (_what, json) => {
    expect(faultOf(() => writeRawData(rawDataFromJson(json)))).toBe("transaction-unreadable");
  });

  it("nothing of what a call pays", () => {
    expect(readSmartContract(bytesOf(swapContractHex))).toEqual({
      type: 0n,
      address: bytesOf(pairHex),
      payments: [{ tokenId: "KLV", units: 100_000_000n }],
      hasRoyalties: false,
    });
    expect(readSmartContract(contractOf("1a0e0a034b4c5612070880c2d72f1805"))).toMatchObject({ hasRoyalties: true });
    expect(readSmartContract(contractOf("1a0e0a034b4c5612070880c2d72f1005"))).toMatchObject({ hasRoyalties: true });
    expect(readSmartContract(contractOf("1a050a034b4c56"))).toMatchObject({
      payments: [{ tokenId: "KLV", units: 0n }],
    });
  });
});

function readOrUndefined(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return writeRawData(readRawData(bytes));
  } catch {
    return undefined;
  }
}
