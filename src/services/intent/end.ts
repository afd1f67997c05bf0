import { isFault } from "../../fault.js";
import { pauseAfter } from "../limits/back-off.js";
import type { Turns } from "../limits/turns.js";
import { changeIntent, type IntentParts } from "./change.js";
import type { Intent, IntentOutcome } from "./intent.js";
import { conclude, momentOf, mayEnd } from "./steps.js";

/** Before the outcome is written again: space on a full disk is often freed soon. */
const BACK_OFF = { first: 200, longest: 10_000 };
/** After this many failures the person learns how it ended, though it is not written yet. */
const FAILURES_UNTOLD = 3;

/**
 * The one way in which a call ends: its state, what was earned, what its kind remembers, and what its owner is told are one write.
 * An intent that this can't be the end of, since it has one already, stays as it is.
 */
export function endIntent(
  parts: IntentParts,
  { owner, id }: Pick<Intent, "id" | "owner">,
  outcome: IntentOutcome,
  moment = momentOf(parts),
): Promise<Intent | undefined> {
  return changeIntent(parts, owner, id, (now) => (mayEnd(now, outcome) ? conclude(now, outcome, moment) : now));
}

/**
 * Ends it again and again until that is written. If that takes long, the person is told meanwhile what is known. If the process ends
 * before that, the intent is UNKNOWN after the next start, which is the truth then.
 */
export function endForCertain(
  parts: IntentParts & { readonly underWay: Turns },
  intent: Intent,
  outcome: IntentOutcome,
): Promise<Intent> {
  const { clock, log, underWay } = parts;
  const moment = momentOf(parts);
  const ended = conclude(intent, outcome, moment);
  return new Promise((resolve) => {
    const untilWritten = async (): Promise<void> => {
      for (let failures = 0; ; ) {
        try {
          resolve((await endIntent(parts, intent, outcome, moment)) ?? ended);
          return;
        } catch (error) {
          log.error({ err: error, intent: intent.id, outcome: outcome.kind }, "Outcome not recorded; retrying");
          failures += 1;
          // Another process may have the store now; it calls this one unknown.
          const isLost = isFault(error, "store-lost");
          if (isLost || failures > FAILURES_UNTOLD) resolve(ended);
          if (isLost) return;
          await clock.sleep(pauseAfter(failures, BACK_OFF));
        }
      }
    };
    void underWay.take(Symbol(), untilWritten);
  });
}
