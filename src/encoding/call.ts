import * as z from "zod";
import { Fault } from "../fault.js";
import { addressSchema, addressToBytes, parseAddress, type Address } from "./address.js";
import { checkPayment, formatPayments, isTokenId, MAX_BIG_UINT, MAX_U64, type Payment } from "./amount.js";
import type { ContractName, FunctionName, Input, InputType, InputsOf } from "./contracts.js";
import { declarationOf, wirePrefixes } from "./contracts.js";

export interface Target<Contract extends ContractName> {
  readonly contract: Contract;
  readonly address: Address;
}

interface CallOf<Contract extends ContractName, Name extends FunctionName<Contract>> extends Target<Contract> {
  readonly function: Name;
  readonly inputs: InputsOf<Contract, Name>;
  readonly payments: readonly Payment[];
}

/** A validated contract call, as values: only a gateway encodes it, in the format its node expects. */
export type ContractCall = {
  [Contract in ContractName]: { [Name in FunctionName<Contract>]: CallOf<Contract, Name> }[FunctionName<Contract>];
}[ContractName];

/** @throws Fault `value-out-of-range`, `asset-invalid`, `arguments-invalid`. */
export function contractCall<Contract extends ContractName, Name extends FunctionName<Contract>>(
  target: Target<Contract>,
  functionName: Name,
  inputs: InputsOf<Contract, Name>,
  payments: readonly Payment[] = [],
): ContractCall {
  return checkedCall({ ...target, function: functionName, inputs, payments });
}

const uncheckedCall = z.object({
  contract: z.enum(["referral", "router", "simpleLock", "pair"]),
  address: addressSchema,
  function: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  payments: z.array(z.object({ tokenId: z.string(), nonce: z.bigint().exactOptional(), units: z.bigint() })).readonly(),
});
type AnyCall = Readonly<z.output<typeof uncheckedCall>>;

/** Parsing also throws the Faults of {@link contractCall}. */
export const callSchema = uncheckedCall.transform(checkedCall);

/** The account that receives a call's output; undefined if that is the caller. */
export function destinationOf({ inputs }: ContractCall): Address | undefined {
  if ("amount_out_destination" in inputs) return inputs.amount_out_destination;
  return "opt_destination" in inputs ? inputs.opt_destination : undefined;
}

export function pairsIn({ inputs }: ContractCall): readonly Address[] {
  if ("swap_operations" in inputs) return inputs.swap_operations.map(({ pair_address: pair }) => pair);
  return "pair_address" in inputs ? [inputs.pair_address] : [];
}

export function argumentsOf(call: AnyCall) {
  const { inputs, variadic } = declarationIn(call);
  const groupArguments = (group: readonly Input[], held: Readonly<Record<string, unknown>>) =>
    group
      .filter(({ name, optional }) => optional === undefined || held[name] !== undefined)
      .map((input) => ({ input, value: checked(call, input, held[input.name]) }));
  const own = groupArguments(inputs, call.inputs);
  if (variadic === undefined) return own;
  const groups = (call.inputs[variadic.name] ?? []) as readonly Readonly<Record<string, unknown>>[];
  if (groups.length === 0) throw invalid(call, `${variadic.name} is empty`);
  return [...own, ...groups.flatMap((held) => groupArguments(variadic.group, held))];
}

const GREATEST: Partial<Record<InputType, bigint>> = { u32: (1n << 32n) - 1n, u64: MAX_U64, BigUint: MAX_BIG_UINT };

function checked(call: AnyCall, input: Input, value: unknown): bigint | string {
  if (typeof value === "bigint") {
    const maximum = input.maximum ?? GREATEST[input.type];
    if (maximum !== undefined && value <= maximum && value >= (input.minimum ?? 0n)) return value;
    throw new Fault("value-out-of-range", { name: input.name, type: input.type, value: value.toString() });
  }
  if (typeof value !== "string") throw invalid(call, `${input.name} is missing`);
  switch (input.type) {
    case "Address":
      return parseAddress(value);
    case "TokenIdentifier":
      if (isTokenId(value)) return value;
      throw new Fault("asset-invalid", { text: value.slice(0, 70) });
    case "bytes":
      if (input.oneOf === undefined ? /^[\x20-\x7e]{1,64}$/.test(value) : input.oneOf.includes(value)) return value;
      throw invalid(call, `${input.name} cannot be sent`);
    default:
      throw invalid(call, `${input.name} is not a number`);
  }
}

function checkedCall(call: AnyCall): ContractCall {
  argumentsOf(call);
  const { payment: rule } = declarationIn(call);
  const expected = { none: 0, any: 1, fungible: 1, "semi-fungible": 1, "pool-pair": 2 }[rule];
  const { length } = call.payments;
  if (length !== expected) throw invalid(call, `${length} payments instead of ${expected}`);
  const hasNonce = call.payments.some(({ nonce }) => nonce !== undefined);
  if (rule === "semi-fungible" && !hasNonce) throw invalid(call, "the payment needs a nonce");
  if (rule !== "semi-fungible" && rule !== "any" && hasNonce) throw invalid(call, "the payment must be fungible");
  call.payments.forEach(checkPayment);
  return call as ContractCall;
}

function declarationIn(call: AnyCall) {
  const declaration = declarationOf(call.contract, call.function);
  if (declaration === undefined) throw invalid(call, "no such function");
  return declaration;
}

function invalid(call: AnyCall, reason: string): Fault {
  return new Fault("arguments-invalid", { function: call.function, reason });
}

/** The documented JSON body (docs.defi.bitcoin.me); `caller` is set only if the operator's node expects it. */
export function wireBody(call: ContractCall, caller?: Address) {
  return {
    scAddress: call.address,
    funcName: call.function,
    args: argumentsOf(call).map(({ input, value }) => `${wirePrefixes[input.type]}:${value}`),
    ...(call.payments.length > 0 && { value: formatPayments(call.payments) }),
    ...(caller !== undefined && { caller }),
  };
}

/** The body of a view query for a real node's `/vm/query`: arguments in plain hex (klever-go network/api/vm). */
export function viewBody(call: ContractCall) {
  return { scAddress: call.address, funcName: call.function, args: argumentsOf(call).map(argumentHex) };
}

/** The call in a real transaction's data: `function@hex@hex` (klever-go `scDataHandle.go`). */
export function callData(call: ContractCall): string {
  return [call.function, ...argumentsOf(call).map(argumentHex)].join("@");
}

/** Numbers are minimal big-endian, with zero as `00`; strings are their bytes. */
function argumentHex({ input, value }: ReturnType<typeof argumentsOf>[number]): string {
  if (typeof value === "string") {
    const bytes = input.type === "Address" ? addressToBytes(value as Address) : value;
    return Buffer.from(bytes).toString("hex");
  }
  const hex = value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}
