import type { Input } from "../../src/encoding/contracts.js";
import { readAddress } from "./address.js";
import type { Declaration } from "./declarations.js";
import { BadRequest, CallFailure, check } from "./failure.js";

/** The values of a call's inputs by their declared names; a repeated group is a list under the group's name. */
export type InputValues = Readonly<Record<string, unknown>>;

const GREATEST = { u32: (1n << 32n) - 1n, u64: (1n << 64n) - 1n };

/**
 * Decodes `<prefix>:<content>` arguments by a function's declaration. Bounds of a value beyond its type are the contract's
 * own matter.
 * @throws CallFailure with the framework's texts (klever-vm-sdk-rs err_msg.rs); BadRequest for what no client can mean.
 */
export function decodeArguments(declaration: Declaration, args: readonly string[]): InputValues {
  const { inputs, variadic } = declaration;
  const least = inputs.filter(({ optional }) => optional !== true).length;
  check(args.length >= least && (variadic !== undefined || args.length <= inputs.length), "wrong number of arguments");
  const single = decodeGroup(inputs, args.slice(0, inputs.length));
  if (variadic === undefined) return single;
  const { name, group } = variadic;
  const repeated = args.slice(inputs.length);
  check(repeated.length % group.length === 0, `argument decode error (${name}): too few arguments`);
  const groups = Array.from({ length: repeated.length / group.length }, (_, index) =>
    decodeGroup(group, repeated.slice(index * group.length, (index + 1) * group.length)),
  );
  return { ...single, [name]: groups };
}

function decodeGroup(inputs: readonly Input[], args: readonly string[]): InputValues {
  return Object.fromEntries(
    args.map((argument, index) => {
      // There are never more arguments than inputs here: their number was checked.
      const input = inputs[index] as Input;
      return [input.name, decodeArgument(input, argument)];
    }),
  );
}

/** Only the declared prefix is taken: a chain would read the bytes of another one as something else. */
function decodeArgument(input: Input, argument: string): string | bigint {
  const separator = argument.indexOf(":");
  const prefix = argument.slice(0, Math.max(separator, 0));
  const content = argument.slice(separator + 1);
  if (!["address", "u64", "string", "BigUint"].includes(prefix)) {
    throw new BadRequest(`invalid item to encode: ${argument}`);
  }
  if (prefix !== input.prefix) throw new CallFailure(`argument decode error (${input.name}): invalid value`);
  if (prefix === "string") return content;
  if (prefix === "address") return decodeAddress(content);
  if (!/^(?:0|[1-9][0-9]*)$/.test(content)) throw new BadRequest(`not an unsigned integer: ${argument}`);
  const value = BigInt(content);
  if (prefix === "u64" && value > GREATEST.u64) throw new BadRequest(`value out of range: ${argument}`);
  if (input.type === "u32" && value > GREATEST.u32) {
    throw new CallFailure(`argument decode error (${input.name}): input too long`);
  }
  return value;
}

function decodeAddress(content: string): string {
  try {
    return readAddress(content);
  } catch (cause) {
    throw new BadRequest(`not an address: ${content}`, { cause });
  }
}
