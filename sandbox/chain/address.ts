import { createHash } from "node:crypto";
import { bech32 } from "bech32";
import type { InputsOf } from "../../src/encoding/contracts.js";

/** An account or contract in its text form, as the contracts' declaration names it. */
export type Address = InputsOf<"router", "setLocalRoles">["pair_address"];

const PREFIX = "klv";
/** Of the bytes. */
export const ADDRESS_LENGTH = 32;
/** By these bytes alone the chain tells a contract's address (klever-sc 0.45 `is_smart_contract_address`). */
const CONTRACT_HEAD = Buffer.alloc(8);
/** Deployed contracts have the VM type after them (klever-connect `isValidContractAddress`). */
const DEPLOYED_HEAD = Buffer.from("00000000000000000500", "hex");

/** What `getPair` answers for tokens without a pair (mx-exchange-sc dex/router). */
export const ZERO_ADDRESS = textOf(Buffer.alloc(ADDRESS_LENGTH));

/** Reads a `klv1…` text in its normal, lower-case form. @throws Error saying what is wrong with it. */
export function readAddress(text: string): Address {
  const { prefix, words } = bech32.decode(text);
  const bytes = bech32.fromWords(words);
  if (prefix !== PREFIX) throw new Error(`an address begins with ${PREFIX}1, not with ${prefix}1`);
  if (bytes.length !== ADDRESS_LENGTH) throw new Error(`an address has ${ADDRESS_LENGTH} bytes, not ${bytes.length}`);
  if (text !== text.toLowerCase()) throw new Error("an address is written in lower case");
  return text as Address;
}

/** The same of a request, whose refusal is made of what is wrong with the text. */
export function addressIn(text: string, refusal: (reason: string) => Error): Address {
  try {
    return readAddress(text);
  } catch (cause) {
    throw refusal((cause as Error).message);
  }
}

/** The 32 bytes. */
export function bytesOf(address: Address): Buffer {
  return Buffer.from(bech32.fromWords(bech32.decode(address).words));
}

export function textOf(bytes: Uint8Array): Address {
  return bech32.encode(PREFIX, bech32.toWords(bytes)) as Address;
}

/** Whether a contract can stand there. */
export function isContract(address: Address): boolean {
  return bytesOf(address).subarray(0, CONTRACT_HEAD.length).equals(CONTRACT_HEAD);
}

export function isDeployedContract(address: Address): boolean {
  return bytesOf(address).subarray(0, DEPLOYED_HEAD.length).equals(DEPLOYED_HEAD);
}

/** The address of a deployer's contract number `count`: like on the chain, it ends with the deployer's last two bytes. */
export function deployedAddress(deployer: Address, count: number): Address {
  const deployerBytes = bytesOf(deployer);
  const hash = createHash("sha256").update(deployerBytes).update(count.toString()).digest();
  return textOf(Buffer.concat([DEPLOYED_HEAD, hash.subarray(0, 20), deployerBytes.subarray(-2)]));
}
