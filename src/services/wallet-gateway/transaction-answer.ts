import { z } from "zod";
import { addressFromBytes } from "../../encoding/address.js";
import { failureOf, reasonIn } from "../../encoding/result-code.js";
import { rawDataFromJson, transactionHash, writeRawData } from "../../encoding/transaction.js";
import { Fault, isFault } from "../../fault.js";
import type { Intent, IntentTransaction } from "../../model/intent.js";
import { isSignatureOf } from "./signature.js";

/** A transaction as the chain knows it. */
export type ChainTransaction = ReturnType<typeof readTransaction>;

/** What a transaction is looked up by: its hash, and the call that it has to make. */
export interface LookedUp {
  readonly call: Intent["call"];
  readonly transaction: Pick<IntentTransaction, "hash">;
}

const whole = z.bigint();
const event = z.object({ address: z.string(), identifier: z.string(), data: z.array(z.string()).nullish() });
/** What is zero is left out. A proxy's form has no `RawData`, and other names. */
const schema = z.object({
  data: z.object({
    transaction: z.object({
      RawData: z.unknown(),
      Signature: z.array(z.string()),
      Block: whole.default(0n),
      Result: whole.default(0n),
      ResultCode: whole.default(0n),
      status: z.string().optional(),
      logs: z.object({ events: z.array(event).nullish() }).nullish(),
    }),
  }),
});

/**
 * Reads what a node says of a transaction that called a contract (klever-go, data/api/blockAPI.go).
 * @param json parsed so that whole numbers are bigint.
 * @throws Fault `answer-unreadable`; also where the bytes have another hash than was asked for, or no signature of their sender.
 */
export function readTransaction(json: unknown, { call, transaction: { hash } }: LookedUp) {
  const read = schema.safeParse(json);
  if (!read.success) throw unreadable("a transaction in another form");
  const { RawData, Block: block, Result: result, ResultCode, Signature, status, logs } = read.data.data.transaction;
  const signature = signatureOf(RawData, hash, Signature);
  if (!(block > 0n ? ["onChain", "success", undefined] : ["pending", undefined]).includes(status)) {
    throw unreadable("a transaction whose status is not that of its block");
  }
  // A contract may write events of the same names itself; the node's own come last.
  const last = (name: string, from?: string) =>
    logs?.events?.findLast(({ identifier, address }) => identifier === name && (from ?? address) === address)?.data;
  const isOk = result === 0n;
  const trace = Buffer.from(last("internalVMErrors")?.[0] ?? "", "hex").toString("utf8");
  // oxlint-disable-next-line money/no-floating-point -- the number of a reason, not money
  const code = Number(ResultCode);
  return {
    /** 0 while it waits in the pool. */
    block,
    isOk,
    /** What the call returned, each entry in hex. */
    returnData: last("ReturnData", call.address) ?? [],
    /** 64 bytes in hex: the sender's, verified. */
    signature,
    /** Why the call failed, with empty words where the node has none; absent unless it did. */
    ...(!isOk && { failure: failureOf(code, reasonIn(trace, call.function)) }),
  };
}

/** The signature in hex. @throws Fault `answer-unreadable` where the bytes are other ones, or nobody's. */
function signatureOf(json: unknown, hash: string, signatures: readonly string[]): string {
  try {
    const raw = rawDataFromJson(json);
    const found = Buffer.from(transactionHash(writeRawData(raw))).toString("hex");
    if (found !== hash) throw unreadable("another transaction than was asked for");
    const sender = addressFromBytes(raw.Sender);
    const signature = signatures.map(hexOf).find((each) => isSignatureOf(sender, hash, each));
    if (signature === undefined) throw unreadable("a transaction that its sender did not sign");
    return signature;
  } catch (error) {
    if (!isFault(error) || error.code === "answer-unreadable") throw error;
    throw new Fault("answer-unreadable", { reason: "a transaction in another form" }, { cause: error });
  }
}

/** A node shows signatures in base64 or in hex. What is neither fits nothing. */
function hexOf(text: string): string {
  return /^[0-9a-f]{128}$/i.test(text) ? text.toLowerCase() : Buffer.from(text, "base64").toString("hex");
}

function unreadable(reason: string): Fault {
  return new Fault("answer-unreadable", { reason });
}
