import * as z from "zod";
import { stored } from "../../store/store.js";
import { closedStates, preparedShape, reasonShape } from "./intent.js";
import type { IntentOutcome, IntentState, IntentTransaction } from "./intent.js";

/** A transaction as rows of version 1.0.0 have it: with flags, from which its phase follows. */
export const oldTransactionSchema = stored({
  ...preparedShape,
  signature: z.string().exactOptional(),
  /** Since when the network may have it. */
  givenAt: z.number().exactOptional(),
  refusal: z.string().exactOptional(),
  /** Set once signatures are no longer accepted: the request's end. */
  closing: z
    .union([stored({ state: z.enum(closedStates) }), stored({ state: z.literal("FAILED"), ...reasonShape })])
    .exactOptional(),
  /** Set once the bot no longer looks for it on the chain. */
  isOver: z.literal(true).exactOptional(),
});
export type OldTransaction = z.infer<typeof oldTransactionSchema>;

/** The transaction of an intent with this state and outcome. @throws TypeError if no step leads to such a pair. */
export function transactionFrom(
  { signature, givenAt, refusal, closing, isOver, ...prepared }: OldTransaction,
  state: IntentState,
  outcome: IntentOutcome | null,
): IntentTransaction {
  const cannotBe = (): never => {
    throw new TypeError(`a transaction that is ${state} can't have these flags`);
  };
  if (state === "QUOTED" || state === "CLAIMED") return cannotBe();
  if (state === "OK" || (outcome?.kind === "failed" && outcome.costsFee === true)) {
    return signature === undefined ? cannotBe() : { ...prepared, phase: "on-chain", signature };
  }
  const isSent = state === "SENT";
  if (isOver === true) {
    if (isSent || state === "SIGNING") return cannotBe();
    return { ...prepared, phase: "abandoned", ...(signature !== undefined && { signature }) };
  }
  if (signature !== undefined) {
    const isPossible = isSent || state === "UNKNOWN" || state === "FAILED";
    if (closing !== undefined) return cannotBe();
    if (givenAt === undefined) {
      const isSigned = refusal === undefined && (isPossible || state === "CANCELED");
      return isSigned ? { ...prepared, phase: "signed", signature } : cannotBe();
    }
    if (!isPossible) return cannotBe();
    return {
      ...prepared,
      phase: "broadcast",
      signature,
      broadcastAt: givenAt,
      ...(refusal !== undefined && { refusal }),
    };
  }
  if (givenAt !== undefined || refusal !== undefined) return cannotBe();
  const isWaiting = state === "SIGNING" || state === "FAILED";
  if (closing === undefined) return isWaiting ? { ...prepared, phase: "to-sign" } : cannotBe();
  if (!isWaiting && closing.state !== state) return cannotBe();
  if (closing.state !== "FAILED") return { ...prepared, phase: "withdrawn", end: closing.state };
  const { state: _state, ...end } = closing;
  return { ...prepared, phase: "withdrawn", end };
}
