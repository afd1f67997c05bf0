import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { IntentOf } from "./intent.js";
import type { Movement } from "./movement.js";
import type { Person } from "../person/person.js";
import type { RequestOf } from "../request.js";
import type { IntentKind } from "./terms.js";
import type { Transaction } from "../../store/queries.js";
import type { Read } from "../text/line.js";
import type { Draft, Recheck } from "./draft.js";
import type { Answered } from "./outputs.js";

/** Whom a card is made for. */
export interface Owner {
  readonly userId: number;
  readonly person: Person;
}

/** What one kind of trade does, without words and without a chat; `Parts` is what it asks of the world. */
export interface TradeKind<Kind extends IntentKind, Parts> {
  /** Reads the words behind its command. Absent: it has none. */
  readonly read?: (parts: Parts, line: string, owner: Owner) => Read<RequestOf<Kind>> | Promise<Read<RequestOf<Kind>>>;
  /** The card for a request, with current figures. @throws Fault */
  readonly draft: (parts: Parts, request: RequestOf<Kind>, owner: Owner) => Promise<Draft>;
  /** Asked between the claim and the call; sends nothing. @throws Fault */
  readonly recheck: (parts: Parts, intent: IntentOf<Kind>, person: Person) => Promise<Recheck>;
  /** Writes what has to be remembered of an end, in its transaction. */
  readonly book?: (tx: Transaction, ended: IntentOf<Kind>, encoding: ReturnDataEncoding) => Promise<void>;
  /** What it moves. `encoding` is how the node writes its answers, where the outcome does not say. */
  readonly movement: (intent: Answered<IntentOf<Kind>["terms"]>, encoding: ReturnDataEncoding) => Movement;
}
