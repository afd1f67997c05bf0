import { shortAddress } from "../encoding/address.js";
import { type Intent, type IntentOf, isProven } from "../services/intent/intent.js";
import type { IntentKind } from "../services/terms/terms.js";
import { code, labelled, type Rows, type View, type Line, type Lines } from "./card.js";
import type { Amount } from "../encoding/amount.js";
import { withToken } from "./amount.js";

/** How a kind of intent is shown. */
export interface CardKind<Kind extends IntentKind, Own extends Intent = IntentOf<Kind>> {
  readonly subject: (intent: Own, view: View) => Subject;
  /** One line, with what came out of it where that is known. */
  readonly summary: (intent: Own, view: View) => Line;
  readonly moved: (before: Own["terms"], now: Own["terms"], view: View) => string;
  readonly usage?: (view: View) => string;
}

/** What differs between the kinds of card; the way from offer to result is the same for all. */
export interface Subject {
  /** With what is paid. */
  readonly title: string;
  /** How it is called while it is offered, above the figures; absent: by its title. */
  readonly offered?: string;
  /** What to know before confirming, the decision first; the network fee comes next. */
  readonly offer: Lines;
  /** What to compare it with. */
  readonly beside?: Lines;
  /** Whose account pays and receives; absent: as {@link accountLines} has it. */
  readonly account?: Lines;
  /** Everything else, exactly; folded away. */
  readonly details?: Lines;
  /** What the user gets, also shown while their wallet signs. */
  readonly gets?: Lines;
  readonly confirm: string;
  readonly done: string;
  /** Undefined without an answer, or where it can't be the contract's. */
  readonly answered: Lines | undefined;
  readonly kept: string;
  readonly unknownNext: string;
  readonly otherWay?: Rows[number][number];
  /** Whether the other way is offered first. */
  readonly isOtherBetter?: boolean | undefined;
  readonly next?: Rows | false | undefined;
  /** An extra confirmation before the confirm button is offered. */
  readonly acknowledgement?: Acknowledgement | undefined;
}

export interface Acknowledgement {
  /** What going on would cost: the button comes last then, where no hasty tap finds it. */
  readonly headline?: string;
  readonly sentences: Lines;
  readonly button: string;
  /** Whether it may be gone in a moment, so that asking again is worth it. */
  readonly mayPass?: true;
}

/** What came of a call: as proven, or until then as reported. */
export function receivedLine(intent: Intent, amount: Amount, { words }: View): Line {
  return labelled(isProven(intent) ? words.swap.received : words.intent.reported, withToken(amount, words));
}

/** For this long a new wallet address is on every card in full. */
const NEW_ADDRESS_MS = 86_400_000;

/**
 * Where a call is paid from (`fromElsewhere` where that isn't known to be the user's account) and pays out to. The
 * user's own account is shortened, except on its first day: they don't know it by its ends yet.
 */
export function accountLines(intent: Intent, view: View, fromElsewhere = view.words.intent.fromNode): Lines {
  const { callIncludesCaller, wallet, words } = view;
  const { payout } = intent.terms;
  const isNew = wallet !== undefined && intent.quotedAt - wallet.since < NEW_ADDRESS_MS;
  if (callIncludesCaller && !isNew) return [`${words.intent.account} ${shortAddress(payout)}`];
  return [callIncludesCaller ? words.intent.fromYours : fromElsewhere, code(payout)];
}
