import { z } from "zod";
import type { Address } from "../../encoding/address.js";
import { Fault } from "../../fault.js";

/** A transaction as the chain knows it. */
export type ChainTransaction = ReturnType<typeof readTransaction>;

const whole = z.bigint();
const event = z.object({ address: z.string(), identifier: z.string(), data: z.array(z.string()).nullish() });
/** What is zero is left out. */
const schema = z.object({
  data: z.object({
    transaction: z.object({
      Block: whole.default(0n),
      Result: whole.default(0n),
      ResultCode: whole.default(0n),
      Signature: z.array(z.string()).nullish(),
      logs: z.object({ events: z.array(event).nullish() }).nullish(),
    }),
  }),
});

/**
 * Reads what a node says of a transaction that called a contract (klever-go, data/api/blockAPI.go).
 * @param json parsed so that whole numbers are bigint.
 * @throws Fault `answer-unreadable`.
 */
export function readTransaction(json: unknown, contract: Address) {
  const read = schema.safeParse(json);
  if (!read.success) throw new Fault("answer-unreadable", { reason: "a transaction in another form" });
  const { Block: block, Result: result, ResultCode: code, Signature: signatures, logs } = read.data.data.transaction;
  // A contract may write events of the same names itself; the node's own come last.
  const last = (name: string, from?: Address) =>
    logs?.events?.findLast(({ identifier, address }) => identifier === name && (from ?? address) === address)?.data;
  const signature = signatureIn(signatures?.[0] ?? "");
  const isOk = result === 0n;
  return {
    /** 0 while it waits in the pool. */
    block,
    isOk,
    /** What the call returned, each entry in hex. */
    returnData: last("ReturnData", contract) ?? [],
    /** Why the call failed, in the contract's own words where there are any. */
    text: isOk ? "" : lastWords(last("internalVMErrors")?.[0] ?? "") || `result code ${code}`,
    /** 64 bytes in hex, not verified; absent where the node does not show one that can be read. */
    ...(signature !== undefined && { signature }),
  };
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
