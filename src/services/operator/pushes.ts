import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { OperatorEvent } from "../../model/operator-event.js";
import type { Store } from "../../store/store.js";
import { withNotice } from "../alerts/notices.js";
import { changePerson } from "../people.js";

/** At most this many notices wait for an operator. Whoever can't be reached for long finds the rest with `/admin`. */
const MOST_WAITING = 50;

/**
 * Tells every operator of an event, through the outbox from which all alerts leave. The same `id` twice is told once as long as
 * the first one waits.
 */
export type TellOperators = (id: string, event: OperatorEvent) => Promise<void>;

export function createPushes(parts: {
  readonly operators: readonly number[];
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Hears of each person for whom a notice waits. */
  readonly noticed: (userId: number) => void;
}): TellOperators {
  const { operators, store, clock, log } = parts;
  return async (id, event) => {
    log.warn({ event }, "Operators are told of an event");
    for (const userId of operators) {
      await changePerson(store, userId, (person) =>
        (person.outbox?.length ?? 0) >= MOST_WAITING
          ? person
          : withNotice(person, { id, at: clock.now(), what: { kind: "operator", event } }),
      );
      parts.noticed(userId);
    }
  };
}
