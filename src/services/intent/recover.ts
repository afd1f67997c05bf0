import { isFault } from "../../fault.js";
import type { IntentParts } from "./change.js";
import { endIntent } from "./end.js";
import { findIntent, unfinishedIntents } from "./queries.js";
import { isLookedFor, isSigned, isUnderWay, type Intent, type IntentOutcome, type SignedIntent } from "./intent.js";

/**
 * Whatever runs of the program that are over left CLAIMED or SENT becomes UNKNOWN; what a live run works on is left alone. A
 * transaction that waits for its signature or its end is given out, and so is one that ended otherwise and is still looked for on
 * the chain.
 * @throws AggregateError at the end, with the faults of those that could not be read or written; they hold up nobody else.
 */
export function createRecover(parts: IntentParts) {
  const { store, gateway, run } = parts;

  const interruptionOf = ({ state }: Intent): IntentOutcome => ({
    kind: state === "CLAIMED" ? gateway.interrupted : "unknown",
    code: "interrupted",
  });

  /** Whether nobody is working on a call any more, and nobody will ever report its end. */
  const isLost = (intent: Intent): boolean => isUnderWay(intent.state) && !isSigned(intent) && intent.run !== run;

  return async function* (): AsyncGenerator<SignedIntent> {
    const faults: unknown[] = [];
    for (const { owner, id } of await unfinishedIntents(store.db)) {
      let intent: Intent | undefined;
      try {
        intent = await findIntent(store.db, owner, id);
        if (intent !== undefined && isLost(intent)) intent = await endIntent(parts, intent, interruptionOf(intent));
      } catch (error) {
        if (isFault(error, "store-unreadable")) parts.onUnreadable(error);
        faults.push(error);
      }
      if (intent !== undefined && isSigned(intent) && (isUnderWay(intent.state) || isLookedFor(intent))) yield intent;
    }
    if (faults.length > 0) throw new AggregateError(faults, "some people's intents could not be recovered");
  };
}
