import * as z from "zod";
import { unreadableAnswer } from "../../encoding/result.js";
import { isFault } from "../../fault.js";
import { expectSuccess, parseAs } from "../base/http.js";
import { askNode, dataOf, isNotFound, type NodeParts } from "./node.js";
import { readTransfer, type Transfer } from "./transfers.js";

/** A transaction as far as what it moved. */
export interface MovedTransaction {
  readonly hash: string;
  /** The number of its block; zero while it is in none. */
  readonly block: number;
  readonly isOk: boolean;
  readonly transfers: readonly Transfer[];
}

/** A block as far as what it moved. Hashes are hex. */
export interface ChainBlock {
  readonly number: number;
  readonly hash: string;
  /** The hash of the one below. */
  readonly parent: string;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  /** In no order. */
  readonly transactions: readonly MovedTransaction[];
  /** Hashes of its transactions that the node doesn't show with it, or not in a form that can be read. */
  readonly missing: readonly string[];
  /** How long the node's answer was. */
  readonly bytes: number;
}

const MAX_MOVED_BYTES = 1024 * 1024;
/** Blocks have up to 943,718 bytes (klever-go config/node/config.yaml), without receipts and in another form. */
const MAX_BLOCK_BYTES = 8 * 1024 * 1024;
/** What is read of numbers is short: the long ones, amounts, are text. Zero values are omitted. */
const shortNumber = z.int().nonnegative().default(0);
const movedSchema = z.object({
  hash: z.string(),
  status: z.string().default("pending"),
  Block: shortNumber,
  Result: shortNumber,
  ResultCode: shortNumber,
  Receipts: z.array(z.unknown()).nullish(),
});
const movedAnswer = dataOf({ transaction: movedSchema });
const blockAnswer = dataOf({
  block: z.object({
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    Header: z.object({ Nonce: shortNumber, ParentHash: z.string().default(""), Timestamp: shortNumber }),
    TxHashes: z.array(z.unknown()).nullish(),
    transactions: z.array(z.unknown()).nullish(),
  }),
});
const HASH = /^[A-Za-z0-9+/]{43}=$/;
/** A time in seconds is less, one in milliseconds more. */
const SECONDS_BELOW = 100_000_000_000;

/**
 * Reads what anybody's transaction moved. Undefined if the node doesn't know it. Not retried: it is looked at again anyway.
 * @throws Fault `service-…`, `answer-unreadable`.
 */
export async function readMoved(node: NodeParts, hash: string): Promise<MovedTransaction | undefined> {
  const answer = await askNode(node, `transaction/${hash}`, { retry: false, maximumBytes: MAX_MOVED_BYTES });
  if (isNotFound(answer, "transaction")) return undefined;
  expectSuccess("node", answer);
  const { transaction } = parseAs(movedAnswer, answer.text, undefined, "a transaction in another form").data;
  if (transaction.hash !== hash) throw unreadableAnswer("another transaction than the one asked for");
  // A proxy's answer has other names.
  if (transaction.Block === 0 && transaction.status !== "pending")
    throw unreadableAnswer("a transaction in a block that isn't told");
  return movedIn(transaction);
}

interface BlockRequest {
  /** Default true. Without them, all of its transactions are missing. */
  readonly withTransactions?: boolean;
  /** Whether the connection isn't used again: behind one address there may be several nodes. */
  readonly isLast?: boolean;
}

/** What is read of a node's blocks. */
export interface ChainReader {
  /** See {@link readBlock}. */
  readonly readBlock: (number: number, asked?: BlockRequest) => Promise<ChainBlock | undefined>;
  /** Undefined if the node doesn't know the hash. */
  readonly readMoved: (hash: string) => Promise<MovedTransaction | undefined>;
  /** The number of the newest block. */
  readonly height: () => Promise<bigint>;
}

export const chainReader = (node: NodeParts, height: ChainReader["height"]): ChainReader => ({
  readBlock: (number, asked) => readBlock(node, number, asked),
  readMoved: (hash) => readMoved(node, hash),
  height,
});

/**
 * Reads the block with a number, without its transactions if the answer would be too long. Undefined if the node doesn't
 * have it, yet or any more. Not retried. @throws Fault `service-…`, `answer-unreadable`.
 */
export async function readBlock(
  node: NodeParts,
  number: number,
  { withTransactions = true, isLast = false }: BlockRequest = {},
): Promise<ChainBlock | undefined> {
  const path = `block/by-nonce/${number}?withTxs=${withTransactions}`;
  const asking = askNode(node, path, { retry: false, maximumBytes: MAX_BLOCK_BYTES, isLast });
  const answer = await asking.catch((error: unknown) => {
    if (!withTransactions || !isFault(error, "answer-unreadable")) throw error;
    return undefined;
  });
  if (answer === undefined) return readBlock(node, number, { withTransactions: false, isLast });
  if (isNotFound(answer, "block")) return undefined;
  expectSuccess("node", answer);
  const { block } = parseAs(blockAnswer, answer.text, undefined, "a block in another form").data;
  const { hash, Header: header, TxHashes: hashes, transactions } = block;
  if (header.Nonce !== number) throw unreadableAnswer("another block than the one asked for");
  const shown = new Map(shownIn(transactions ?? [], number).map((each) => [each.hash, each]));
  const own = (hashes ?? []).map(hexOf);
  return {
    number,
    hash,
    parent: header.ParentHash === "" ? "" : hexOf(header.ParentHash),
    at: header.Timestamp < SECONDS_BELOW ? 1000 * header.Timestamp : header.Timestamp,
    transactions: own.flatMap((each) => shown.get(each) ?? []),
    missing: own.filter((each) => !shown.has(each)),
    bytes: answer.text.length,
  };
}

/** Those that can be read. One that says that it is in another block was read while the chain changed. */
function shownIn(transactions: readonly unknown[], block: number): readonly MovedTransaction[] {
  return transactions.flatMap((each) => {
    const read = movedSchema.safeParse(each);
    if (!read.success || read.data.Block !== block) return [];
    try {
      return [movedIn(read.data)];
    } catch (error) {
      if (!isFault(error, "answer-unreadable")) throw error;
      return [];
    }
  });
}

function movedIn({ hash, Block: block, Result, ResultCode, Receipts }: z.output<typeof movedSchema>): MovedTransaction {
  const transfers: Transfer[] = [];
  for (const receipt of Receipts ?? []) {
    const transfer = readTransfer(receipt);
    if (transfer !== undefined) transfers.push(transfer);
  }
  return { hash, block, isOk: Result === 0 && ResultCode === 0, transfers };
}

/** 32 bytes from base64. A block has many: a schema takes five times as long. */
function hexOf(hash: unknown): string {
  if (typeof hash !== "string" || !HASH.test(hash)) throw unreadableAnswer("a hash in another form");
  return Buffer.from(hash, "base64").toString("hex");
}
