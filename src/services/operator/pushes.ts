import type { OperatorEvent } from "../outbox/operator-event.js";
import type { OperatorParts } from "./parts.js";

/** Tells every operator of an event. The same `id` twice is told once as long as the first one waits. */
export type TellOperators = (id: string, event: OperatorEvent) => Promise<void>;

export function createPushes(parts: Pick<OperatorParts, "log" | "operators" | "outbox">): TellOperators {
  return async (id, event) => {
    parts.log.warn({ event }, "Operators are told of an event");
    for (const userId of parts.operators) await parts.outbox.notify(userId, { id, what: { kind: "operator", event } });
  };
}
