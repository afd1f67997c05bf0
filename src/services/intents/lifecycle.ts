import type { Intent, IntentOutcome, IntentState } from "../../model/intent.js";

/** Every step that exists. A state without one is final. */
const steps: Readonly<Record<IntentState, readonly IntentState[]>> = {
  QUOTED: ["CLAIMED", "EXPIRED", "CANCELED", "SUPERSEDED"],
  // Superseded by a fresh quote, or failed before anything was sent; unknown after a crash.
  CLAIMED: ["SIGNING", "SENT", "SUPERSEDED", "FAILED", "UNKNOWN"],
  SIGNING: ["SENT", "EXPIRED", "CANCELED", "SUPERSEDED", "FAILED"],
  SENT: ["OK", "FAILED", "UNKNOWN"],
  OK: [],
  FAILED: [],
  UNKNOWN: [],
  EXPIRED: [],
  CANCELED: [],
  SUPERSEDED: [],
};

/** Whether a call may be on its way: such an intent is never dropped. */
export function isUnderWay(state: IntentState): boolean {
  return state === "CLAIMED" || state === "SIGNING" || state === "SENT";
}

/** The state in which an outcome ends. */
function stateOf(outcome: IntentOutcome): IntentState {
  switch (outcome.kind) {
    case "ok":
      return "OK";
    case "failed":
    case "not-sent":
      return "FAILED";
    case "unknown":
      return "UNKNOWN";
  }
}

/** The intent one step on. @throws TypeError for a step that does not exist, which is a mistake in the program. */
export function advance(intent: Intent, state: IntentState, now: number): Intent {
  if (!steps[intent.state].includes(state)) throw new TypeError(`no step from ${intent.state} to ${state}`);
  return { ...intent, state, times: { ...intent.times, [state]: now } };
}

/** The intent at its end. @throws TypeError as {@link advance}; also for an answer to what was never sent. */
export function conclude(
  intent: Intent,
  outcome: IntentOutcome,
  now: number,
): Intent & { readonly outcome: IntentOutcome } {
  if (intent.state !== "SENT" && outcome.kind === "failed") {
    throw new TypeError("an answer to a call that was never sent");
  }
  return { ...advance(intent, stateOf(outcome), now), outcome: bounded(outcome) };
}

/** No answer that is documented has as many entries, or one as long. */
const MAX_ENTRIES = 16;
const MAX_ENTRY_LENGTH = 512;
/** Stands for what was left out. It is neither hex nor base64, so that no part is ever read as the whole. */
const LEFT_OUT = "…";

/** What is kept of an outcome: a node's answer can be of any length. */
function bounded(outcome: IntentOutcome): IntentOutcome {
  if (outcome.kind !== "ok") return outcome;
  const entries = outcome.returnData.slice(0, MAX_ENTRIES);
  const kept = entries.map((entry) =>
    entry.length <= MAX_ENTRY_LENGTH ? entry : entry.slice(0, MAX_ENTRY_LENGTH) + LEFT_OUT,
  );
  return { ...outcome, returnData: entries.length < outcome.returnData.length ? [...kept, LEFT_OUT] : kept };
}
