import type { Address } from "../chain/address.js";
import type { Transfer } from "../chain/ledger.js";
import type { createAccounts } from "./accounts.js";
import type { Block, Known } from "./blocks.js";
import { RESULT_CODES } from "./execution.js";
import { decoded } from "./shown.js";
import { senderOf, writeJson } from "./transaction.js";

/**
 * How nodes of klever-io/klever-go spoke in the course of time.
 *
 * - A: network/api/websocket/routes.go, websocket/websocket.go and indexer/events.go at 21147fa4
 * - B: network/api/websocket/routes.go at 593508b7, websocket/client.go at d2a80666, with requests
 * - C: network/api/websocket/routes.go at 49e9e7be, websocket/client.go at 49e9e7be, with limits and pings
 * - D: websocket/websocket.go at ff2ce14f, with logs
 */
export const feedDialects = ["A", "B", "C", "D"] as const;
export type FeedDialect = (typeof feedDialects)[number];

/** What somebody can subscribe to, in the words of B to D. */
export type FeedType = "blocks" | "transactions" | "accounts" | "user_transactions" | "logs";

export interface FeedMessage {
  readonly type: FeedType;
  /** Empty for what everybody gets who asked for the type. */
  readonly address: Address | "";
  readonly data: object;
}

/** Words of A where they are others: it is asked for "transactions", and sends "transaction". */
const wordsOfA = { user_transactions: "user_transaction", transactions: "transaction" } as const;

/** The type that a word asks for, if the dialect knows it. */
export function typeAsked(dialect: FeedDialect, word: string): FeedType | undefined {
  const known: readonly string[] =
    dialect === "A"
      ? ["blocks", "transactions", "accounts", "user_transaction"]
      : ["blocks", "transactions", "accounts", "user_transactions", ...(dialect === "D" ? ["logs"] : [])];
  if (!known.includes(word)) return undefined;
  return word === "user_transaction" ? "user_transactions" : (word as FeedType);
}

/** The frame as it is sent; the hash of the envelope is empty in all but `logs`. */
export function frameOf(dialect: FeedDialect, { type, address, data }: FeedMessage): string {
  const hash = type === "logs" ? (data as { readonly ID: string }).ID : "";
  if (dialect !== "A") return writeJson({ type, address, hash, data });
  const word = type in wordsOfA ? wordsOfA[type as keyof typeof wordsOfA] : type;
  return writeJson({ type: word, address, hash, data: Buffer.from(writeJson(data)).toString("base64") });
}

/**
 * Everything that is sent about a committed block, in the order of indexer/eventsProcessor.go at b7c94ef8.
 * @param shuffled puts transactions into the order of a Go map, which is random.
 */
export function messagesOf(
  block: Block,
  parts: {
    readonly accounts: ReturnType<typeof createAccounts>;
    readonly epoch: number;
    readonly shuffled: <Item>(items: readonly Item[]) => readonly Item[];
  },
): readonly FeedMessage[] {
  const { accounts, epoch, shuffled } = parts;
  const hashes = block.included.map(({ hash }) => hash);
  const header = {
    hash: block.hash,
    nonce: block.nonce,
    parentHash: block.parentHash,
    timestamp: block.timestamp,
    slot: block.nonce,
    epoch,
    trieRoot: block.hash,
    txCount: hashes.length,
    txHashes: hashes,
  };
  const blocks = { type: "blocks", address: "", data: header } as const;
  if (block.included.length === 0) return [blocks];
  const included = shuffled(block.included).map((known) => ({ known, data: transactionOf(known, block) }));
  return [
    blocks,
    ...included.flatMap(({ known, data }) =>
      toldOf(known).map((address) => ({ type: "user_transactions", address, data }) as const),
    ),
    { type: "transactions", address: "", data: included.map(({ data }) => data) },
    ...[...new Set(block.included.flatMap(touchedBy))].map(
      (address) =>
        ({
          type: "accounts",
          address,
          data: {
            address,
            nonce: accounts.nonce(address),
            balance: accounts.balance(address, "KLV"),
            frozenBalance: 0,
            allowance: 0,
            permissions: [],
            rootHash: "",
          },
        }) as const,
    ),
    ...block.included.flatMap(logsOf(block)),
  ];
}

/** The sender, and whoever a receipt is to, as often as there are receipts. Of a failure only the sender hears. */
function toldOf(known: Known): readonly Address[] {
  return [senderOf(known.transaction.RawData), ...transfersOf(known).map(({ to }) => to)];
}

function touchedBy(known: Known): readonly Address[] {
  return [...toldOf(known), ...transfersOf(known).map(({ from }) => from)];
}

function transfersOf({ outcome }: Known): readonly Transfer[] {
  return outcome?.transfers ?? [];
}

/** As in indexer/data/transaction.go at 6b5f45ed: without logs and return data. */
function transactionOf(known: Known, block: Block): object {
  const { hash, transaction, outcome } = known;
  const failed = Object.entries(RESULT_CODES).find(([, code]) => code === outcome?.resultCode)?.[0];
  return {
    ...decoded(transaction.RawData),
    hash,
    blockNum: block.nonce,
    timestamp: block.timestamp,
    status: failed === undefined ? "success" : "fail",
    resultCode: failed ?? "Ok",
    signature: (transaction.Signature ?? []).map((each) => Buffer.from(each, "base64").toString("hex")),
    receipts: transfersOf(known).map(({ from, to, tokenId, nonce, units }) => ({
      type: 0,
      typeString: "Transfer",
      cID: 0,
      from,
      to,
      assetId: nonce === 0n ? tokenId : `${tokenId}/${nonce}`,
      value: units,
      assetType: nonce === 0n ? "Fungible" : "SemiFungible",
    })),
  };
}

/** Told to whom watches the contract that was called, not those which it called in turn. */
const logsOf =
  (block: Block) =>
  ({ hash, transaction, outcome }: Known): readonly FeedMessage[] => {
    const [event] = outcome?.events ?? [];
    if (event === undefined || outcome?.resultCode !== 0) return [];
    const caller = senderOf(transaction.RawData);
    const events = outcome.events.map((each, order) => ({ ...each, order }));
    const timestamp = Math.floor(block.timestamp / 1000);
    const data = { ID: hash, address: event.address, caller, contractId: 0, timestamp, events };
    return [{ type: "logs", address: event.address as Address, data }];
  };
