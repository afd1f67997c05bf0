import type { Clock } from "../../clock.js";
import type { StandingOrder } from "./standing-queries.js";

/** For so long, an order that was deleted can be set again as it was. */
const PUT_BACK_MS = 60_000;
/** Of all people; beyond them, the oldest can't be set again any more. */
const MAX_DELETED = 10_000;

interface Deleted {
  readonly order: StandingOrder;
  readonly at: number;
  readonly since: number;
}

/** The orders that were deleted within a minute by both clocks, in memory only: after a restart, they stay deleted. */
export function createDeletedOrders({ clock }: { readonly clock: Clock }) {
  /** By their ids, the oldest first. */
  const kept = new Map<string, Deleted>();
  const isOver = ({ at, since }: Deleted): boolean => {
    const elapsed = clock.now() - at;
    return elapsed < 0 || elapsed >= PUT_BACK_MS || clock.monotonic() - since >= PUT_BACK_MS;
  };
  return {
    keep: (order: StandingOrder): void => {
      for (const [id, one] of kept) {
        if (!isOver(one) && kept.size < MAX_DELETED) break;
        kept.delete(id);
      }
      kept.set(order.id, { order, at: clock.now(), since: clock.monotonic() });
    },
    /** A person's, the last one first. */
    of: (userId: number): readonly StandingOrder[] =>
      [...kept.values()].flatMap((one) => (one.order.userId === userId && !isOver(one) ? [one.order] : [])).reverse(),
    drop: (id: string): void => void kept.delete(id),
  };
}
