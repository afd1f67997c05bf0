import * as z from "zod";
import type { Amount } from "../../encoding/amount.js";
import { type StoreBasics, stored, type Transaction } from "../../store/store.js";
import { quietUntil } from "../person/quiet-hours.js";
import { enqueue, type Topic } from "../telegram/outbox.js";
import { setArrivalDue } from "./arrival-watches.js";
import { afterTold, nextTold, type AccountSeen } from "./account-seen.js";

const arrivedSchema = stored({
  /** Units by asset. */
  amounts: z.array(z.tuple([z.string(), z.bigint()]).readonly()).readonly(),
  /** Number of others that could be named. */
  more: z.number(),
  /** Number of those that are worth too little, or have no pool. */
  small: z.number(),
  /** Set if the next message can't come sooner. */
  nextAt: z.number().exactOptional(),
});
/** What has arrived at a person's address. */
export type Arrived = z.infer<typeof arrivedSchema>;

const ARRIVALS = "arrivals";
const MOST_NAMED = 5;

/**
 * Puts what has arrived into the outbox. What is small waits for something to be told with: dust that anybody sends makes no
 * messages. @returns what the account was seen to hold, with what that changes.
 */
export async function tellArrived(
  tx: Transaction,
  userId: number,
  seen: AccountSeen,
  { named, small }: { readonly named: readonly Amount[]; readonly small: number },
  now: number,
): Promise<AccountSeen> {
  if (named.length === 0) return { ...seen, small: seen.small + small };
  const after = { ...afterTold(seen, now), small: 0 };
  const nextAt = nextTold(after, now);
  const message: Arrived = {
    amounts: named.slice(0, MOST_NAMED).map(({ token, units }) => [token.id, units]),
    more: Math.max(0, named.length - MOST_NAMED),
    small: seen.small + small,
    ...(nextAt > now && { nextAt }),
  };
  await enqueue(tx, { user_id: userId, topic: ARRIVALS, subject: String(now) }, message, now);
  return after;
}

/** Tells each arrival once: what a crash may have sent isn't sent again, since it would look like another payment. */
export function arrivalsTopic({ clock }: Pick<StoreBasics, "clock">): Topic<Arrived> {
  return {
    name: ARRIVALS,
    isOnce: true,
    onReach: (tx, userId, isReachable, now) => setArrivalDue(tx, userId, isReachable ? now : null),
    render: (_db, { payload }, person) =>
      Promise.resolve({
        message: arrivedSchema.parse(payload),
        isMuted: quietUntil(person, clock.now()) !== undefined,
      }),
  };
}
