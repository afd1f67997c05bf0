import * as z from "zod";
import { unlessFaultSync } from "../../fault.js";
import { parseAs } from "../base/http.js";
import { plainText } from "../base/plain.js";

/** What a node says over its feed (klever-io/klever-go websocket/websocket.go, websocket/message.go). */
export type FeedFrame =
  | (FeedTouch & { readonly kind: "touched" })
  | { readonly kind: "block"; readonly block: FeedBlock; readonly isOldest: boolean }
  /** Answers a request, or refuses the handshake if it has no id. */
  | { readonly kind: "answer"; readonly id: string; readonly error: string | undefined };

/** A transaction that concerns an address; its hash and its block, if they are stated. */
export interface FeedTouch {
  readonly address: string;
  readonly block: number | undefined;
  readonly hash: string | undefined;
}

/** A block's header, with its time in milliseconds since 1970. */
export type FeedBlock = z.output<typeof header>;

const header = z.object({
  nonce: z.int().nonnegative(),
  hash: z.string().min(1).max(128),
  parentHash: z.string().max(128),
  timestamp: z.number(),
});
const blockFrame = z.object({ data: z.union([header, z.string()]) });
const answerFrame = z.object({ id: z.string().max(64).default(""), error: z.string().min(1).optional() });

/** Nodes write these fields first and in this order, so that most frames need no parsing. */
const ENVELOPE = /^\{"type":"([a-z_]{1,32})","address":"([a-z0-9]{0,64})"/;
/** The call's data is hex, so that nothing before this can look like it. */
const BLOCK_NUMBER = /"blockNum":([0-9]{1,15})[,}]/;
/** The first field of a transaction (indexer/data/transaction.go); the envelope's own hash is empty. */
const TRANSACTION_HASH = /"hash":"([0-9a-f]{64})"/;
/** The oldest nodes write `data` as base64: so much of it, at most, has those two. */
const DATA_IN_BASE64 = /"data":"([A-Za-z0-9+/]{1,160})/;
/** Answers to what is asked here are short. */
const MAX_ANSWER_CHARACTERS = 4096;
const LONGEST_ERROR = 200;

/** Undefined for what isn't used, or can't be read. Reads no more than it has to: anybody's block can be large. */
export function readFeedFrame(text: string): FeedFrame | undefined {
  const [, type, address = ""] = ENVELOPE.exec(text) ?? [];
  if (type === "blocks") return unlessFaultSync(() => readBlock(text));
  // The second is how the oldest nodes call it.
  if (type === "user_transactions" || type === "user_transaction") {
    const [, packed] = DATA_IN_BASE64.exec(text) ?? [];
    const data = packed === undefined ? text : Buffer.from(packed, "base64").toString("latin1");
    const [, digits] = BLOCK_NUMBER.exec(data) ?? [];
    const [, hash] = TRANSACTION_HASH.exec(data) ?? [];
    // oxlint-disable-next-line money/no-floating-point -- the number of a block, not money
    return { kind: "touched", address, hash, block: digits === undefined ? undefined : Number(digits) };
  }
  if (type !== undefined || text.length > MAX_ANSWER_CHARACTERS) return undefined;
  return unlessFaultSync(() => {
    const { id, error } = parseAs(answerFrame, text, undefined, "no answer");
    return { kind: "answer", id, error: error && plainText(error, LONGEST_ERROR) };
  });
}

/** The oldest nodes write `data` as base64 of JSON. */
function readBlock(text: string): FeedFrame {
  const { data } = parseAs(blockFrame, text, undefined, "a block in another form");
  if (typeof data !== "string") return { kind: "block", block: data, isOldest: false };
  const inner = Buffer.from(data, "base64").toString("utf8");
  return { kind: "block", block: parseAs(header, inner, undefined, "a block in another form"), isOldest: true };
}
