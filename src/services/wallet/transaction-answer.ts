import { z } from "zod";
import { failureOf, reasonIn } from "../../encoding/result.js";
import { Fault } from "../../fault.js";
import type { Intent, IntentTransaction } from "../intent/intent.js";
import { isSignatureOf } from "./signature.js";

/** A transaction as the chain knows it. */
export type ChainTransaction = ReturnType<typeof readTransaction>;

/** What a transaction is looked up by: its hash, the call that it makes, and the account that signed it. */
export interface LookedUp {
  readonly call: Intent["call"];
  readonly terms: Pick<Intent["terms"], "payout">;
  readonly transaction: Pick<IntentTransaction, "hash">;
}

const whole = z.bigint();
const event = z.object({ address: z.string(), identifier: z.string(), data: z.array(z.string()).nullish() });
/** What is zero is left out. A proxy's form has other names. */
const schema = z.object({
  data: z.object({
    transaction: z.object({
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
 * @throws Fault `answer-unreadable`; also where its account did not sign the hash that was asked for: it is another one then.
 */
export function readTransaction(json: unknown, { call, terms, transaction: { hash } }: LookedUp) {
  const read = schema.safeParse(json);
  if (!read.success) throw unreadable("a transaction in another form");
  const { Block: block, Result: result, ResultCode, Signature, status, logs } = read.data.data.transaction;
  const signature = Signature.map(hexOf).find((each) => isSignatureOf(terms.payout, hash, each));
  if (signature === undefined) throw unreadable("a transaction that its sender did not sign");
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

/** A node shows signatures in base64 or in hex. What is neither fits nothing. */
function hexOf(text: string): string {
  return /^[0-9a-f]{128}$/i.test(text) ? text.toLowerCase() : Buffer.from(text, "base64").toString("hex");
}

function unreadable(reason: string): Fault {
  return new Fault("answer-unreadable", { reason });
}
