import { stringify } from "lossless-json";
import * as z from "zod";
import type { Clock } from "../../clock.js";
import { addressToBytes, type Address } from "../../encoding/address.js";
import { formatAssetId, NATIVE_TOKEN } from "../../encoding/amount.js";
import { callData, type ContractCall } from "../../encoding/call.js";
import { type Failure, failureOf, reasonIn, resultCodeNamed, unreadableAnswer } from "../../encoding/result.js";
import { type NetworkFees, type RawData, isSignatureOf, signatureInHex } from "../../encoding/transaction.js";
import { Fault } from "../../fault.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import { readBalance } from "../chain/query-gateway.js";
import { expectSuccess, type HttpAnswer, isSuccess, parseAs, wholeOrText } from "../base/http.js";
import { anyCase, askNode, dataOf, errorIn, isNotFound, type NodeParts } from "../chain/node.js";
import { plainText } from "../base/display-text.js";
import type { IntentTransaction, SignedIntent } from "../intent/intent.js";

const MAX_BYTES = 1024 * 1024;
const MAX_REFUSAL_LENGTH = 300;
/** Maximum number of concurrent builds and lookups on a node (klever-go, config/node/config.yaml). */
const MAX_CONCURRENT_BUILDS = 2;
const MAX_CONCURRENT_LOOKUPS = 10;
/** If a node hangs, each request in line would wait for all before it. */
const PLACE_MS = 10_000;

const wholeField = z.bigint();
// Zero values are omitted.
const permission = anyCase({
  id: wholeField.default(0n),
  type: wholeField.default(0n),
  threshold: wholeField.default(0n),
  signers: z.array(anyCase({ address: z.string(), weight: wholeField.default(0n) })).nullish(),
});
const accountAnswer = dataOf({ account: anyCase({ permissions: z.array(permission).nullish() }) });
const exact = wholeField.max(BigInt(Number.MAX_SAFE_INTEGER));
const nonceAnswer = dataOf({ nonce: exact, txPending: wholeField });
const nodeStatus = dataOf({
  metrics: z.object({
    klv_nonce: wholeField.optional(),
    klv_chain_id: z.string().optional(),
    klv_app_version: z.string().optional(),
  }),
});
const fee = wholeField.nonnegative().default(0n);
const builtRaw = z.looseObject({ KAppFee: fee, BandwidthFee: fee });
const buildAnswer = dataOf({ result: z.object({ RawData: builtRaw }), txHash: z.string() });
const broadcastAnswer = dataOf({ txHash: z.string() });

/** The transaction that a node has built for a call: in its JSON form, with its fees, and the hash that it states. */
export type Built = { readonly raw: NetworkFees & Partial<Record<keyof RawData, unknown>>; readonly hash: string };

/** A real node's accounts and transactions. All functions throw Fault `service-…` and `answer-unreadable`. */
export interface ChainNode {
  /** Whether the account's own key is enough to sign for it. */
  readonly signsAlone: (address: Address) => Promise<boolean>;
  /** The account's next nonce, which the store keeps as a number, and the number of its transactions in the pool. */
  readonly nonce: (address: Address) => Promise<{ readonly nonce: bigint; readonly txPending: bigint }>;
  /** In base units. @throws Fault `account-unknown` too, for an account that has never received anything. */
  readonly balance: (address: Address, asset: string) => Promise<bigint>;
  /** The number of the newest block. */
  readonly height: () => Promise<bigint>;
  /** Undefined if the node doesn't say. */
  readonly chainId: () => Promise<string | undefined>;
  /** Of klever-go, such as `1.7.15`. Undefined if the node doesn't say, or says something else. */
  readonly version: () => Promise<string | undefined>;
  /**
   * Simulates the call and changes nothing.
   * @throws Fault `contract-failed` with the contract's message, `call-ended`, `funds-missing`, `node-refused`.
   */
  readonly build: (call: ContractCall, sender: Address, nonce: bigint) => Promise<Built>;
  /**
   * Safe to repeat: the same bytes have one nonce. @returns the refusal, if it is one that a node's checks give
   * before anything leaves; undefined if it was accepted. @throws Fault, also for an answer without this hash, since
   * it isn't known then what the node did.
   */
  readonly broadcast: (
    transaction: Pick<IntentTransaction, "raw" | "hash">,
    signature: Uint8Array,
  ) => Promise<string | undefined>;
  /** Undefined if the node doesn't know the hash. */
  readonly transaction: (of: LookedUp) => Promise<ChainTransaction | undefined>;
}

type ChainNodeParts = NodeParts & {
  readonly clock: Clock;
  /** Removes secrets from the node's messages, which may repeat the password in its URL. */
  readonly hide: (text: string) => string;
};

export function createChainNode(parts: ChainNodeParts): ChainNode {
  const builds = createKeyedQueue(MAX_CONCURRENT_BUILDS);
  const lookups = createKeyedQueue(MAX_CONCURRENT_LOOKUPS);

  const get = (path: string, retry = true) => askNode(parts, path, { retry, maximumBytes: MAX_BYTES });
  const post = (path: string, body: unknown, retry: boolean) =>
    askNode(parts, path, { body: stringify(body) ?? "", retry, maximumBytes: MAX_BYTES });
  const shown = (text: string): string => plainText(parts.hide(text), MAX_REFUSAL_LENGTH);
  /** Undefined if the refusal has no readable message. */
  const errorOf = (answer: HttpAnswer): string | undefined => {
    const words = errorIn(answer);
    return words === undefined ? undefined : shown(words);
  };
  const status = async () => parseAnswer(nodeStatus, await get("node/status")).data.metrics;

  return {
    signsAlone: async (address) => {
      const { permissions } = parseAnswer(accountAnswer, await get(`address/${address}`)).data.account;
      if (permissions == null || permissions.length === 0) return true;
      // A transaction uses permission 0 unless it names another. Type 0 is an owner's, for all calls.
      const used = permissions.find(({ id, type }) => id === 0n && type === 0n);
      const own = [address, Buffer.from(addressToBytes(address)).toString("base64")];
      const key = used?.signers?.find((signer) => own.includes(signer.address));
      return used !== undefined && key !== undefined && key.weight >= used.threshold;
    },
    nonce: async (address) => parseAnswer(nonceAnswer, await get(`address/${address}/nonce`)).data,
    balance: (address, asset) => readBalance(parts, address, asset),
    height: async () => {
      const { klv_nonce: height } = await status();
      if (height === undefined) throw unreadableAnswer("a node status without a height");
      return height;
    },
    chainId: async () => (await status()).klv_chain_id,
    // Such as v1.7.15-0-gc1de9106/go1.25.3/linux-amd64/adc9ec9168.
    version: async () => /^v([0-9]{1,4}(?:\.[0-9]{1,4}){1,3})\b/.exec((await status()).klv_app_version ?? "")?.[1],
    build: async (call, sender, nonce) => {
      const until = parts.clock.monotonic() + PLACE_MS;
      const answer = await builds.take(sender, async () => {
        if (parts.clock.monotonic() >= until) throw new Fault("service-timeout", { service: "node" });
        const callValue = Object.fromEntries(call.payments.map((payment) => [formatAssetId(payment), payment.units]));
        const contract = { scType: 0, address: call.address, callValue };
        const data = [Buffer.from(callData(call), "utf8").toString("base64")];
        return post("transaction/send", { type: 63, sender, nonce, permID: 0, data, contract }, true);
      });
      if (answer.status === 400) throw nodeRefusal(errorOf(answer));
      const { result, txHash: hash } = parseAnswer(buildAnswer, answer).data;
      return { raw: result.RawData, hash };
    },
    broadcast: async ({ raw, hash }, signature) => {
      const tx = { RawData: raw, Signature: [Buffer.from(signature).toString("base64")] };
      const answer = await post("transaction/broadcast", { tx }, false);
      const text = errorOf(answer);
      if ((answer.status === 400 || isSuccess(answer)) && text !== undefined) return text;
      const { txHash } = parseAnswer(broadcastAnswer, answer).data;
      if (txHash !== hash) throw unreadableAnswer("the hash of another transaction");
      return undefined;
    },
    transaction: async (of) => {
      const { hash } = of.transaction;
      // Not retried: what follows a transaction looks again anyway, at a pace within the limits of the node.
      const answer = await lookups.take(hash, () => get(`transaction/${hash}?withResults=true`, false));
      if (isNotFound(answer, "transaction")) return undefined;
      expectSuccess("node", answer);
      return readTransaction(answer.text, of, shown);
    },
  };
}

function nodeRefusal(text: string | undefined): Fault {
  if (text === undefined) return unreadableAnswer("a refusal without words");
  const { name = "", words } = /(?<name>\w+) - \((?<words>.*)\)\s*$/.exec(text)?.groups ?? {};
  if (words !== undefined) {
    const failure = failureOf(resultCodeNamed(name), words);
    return failure.code === undefined
      ? new Fault("contract-failed", failure)
      : new Fault("call-ended", { ...failure, code: failure.code });
  }
  if (/insufficient (?:funds|balance)/i.test(text)) return new Fault("funds-missing", { token: NATIVE_TOKEN });
  return new Fault("node-refused", { text });
}

function parseAnswer<Value>(schema: z.ZodType<Value>, answer: HttpAnswer): Value {
  expectSuccess("node", answer);
  return parseAs(schema, answer.text, wholeOrText, "the node's answer has another form");
}

/** A transaction as the node reports it, signed by its account. */
export interface ChainTransaction {
  /** Zero while it is in none. */
  readonly block: bigint;
  readonly isOk: boolean;
  /** What the contract returned, in hex. */
  readonly returnData: readonly string[];
  /** In hex. */
  readonly signature: string;
  /** With an empty text if the node gives none; absent unless the call failed. */
  readonly failure?: Failure;
}

type LookedUp = Pick<SignedIntent, "call" | "terms" | "transaction">;

const event = z.object({ address: z.string(), identifier: z.string(), data: z.array(z.string()).nullish() });
/** Zero values are omitted. A proxy's answer has other names. */
const transactionAnswer = dataOf({
  transaction: z.object({
    Signature: z.array(z.string()),
    Block: wholeField.default(0n),
    Result: wholeField.default(0n),
    ResultCode: wholeField.default(0n),
    status: z.string().optional(),
    logs: z.object({ events: z.array(event).nullish() }).nullish(),
  }),
});

/**
 * Parses a transaction that called a contract (klever-go, data/api/blockAPI.go).
 * @throws Fault `answer-unreadable`, also if its account did not sign the requested hash.
 */
export function readTransaction(text: string, of: LookedUp, shown: (words: string) => string): ChainTransaction {
  const { transaction } = parseAs(transactionAnswer, text, wholeOrText, "a transaction in another form").data;
  const { Block: block, Result: result, ResultCode, Signature, status, logs } = transaction;
  const { payout } = of.terms;
  const signature = Signature.map(signatureInHex).find((each) => isSignatureOf(payout, of.transaction.hash, each));
  if (signature === undefined) throw unreadableAnswer("a transaction that its sender did not sign");
  if (!(block > 0n ? ["onChain", "success", undefined] : ["pending", undefined]).includes(status)) {
    throw unreadableAnswer("a transaction whose status is not that of its block");
  }
  // A contract may write events with these names itself; the node's own come last.
  const last = (name: string, from?: string) =>
    logs?.events?.findLast(({ identifier, address }) => identifier === name && (from ?? address) === address)?.data;
  const isOk = result === 0n;
  const trace = Buffer.from(last("internalVMErrors")?.[0] ?? "", "hex").toString("utf8");
  // oxlint-disable-next-line money/no-floating-point -- the number of a reason, not money
  const code = Number(ResultCode);
  return {
    block,
    isOk,
    returnData: last("ReturnData", of.call.address) ?? [],
    signature,
    ...(!isOk && { failure: failureOf(code, shown(reasonIn(trace, of.call.function))) }),
  };
}
