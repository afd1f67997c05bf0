import { people, type Person } from "../../model/person.js";
import type { Intent, IntentOutcome } from "../../model/intent.js";
import type { IntentParts } from "./parts.js";
import { conclude, isUnderWay } from "./lifecycle.js";
import { intentOf, newestFirst, withEnd } from "./person-intents.js";
import { isSigned } from "./requests.js";

/**
 * After a start: whatever was CLAIMED or SENT before that moment becomes UNKNOWN, and every intent whose card does not show
 * its state is given out, so that its owner is told. What the running process works on is left alone. A transaction that
 * waits for its signature or its end is given out too: the chain still tells what becomes of it.
 * @param before when the process started, in milliseconds since 1970.
 * @throws AggregateError at the end, with the faults of those documents that could not be read or written; they hold up
 * nobody else.
 */
export type Recover = (before: number) => AsyncIterable<{ readonly owner: number; readonly intent: Intent }>;

export function createRecover(parts: Pick<IntentParts, "store" | "clock" | "book" | "gateway">): Recover {
  const { store, clock } = parts;
  /** Where a wallet signs, nothing leaves before it did. */
  const interruptionOf = ({ state }: Intent): IntentOutcome => ({
    kind: "prepare" in parts.gateway && state === "CLAIMED" ? "not-sent" : "unknown",
    code: "interrupted",
  });
  /** The person's intents after those that a crash interrupted were closed. */
  const closeInterrupted = async (person: Person, id: string, before: number): Promise<Person> => {
    const interrupted = newestFirst(person).filter((intent) => isInterrupted(intent) && enteredBefore(intent, before));
    if (interrupted.length === 0) return person;
    return store.update(people, id, (current): readonly [Person, Person] => {
      const closed = interrupted
        .map((intent) => intentOf(current, intent.id) ?? intent)
        .filter(isInterrupted)
        .map((intent) => conclude(intent, interruptionOf(intent), clock.now()))
        .reduce((before, ended) => withEnd(parts, before, ended), current);
      return [closed, closed];
    });
  };

  return async function* (before) {
    const faults: unknown[] = [];
    for (const id of await store.ids(people)) {
      let unshown: readonly Intent[] = [];
      try {
        const person = await store.read(people, id);
        if (person === undefined) continue;
        unshown = newestFirst(await closeInterrupted(person, id, before)).filter((intent) => isUnshown(intent, before));
      } catch (error) {
        faults.push(error);
      }
      for (const intent of unshown) yield { owner: intent.owner, intent };
    }
    if (faults.length > 0) throw new AggregateError(faults, "some people's intents could not be recovered");
  };
}

function enteredBefore(intent: Intent, moment: number): boolean {
  return (intent.times[intent.state] ?? 0) < moment;
}

/** Whether nobody works on it any more, and nobody will ever tell how it ended. */
function isInterrupted(intent: Intent): boolean {
  return isUnderWay(intent.state) && !isSigned(intent);
}

/** Whether nobody shows this state any more. A card that never reached its chat has nothing to correct. */
function isUnshown(intent: Intent, before: number): boolean {
  if (isSigned(intent) && isUnderWay(intent.state)) return true;
  if (intent.state === intent.shownState || intent.state === "QUOTED" || isUnderWay(intent.state)) return false;
  const { outcome } = intent;
  const wasInterrupted = outcome !== undefined && "code" in outcome && outcome.code === "interrupted";
  return wasInterrupted || enteredBefore(intent, before);
}
