import { textOf } from "../chain/address.js";
import { decodeByteArguments } from "../chain/arguments.js";
import { BadRequest } from "../chain/failure.js";
import { assetOf } from "../chain/ledger.js";
import type { CallRequest } from "../chain/request.js";
import { decodeSmartContract, senderOf, SMART_CONTRACT, type RawData } from "./transaction.js";

/**
 * The call in a transaction. Payments reach the contract sorted by asset, whatever their order in the bytes
 * (klever-go common/types/deterministicMap.go). @throws BadRequest if there is no call.
 */
export function contractCall(raw: RawData): CallRequest {
  const [contract, ...others] = raw.Contract;
  if (contract === undefined || others.length > 0)
    throw new BadRequest("smart contract transactions have one contract");
  if (contract.Type !== SMART_CONTRACT) throw new BadRequest("invalid transaction type");
  const call = decodeSmartContract(contract.Parameter.value ?? "");
  if (call.Type !== undefined) throw new BadRequest("only calls of deployed contracts are known here");
  const [functionName = "", ...args] = callDataOf(raw);
  if (!args.every((each) => /^(?:[0-9a-f]{2})*$/i.test(each))) throw new BadRequest("invalid call data");
  return {
    contract: textOf(Buffer.from(call.Address, "base64")),
    functionName,
    inputs: (declaration) =>
      decodeByteArguments(
        declaration,
        args.map((each) => Buffer.from(each, "hex")),
      ),
    payments: Object.entries(call.CallValue)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([asset, { Amount: units = 0n }]) => ({ ...assetOf(asset), units })),
    caller: senderOf(raw),
  };
}

export function functionNameOf(raw: RawData): string {
  return callDataOf(raw)[0] ?? "";
}

function callDataOf(raw: RawData): readonly string[] {
  return Buffer.from(raw.Data?.[0] ?? "", "base64")
    .toString()
    .split("@");
}
