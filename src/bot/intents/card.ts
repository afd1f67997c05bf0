import { paidWithToken, withToken } from "../../cards/amount.js";
import { card, linesBeyond, type Card, type Lines, type View } from "../../cards/card.js";
import { isUnclear, subjectCard } from "../../cards/intent.js";
import { accountLines, type CardOptions } from "../../cards/subject.js";
import { seenLines } from "../../cards/balance.js";
import type { Intent } from "../../services/intent/intent.js";
import type { SigningWords } from "../../services/wallet/signing.js";
import { movementOf } from "../../services/trade/kinds.js";
import { subjectOf } from "../../cards/kinds.js";

/** The card of an intent of any kind, in the state that it is in. */
export function intentCard(intent: Intent, view: View, options: CardOptions = {}): Card {
  const seen = seenLines(intent, movementOf(intent, view.returnDataEncoding), view);
  const { lookAgain, lookAgainButton } = view.words.intent;
  const needsLook = intent.actsFrom === undefined ? undefined : { sentences: [lookAgain], button: lookAgainButton };
  const { acknowledgement = needsLook, ...subject } = subjectOf(intent, view);
  return subjectCard(
    intent,
    { ...subject, seen, acknowledgement: options.isAccepted === true ? undefined : acknowledgement },
    view,
    options,
  );
}

/**
 * What a person agrees to where their wallet signs it. Of a trade, the figures that decide and its warnings come first; of
 * anything else, all that its card offers.
 */
export function signingLines(intent: Intent, view: View): Pick<SigningWords, "title" | "figures" | "lines" | "more"> {
  const { title, offer, details } = subjectOf(intent, view);
  const { words } = view;
  const isTrade = "slippageBps" in intent.terms;
  const { paid, wanted } = movementOf(intent, view.returnDataEncoding);
  const figures = [
    ...paid.map((amount) => [words.swap.youPay, paidWithToken(amount, words)] as const),
    ...(wanted === undefined ? [] : [[words.swap.atLeast, withToken(wanted, words)] as const]),
  ];
  const account = [accountLines(intent, view), words.launch.caller, words.launch.callerUnknown];
  const offered = textsOf(linesBeyond(account, offer));
  const lines = isTrade ? offered.filter((text) => text.startsWith("⚠️")) : offered;
  const all = [...offered, ...textsOf(linesBeyond(offer, details))];
  return {
    title: card([title]).text,
    figures: isTrade ? figures : [],
    lines,
    more: all.filter((text) => !lines.includes(text)),
  };
}

function textsOf(lines: Lines): readonly string[] {
  return card(lines)
    .text.split("\n")
    .filter((text) => text !== "");
}

/** Whether its card asks to look what became of its call. */
export function canBeChecked(intent: Intent, view: View): boolean {
  return isUnclear(intent, subjectOf(intent, view));
}
