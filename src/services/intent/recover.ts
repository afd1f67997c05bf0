import { isFault } from "../../fault.js";
import { changeIntent, type IntentParts } from "./change.js";
import { conclude, momentOf } from "./steps.js";
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
  const isOver = (intent: Intent): boolean => intent.run !== run;

  const interruptionOf = ({ state }: Intent): IntentOutcome => ({
    kind: state === "CLAIMED" ? gateway.interrupted : "unknown",
    code: "interrupted",
  });

  /** An intent after closing a call that nobody is working on any more and whose end nobody will ever report. */
  const closed = (intent: Intent): Intent =>
    isUnderWay(intent.state) && !isSigned(intent) && isOver(intent)
      ? conclude(intent, interruptionOf(intent), momentOf(parts))
      : intent;

  return async function* (): AsyncGenerator<SignedIntent> {
    const faults: unknown[] = [];
    for (const { owner, id } of await unfinishedIntents(store.db)) {
      let intent: Intent | undefined;
      try {
        intent = await findIntent(store.db, owner, id);
        if (intent !== undefined && closed(intent) !== intent) intent = await changeIntent(parts, owner, id, closed);
      } catch (error) {
        if (isFault(error, "store-unreadable")) parts.onUnreadable(error);
        faults.push(error);
      }
      if (intent !== undefined && isSigned(intent) && (isUnderWay(intent.state) || isLookedFor(intent))) yield intent;
    }
    if (faults.length > 0) throw new AggregateError(faults, "some people's intents could not be recovered");
  };
}
