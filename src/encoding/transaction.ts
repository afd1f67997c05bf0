import { blake2b } from "@noble/hashes/blake2.js";
import { Fault } from "../fault.js";
import { formatAssetId, parseAssetId, type AssetId, type Payment } from "./asset.js";
import {
  emptyOf,
  isLeftOut,
  readMessage,
  writeMessage,
  type Field,
  type Message,
  type MessageValue,
} from "./protobuf.js";

/*
 * The messages of a transaction, by the names that the node's JSON form has for them (klever-go, data/transaction/proto).
 * The hash is that of the bytes of `rawData`; what a contract does stands inside as bytes of its own.
 */
const callValue = {
  Amount: { id: 1, type: "int64" },
  KDARoyalties: { id: 2, type: "int64" },
  KLVRoyalties: { id: 3, type: "int64" },
} as const;
export const smartContract = {
  Type: { id: 1, type: "int32" },
  Address: { id: 2, type: "bytes" },
  CallValue: {
    id: 3,
    type: { key: { id: 1, type: "string" }, value: { id: 2, type: callValue } },
    repeated: true,
  },
} as const;
const contract = {
  Type: { id: 1, type: "int32" },
  Parameter: { id: 2, type: { type_url: { id: 1, type: "string" }, value: { id: 2, type: "bytes" } } },
} as const;
export const rawData = {
  Nonce: { id: 1, type: "uint64" },
  Sender: { id: 2, type: "bytes" },
  Contract: { id: 6, type: contract, repeated: true },
  PermissionID: { id: 7, type: "int32" },
  Data: { id: 10, type: "bytes", repeated: true },
  KAppFee: { id: 13, type: "int64" },
  BandwidthFee: { id: 14, type: "int64" },
  Version: { id: 15, type: "uint32" },
  ChainID: { id: 16, type: "bytes" },
  KDAFee: { id: 17, type: { KDA: { id: 1, type: "bytes" }, Amount: { id: 2, type: "int64" } } },
} as const;

/** Everything of a transaction that its hash covers, and a signature with it. */
export type RawData = MessageValue<typeof rawData>;

/** @throws Fault `transaction-unreadable` for anything but the canonical bytes. */
export function readRawData(bytes: Uint8Array): RawData {
  return readMessage(rawData, bytes);
}

/** The canonical bytes. @throws Fault `transaction-unreadable` for a number outside its type. */
export function writeRawData(raw: RawData): Uint8Array {
  return writeMessage(rawData, raw);
}

/** The hash that is signed and that names the transaction: BLAKE2b-256 of its bytes. */
export function transactionHash(bytes: Uint8Array): Uint8Array {
  return blake2b(bytes, { dkLen: 32 });
}

/**
 * What a contract call of a transaction does: its type (0: a call of a contract that exists), the payments in the order of the
 * bytes, where the chain itself sorts them by asset, and whether something is debited on top of them.
 * @throws Fault `transaction-unreadable`, also for an asset that is listed twice or is invalid.
 */
export function readSmartContract(bytes: Uint8Array) {
  const { Type: type, Address: address, CallValue: entries } = readMessage(smartContract, bytes);
  if (new Set(entries.map(({ key }) => key)).size < entries.length) throw unreadable("an asset that is paid twice");
  const payments = entries.map(({ key, value }): Payment => ({ ...readAsset(key), units: value?.Amount ?? 0n }));
  const hasRoyalties = entries.some(
    ({ value }) => (value?.KDARoyalties ?? 0n) > 0n || (value?.KLVRoyalties ?? 0n) > 0n,
  );
  return { type, address, payments, hasRoyalties };
}

/** An asset exactly as the chain writes it: a lower-case id, or none for KLV, would be another text for the same asset. */
function readAsset(key: string): AssetId {
  try {
    const asset = parseAssetId(key);
    if (formatAssetId(asset) === key) return asset;
  } catch (cause) {
    throw new Fault("transaction-unreadable", { reason: "a payment of no asset" }, { cause });
  }
  throw unreadable("an asset in another spelling");
}

/**
 * Reads the node's JSON form: bytes in base64, what is zero left out.
 * @param json parsed so that whole numbers are bigint.
 * @throws Fault `transaction-unreadable`, also for a field that is not known.
 */
export function rawDataFromJson(json: unknown): RawData {
  return fromJson(rawData, json);
}

/** The node's JSON form; whole numbers are bigint. */
export function rawDataToJson(raw: RawData): Readonly<Record<string, unknown>> {
  return toJson(rawData, raw);
}

function fromJson<Of extends Message>(message: Of, json: unknown): MessageValue<Of> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw unreadable("a part that is no object");
  const unknown = Object.keys(json).find((key) => !Object.hasOwn(message, key));
  if (unknown !== undefined) throw unreadable("a field that is not known");
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(message)) {
    const held = (json as Readonly<Record<string, unknown>>)[name];
    value[name] = held === undefined || held === null ? emptyOf(field) : fieldFromJson(field, held);
  }
  return value as MessageValue<Of>;
}

function fieldFromJson(field: Field, held: unknown): unknown {
  const { type } = field;
  if (field.repeated === true) {
    if (!Array.isArray(held)) throw unreadable("a part that is no list");
    return held.map((each) => fieldFromJson({ id: field.id, type }, each));
  }
  if (typeof type === "object") return fromJson(type, held);
  if (type !== "bytes") {
    if (typeof held !== (type === "string" ? "string" : "bigint")) throw unreadable("a value of another type");
    return held;
  }
  const bytes = Buffer.from(String(held), "base64");
  if (bytes.toString("base64") !== held) throw unreadable("bytes that are not base64");
  return new Uint8Array(bytes);
}

function toJson(message: Message, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const json: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(message)) {
    const held = value[name];
    if (isLeftOut(held)) continue;
    json[name] = Array.isArray(held) ? held.map((each) => fieldToJson(field, each)) : fieldToJson(field, held);
  }
  return json;
}

function fieldToJson({ type }: Field, held: unknown): unknown {
  if (typeof type === "object") return toJson(type, held as Readonly<Record<string, unknown>>);
  return type === "bytes" ? Buffer.from(held as Uint8Array).toString("base64") : held;
}

function unreadable(reason: string): Fault {
  return new Fault("transaction-unreadable", { reason });
}
