import { amountOf } from "../../src/encoding/amount.js";
import type { IntentTransaction } from "../../src/services/intent/intent.js";
import { swapTransaction } from "../encoding/golden-transactions.js";
import { klv } from "../services/samples.js";

/** A transaction for a wallet to sign, as stored in an intent. */
export function walletTransaction<Fields extends Partial<IntentTransaction>>(
  fields: Fields,
): IntentTransaction & Fields {
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
