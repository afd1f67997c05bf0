import type { Subject } from "../cards/subject.js";
import type { View } from "../cards/card.js";
import type { ReturnDataEncoding } from "../encoding/result.js";
import type { Messages } from "../locales/messages.js";
import type { Intent, IntentOf } from "../model/intent.js";
import type { IntentKind, Terms } from "../model/terms.js";
import type { Movement } from "../model/movement.js";
import type { Person } from "../model/person.js";
import type { Request, RequestOf } from "../model/request.js";
import type { CommonParts } from "../services/common-parts.js";
import type { Draft, Recheck } from "../services/intents/draft.js";
import type { Answered } from "../services/intents/outputs.js";
import type { TokenList } from "../services/tokens.js";
import type { Read } from "../services/typed-line.js";
import type { Parts, PersonFlavor } from "./context.js";

/** What the kinds ask of the world together: whatever looks a kind up has to have it ready. */
export type KindParts = CommonParts &
  Pick<
    Parts,
    "balances" | "launching" | "locking" | "multihop" | "pools" | "routerCheck" | "settings" | "swaps" | "tokens"
  >;

/** What the words of a line are read with. */
export interface Known {
  readonly person: Person;
  readonly tokens: TokenList;
}

/** Everything that differs between the kinds of card: `Own` is the intent of this kind. */
interface KindOf<Name extends IntentKind, Own extends Intent = IntentOf<Name>> {
  /** Reads the words behind its command. Absent: it has none. */
  readonly read?: (line: string, known: Known) => Read<RequestOf<Name>>;
  /** How to type it. */
  readonly usage?: (words: Messages) => string;
  /** The card for a request, with current figures. @throws Fault */
  readonly draft: (parts: KindParts, owner: PersonFlavor, request: RequestOf<Name>) => Promise<Draft>;
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
export type Kind = Required<KindOf<IntentKind, Intent>>;

/** Makes a kind's entry for the table. The functions throw TypeError for an intent of another kind, a mistake in the program. */
export function defineKind<Name extends IntentKind>(name: Name, own: KindOf<Name>): Kind {
  const ownTerms = (terms: Terms): IntentOf<Name>["terms"] => {
    if (!isOfKind(terms, name)) throw new TypeError(`a ${terms.kind} is no ${name}`);
    return terms;
  };
  const ownIntent = (intent: Intent): IntentOf<Name> => ({ ...intent, terms: ownTerms(intent.terms) });
  return {
    read: own.read ?? (() => "unreadable"),
    usage: own.usage ?? (() => ""),
    draft: async (parts, owner, request) => {
      if (!isRequestOf(request, name)) throw new TypeError(`a ${request.kind} is no ${name}`);
      return own.draft(parts, owner, request);
    },
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

function isRequestOf<Name extends IntentKind>(request: Request, name: Name): request is RequestOf<Name> {
  return request.kind === name;
}
