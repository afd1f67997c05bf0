import { isDeepStrictEqual } from "node:util";
import { addressToBytes, type Address } from "../../encoding/address.js";
import { formatAssetId, type Payment } from "../../encoding/asset.js";
import type { ContractCall } from "../../encoding/call.js";
import { readSmartContract, transactionHash, writeRawData, type RawData } from "../../encoding/transaction.js";
import { callData } from "../../encoding/wire.js";
import { Fault } from "../../fault.js";

/** What a transaction has to contain, and nothing else. Only its fees are the node's to choose, and the hash covers them. */
export interface Expected {
  readonly call: ContractCall;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly chainId: string;
  /** The hash that the node named with it, in hex. */
  readonly hash: string;
}

/** The number of a contract call among the types of transactions (klever-go). */
const SMART_CONTRACT = 63n;
/** The type may also be left out. */
const TYPE_URLS = ["type.googleapis.com/proto.SmartContract", ""];

/**
 * Compares every field of a transaction that a node built with what was asked for.
 * @throws Fault `transaction-altered` naming the first field that differs, `transaction-unreadable`.
 */
export function checkTransaction(raw: RawData, expected: Expected): void {
  const { call, sender, nonce, chainId } = expected;
  const [contract, ...others] = raw.Contract;
  check("Contract", contract?.Parameter !== undefined && others.length === 0);
  check("Type", contract.Type === SMART_CONTRACT && TYPE_URLS.includes(contract.Parameter.type_url));
  const called = readSmartContract(contract.Parameter.value);
  check("SCType", called.type === 0n);
  check("Address", isSame(called.address, addressToBytes(call.address)));
  check("CallValue", isDeepStrictEqual(sortedTexts(called.payments), sortedTexts(call.payments)));
  check("Royalties", !called.hasRoyalties);
  const [data, ...moreData] = raw.Data;
  check("Data", data !== undefined && moreData.length === 0 && isSame(data, Buffer.from(callData(call), "utf8")));
  check("Sender", isSame(raw.Sender, addressToBytes(sender)));
  check("Nonce", raw.Nonce === nonce);
  check("ChainID", isSame(raw.ChainID, Buffer.from(chainId, "utf8")));
  check("Version", raw.Version === 1n);
  check("PermissionID", raw.PermissionID === 0n);
  check("KDAFee", raw.KDAFee === undefined);
  check("txHash", Buffer.from(transactionHash(writeRawData(raw))).toString("hex") === expected.hash);
}

function check(field: string, holds: boolean): asserts holds {
  if (!holds) throw new Fault("transaction-altered", { field });
}

/** The chain sorts payments itself, so their order means nothing. */
function sortedTexts(payments: readonly Payment[]): readonly string[] {
  return payments.map((payment) => `${formatAssetId(payment)}=${payment.units}`).sort();
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
