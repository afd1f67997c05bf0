import { bytesOf, type Address } from "./address.js";
import type { contracts, ContractName, Declaration, FunctionName, Output } from "./declarations.js";
import type { Payment } from "./ledger.js";
import type { EnableConfig, LockedAttributes, PairState } from "./state.js";

/** What a contract function returns for each declared output type. */
interface OutputValues {
  Address: Address;
  "Option<Address>": Address | undefined;
  BigUint: bigint;
  u64: bigint;
  bool: boolean;
  TokenIdentifier: string;
  State: PairState;
  KdaTokenPayment: Payment;
  "List<KdaTokenPayment>": readonly Payment[];
  PairContractMetadata: { readonly firstToken: string; readonly secondToken: string; readonly address: Address };
  EnableSwapByUserConfig: EnableConfig;
}

/** The outputs of a declared function: a tuple, or a list if their number is not fixed. */
export type OutputsOf<
  Contract extends ContractName,
  Name extends FunctionName<Contract>,
> = (typeof contracts)[Contract][Name] extends { variadicOutput: infer Each extends Output }
  ? readonly OutputValues[Each][]
  : (typeof contracts)[Contract][Name] extends { outputs: infer Outputs extends readonly Output[] }
    ? { readonly [Index in keyof Outputs]: OutputValues[Outputs[Index]] }
    : never;

/** Encoded as the variant's number (mx-exchange-sc common/modules/pausable). */
const STATES: readonly PairState[] = ["Inactive", "Active", "PartialActive"];

/** @returns the entries of `returnData`, before hex or base64. */
export function encodeOutputs(declaration: Declaration, values: readonly unknown[]): Buffer[] {
  return values.map((value, index) => encodeOutput(declaration.variadicOutput ?? declaration.outputs[index], value));
}

/** Top-level encoding: numbers are minimal big-endian, zero is empty, and lists are concatenated. */
function encodeOutput(type: Output | undefined, value: unknown): Buffer {
  // The implementations' types are inferred from the same declaration, so `value` fits `type`.
  switch (type) {
    case "Address":
      return bytesOf(value as Address);
    case "Option<Address>":
      return value === undefined ? Buffer.alloc(0) : Buffer.concat([Buffer.of(1), bytesOf(value as Address)]);
    case "BigUint":
    case "u64":
      return minimal(value as bigint);
    case "bool":
      return minimal(value === true ? 1n : 0n);
    case "TokenIdentifier":
      return Buffer.from(value as string);
    case "State":
      return minimal(BigInt(STATES.indexOf(value as PairState)));
    case "KdaTokenPayment":
      return encodePayment(value as Payment);
    case "List<KdaTokenPayment>":
      return Buffer.concat((value as readonly Payment[]).map(encodePayment));
    case "PairContractMetadata": {
      const pair = value as OutputValues["PairContractMetadata"];
      return Buffer.concat([text(pair.firstToken), text(pair.secondToken), bytesOf(pair.address)]);
    }
    case "EnableSwapByUserConfig": {
      const config = value as EnableConfig;
      return Buffer.concat([text(config.lockedToken), bigUint(config.minValue), u64(config.minPeriodEpochs)]);
    }
    case undefined:
      throw new Error("a contract function returned more than it declares");
  }
}

/** token_identifier, token_nonce, amount (klever-vm-sdk-rs `kda_token_payment.rs`). */
export function encodePayment(payment: Payment): Buffer {
  return Buffer.concat([text(payment.tokenId), u64(payment.nonce), bigUint(payment.units)]);
}

/** A locked token's attributes as they are stored; equal attributes share a nonce. */
export function lockedAttributesKey(attributes: LockedAttributes): string {
  return Buffer.concat([
    text(attributes.originalTokenId),
    u64(attributes.originalTokenNonce),
    u64(attributes.unlockEpoch),
  ]).toString("hex");
}

function minimal(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
}

function lengthPrefixed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function text(value: string): Buffer {
  return lengthPrefixed(Buffer.from(value));
}

function bigUint(value: bigint): Buffer {
  return lengthPrefixed(minimal(value));
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
