import * as z from "zod";
import { unreadableAnswer } from "../../encoding/result.js";
import { expectSuccess, parseAs, wholeOrText } from "../base/http.js";
import { askNode, dataOf, isNotFound, type NodeParts } from "./node.js";

/** What moved from one account to another. */
export interface Transfer {
  /** In base64 of their 32 bytes; nobody's is all zero, where what is minted comes from and what is burned goes. */
  readonly from: string;
  readonly to: string;
  /** The token's id, with its nonce if it has one. */
  readonly asset: string;
  readonly units: bigint;
}

/** A transaction as far as what it moved. */
export interface Movements {
  /** Zero while it is in none. */
  readonly block: bigint;
  readonly isOk: boolean;
  readonly transfers: readonly Transfer[];
}

const MAX_TRANSACTION_BYTES = 1024 * 1024;
const unsignedField = z.bigint().nonnegative().default(0n);
/** Bytes are in base64; empty ones may be null. */
const receiptSchema = z.object({ Data: z.array(z.string().nullable()).nullish() });
/** Zero values are omitted. */
const movementsAnswer = dataOf({
  transaction: z.object({
    hash: z.string(),
    status: z.string().optional(),
    Block: unsignedField,
    Result: unsignedField,
    ResultCode: unsignedField,
    Receipts: z.array(receiptSchema).nullish(),
  }),
});
/** The first of its kinds (core/process/transaction/receipt.go), which all movements of tokens leave. */
const TRANSFER = 0;

/**
 * Reads what anybody's transaction moved. Undefined if the node doesn't know it. Not retried: it is looked at again anyway.
 * @throws Fault `service-…`, `answer-unreadable`.
 */
export async function readMovements(node: NodeParts, hash: string): Promise<Movements | undefined> {
  const answer = await askNode(node, `transaction/${hash}`, { retry: false, maximumBytes: MAX_TRANSACTION_BYTES });
  if (isNotFound(answer, "transaction")) return undefined;
  expectSuccess("node", answer);
  const { transaction } = parseAs(movementsAnswer, answer.text, wholeOrText, "a transaction in another form").data;
  const { hash: stated, status = "pending", Block: block, Result, ResultCode, Receipts } = transaction;
  if (stated !== hash) throw unreadableAnswer("another transaction than the one asked for");
  // A proxy's answer has other names.
  if (block === 0n && status !== "pending") throw unreadableAnswer("a transaction in a block that isn't told");
  return { block, isOk: Result === 0n && ResultCode === 0n, transfers: (Receipts ?? []).flatMap(readTransfer) };
}

/** As indexer/common.go reads it: kind, from, to, units as text, token, nonce as text. Other kinds have none. */
function readTransfer({ Data }: z.output<typeof receiptSchema>): readonly Transfer[] {
  const [kind, from, to, units, token, nonce] = (Data ?? []).map((each) => each ?? "");
  if (decoded64(kind)[0] !== TRANSFER) return [];
  const [amount, id, own] = [latinOf(units), latinOf(token), latinOf(nonce)];
  if (decoded64(from).length !== 32 || decoded64(to).length !== 32 || !/^[0-9]{1,19}$/.test(amount) || id === "") {
    throw unreadableAnswer("a transfer in another form");
  }
  return [{ from: from ?? "", to: to ?? "", asset: own === "" ? id : `${id}/${own}`, units: BigInt(amount) }];
}

const decoded64 = (text = ""): Buffer => Buffer.from(text, "base64");
const latinOf = (text = ""): string => decoded64(text).toString("latin1");
