import { blake2b } from "@noble/hashes/blake2.js";
import * as z from "zod";
import { addressToBytes, type Address } from "./address.js";
import { formatAssetId } from "./amount.js";
import { callData, type ContractCall } from "./call.js";
import { createPublicKey, verify } from "node:crypto";

const contractParameter = z.object({ type_url: z.string(), value: z.base64() });

/** The part of a transaction that its hash covers, in the node's JSON form: bytes in base64, zero values omitted. */
export const rawDataSchema = z.object({
  Nonce: z.bigint().exactOptional(),
  Sender: z.base64(),
  Contract: z.array(z.object({ Type: z.bigint().exactOptional(), Parameter: contractParameter })),
  Data: z.array(z.base64()).exactOptional(),
  KAppFee: z.bigint().exactOptional(),
  BandwidthFee: z.bigint().exactOptional(),
  Version: z.bigint(),
  ChainID: z.base64(),
});

export type RawData = z.output<typeof rawDataSchema>;

/** In base units of KLV: a fixed fee, and one for bandwidth and gas. */
export type NetworkFees = Required<Pick<RawData, "KAppFee" | "BandwidthFee">>;

export interface Frame {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly chainId: string;
}

const SMART_CONTRACT = 63n;
/** Nodes may omit it. */
export const SMART_CONTRACT_URL = "type.googleapis.com/proto.SmartContract";

export function transactionOf(
  call: ContractCall,
  frame: Frame,
  fees: NetworkFees,
  typeUrl = SMART_CONTRACT_URL,
): RawData {
  const { sender, nonce, chainId } = frame;
  const { KAppFee, BandwidthFee } = fees;
  const payments = call.payments.map((payment) =>
    bytes(3, [bytes(1, Buffer.from(formatAssetId(payment))), bytes(2, [numberField(1, payment.units)])]),
  );
  const value = base64([bytes(2, addressToBytes(call.address)), ...payments]);
  return {
    ...(nonce > 0n && { Nonce: nonce }),
    Sender: base64([addressToBytes(sender)]),
    Contract: [{ Type: SMART_CONTRACT, Parameter: { type_url: typeUrl, value } }],
    Data: [base64([Buffer.from(callData(call))])],
    ...(KAppFee > 0n && { KAppFee }),
    ...(BandwidthFee > 0n && { BandwidthFee }),
    Version: 1n,
    ChainID: base64([Buffer.from(chainId)]),
  };
}

/** The bytes that a transaction's hash covers (klever-go, data/transaction/proto): fields in order, zeros omitted. */
export function bytesOf(raw: RawData): Buffer {
  const contracts = raw.Contract.map(({ Type, Parameter: { type_url: url, value } }) =>
    bytes(6, [numberField(1, Type), bytes(2, [bytes(1, Buffer.from(url)), bytes(2, fromBase64(value))])]),
  );
  return Buffer.concat([
    numberField(1, raw.Nonce),
    bytes(2, fromBase64(raw.Sender)),
    ...contracts,
    // Repeated, so that an empty one is there, too.
    ...(raw.Data ?? []).map((each) => prefixed(10, fromBase64(each))),
    numberField(13, raw.KAppFee),
    numberField(14, raw.BandwidthFee),
    numberField(15, raw.Version),
    bytes(16, fromBase64(raw.ChainID)),
  ]);
}

export function transactionHash(raw: RawData): string {
  return Buffer.from(blake2b(bytesOf(raw), { dkLen: 32 })).toString("hex");
}

function numberField(field: number, value = 0n): Buffer {
  return value === 0n ? Buffer.alloc(0) : Buffer.concat([varint(BigInt(field) << 3n), varint(value)]);
}

/** A field of bytes, text or a nested message; omitted if empty. */
function bytes(field: number, value: Uint8Array | readonly Buffer[]): Buffer {
  const held = value instanceof Uint8Array ? value : Buffer.concat(value);
  return held.length === 0 ? Buffer.alloc(0) : prefixed(field, held);
}

function prefixed(field: number, held: Uint8Array): Buffer {
  return Buffer.concat([varint((BigInt(field) << 3n) | 2n), varint(BigInt(held.length)), held]);
}

function varint(value: bigint): Buffer {
  const low: bigint[] = [];
  let rest = value;
  for (; rest >= 0x80n; rest >>= 7n) low.push((rest & 0x7fn) | 0x80n);
  return Buffer.from([...low, rest].map(Number));
}

function base64(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString("base64");
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, "base64");
}

const SIGNATURE = /^[0-9a-f]{128}$/i;

/** Wallets and nodes encode signatures in base64 or hex. */
export function signatureInHex(text: string): string {
  return SIGNATURE.test(text) ? text.toLowerCase() : Buffer.from(text, "base64").toString("hex");
}

/** Verifies an Ed25519 signature. `hash` and `signature` are in hex. */
export function isSignatureOf(address: Address, hash: string, signature: string): boolean {
  if (!SIGNATURE.test(signature)) return false;
  const x = Buffer.from(addressToBytes(address)).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.from(hash, "hex"), key, Buffer.from(signature, "hex"));
}
