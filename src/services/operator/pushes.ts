import type { OperatorEvent } from "../../model/operator-event.js";
import { withNotice } from "../alerts/notices.js";
import { unlessUnreadable } from "../people.js";
import type { OperatorParts } from "./parts.js";

/** At most this many notices wait for an operator. Whoever can't be reached for long finds the rest with `/admin`. */
const MOST_WAITING = 50;

/**
 * Tells every operator of an event, through the outbox from which all alerts leave. The same `id` twice is told once as long as
 * the first one waits.
 */
export type TellOperators = (id: string, event: OperatorEvent) => Promise<void>;

export function createPushes(parts: Pick<OperatorParts, "log" | "notify" | "operators">): TellOperators {
  return async (id, event) => {
    parts.log.warn({ event }, "Operators are told of an event");
    const notice = { id, what: { kind: "operator", event } } as const;
    for (const userId of parts.operators) {
      // A copy, so that one that waits already is offered again: whoever wrote it may have died before anybody heard of it.
      const told = parts.notify(userId, (person) =>
        (person.outbox?.length ?? 0) >= MOST_WAITING ? person : { ...withNotice(person, notice) },
      );
      await unlessUnreadable(told);
    }
  };
}
