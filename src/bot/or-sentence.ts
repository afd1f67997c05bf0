import { refusal, type Refusal, type Typed } from "../cards/mends.js";
import type { Messages } from "../locales/messages.js";
import { isFault } from "../fault.js";

/**
 * Runs what may be refused; the sentence of a fault is returned, with what mends it, anything else goes on to the error
 * boundary. `typed` is what the person asked for it with.
 */
export async function orSentence<Value>(
  words: Messages,
  attempt: () => Promise<Value> | Value,
  typed?: Typed,
): Promise<{ ok: true; value: Value } | ({ ok: false; needsWallet?: true } & Refusal)> {
  try {
    return { ok: true, value: await attempt() };
  } catch (error) {
    if (!isFault(error)) throw error;
    const needsWallet = error.code === "wallet-missing" && { needsWallet: true as const };
    return { ok: false, ...refusal([error], words, typed), ...needsWallet };
  }
}
