import { createHash } from "node:crypto";
import { bech32 } from "bech32";
import type { InputsOf } from "../../src/encoding/contracts.js";

/** An account's or contract's address as text, with the declarations' own type. */
export type Address = InputsOf<"router", "setLocalRoles">["pair_address"];

const PREFIX = "klv";
/** In bytes. */
export const ADDRESS_LENGTH = 32;
/** The chain recognises a contract's address by these bytes alone (klever-sc 0.45 `is_smart_contract_address`). */
const CONTRACT_HEAD = Buffer.alloc(8);
/** In deployed contracts, the VM type follows (klever-connect `isValidContractAddress`). */
const DEPLOYED_HEAD = Buffer.from("00000000000000000500", "hex");

/** Returned by `getPair` for tokens without a pair (mx-exchange-sc dex/router). */
export const ZERO_ADDRESS = textOf(Buffer.alloc(ADDRESS_LENGTH));

/** Parses a `klv1…` address in lower case. @throws Error that says what is wrong with it. */
export function readAddress(text: string): Address {
  const { prefix, words } = bech32.decode(text);
  const bytes = bech32.fromWords(words);
  if (prefix !== PREFIX) throw new Error(`an address begins with ${PREFIX}1, not with ${prefix}1`);
  if (bytes.length !== ADDRESS_LENGTH) throw new Error(`an address has ${ADDRESS_LENGTH} bytes, not ${bytes.length}`);
  if (text !== text.toLowerCase()) throw new Error("an address is written in lower case");
  return text as Address;
}

/** Like {@link readAddress}, but throws what `refusal` makes of the reason. */
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

/** Whether the address can be a contract's. */
export function isContract(address: Address): boolean {
  return bytesOf(address).subarray(0, CONTRACT_HEAD.length).equals(CONTRACT_HEAD);
}

export function isDeployedContract(address: Address): boolean {
  return bytesOf(address).subarray(0, DEPLOYED_HEAD.length).equals(DEPLOYED_HEAD);
}

/** The address of a deployer's contract number `count`. As on the chain, it ends with the deployer's last two bytes. */
export function deployedAddress(deployer: Address, count: number): Address {
  const deployerBytes = bytesOf(deployer);
  const hash = createHash("sha256").update(deployerBytes).update(count.toString()).digest();
  return textOf(Buffer.concat([DEPLOYED_HEAD, hash.subarray(0, 20), deployerBytes.subarray(-2)]));
}
