import { stringify } from "lossless-json";
import { z } from "zod";
import { addressToBytes, type Address } from "../../encoding/address.js";
import { rawDataFromJson, rawDataToJson, type RawData } from "../../encoding/transaction.js";
import { Fault, isFault } from "../../fault.js";
import { createTurns } from "../../store/turns.js";
import { readBalance } from "../clients/balances.js";
import { askNode, type NodeParts } from "../clients/ask-node.js";
import { expectSuccess, type HttpAnswer } from "../clients/http.js";
import { parseJson } from "../clients/json.js";
import { plainText } from "../plain-text.js";

/** A transaction as the chain knows it. */
export interface ChainTransaction {
  /** 0 while it waits in the pool. */
  readonly block: bigint;
  readonly isOk: boolean;
  /** What the call returned, each entry in hex. */
  readonly returnData: readonly string[];
  /** Why the call failed, in the contract's own words. */
  readonly text: string;
  /** 64 bytes in hex, not verified; absent where the node does not show one that can be read. */
  readonly signature?: string;
}

/** The real node: what it knows of accounts and transactions, and the two requests that lead to a new one. */
export interface ChainNode {
  /** @throws Fault `service-…`, `answer-unreadable`, as all of these. */
  readonly account: (
    address: Address,
  ) => Promise<{ /** Whether its own key alone can sign for it. */ readonly signsAlone: boolean }>;
  /** The account's next nonce, and how many of its transactions wait in the pool. */
  readonly nonce: (address: Address) => Promise<{ readonly nonce: bigint; readonly pending: bigint }>;
  /** In smallest units. @throws Fault `account-unknown` too, for one that never received anything. */
  readonly balance: (address: Address, asset: string) => Promise<bigint>;
  /** How many blocks the chain has. */
  readonly height: () => Promise<bigint>;
  /** Which chain it is; undefined where the node does not say. */
  readonly chainId: () => Promise<string | undefined>;
  /**
   * Has the node build a transaction, which simulates it and changes nothing.
   * @throws Fault `contract-failed` with the contract's words, `funds-missing`, `node-refused`, `transaction-unreadable`.
   */
  readonly build: (body: BuildRequest) => Promise<{ readonly raw: RawData; readonly hash: string }>;
  /**
   * Gives a signed transaction to the network. The same bytes may be given again: they have one nonce.
   * @returns whether the node took it; `refused` only for words that a node's check says before anything leaves.
   */
  readonly broadcast: (
    raw: RawData,
    signature: Uint8Array,
  ) => Promise<{ readonly kind: "taken" } | { readonly kind: "refused"; readonly text: string }>;
  /** Undefined when the node does not know the hash. */
  readonly transaction: (hash: string, contract: Address) => Promise<ChainTransaction | undefined>;
}

export interface BuildRequest {
  readonly type: 63;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly permID: 0;
  readonly data: readonly [string];
  readonly contract: {
    readonly scType: 0;
    readonly address: Address;
    readonly callValue: Readonly<Record<string, bigint>>;
  };
}

/** A call's events can be long; everything else that is asked here is short. */
const MAX_BYTES = 1024 * 1024;
const MAX_TEXT = 300;
/** What a node builds and looks up at once (klever-go, config/node/config.yaml); beyond, it answers that it is busy. */
const BUILDS_AT_ONCE = 2;
const LOOKUPS_AT_ONCE = 10;

const whole = z.bigint();
// The node leaves out what is zero.
const permission = z.object({
  ID: whole.default(0n),
  Threshold: whole.default(0n),
  Signers: z.array(z.object({ address: z.string(), weight: whole.default(0n) })).nullish(),
});
const accountAnswer = z.object({
  data: z.object({ account: z.object({ Permissions: z.array(permission).nullish() }) }),
});
const nonceAnswer = z.object({ data: z.object({ nonce: whole, txPending: whole }) });
const statusAnswer = z.object({
  data: z.object({ metrics: z.object({ klv_nonce: whole.optional(), klv_chain_id: z.string().optional() }) }),
});
const buildAnswer = z.object({
  data: z.object({ result: z.object({ RawData: z.unknown() }), txHash: z.string() }),
});
const event = z.object({ address: z.string(), identifier: z.string(), data: z.array(z.string()).nullish() });
const transactionAnswer = z.object({
  data: z.object({
    transaction: z.object({
      Block: whole.optional(),
      Result: whole.optional(),
      ResultCode: whole.optional(),
      Signature: z.array(z.string()).nullish(),
      logs: z.object({ events: z.array(event).nullish() }).nullish(),
    }),
  }),
});
const errorAnswer = z.object({ error: z.string().min(1) });

/** @param parts.hide takes secrets out of the node's words: it may repeat the password of its URL. */
export function createChainNode(parts: NodeParts & { readonly hide: (text: string) => string }): ChainNode {
  const { hide } = parts;
  const builds = createTurns(BUILDS_AT_ONCE);
  const lookups = createTurns(LOOKUPS_AT_ONCE);

  const get = (path: string, retry = true): Promise<HttpAnswer> =>
    askNode(parts, path, { retry, maximumBytes: MAX_BYTES });
  const post = (path: string, body: unknown, retry: boolean): Promise<HttpAnswer> =>
    askNode(parts, path, { body: stringify(body) ?? "", retry, maximumBytes: MAX_BYTES });
  /** The node's own words of a refusal; undefined when there are none that can be read. */
  const errorOf = (answer: HttpAnswer): string | undefined => {
    const read = errorAnswer.safeParse(jsonOrNothing(answer.text));
    return read.success ? plainText(hide(read.data.error), MAX_TEXT) : undefined;
  };
  const status = async () => {
    const answer = await get("node/status");
    return read(statusAnswer, answer).data.metrics;
  };

  return {
    account: async (address) => {
      const { Permissions: permissions } = read(accountAnswer, await get(`address/${address}`)).data.account;
      if (permissions == null || permissions.length === 0) return { signsAlone: true };
      // Transactions say nothing of a permission, which means the one with the number 0.
      const used = permissions.find(({ ID }) => ID === 0n);
      const own = Buffer.from(addressToBytes(address)).toString("base64");
      const key = used?.Signers?.find((signer) => signer.address === own);
      return { signsAlone: used !== undefined && key !== undefined && key.weight >= used.Threshold };
    },
    nonce: async (address) => {
      const { nonce, txPending } = read(nonceAnswer, await get(`address/${address}/nonce`)).data;
      return { nonce, pending: txPending };
    },
    balance: (address, asset) => readBalance(parts, address, asset),
    height: async () => {
      const { klv_nonce: height } = await status();
      if (height === undefined) throw new Fault("answer-unreadable", { reason: "a node status without a height" });
      return height;
    },
    chainId: async () => (await status()).klv_chain_id,
    build: async (body) => {
      const answer = await builds.take(body.sender, () => post("transaction/send", body, true));
      if (answer.status === 400) throw refusalOf(errorOf(answer));
      const { result, txHash } = read(buildAnswer, answer).data;
      return { raw: rawDataFromJson(result.RawData), hash: txHash };
    },
    broadcast: async (raw, signature) => {
      const tx = { RawData: rawDataToJson(raw), Signature: [Buffer.from(signature).toString("base64")] };
      const answer = await post("transaction/broadcast", { tx }, false);
      const text = errorOf(answer);
      if (answer.status === 400 && text !== undefined) return { kind: "refused", text };
      expectSuccess("node", answer);
      return { kind: "taken" };
    },
    transaction: async (hash, contract) => {
      // An unknown hash is answered as an error of the server, so this is not asked again as an outage is.
      const answer = await lookups.take(hash, () => get(`transaction/${hash}?withResults=true`, false));
      if (answer.status >= 400 && /transaction not found/i.test(errorOf(answer) ?? "")) return undefined;
      const {
        Block: block = 0n,
        Result: result = 0n,
        ResultCode: code,
        Signature: signatures,
        logs,
      } = read(transactionAnswer, answer).data.transaction;
      const events = logs?.events ?? [];
      // A contract may write such an event itself; the node's own comes last.
      const returned = events.findLast(
        ({ identifier, address }) => identifier === "ReturnData" && address === (contract as string),
      );
      const trace = events.find(({ identifier }) => identifier === "internalVMErrors")?.data?.[0] ?? "";
      const signature = signatureIn(signatures?.[0] ?? "");
      return {
        block,
        isOk: result === 0n,
        returnData: returned?.data ?? [],
        text: plainText(hide(lastWords(trace)), MAX_TEXT) || (code === undefined ? "" : `result code ${code}`),
        ...(signature !== undefined && { signature }),
      };
    },
  };
}

/** The refusal to build, in the terms of a person. */
function refusalOf(text: string | undefined): Fault {
  if (text === undefined) return new Fault("answer-unreadable", { reason: "a refusal without words" });
  const contractText = / - \((?<words>.*)\)\s*$/.exec(text)?.groups?.["words"];
  if (contractText !== undefined) return new Fault("contract-failed", { text: contractText });
  if (/insufficient (?:funds|balance)/i.test(text)) return new Fault("funds-missing", { token: "KLV" });
  return new Fault("node-refused", { text });
}

/** A trace of the chain's machine, in hex, has the contract's words in its last square brackets. */
function lastWords(traceHex: string): string {
  const trace = Buffer.from(traceHex, "hex").toString("utf8");
  return /\[(?<words>[^[\]]*)\]\s*$/.exec(trace)?.groups?.["words"] ?? trace;
}

/** A node shows signatures in base64 or in hex. */
function signatureIn(text: string): string | undefined {
  if (/^[0-9a-f]{128}$/i.test(text)) return text.toLowerCase();
  return /^[A-Za-z0-9+/]{86}==$/.test(text) ? Buffer.from(text, "base64").toString("hex") : undefined;
}

function read<Schema extends z.ZodType>(schema: Schema, answer: HttpAnswer): z.output<Schema> {
  expectSuccess("node", answer);
  const result = schema.safeParse(jsonOrNothing(answer.text));
  if (!result.success) throw new Fault("answer-unreadable", { reason: "the node's answer has another form" });
  return result.data;
}

function jsonOrNothing(text: string): unknown {
  try {
    return parseJson(text, wholeOrText);
  } catch (error) {
    if (isFault(error, "answer-unreadable")) return undefined;
    throw error;
  }
}

/** Whole numbers pass 2^53 on the chain. */
function wholeOrText(digits: string): bigint | string {
  return /^-?[0-9]+$/.test(digits) ? BigInt(digits) : digits;
}
