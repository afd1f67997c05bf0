import { bech32 } from "@scure/base";
import * as z from "zod";
import { Fault } from "../fault.js";

/** A validated account or contract address in text form: `klv1` and 58 more characters. */
export type Address = string & { readonly __brand: "Address" };

export const addressSchema = z.string().transform((text): Address => parseAddress(text));

export const ADDRESS_LIKE = /^\s*klv1[0-9a-z]{10,}\s*$/i;

/** Of Ethereum and the chains like it. */
const ETHEREUM = /^0x[0-9a-f]{40}$/i;
const PREFIX = "klv";
const LENGTH = 32;
/** The chain recognises a contract's address by these bytes alone (klever-sc 0.45 `is_smart_contract_address`). */
const CONTRACT_HEAD = [0, 0, 0, 0, 0, 0, 0, 0];

/**
 * Parses any account or contract address, trimming white space. Upper case is accepted, mixed case is not (BIP-173).
 * @throws Fault `address-…`
 */
export function parseAddress(text: string): Address {
  const trimmed = text.trim();
  const invalid = () => new Fault("address-invalid", { text: shorten(trimmed) });
  if (ETHEREUM.test(trimmed)) throw new Fault("address-wrong-chain", { text: trimmed, prefix: "0x" });
  const lower = trimmed === trimmed.toUpperCase() ? trimmed.toLowerCase() : trimmed;
  if (!/^[a-z]{1,10}1[02-9ac-hj-np-z]{6,}$/.test(lower)) throw invalid();
  const { prefix, words = [] } = bech32.decodeUnsafe(lower) ?? {};
  const bytes = bech32.fromWordsUnsafe(words);
  if (prefix === undefined || !bytes) throw invalid();
  if (prefix !== PREFIX) throw new Fault("address-wrong-chain", { text: shorten(trimmed), prefix });
  if (bytes.length !== LENGTH) throw invalid();
  if (bytes.every((byte) => byte === 0)) throw new Fault("address-zero", {});
  return lower as Address;
}

export function parseAccountAddress(text: string): Address {
  const address = parseAddress(text);
  if (beginsWith(address, CONTRACT_HEAD)) throw new Fault("address-is-contract", { text: shorten(address) });
  return address;
}

export function parseContractAddress(text: string): Address {
  const address = parseAddress(text);
  if (!isDeployedContract(address)) throw new Fault("address-not-contract", { text: shorten(address) });
  return address;
}

/** A deployed contract's address has the VM type after the zeros (klever-connect `isValidContractAddress`). */
export function isDeployedContract(address: Address): boolean {
  return beginsWith(address, [...CONTRACT_HEAD, 5, 0]);
}

export function addressToBytes(address: Address): Uint8Array {
  return bech32.decodeToBytes(address).bytes;
}

export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== LENGTH) throw new Fault("answer-unreadable", { reason: `an address of ${bytes.length} bytes` });
  if (bytes.every((byte) => byte === 0)) throw new Fault("address-zero", {});
  return bech32.encode(PREFIX, bech32.toWords(bytes)) as Address;
}

/** For places where the full address doesn't fit, or where its owner knows it. */
export function shortAddress(address: Address): string {
  return `${address.slice(0, 9)}…${address.slice(-6)}`;
}

function beginsWith(address: Address, head: readonly number[]): boolean {
  const bytes = addressToBytes(address);
  return head.every((byte, index) => bytes[index] === byte);
}

/** Users can type a page of text; a fault quotes only enough to recognise it. */
function shorten(text: string): string {
  return text.length <= 70 ? text : `${text.slice(0, 70)}…`;
}
