import { Fault } from "../fault.js";
import { addressToBytes, parseAddress, type Address } from "./address.js";
import { formatPayments, isTokenId, MAX_BIG_UINT, MAX_U64, type Payment } from "./asset.js";
import {
  declarationOf,
  type ContractName,
  type FunctionName,
  type Input,
  type InputType,
  type PaymentRule,
} from "./contracts.js";
import type { InputsOf } from "./inputs.js";

/**
 * One contract call, complete and immutable, in the documented wire form (docs.defi.bitcoin.me): typed arguments as
 * `<prefix>:<content>` and the payment as `<asset>=<units>`. It is plain JSON, so that an intent can keep it.
 */
export interface ContractCall {
  readonly contract: ContractName;
  readonly scAddress: Address;
  readonly funcName: string;
  readonly args: readonly string[];
  /** Absent when nothing is sent along. */
  readonly value?: string;
}

/** The greatest number of each type that is one. */
const GREATEST: Partial<Record<InputType, bigint>> = { u32: (1n << 32n) - 1n, u64: MAX_U64, BigUint: MAX_BIG_UINT };

/**
 * Builds a call from typed values, in the declared order.
 * @param target the contract's kind and where it lives.
 * @param payments what is sent along, in smallest units.
 * @throws Fault `value-out-of-range` for a number outside its type or its declared bounds, `asset-invalid` for a token id,
 * `arguments-invalid` for a wrong number of payments, a text that cannot be sent, or an empty repeated group.
 */
export function encodeCall<Contract extends ContractName, Name extends FunctionName<Contract>>(
  target: { readonly contract: Contract; readonly address: Address },
  functionName: Name,
  inputs: InputsOf<Contract, Name>,
  payments: readonly Payment[] = [],
): ContractCall {
  const declaration = declarationOf(target.contract, functionName);
  if (declaration === undefined) throw invalid(functionName, "no such function");
  checkPayments(functionName, declaration.payment, payments);
  const values = inputs as Readonly<Record<string, unknown>>;
  const args = encodeGroup(functionName, declaration.inputs, values);
  if (declaration.variadic !== undefined) {
    const groups = values[declaration.variadic.name] as readonly Readonly<Record<string, unknown>>[];
    if (groups.length === 0) throw invalid(functionName, `${declaration.variadic.name} is empty`);
    for (const group of groups) args.push(...encodeGroup(functionName, declaration.variadic.group, group));
  }
  const call = { contract: target.contract, scAddress: target.address, funcName: functionName, args };
  return payments.length === 0 ? call : { ...call, value: formatPayments(payments) };
}

/** The documented JSON body, with exactly its fields; `caller` only where the operator's node wants it (`CALL_INCLUDES_CALLER`). */
export function wireBody(call: ContractCall, caller?: Address) {
  return {
    scAddress: call.scAddress,
    funcName: call.funcName,
    args: call.args,
    ...(call.value !== undefined && { value: call.value }),
    ...(caller !== undefined && { caller }),
  };
}

/**
 * The call as a real transaction carries it: `function@hex@hex` (klever-go `scDataHandle.go`). Numbers are minimal
 * big-endian with zero as `00`; texts are their bytes.
 * @throws Fault `arguments-invalid` for an argument that is not `<prefix>:<content>`, or a number that is not decimal.
 */
export function callData(call: ContractCall): string {
  return [call.funcName, ...call.args.map((argument) => argumentHex(call.funcName, argument))].join("@");
}

function argumentHex(functionName: string, argument: string): string {
  const separator = argument.indexOf(":");
  const content = argument.slice(separator + 1);
  switch (argument.slice(0, Math.max(separator, 0))) {
    case "address":
      return Buffer.from(addressToBytes(parseAddress(content))).toString("hex");
    case "u64":
    case "BigUint": {
      if (!/^[0-9]+$/.test(content)) throw invalid(functionName, "a number that is not decimal");
      const hex = BigInt(content).toString(16);
      return hex.length % 2 === 0 ? hex : `0${hex}`;
    }
    case "string":
      return Buffer.from(content, "utf8").toString("hex");
    default:
      throw invalid(functionName, "an argument without a known prefix");
  }
}

function encodeGroup(
  functionName: string,
  inputs: readonly Input[],
  values: Readonly<Record<string, unknown>>,
): string[] {
  return inputs
    .filter(({ name, optional }) => optional === undefined || values[name] !== undefined)
    .map((input) => `${input.prefix}:${encodeValue(functionName, input, values[input.name])}`);
}

function encodeValue(functionName: string, input: Input, value: unknown): string {
  if (typeof value === "bigint") return encodeNumber(input, value);
  if (typeof value !== "string") throw invalid(functionName, `${input.name} is missing`);
  switch (input.type) {
    case "Address":
      return parseAddress(value);
    case "TokenIdentifier":
      if (!isTokenId(value)) throw new Fault("asset-invalid", { text: value.slice(0, 70) });
      return value;
    case "bytes":
      if (input.oneOf !== undefined ? !input.oneOf.includes(value) : !/^[\x20-\x7e]{1,64}$/.test(value)) {
        throw invalid(functionName, `${input.name} cannot be sent`);
      }
      return value;
    default:
      throw invalid(functionName, `${input.name} is not a number`);
  }
}

function encodeNumber(input: Input, value: bigint): string {
  const maximum = input.maximum ?? GREATEST[input.type];
  if (maximum === undefined || value > maximum || value < (input.minimum ?? 0n)) {
    throw new Fault("value-out-of-range", { name: input.name, type: input.type, value: value.toString() });
  }
  return value.toString();
}

function checkPayments(functionName: string, rule: PaymentRule, payments: readonly Payment[]): void {
  const expected = { none: 0, any: 1, fungible: 1, "semi-fungible": 1, "pool-pair": 2 }[rule];
  if (payments.length !== expected) {
    throw invalid(functionName, `${payments.length} payments instead of ${expected}`);
  }
  const hasNonce = payments.some(({ nonce }) => nonce !== undefined);
  if (rule === "semi-fungible" && !hasNonce) throw invalid(functionName, "the payment needs a nonce");
  if (rule !== "semi-fungible" && rule !== "any" && hasNonce) {
    throw invalid(functionName, "the payment must be fungible");
  }
}

function invalid(functionName: string, reason: string): Fault {
  return new Fault("arguments-invalid", { function: functionName, reason });
}
