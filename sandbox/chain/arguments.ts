import { wirePrefixes, type Input } from "../../src/encoding/contracts.js";
import { ADDRESS_LENGTH, addressIn, textOf, type Address } from "./address.js";
import type { Declaration } from "./declarations.js";
import { BadRequest, CallFailure, check } from "./failure.js";

/** A call's inputs by their declared names; a repeated group is a list under the group's name. */
export type InputValues = Readonly<Record<string, unknown>>;

const GREATEST = { u32: (1n << 32n) - 1n, u64: (1n << 64n) - 1n };

/**
 * Decodes `<prefix>:<content>` arguments by a function's declaration. Bounds beyond those of the type are left to the
 * contract.
 * @throws CallFailure with the framework's texts (klever-vm-sdk-rs err_msg.rs); BadRequest for malformed arguments.
 */
export function decodeArguments(declaration: Declaration, args: readonly string[]): InputValues {
  return decodeEach(declaration, args, decodeArgument);
}

/**
 * Decodes a transaction's arguments: bytes, with big-endian numbers.
 * @throws CallFailure with the framework's texts.
 */
export function decodeByteArguments(declaration: Declaration, args: readonly Buffer[]): InputValues {
  return decodeEach(declaration, args, decodeBytes);
}

/** `name` is the argument's name in a failure. */
type Decode<Argument> = (input: Input, argument: Argument, name: string) => string | bigint;

/** The framework's name for each variadic argument. */
const VARIADIC_NAME = "var args";

function decodeEach<Argument>(
  declaration: Declaration,
  args: readonly Argument[],
  decode: Decode<Argument>,
): InputValues {
  const { inputs, variadic } = declaration;
  const least = inputs.filter(({ optional }) => optional !== true).length;
  const isFixed = variadic === undefined && least === inputs.length;
  check(args.length >= least, isFixed ? "wrong number of arguments" : "too few arguments");
  check(
    variadic !== undefined || args.length <= inputs.length,
    isFixed ? "wrong number of arguments" : "too many arguments",
  );
  const single = decodeGroup(inputs, args.slice(0, inputs.length), decode);
  if (variadic === undefined) return single;
  const { name, group } = variadic;
  const repeated = args.slice(inputs.length);
  check(repeated.length % group.length === 0, `argument decode error (${VARIADIC_NAME}): too few arguments`);
  const groups = Array.from({ length: repeated.length / group.length }, (_, index) =>
    decodeGroup(group, repeated.slice(index * group.length, (index + 1) * group.length), (input, argument) =>
      decode(input, argument, VARIADIC_NAME),
    ),
  );
  return { ...single, [name]: groups };
}

function decodeGroup<Argument>(
  inputs: readonly Input[],
  args: readonly Argument[],
  decode: Decode<Argument>,
): InputValues {
  return Object.fromEntries(
    args.map((argument, index) => {
      // The number of arguments was checked, so there are never more than inputs.
      const input = inputs[index] as Input;
      return [input.name, decode(input, argument, input.name)];
    }),
  );
}

/** Accepts the declared prefix only: a chain would read another prefix's bytes as something else. */
function decodeArgument(input: Input, argument: string, name: string): string | bigint {
  const separator = argument.indexOf(":");
  const prefix = argument.slice(0, Math.max(separator, 0));
  const content = argument.slice(separator + 1);
  if (!["address", "u64", "string", "BigUint"].includes(prefix)) {
    throw new BadRequest(`invalid item to encode: ${argument}`);
  }
  if (prefix !== wirePrefixes[input.type]) throw new CallFailure(`argument decode error (${name}): invalid value`);
  if (prefix === "string") return content;
  if (prefix === "address") return addressOf(content);
  if (!/^(?:0|[1-9][0-9]*)$/.test(content)) throw new BadRequest(`not an unsigned integer: ${argument}`);
  const value = BigInt(content);
  if (prefix === "u64" && value > GREATEST.u64) throw new BadRequest(`value out of range: ${argument}`);
  return fitting(input, value, name);
}

function decodeBytes(input: Input, argument: Buffer, name: string): string | bigint {
  if (wirePrefixes[input.type] === "string") return argument.toString();
  if (input.type === "Address") {
    if (argument.length !== ADDRESS_LENGTH) {
      throw new CallFailure(`argument decode error (${name}): bad array length`);
    }
    return textOf(argument);
  }
  return fitting(input, argument.length === 0 ? 0n : BigInt(`0x${argument.toString("hex")}`), name);
}

/** The VM reads numbers of up to 64 bits; then the framework checks the bound of a shorter type. */
function fitting({ type }: Input, value: bigint, name: string): bigint {
  if (type !== "u32" && type !== "u64") return value;
  if (value > GREATEST.u64) throw new CallFailure("argument out of range", "VMExecutionFailed");
  check(value <= GREATEST[type], `argument decode error (${name}): input too long`);
  return value;
}

export function addressOf(text: string): Address {
  return addressIn(text, () => new BadRequest(`not an address: ${text}`));
}
