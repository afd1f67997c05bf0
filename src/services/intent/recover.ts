import { isFault } from "../../fault.js";
import type { IntentParts } from "./change.js";
import { endIntent } from "./end.js";
import { findIntent, unfinishedIntents } from "./queries.js";
import { isSigned, isUnderWay } from "./intent.js";

/**
 * Whatever runs of the program that are over left CLAIMED or SENT becomes UNKNOWN; what a live run works on is left alone, and so is
 * what the chain will tell.
 * @throws AggregateError at the end, with the faults of those that could not be read or written; they hold up nobody else.
 */
export async function recover(parts: IntentParts): Promise<void> {
  const { store, gateway, run } = parts;
  const faults: unknown[] = [];
  for (const { owner, id } of await unfinishedIntents(store.db)) {
    try {
      const intent = await findIntent(store.db, owner, id);
      if (intent === undefined || !isUnderWay(intent.state) || isSigned(intent) || intent.run === run) continue;
      const kind = intent.state === "CLAIMED" ? gateway.interrupted : "unknown";
      await endIntent(parts, intent, { kind, code: "interrupted" });
    } catch (error) {
      if (isFault(error, "store-unreadable")) parts.onUnreadable(error);
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, "some people's intents could not be recovered");
}
