import type { Person } from "../../model/person.js";
import type { Intent } from "../../model/intent.js";
import type { IntentParts } from "./parts.js";
import { isUnderWay } from "./lifecycle.js";

/** How many intents that are over are kept for each person's history. */
const KEPT_INTENTS = 200;

export function intentOf(person: Person, id: string): Intent | undefined {
  return Object.hasOwn(person.intents, id) ? person.intents[id] : undefined;
}

export function withIntent(person: Person, intent: Intent): Person {
  return { ...person, intents: { ...person.intents, [intent.id]: intent } };
}

/** The person with an intent that ended, and with what has to be remembered of its end. */
export function withEnd({ book }: Pick<IntentParts, "book">, person: Person, ended: Intent): Person {
  return book(withIntent(person, ended), ended);
}

/** A person's intents, the newest first. */
export function newestFirst(person: Person): readonly Intent[] {
  // Those of the same millisecond stay in the order in which they were added.
  return Object.values(person.intents)
    .reverse()
    .sort((left, right) => right.quotedAt - left.quotedAt);
}

/** Drops the oldest of what is over, expired cards included. What is open or under way always stays. */
export function withoutOldest(person: Person, now: number): Person {
  const over = newestFirst(person).filter(
    (intent) => !isUnderWay(intent.state) && !(intent.state === "QUOTED" && now < intent.expiresAt),
  );
  if (over.length <= KEPT_INTENTS) return person;
  const dropped = new Set(over.slice(KEPT_INTENTS).map((intent) => intent.id));
  return { ...person, intents: Object.fromEntries(Object.entries(person.intents).filter(([id]) => !dropped.has(id))) };
}
