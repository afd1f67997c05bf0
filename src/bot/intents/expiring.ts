import type { Api } from "grammy";
import { createLoop } from "../../loop.js";
import { expiredCards, nextExpiry, noteExpiry, type CardKey } from "../../services/intent/queries.js";
import { presentIntent, type PresentLaterParts } from "./present.js";

/** A card that is tapped at its very end is dealt with by the tap. */
const GRACE_MILLISECONDS = 250;
/** Between two edits, whoever's cards they are: nobody waits for them, and Telegram counts them. */
const PACE_MILLISECONDS = 100;

/** Has open cards say at their end that they have expired, also those of which the time passed while the program did not run. */
export function createExpiring(parts: PresentLaterParts, api: Api) {
  const { clock, store, intents, stopping } = parts;
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
        const expired = await intents.expire(owner, id);
        if (expired?.state !== "EXPIRED" || expired.shownState !== "QUOTED" || expired.replacedBy !== undefined) return;
        await presentIntent(parts, api, expired);
        await clock.sleep(PACE_MILLISECONDS, stopping);
      },
    },
    parts,
  );
}
