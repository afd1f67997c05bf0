import { shortAddress } from "../encoding/address.js";
import { type Intent, type IntentOf, isProven } from "../services/intent/intent.js";
import type { Messages } from "../locales/messages.js";
import { type IntentKind, isTrade, type Terms } from "../services/terms/terms.js";
import { labelled, type ButtonRows, type View, type Line, type Lines } from "./card.js";
import type { Amount } from "../encoding/amount.js";
import { withToken } from "./amount.js";

/** How intents of one kind are shown. */
export interface CardKind<Kind extends IntentKind, Own extends Intent = IntentOf<Kind>> {
  readonly subject: (intent: Own, view: View) => Subject;
  /** One line, with the result if known. */
  readonly summary: (intent: Own, view: View) => Line;
  readonly moved: (before: Own["terms"], now: Own["terms"], view: View) => string;
  readonly usage?: (view: View) => string;
}

/** What differs between kinds of card; the flow from offer to result is the same for all. */
export interface Subject {
  /** Includes what is paid. */
  readonly title: string;
  /** The standing order that sent it, and what that guarantees: above all else, also where more is asked first. */
  readonly order?: string | undefined;
  /** The title above the figures while it is offered; defaults to `title`. */
  readonly offered?: string;
  /** What to know before confirming, most important first; the network fee follows. */
  readonly offer: Lines;
  /** Whether a total on it has the network fee, and warns of it: its line is then folded, as one of its parts. */
  readonly countsFee?: boolean | undefined;
  /** What to compare it with. */
  readonly withOffer?: Lines;
  /** Whose account pays and receives; defaults to {@link accountLines}. */
  readonly account?: Lines;
  /** Everything else, with exact figures; folded away. */
  readonly details?: Lines;
  /** What the user gets, also shown while their wallet signs. */
  readonly gets?: Lines;
  readonly confirm: string;
  readonly done: string;
  /** Undefined without an answer, or if the answer can't be the contract's. */
  readonly answered: Lines | undefined;
  readonly kept: string;
  readonly unknownNext: string;
  readonly otherWay?: ButtonRows[number][number];
  /** Whether `otherWay` is offered first. */
  readonly isOtherBetter?: boolean | undefined;
  readonly next?: ButtonRows | false | undefined;
  /** An extra confirmation before the confirm button is offered. */
  readonly acknowledgement?: Acknowledgement | undefined;
}

export interface Acknowledgement {
  /** What proceeding would cost. The button then comes last, out of reach of a hasty tap. */
  readonly headline?: string;
  readonly sentences: Lines;
  readonly button: string;
  /** Whether the reason may soon pass, so that refreshing is worthwhile. */
  readonly mayPass?: true;
}

/** What is said when a card is replaced by a fresh one. */
export function renewalWords(terms: Terms, { intent: { renewal } }: Messages) {
  return isTrade(terms) ? renewal.quoted : renewal.unquoted;
}

/** What a call paid out, labelled as received once proven, and as reported until then. */
export function receivedLine(intent: Intent, amount: Amount, { words }: View): Line {
  return labelled(isProven(intent) ? words.swap.received : words.intent.reported, withToken(amount, words));
}

/** Labels another figure of a call's answer, which is only the node's word until it is proven. */
export function answerLabel(intent: Intent, label: string, { words }: View): string {
  return isProven(intent) ? label : words.intent.reportedAs(label);
}

/**
 * The accounts that a call is paid from (`fromElsewhere` unless that is known to be the user's) and pays out to, which
 * is shortened: the whole address is among the card's details.
 */
export function accountLines(intent: Intent, view: View, fromElsewhere = view.words.intent.fromNode): Lines {
  const { callIncludesCaller, words } = view;
  return [`${callIncludesCaller ? words.intent.account : fromElsewhere} ${shortAddress(intent.terms.payout)}`];
}
