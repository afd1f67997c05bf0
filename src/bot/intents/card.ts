import { card, type Card } from "../../cards/card.js";
import { subjectCard, type Subject } from "../../cards/subject.js";
import { viewOfOutcome, type View } from "../../cards/view.js";
import type { Intent } from "../../model/intent.js";
import { kinds } from "../kinds.js";

/** What is particular to a card at one moment. */
export interface CardOptions {
  /** A sentence above it, such as why it replaced another card. */
  readonly notice?: string;
  /** That the person took the second step which the card asks for. */
  readonly isAccepted?: boolean;
}

/** The card of an intent of any kind, in the state that it is in. */
export function intentCard(intent: Intent, view: View, { notice, isAccepted = false }: CardOptions = {}): Card {
  const subject = subjectOf(intent, view, isAccepted);
  const { lookAgain, lookAgainButton } = view.words.intent;
  const needsLook = intent.actsFrom !== undefined && !isAccepted;
  const hurdle = subject.hurdle ?? (needsLook ? { sentences: [lookAgain], button: lookAgainButton } : undefined);
  return subjectCard(intent, hurdle === undefined ? subject : { ...subject, hurdle }, view, notice);
}

/** What a person agrees to, line by line, wherever else than on the card it is shown. */
export function offerLines(intent: Intent, view: View): readonly string[] {
  const { title, offer } = subjectOf(intent, view, true);
  return card([title, ...offer]).text.split("\n");
}

/** What an intent of any kind was about, in one line. */
export function summaryOf(intent: Intent, view: View): string {
  return kinds[intent.terms.kind].summary(intent, viewOfOutcome(view, intent.outcome));
}

function subjectOf(intent: Intent, view: View, isAccepted: boolean): Subject {
  return kinds[intent.terms.kind].subject(intent, viewOfOutcome(view, intent.outcome), isAccepted);
}
