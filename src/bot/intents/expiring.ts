import type { Api } from "grammy";
import type { Intent } from "../../model/intent.js";
import { createTurns } from "../../store/turns.js";
import { presentIntent, type PresentLaterParts } from "./present.js";

/** Of more cards at once, the others say it when they are tapped. */
const MOST_WAITING = 2_000;
/** A card that is tapped at its very end is dealt with by the tap. */
const GRACE_MILLISECONDS = 250;
/** Between two edits, whoever's cards they are: nobody waits for them, and Telegram counts them. */
const PACE_MILLISECONDS = 100;

/** Has open cards say at their end that they have expired, as long as the program runs that showed them. */
export function createExpiring(parts: PresentLaterParts, api: Api) {
  const { clock, log, intents, stopping } = parts;
  const waiting = new Map<string, () => void>();
  const turns = createTurns();
  stopping.addEventListener("abort", () => {
    for (const cancel of waiting.values()) cancel();
    waiting.clear();
  });

  const expire = async ({ owner, id }: Intent): Promise<void> => {
    if (stopping.aborted) return;
    const expired = await intents.expire(owner, id);
    const isDue = expired?.state === "EXPIRED" && expired.shownState === "QUOTED" && expired.replacedBy === undefined;
    if (!isDue) return;
    await presentIntent(parts, api, expired);
    await clock.sleep(PACE_MILLISECONDS, stopping);
  };

  return {
    /** To be called when a card that can be confirmed is shown. */
    note: (intent: Intent): void => {
      const left = intent.expiresAt - clock.now() + GRACE_MILLISECONDS;
      if (waiting.has(intent.id) || waiting.size >= MOST_WAITING || left <= 0 || stopping.aborted) return;
      const end = () => {
        waiting.delete(intent.id);
        turns
          .take("one after the other", () => expire(intent))
          .catch((reason: unknown) => {
            if (!stopping.aborted) log.info({ intent: intent.id, reason }, "A card did not say that it expired");
          });
      };
      waiting.set(intent.id, clock.timer(left, end));
    },
  };
}
