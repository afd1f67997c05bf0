import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { createLoop } from "../../loop.js";
import type { Database } from "../../store/store.js";
import type { Intents } from "./intents.js";
import { expiredCards, nextExpiry, noteExpiry, type CardKey } from "./queries.js";

/** A card that is tapped at its very end is dealt with by the tap. */
const GRACE_MILLISECONDS = 250;

/** Ends open cards in time, also those of which the time passed while the program did not run. */
export function createExpiry(parts: {
  readonly intents: Pick<Intents, "expire">;
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  const { store, intents } = parts;
  return createLoop(
    {
      name: "expiry",
      width: 1,
      keyOf: ({ id }: CardKey) => id,
      due: (now, limit) => expiredCards(store.db, now - GRACE_MILLISECONDS, limit),
      nextAt: async (now) => {
        const next = await nextExpiry(store.db, now - GRACE_MILLISECONDS);
        return next && next + GRACE_MILLISECONDS;
      },
      run: async ({ owner, id }: CardKey) => {
        // Once: what goes wrong with it must not hold up others, and a tap does the same.
        await store.write((tx) => noteExpiry(tx, id));
        await intents.expire(owner, id);
      },
    },
    parts,
  );
}
