import { isFault } from "../../fault.js";
import { changeIntent, type IntentParts } from "./change.js";
import { claimed, endedWith } from "./machine.js";
import { unsentIntents } from "./queries.js";

/**
 * Ends, in data that was restored, what may have been confirmed and sent since: nobody knows what became of it. What
 * can't be read stays, and is told to operators.
 */
export async function endLostCards(parts: IntentParts): Promise<void> {
  for (const { owner, id } of await unsentIntents(parts.store.db)) {
    try {
      await changeIntent(parts, owner, id, (intent) => {
        const claim = intent.state === "QUOTED" ? claimed(intent, parts) : intent;
        return claim.state === "CLAIMED" ? endedWith(claim, { kind: "unknown", code: "restored" }, parts) : intent;
      });
    } catch (error) {
      if (!isFault(error, "store-unreadable")) throw error;
      parts.onUnreadable(error);
    }
  }
}
