import type { Subject } from "../cards/subject.js";
import type { View } from "../cards/card.js";
import type { ReturnDataEncoding } from "../encoding/result.js";
import type { Fault } from "../fault.js";
import type { Messages } from "../locales/messages.js";
import type { Intent, IntentOf } from "../model/intent.js";
import type { IntentKind, Terms } from "../model/terms.js";
import type { Movement } from "../model/movement.js";
import type { Person } from "../model/person.js";
import type { CommonParts } from "../services/common-parts.js";
import type { Recheck } from "../services/intents/draft.js";
import type { Draft } from "../services/intents/draft.js";
import type { Answered } from "../services/intents/outputs.js";
import type { TokenList } from "../services/tokens.js";
import type { Parts, PersonFlavor } from "./context.js";
import { withOwnAmount, type OwnAmountParts } from "./intents/own-amount.js";

/** What the kinds ask of the world together: whatever looks a kind up has to have it ready. */
export type KindParts = CommonParts &
  Pick<Parts, "launching" | "locking" | "multihop" | "pools" | "routerCheck" | "settings" | "swaps" | "tokens">;

/** The draft of a card, or why it cannot be prepared: every fault of what was typed, or how to type it. */
export type Prepared =
  | { readonly draft: Draft }
  | { readonly faults: readonly Fault[] }
  | { readonly sentence: string };

/** Everything that differs between the kinds of card: `Own` is the intent of this kind. */
interface KindOf<Own extends Intent> {
  /** Prepares a card for the words behind its command. @throws Fault */
  readonly prepare: (parts: KindParts, owner: PersonFlavor, typed: string) => Promise<Prepared>;
  /** Prepares another card about the same thing, with current figures. @throws Fault */
  readonly reopen: (parts: KindParts, owner: PersonFlavor, terms: Own["terms"]) => Promise<Prepared>;
  /** The words behind the command that lead to the same card for another amount, as a person typed it; undefined: there are none. */
  readonly withAmount?: (terms: Own["terms"], amount: string) => string | undefined;
  /** A typed line with shares of what the person holds as amounts. @throws Fault */
  readonly withOwn?: (parts: OwnAmountParts, person: Person, typed: string) => Promise<string>;
  /** Whether a typed line leaves something out that a dialog can ask for. @throws Fault for what is wrong with the rest. */
  readonly isIncomplete?: (typed: string, tokens: TokenList) => boolean;
  /** The card of another kind for the same trade, and the words behind its command; undefined: there is no other way. */
  readonly otherWay?: (terms: Own["terms"]) => { readonly kind: IntentKind; readonly line: string } | undefined;
  /** Asked between the claim and the call; sends nothing. @throws Fault */
  readonly recheck: (parts: KindParts, person: Person, intent: Own) => Promise<Recheck>;
  /** The person with what has to be remembered of an end; a second time changes nothing. */
  readonly book?: (person: Person, ended: Own, encoding: ReturnDataEncoding) => Person;
  /** What its card says. */
  readonly subject: (intent: Own, view: View) => Subject;
  /** What it moves. `encoding` is how the node writes its answers, where the outcome does not say. */
  readonly movement: (intent: Answered<Own["terms"]>, encoding: ReturnDataEncoding) => Movement;
  /** What it was about, in one line: with what came out of it where the answer says so. */
  readonly summary: (intent: Own, view: View) => string;
  /** Why the card no longer held, above the card in its place. */
  readonly moved: (before: Own["terms"], now: Own["terms"], words: Messages) => string;
}

/** A kind as the table holds it: it takes any intent, and refuses one of another kind. */
export type Kind = Required<KindOf<Intent>>;

/** Makes a kind's entry for the table. The functions throw TypeError for an intent of another kind, a mistake in the program. */
export function defineKind<Name extends IntentKind>(name: Name, own: KindOf<IntentOf<Name>>): Kind {
  const ownTerms = (terms: Terms): IntentOf<Name>["terms"] => {
    if (!isOfKind(terms, name)) throw new TypeError(`a ${terms.kind} is no ${name}`);
    return terms;
  };
  const ownIntent = (intent: Intent): IntentOf<Name> => ({ ...intent, terms: ownTerms(intent.terms) });
  return {
    prepare: own.prepare,
    reopen: (parts, owner, terms) => own.reopen(parts, owner, ownTerms(terms)),
    withOwn: own.withOwn ?? withOwnAmount,
    isIncomplete: own.isIncomplete ?? ((typed) => typed === ""),
    withAmount: (terms, amount) => own.withAmount?.(ownTerms(terms), amount),
    otherWay: (terms) => own.otherWay?.(ownTerms(terms)),
    recheck: async (parts, person, intent) => {
      const checked = await own.recheck(parts, person, ownIntent(intent));
      if (checked.kind === "holds" || intent.estimatedFee === undefined) return checked;
      return { ...checked, draft: { ...checked.draft, estimatedFee: intent.estimatedFee } };
    },
    book: (person, ended, encoding) => own.book?.(person, ownIntent(ended), encoding) ?? person,
    subject: (intent, view) => own.subject(ownIntent(intent), view),
    movement: ({ terms, ...rest }, encoding) => own.movement({ ...rest, terms: ownTerms(terms) }, encoding),
    summary: (intent, view) => own.summary(ownIntent(intent), view),
    moved: (before, now, words) => own.moved(ownTerms(before), ownTerms(now), words),
  };
}

function isOfKind<Name extends IntentKind>(terms: Terms, name: Name): terms is IntentOf<Name>["terms"] {
  return terms.kind === name;
}
