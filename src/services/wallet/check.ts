import { isDeepStrictEqual } from "node:util";
import type { ContractCall } from "../../encoding/call.js";
import { hashOf, SMART_CONTRACT_URL, transactionOf, type Frame, type RawData } from "../../encoding/transaction.js";
import { Fault } from "../../fault.js";
import type { Built } from "./node.js";

/**
 * The transaction of a call, built here, once its hash is that of the node's. Only the fees are the node's to choose; it may also
 * leave the type's name out and list payments, which the chain sorts by itself, in any order.
 * @throws Fault `transaction-altered` naming the first field that differs.
 */
export function checkedTransaction({ raw: told, fees, hash }: Built, call: ContractCall, frame: Frame): RawData {
  const orders = [call, { ...call, payments: call.payments.toReversed() }];
  const forms = [SMART_CONTRACT_URL, ""].flatMap((url) => orders.map((each) => transactionOf(each, frame, fees, url)));
  const same = forms.find((raw) => hashOf(raw) === hash);
  if (same !== undefined) return same;
  const fields = Object.keys({ ...forms[0], ...told }) as (keyof RawData)[];
  const differs = fields.find((field) => forms.every((raw) => !isDeepStrictEqual(raw[field], told[field])));
  throw new Fault("transaction-altered", { field: differs ?? "txHash" });
}
