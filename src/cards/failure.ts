import type { Failure } from "../encoding/result.js";
import { errorMessage, type Messages } from "../locales/messages.js";
import type { Intent, Reason } from "../services/intent/intent.js";
import type { Terms } from "../services/terms/terms.js";
import { percentOfBps } from "./amount.js";
import type { View } from "./card.js";

const MAX_QUOTED = 120;
/** The lock contract's message (multiversx/mx-exchange-sc). */
const NOT_YET = "Cannot unlock yet";

/**
 * Says why a call failed and what to do about it if its text or result code is known; otherwise quotes both. Nodes add
 * words of their own around a contract's message, so a known text may occur anywhere in it.
 */
export function refusalOf(failure: Failure, terms: Terms, words: Messages): string {
  const { text, code } = failure;
  const said = text.toLowerCase();
  const isElsewhere = terms.kind === "unlock" && terms.original === undefined;
  if (isElsewhere && said.includes(NOT_YET.toLowerCase())) return words.lock.notYetElsewhere;
  const known = Object.entries(words.refusals).find(([part]) => said.includes(part.toLowerCase()))?.[1];
  if (typeof known === "string") return known;
  if (known !== undefined && "slippageBps" in terms) return known(percentOfBps(terms.slippageBps, words));
  const quoted = saidBy(failure, Array.from(text).slice(0, MAX_QUOTED).join(""), words);
  return (code !== undefined && words.resultCodes[code]) || quoted;
}

export function saidBy({ code }: Failure, text: string, { intent, resultCode }: Messages): string {
  return code === undefined ? intent.refusalSays(text) : resultCode(code, text);
}

export function whyUnknown({ outcome, transaction }: Intent, { words: { intent } }: View): string {
  const code = outcome?.kind === "unknown" ? outcome.code : undefined;
  if (code === "interrupted") return intent.unknownInterrupted;
  if (code === "restored") return intent.unknownRestored;
  if (transaction === undefined) return intent.unknownWhy;
  return code === "nonce-used" ? intent.unknownReplaced : intent.unknownLost;
}

/** Returns undefined for a stored code that no longer has a sentence. */
export function whyNotSent({ code, parameters = {} }: Reason, { words }: View): string | undefined {
  if (code === "interrupted" || code === "restored") return words.intent.interrupted;
  // Elsewhere, the sentence has no headline that says what became of the call.
  if (code === "answer-unreadable") return words.intent.unread;
  return Object.hasOwn(words.faults, code) ? errorMessage({ code, parameters }, words) : undefined;
}
