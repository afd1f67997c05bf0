import { pauseAfter } from "../../clock.js";
import { isFault } from "../../fault.js";
import { createLoop } from "../../loop.js";
import type { StoreBasics } from "../../store/store.js";
import { advance, changeIntent, steps, type IntentParts, type RunningParts } from "./change.js";
import { isRequest, isSigned, isUnderWay, type Intent, type IntentOutcome } from "./intent.js";
import { dueIntents, findIntent, unfinishedIntents, type DueIntent, type Phase } from "./queries.js";

/** Before the outcome is written again: space on a full disk is often freed soon. */
const BACK_OFF = { first: 200, longest: 10_000 };
/** After this many failures the person learns how it ended, though it is not written yet. */
const FAILURES_UNTOLD = 3;

/** The state in which each outcome ends. */
const ends = { ok: "OK", failed: "FAILED", "not-sent": "FAILED", unknown: "UNKNOWN" } as const;

/**
 * The one way in which a call ends: its state, what was earned, what its kind remembers, and what its owner is told are one write.
 * An intent that this can't be the end of, since it has one already, stays as it is.
 * @param outcome absent: a request for a signature ends as it closed, once the chain was asked.
 */
export function endIntent(
  parts: IntentParts,
  { owner, id }: Pick<Intent, "id" | "owner">,
  outcome?: IntentOutcome,
  time = parts.clock.now(),
): Promise<Intent | undefined> {
  return changeIntent(parts, owner, id, (now) => {
    const end = outcome ?? (isRequest(now) ? now.transaction.closing : undefined);
    if (end === undefined) return now;
    if ("kind" in end) return mayEnd(now, end) ? conclude(now, end, parts, time) : now;
    if (end.state !== "FAILED") return advance(now, end.state, parts, time);
    const { state: _state, ...reason } = end;
    return conclude(now, { kind: "not-sent", ...reason }, parts, time);
  });
}

/**
 * Ends it again and again until that is written. If that takes long, the person is told meanwhile what is known. If the process ends
 * before that, the intent is UNKNOWN after the next start, which is the truth then.
 */
export function endForCertain(parts: RunningParts, intent: Intent, outcome: IntentOutcome): Promise<Intent> {
  const { clock, log, running } = parts;
  const time = clock.now();
  const ended = conclude(intent, outcome, parts, time);
  return new Promise((resolve) => {
    const untilWritten = async (): Promise<void> => {
      for (let failures = 1; ; failures += 1) {
        try {
          resolve((await endIntent(parts, intent, outcome, time)) ?? ended);
          return;
        } catch (error) {
          log.error({ err: error, intent: intent.id, outcome: outcome.kind }, "Outcome not recorded; retrying");
          // Another process may have the store now; it calls this one unknown.
          const isLost = isFault(error, "store-lost");
          if (isLost || failures > FAILURES_UNTOLD) resolve(ended);
          if (isLost) return;
          await clock.sleep(pauseAfter(failures, BACK_OFF));
        }
      }
    };
    void running.take(Symbol(), untilWritten);
  });
}

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

/** Whether an outcome can be the end of an intent: only what was sent is answered. */
function mayEnd({ state }: Intent, { kind }: IntentOutcome): boolean {
  return steps[state].includes(ends[kind]) && (kind !== "failed" || state === "SENT");
}

/** The intent at its end. @throws TypeError as {@link advance}; also for an answer to what was never sent. */
function conclude(intent: Intent, outcome: IntentOutcome, parts: IntentParts, time: number) {
  if (!mayEnd(intent, outcome)) throw new TypeError(`${outcome.kind} is no end of what is ${intent.state}`);
  return { ...advance(intent, ends[outcome.kind], parts, time), outcome: bounded(outcome) };
}

/** No answer that is documented has as many entries, or one as long. */
const MAX_ENTRIES = 16;
const MAX_LENGTH = 512;
/** Marks what was left out. It is neither hex nor base64, so that no part is ever taken for the whole. */
const LEFT_OUT = "…";

/** What is kept of an outcome: a node's answer can be of any length. */
function bounded(outcome: IntentOutcome): IntentOutcome {
  if (outcome.kind !== "ok") return outcome;
  const entries = outcome.returnData.slice(0, MAX_ENTRIES);
  const kept = entries.map((entry) => (entry.length <= MAX_LENGTH ? entry : entry.slice(0, MAX_LENGTH) + LEFT_OUT));
  return { ...outcome, returnData: entries.length < outcome.returnData.length ? [...kept, LEFT_OUT] : kept };
}

/** Does something with each intent of a phase that is due. @param width how many at a time. */
export function createIntentLoop(parts: StoreBasics, name: Phase, run: (due: DueIntent) => Promise<void>, width = 1) {
  return createLoop(parts, { name, width, ...dueIntents(parts.store.db, name), run });
}
