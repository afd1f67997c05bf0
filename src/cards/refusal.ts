import type { Failure } from "../encoding/result.js";
import { formatBps } from "../encoding/percent.js";
import type { Messages } from "../locales/messages.js";
import { percent } from "./amount.js";
import { errorMessage } from "../locales/error-message.js";
import type { Intent, Reason } from "../services/intent/intent.js";
import type { Terms } from "../services/intent/terms.js";
import type { View } from "./card.js";

const MAX_QUOTED = 120;

/**
 * Why a call failed, with what can be done about it, where its text or the chain's number is known; otherwise both as they
 * came. Nodes put words of their own around a contract's, so a known text may stand anywhere in it.
 */
export function refusalOf(failure: Failure, terms: Terms, words: Messages): string {
  const { refusals, resultCodes } = words;
  const { text, code } = failure;
  const said = text.toLowerCase();
  const slippage = "slippageBps" in terms ? percent(formatBps(terms.slippageBps), words) : undefined;
  const known = Object.entries(refusals).find(([part]) => said.includes(part.toLowerCase()))?.[1];
  if (typeof known === "string") return known;
  if (known !== undefined && slippage !== undefined) return known(slippage);
  const own = code === undefined ? undefined : resultCodes[code];
  return own ?? saidBy(failure, Array.from(text).slice(0, MAX_QUOTED).join(""), words);
}

export function saidBy({ code }: Failure, text: string, { intent }: Messages): string {
  return code === undefined ? intent.refusalSays(text) : intent.resultCode(code, text);
}

export function whyUnknown({ outcome, transaction }: Intent, { words: { intent } }: View): string {
  const code = outcome?.kind === "unknown" ? outcome.code : undefined;
  if (code === "interrupted") return intent.unknownInterrupted;
  if (transaction === undefined) return intent.unknownWhy;
  return code === "nonce-used" ? intent.unknownReplaced : intent.unknownLost;
}

export function whyNotSent({ code, parameters }: Reason, { words }: View): string | undefined {
  if (code === "interrupted") return words.intent.interrupted;
  // Older versions kept no parameters, and had codes that there are no more.
  const isTold = Object.hasOwn(words.faults, code) && (parameters !== undefined || words.faults[code].length === 0);
  return isTold ? errorMessage({ code, parameters: parameters ?? {} }, words) : undefined;
}
