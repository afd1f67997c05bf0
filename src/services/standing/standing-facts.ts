import { doubtedUntil, type Clock } from "../../clock.js";
import type { Reader } from "../../store/store.js";
import type { Intent } from "../intent/intent.js";
import { findIntent } from "../intent/queries.js";
import type { TokenList } from "../market/token-list.js";
import { pauseIn } from "../person/pause.js";
import { personIn, type Person } from "../person/person.js";
import { openUntil, standingCalls, type StandingCalls } from "./standing-calls.js";
import type { StandingOrder } from "./standing-queries.js";

/** What a look at an order goes by. */
export interface StandingFacts {
  readonly now: number;
  /** Until when nothing ends or is missed, since the clock was just set. */
  readonly doubtedUntil: number | undefined;
  readonly person: Person;
  readonly calls: StandingCalls;
  /** Since when the operators have paused trading, if they have. */
  readonly pausedSince: number | undefined;
  readonly isListed: boolean;
  /** The card that it offered last, if that still matters. */
  readonly card: Intent | undefined;
  /** Until when one of its cards can be tapped, if any can. */
  readonly openUntil: number | undefined;
}

export interface FactParts {
  readonly clock: Clock;
  readonly tokens: Pick<TokenList, "byId">;
}

export async function standingFacts({ clock, tokens }: FactParts, tx: Reader, order: StandingOrder) {
  const { request, rule, userId, id, card, n } = order;
  const now = clock.now();
  return {
    now,
    doubtedUntil: doubtedUntil(clock),
    person: await personIn(tx, userId),
    calls: await standingCalls(tx, id),
    pausedSince: (await pauseIn(tx))?.since,
    isListed: [request.from, request.to].every((token) => tokens.byId(token.id)?.precision === token.precision),
    card: card === null ? undefined : await findIntent(tx, userId, card),
    openUntil: await openUntil(tx, id, now, "targets" in rule ? n : undefined),
  } satisfies StandingFacts;
}
