import { blake2b } from "@noble/hashes/blake2.js";
import { isInteger, parse, stringify } from "lossless-json";
import protobuf from "protobufjs";
import * as z from "zod";
import { textOf, type Address } from "../chain/address.js";

/**
 * A transaction as in klever-go: its protobuf messages (data/transaction/proto and contracts.proto), their JSON form in
 * the API, and its hash.
 */
const { root } = protobuf.parse(
  `syntax = "proto3";
  message Raw {
    uint64 Nonce = 1;
    bytes Sender = 2;
    repeated TXContract Contract = 6;
    int32 PermissionID = 7;
    repeated bytes Data = 10;
    int64 KAppFee = 13;
    int64 BandwidthFee = 14;
    uint32 Version = 15;
    bytes ChainID = 16;
    KDAFee KDAFee = 17;
  }
  message KDAFee { bytes KDA = 1; int64 Amount = 2; }
  message TXContract { int32 Type = 1; Any Parameter = 2; }
  message Any { string type_url = 1; bytes value = 2; }
  message SmartContract { int32 Type = 1; bytes Address = 2; map<string, CallValue> CallValue = 3; }
  message CallValue { int64 Amount = 1; int64 KDARoyalties = 2; int64 KLVRoyalties = 3; }`,
  { keepCase: true },
);
const rawType = root.lookupType("Raw");
const smartContractType = root.lookupType("SmartContract");

/** The type number of a contract call, and the URL of its message. */
export const SMART_CONTRACT = 63n;
export const SMART_CONTRACT_URL = "type.googleapis.com/proto.SmartContract";

export const uint64 = z.bigint().min(0n).max(18_446_744_073_709_551_615n);
export const int64 = z.bigint().min(-9_223_372_036_854_775_808n).max(9_223_372_036_854_775_807n);
const uint32 = z.bigint().min(0n).max(4_294_967_295n);
export const int32 = z.bigint().min(-2_147_483_648n).max(2_147_483_647n);
const bytes = z.base64();

/** Zero or empty fields may be absent; unknown ones are ignored, as by Go's encoding/json. */
const rawData = z.object({
  Nonce: uint64.optional(),
  Sender: bytes,
  Contract: z.array(
    z.object({
      Type: int32.optional(),
      Parameter: z.object({ type_url: z.string().optional(), value: bytes.optional() }),
    }),
  ),
  PermissionID: int32.optional(),
  Data: z.array(bytes).optional(),
  KAppFee: int64.optional(),
  BandwidthFee: int64.optional(),
  Version: uint32.optional(),
  ChainID: bytes.optional(),
  KDAFee: z.object({ KDA: bytes.optional(), Amount: int64.optional() }).optional(),
});

export const transaction = z.object({ RawData: rawData, Signature: z.array(bytes).optional() });

/** Bytes are base64 text, numbers are bigint. */
export type RawData = z.output<typeof rawData>;
export type Transaction = z.output<typeof transaction>;

/** The parameter of a contract call. */
export interface SmartContract {
  /** 0: invoke. */
  Type?: bigint;
  Address: string;
  CallValue: Record<string, { Amount?: bigint; KDARoyalties?: bigint; KLVRoyalties?: bigint }>;
}

/** Parses JSON without losing digits: integers become bigint, null undefined. @throws Error if it is invalid. */
export function readJson(text: string): unknown {
  return parse(
    text,
    (_key, value) => value ?? undefined,
    (number) => (isInteger(number) ? BigInt(number) : Number(number)),
  );
}

/** Writes JSON with each bigint as a number in full precision. */
export function writeJson(value: unknown): string {
  return stringify(value) ?? "null";
}

export function encodeRaw(raw: RawData): Buffer {
  return Buffer.from(rawType.encode(rawType.fromObject(plain(raw))).finish());
}

export function encodeSmartContract(call: SmartContract): string {
  return Buffer.from(smartContractType.encode(smartContractType.fromObject(plain(call))).finish()).toString("base64");
}

/** @throws Error if the bytes are not such a message. */
export function decodeSmartContract(value: string): SmartContract {
  const message = smartContractType.decode(Buffer.from(value, "base64"));
  const {
    Type,
    Address: address,
    CallValue,
  } = smartContractType.toObject(message, { longs: String, bytes: String }) as {
    Type?: number;
    Address?: string;
    CallValue?: Record<string, Record<string, string>>;
  };
  return {
    ...(Type !== undefined && Type !== 0 && { Type: BigInt(Type) }),
    Address: address ?? "",
    CallValue: Object.fromEntries(
      Object.entries(CallValue ?? {}).map(([asset, amounts]) => [
        asset,
        Object.fromEntries(Object.entries(amounts).map(([name, units]) => [name, BigInt(units)])),
      ]),
    ),
  };
}

/** The hash that a wallet signs. */
export function hashOf(raw: RawData): Buffer {
  return Buffer.from(blake2b(encodeRaw(raw), { dkLen: 32 }));
}

export function senderOf(raw: RawData): Address {
  return textOf(Buffer.from(raw.Sender, "base64"));
}

/** In the form that protobufjs expects: bigints as text, and no zeros, which proto3 omits. */
function plain(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
      if (part === undefined || part === 0n || part === "") return [];
      if (typeof part === "bigint") return [[name, part.toString()]];
      if (Array.isArray(part)) return [[name, part.map((each: unknown) => (isObject(each) ? plain(each) : each))]];
      return [[name, isObject(part) ? plain(part) : part]];
    }),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
