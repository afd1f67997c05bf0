import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Transaction } from "../../store/store.js";
import { type OperatorEvent, tellNotice } from "../outbox/outbox.js";

/** In the transaction that notes the event; repeats of an `id` that still waits are dropped. */
export type TellOperators = (tx: Transaction, id: string, event: OperatorEvent) => Promise<void>;

export function createOperatorNotifications(parts: {
  readonly operators: readonly number[];
  readonly clock: Clock;
  readonly log: Logger;
}): TellOperators {
  return async (tx, id, event) => {
    parts.log.warn({ event }, "Notifying operators");
    for (const userId of parts.operators) {
      await tellNotice(tx, userId, { id, what: { kind: "operator", event } }, parts.clock.now());
    }
  };
}
