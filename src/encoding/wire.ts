import { addressToBytes, type Address } from "./address.js";
import { formatPayments } from "./asset.js";
import { argumentsOf, type Argument, type ContractCall } from "./call.js";
import { wirePrefixes } from "./contracts.js";

/** The documented JSON body (docs.defi.bitcoin.me); `caller` only where the operator's node wants it. */
export function wireBody(call: ContractCall, caller?: Address) {
  return {
    scAddress: call.address,
    funcName: call.function,
    args: argumentsOf(call).map(({ input, value }) => `${wirePrefixes[input.type]}:${value}`),
    ...(call.payments.length > 0 && { value: formatPayments(call.payments) }),
    ...(caller !== undefined && { caller }),
  };
}

/** A question as a real node's `/vm/query` takes it: arguments in plain hex (klever-go network/api/vm). */
export function viewBody(call: ContractCall) {
  return { scAddress: call.address, funcName: call.function, args: argumentsOf(call).map(argumentHex) };
}

/** The call as a real transaction carries it: `function@hex@hex` (klever-go `scDataHandle.go`). */
export function callData(call: ContractCall): string {
  return [call.function, ...argumentsOf(call).map(argumentHex)].join("@");
}

/** Numbers are minimal big-endian with zero as `00`, texts their bytes. */
function argumentHex({ input, value }: Argument): string {
  if (typeof value === "string") {
    const bytes = input.type === "Address" ? addressToBytes(value as Address) : value;
    return Buffer.from(bytes).toString("hex");
  }
  const hex = value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}
