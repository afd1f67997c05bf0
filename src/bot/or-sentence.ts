import type { Messages } from "../locales/messages.js";
import { sentenceOf } from "../locales/sentence.js";
import { isFault } from "../fault.js";

/** Runs what may be refused; the sentence of a fault is returned, anything else goes on to the error boundary. */
export async function orSentence<Value>(
  words: Messages,
  attempt: () => Promise<Value> | Value,
): Promise<{ ok: true; value: Value } | { ok: false; sentence: string; needsWallet?: true }> {
  try {
    return { ok: true, value: await attempt() };
  } catch (error) {
    if (!isFault(error)) throw error;
    const needsWallet = error.code === "wallet-missing" && { needsWallet: true as const };
    return { ok: false, sentence: sentenceOf(error, words), ...needsWallet };
  }
}
