import { pauseAfter } from "../../clock.js";
import { isFault } from "../../fault.js";
import { createLoop, type Loop, type LoopRunner } from "../../loop.js";
import type { StoreBasics } from "../../store/store.js";
import { changeIntent, type IntentParts, type RunningParts } from "./change.js";
import { isSigned, type Intent, type IntentOutcome } from "./intent.js";
import { endedAsWithdrawn, isUnderWay, mayEnd, endedWith } from "./machine.js";
import { dueIntents, findIntent, unfinishedIntents, type DueIntent, type Phase } from "./queries.js";

/** Between attempts to write an outcome: a full disk often has space again soon. */
const BACK_OFF = { first: 200, longest: 10_000 };
/** After more failures than this the user is shown an outcome that isn't written yet. */
const FAILURES_UNTOLD = 3;

/**
 * The only way to end a call: its state, the fee, the effects that its kind records, and its owner's notification are
 * one write. An intent that can't end this way, since it already has an end, is left unchanged.
 * @param outcome if absent, a request for a signature ends as it was closed, once the chain was checked.
 */
export function endIntent(
  parts: IntentParts,
  { owner, id }: Pick<Intent, "id" | "owner">,
  outcome?: IntentOutcome,
  time = parts.clock.now(),
): Promise<Intent | undefined> {
  return changeIntent(parts, owner, id, (now) => {
    if (outcome === undefined) return endedAsWithdrawn(now, parts, time);
    return mayEnd(now, outcome) ? endedWith(now, bounded(outcome), parts, time) : now;
  });
}

/**
 * Retries until the end is written. If that takes long, the user is shown meanwhile what is known. If the process dies
 * before, the intent becomes UNKNOWN at the next start, which is then the truth.
 */
export function endForCertain(parts: RunningParts, intent: Intent, outcome: IntentOutcome): Promise<Intent> {
  const { clock, log, running } = parts;
  const time = clock.now();
  const known = endedWith(intent, bounded(outcome), parts, time);
  return new Promise((resolve) => {
    const untilWritten = async (): Promise<void> => {
      for (let failures = 1; ; failures += 1) {
        try {
          resolve((await endIntent(parts, intent, outcome, time)) ?? known);
          return;
        } catch (error) {
          log.error({ err: error, intent: intent.id, outcome: outcome.kind }, "Outcome not recorded; retrying");
          // Another process may have the store now, and ends this intent as unknown.
          const isLost = isFault(error, "store-lost");
          if (isLost || failures > FAILURES_UNTOLD) resolve(known);
          if (isLost) return;
          await clock.sleep(pauseAfter(failures, BACK_OFF));
        }
      }
    };
    void running.take(Symbol(), untilWritten);
  });
}

/**
 * Ends what earlier runs left SENT as unknown, and what they left CLAIMED as the gateway says. Leaves alone the calls
 * of this run, and signed transactions, whose end the chain shows. Retries while the store is away.
 * @throws AggregateError at the end, with the faults of unreadable intents, which hold up no others.
 */
export async function recover(parts: IntentParts, signal?: AbortSignal): Promise<void> {
  const { clock, log } = parts;
  for (let failures = 1; ; failures += 1) {
    const faults = await endUnfinished(parts).catch((error: unknown) => [error]);
    const others = faults.filter((error) => !isFault(error, "store-unreadable"));
    // Once the lease is lost, another process ends them.
    const isAway = others.length > 0 && others.every((error) => isFault(error) && error.code !== "store-lost");
    if (faults.length === 0) return;
    if (!isAway) throw new AggregateError(faults, "some people's intents could not be recovered");
    log.error({ err: others[0] }, "Interrupted transactions not recovered yet; retrying");
    await clock.sleep(pauseAfter(failures, BACK_OFF), signal);
  }
}

/** @returns what kept intents from ending. */
async function endUnfinished(parts: IntentParts): Promise<readonly unknown[]> {
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
  return faults;
}

/** No documented answer has this many entries, or one this long. */
const MAX_RETURNED_ENTRIES = 16;
const MAX_ENTRY_LENGTH = 512;
/** Marks an omission. It is neither hex nor base64, so a truncated answer is never mistaken for a whole one. */
const LEFT_OUT = "…";

/** Truncates an outcome, since a node's answer can be of any length. */
function bounded(outcome: IntentOutcome): IntentOutcome {
  if (outcome.kind !== "ok") return outcome;
  const entries = outcome.returnData.slice(0, MAX_RETURNED_ENTRIES);
  const kept = entries.map((entry) =>
    entry.length <= MAX_ENTRY_LENGTH ? entry : entry.slice(0, MAX_ENTRY_LENGTH) + LEFT_OUT,
  );
  return { ...outcome, returnData: entries.length < outcome.returnData.length ? [...kept, LEFT_OUT] : kept };
}

type IntentLoop = Pick<Loop<DueIntent, string>, "horizon" | "run"> & { readonly name: Phase; readonly width?: number };

/** Runs `run` for each due intent of a phase, one at a time unless `width` says otherwise. */
export function createIntentLoop(parts: StoreBasics, { width = 1, ...loop }: IntentLoop): LoopRunner {
  return createLoop(parts, { ...dueIntents(parts.store.db, loop.name, loop.horizon), ...loop, width });
}
