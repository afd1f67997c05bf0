import type { Intent } from "../model/intent.js";
import { card, type Card } from "./card.js";
import { launchSubject } from "./launch-step.js";
import { lifeCard, type Subject } from "./life.js";
import { lockSubject, unlockSubject } from "./lock.js";
import { multihopSubject } from "./multihop.js";
import { swapSubject } from "./swap.js";
import { viewOfOutcome, type View } from "./view.js";

/** What is particular to a card at one moment. */
export interface CardOptions {
  /** A sentence above it, such as why it replaced another card. */
  readonly notice?: string;
  /** That the person took the second step which the card asks for. */
  readonly isAccepted?: boolean;
}

/** The card of an intent of any kind, in the state that it is in. */
export function intentCard(intent: Intent, view: View, options: CardOptions = {}): Card {
  const subject = subjectOf(intent, viewOfOutcome(view, intent.outcome), options.isAccepted ?? false);
  return lifeCard(intent, subject, view, options.notice);
}

/** What a person agrees to, line by line, wherever else than on the card it is shown. */
export function offerLines(intent: Intent, view: View): readonly string[] {
  const { title, offer } = subjectOf(intent, view, true);
  return card([title, ...offer]).text.split("\n");
}

function subjectOf({ id, terms }: Intent, view: View, isAccepted: boolean): Subject {
  switch (terms.kind) {
    case "swap":
      return swapSubject(id, terms, view);
    case "multihop":
      return multihopSubject(id, terms, view);
    case "lock":
      return lockSubject(terms, view, isAccepted);
    case "unlock":
      return unlockSubject(terms, view, isAccepted);
    case "launch":
      return launchSubject(terms, view, isAccepted);
  }
}
