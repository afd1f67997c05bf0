import { amountOf } from "../../src/encoding/amount.js";
import type {
  IntentOutcome,
  IntentState,
  IntentTransaction,
  PreparedTransaction,
} from "../../src/services/intent/intent.js";
import { swapTransaction } from "../encoding/golden-transactions.js";
import { klv } from "../services/samples.js";

/** A transaction for a wallet to sign, as the gateway prepares it. */
export function preparedTransaction(fields: Partial<PreparedTransaction> = {}): PreparedTransaction {
  return {
    raw: swapTransaction,
    hash: "hash",
    nonce: 7n,
    networkFee: amountOf(klv, 1n),
    token: "token",
    signUntil: 0,
    sendUntil: 0,
    ...fields,
  };
}

type OwnFields<Transaction> = Transaction extends IntentTransaction
  ? Omit<Transaction, keyof PreparedTransaction>
  : never;
/** A phase, with the fields that only it has. */
export type Place = OwnFields<IntentTransaction>;

/** A transaction as an intent has it. */
export function walletTransaction<At extends Place>(
  place: At,
  fields?: Partial<PreparedTransaction>,
): PreparedTransaction & At {
  return { ...preparedTransaction(fields), ...place };
}

/** The usual place of the transaction of an intent in a state. */
export function placeAt(state: IntentState, outcome?: IntentOutcome, signature = "aa"): Place {
  if (state === "OK" || (outcome?.kind === "failed" && outcome.costsFee)) return { phase: "on-chain", signature };
  if (state === "EXPIRED" || state === "CANCELED" || state === "SUPERSEDED") return { phase: "withdrawn", end: state };
  return state === "SIGNING" ? { phase: "to-sign" } : { phase: "broadcast", signature, broadcastAt: 0 };
}
