import type { Intent } from "../services/intent/intent.js";
import { movementOf } from "../services/trade/kinds.js";
import type { SigningWords } from "../services/wallet/signing.js";
import { paidWithToken, withToken } from "./amount.js";
import { refusalOf, whyNotSent } from "./failure.js";
import { subjectOf } from "./intent.js";
import { card, linesBeyond, type View, type Lines } from "./card.js";

/**
 * What a user agrees to when their wallet signs. A trade's key figures and warnings come first; for any other intent,
 * everything that its card offers.
 */
export function signingLines(intent: Intent, view: View): Pick<SigningWords, "title" | "figures" | "lines" | "more"> {
  const { title, offered: name = title, offer, beside = [], details = [] } = subjectOf(intent, view);
  const { swap, launch } = view.words;
  const { paid, wanted } = movementOf(intent, view.returnDataEncoding);
  const offered = textsOf(linesBeyond([launch.caller, launch.callerUnknown], [offer, beside]));
  const all = [...offered, ...textsOf(linesBeyond([offer, beside], details))];
  const isTrade = "slippageBps" in intent.terms;
  const lines = isTrade ? offered.filter((text) => text.startsWith("⚠️")) : offered;
  const figures = [
    ...paid.map((amount) => [swap.youPay, paidWithToken(amount, view.words)] as const),
    ...(wanted === undefined ? [] : [[swap.atLeast, withToken(wanted, view.words)] as const]),
  ];
  const more = all.filter((text) => !lines.includes(text));
  return { title: card([name]).text, figures: isTrade ? figures : [], lines, more };
}

function textsOf(lines: Lines): readonly string[] {
  const { text } = card(lines);
  return text.split("\n").filter((each) => each !== "");
}

/** How an intent ended, in one sentence, for its signing page. */
export function endingOf({ state, outcome, terms }: Intent, view: View): string {
  const words = view.words.intent;
  if (outcome?.kind === "failed") return refusalOf(outcome, terms, view.words);
  const endings: Partial<Record<Intent["state"], string>> = {
    EXPIRED: words.expired,
    CANCELED: words.canceled,
    SUPERSEDED: words.superseded,
    SENT: words.sentToChain,
    OK: words.carriedOut,
    UNKNOWN: words.unknown,
    FAILED: (outcome?.kind === "not-sent" && whyNotSent(outcome, view)) || words.notSent,
  };
  return endings[state] ?? words.closing;
}
