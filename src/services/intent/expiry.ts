import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { createLoop } from "../../loop.js";
import type { Database } from "../../store/store.js";
import type { Intents } from "./intents.js";
import { dueIntents, nextDue, noteDue, type DueIntent } from "./queries.js";

/** A card that is tapped at its very end is dealt with by the tap. */
const GRACE_MS = 250;

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
      keyOf: ({ id }: DueIntent) => id,
      due: (now, limit, running) => dueIntents(store.db, "offered", now - GRACE_MS, limit, running),
      nextAt: async (now) => {
        const next = await nextDue(store.db, "offered", now - GRACE_MS);
        return next && next + GRACE_MS;
      },
      run: async (card: DueIntent) => {
        // Once: what goes wrong with it must not hold up others, and a tap does the same.
        await store.write((tx) => noteDue(tx, card, null));
        await intents.expire(card.owner, card.id);
      },
    },
    parts,
  );
}
