import type { Intent } from "../services/intent/intent.js";
import { flowOf } from "../services/trade/kinds.js";
import type { SigningEnding, SigningWords } from "../services/signing/signing-requests.js";
import { paidWithToken, withToken } from "./amount.js";
import { refusalOf, whyNotSent, whyUnknown } from "./failure.js";
import { subjectOf } from "./intent.js";
import { signatureOf } from "../services/intent/machine.js";
import { isTrade } from "../services/terms/terms.js";
import { renewalWords } from "./subject.js";
import { card, linesBeyond, type View, type Lines } from "./card.js";

/**
 * What a user agrees to when their wallet signs. A trade's key figures and warnings come first; for any other intent,
 * everything that its card offers.
 */
export function signingLines(intent: Intent, view: View): Pick<SigningWords, "title" | "figures" | "lines" | "more"> {
  const { title, offered: name = title, offer, withOffer = [], details = [] } = subjectOf(intent, view);
  const { swap, launch, multihop } = view.words;
  const { paid, leastPaid, expected } = flowOf(intent, view.returnDataEncoding);
  const offered = textsOf(linesBeyond([launch.caller, launch.callerUnknown], [offer, withOffer]));
  const all = [...offered, ...textsOf(linesBeyond([offer, withOffer], details))];
  const isTraded = isTrade(intent.terms);
  const lines = isTraded ? offered.filter((text) => text.startsWith("⚠️")) : offered;
  const figures = [
    ...paid.map(
      (amount) => [leastPaid ? multihop.youPayAtMost : swap.youPay, paidWithToken(amount, view.words)] as const,
    ),
    ...(expected === undefined ? [] : [[swap.atLeast, withToken(expected, view.words)] as const]),
  ];
  const more = all.filter((text) => !lines.includes(text));
  return { title: card([name]).text, figures: isTraded ? figures : [], lines, more };
}

function textsOf(lines: Lines): readonly string[] {
  const { text } = card(lines);
  return text.split("\n").filter((each) => each !== "");
}

/** What became of a request that accepts no signature any more, for its signing page. */
export function endingOf(intent: Intent, view: View): SigningEnding {
  const { state, outcome } = intent;
  const { signing, intent: words } = view.words;
  const { title, answered = [] } = subjectOf(intent, view);
  const wasSigned = signatureOf(intent) !== undefined;
  const headings: Partial<Record<Intent["state"], string>> = {
    SENT: signing.titleSigned,
    OK: signing.titleDone,
    UNKNOWN: words.unknown,
    // Who has not signed reads that there is nothing to do any more.
    ...((outcome?.kind === "failed" || wasSigned) && {
      FAILED: outcome?.kind === "failed" ? words.failed : words.notSent,
    }),
  };
  return {
    heading: headings[state] ?? signing.titleOver,
    about: card([title]).text,
    sentence: sentenceOf(intent, view),
    lines: state === "OK" ? textsOf(answered) : [],
  };
}

function sentenceOf(intent: Intent, view: View): string {
  const { state, outcome, terms } = intent;
  const words = view.words.intent;
  if (outcome?.kind === "failed") return refusalOf(outcome, terms, view.words);
  const endings: Partial<Record<Intent["state"], string>> = {
    EXPIRED: words.expired,
    CANCELED: words.canceled,
    SUPERSEDED: renewalWords(terms, view.words).superseded,
    SENT: words.sentToChain,
    OK: words.carriedOut,
    UNKNOWN: whyUnknown(intent, view),
    FAILED: (outcome?.kind === "not-sent" && whyNotSent(outcome, view)) || words.notSent,
  };
  return endings[state] ?? words.closing;
}
