import type { ContractCall } from "../../encoding/call.js";
import type { FeeEstimate, IntentOf } from "./intent.js";
import type { IntentKind, Terms } from "./terms.js";
import type { IntentParts } from "./change.js";
import type { Answered, Movement } from "./finding.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Person } from "../person/person.js";
import type { RequestOf } from "../request.js";
import type { Transaction } from "../../store/queries.js";
import type { Read } from "../text/line.js";

export interface Draft {
  readonly terms: Terms;
  readonly call: ContractCall;
  readonly expiresAt: number;
  readonly estimatedFee?: FeeEstimate;
}

export type Recheck<Fresh extends Draft = Draft> =
  | { readonly kind: "holds" }
  | { readonly kind: "worse"; readonly draft: Fresh };

/** For how long a card stays good that has no price which could move: ten minutes. */
const STEADY_CARD_MS = 600_000;

export function draftWithoutPrice<Own extends Terms>(
  { clock }: Pick<IntentParts, "clock">,
  terms: Own,
  call: ContractCall,
) {
  return { terms, call, expiresAt: clock.now() + STEADY_CARD_MS };
}

export interface Owner {
  readonly userId: number;
  readonly person: Person;
}

export interface TradeKind<Kind extends IntentKind, Parts> {
  readonly read?: (parts: Parts, line: string, owner: Owner) => Read<RequestOf<Kind>> | Promise<Read<RequestOf<Kind>>>;
  /** The card for a request, with current figures. @throws Fault */
  readonly draft: (parts: Parts, request: RequestOf<Kind>, owner: Owner) => Promise<Draft>;
  /** Asked between the claim and the call; sends nothing. @throws Fault */
  readonly recheck: (parts: Parts, intent: IntentOf<Kind>, person: Person) => Promise<Recheck>;
  readonly book?: (tx: Transaction, ended: IntentOf<Kind>, encoding: ReturnDataEncoding) => Promise<void>;
  /** What it moves. `encoding` is how the node writes its answers, where the outcome does not say. */
  readonly movement: (intent: Answered<IntentOf<Kind>["terms"]>, encoding: ReturnDataEncoding) => Movement;
}
