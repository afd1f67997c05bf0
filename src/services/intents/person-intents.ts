import type { Person } from "../../model/person.js";
import { isLookedFor, isOpenQuestion, isUnderWay, type Intent } from "../../model/intent.js";

/** How many ended intents stay in a person's document, where a tap on their cards finds them at once. */
const KEPT_AT_LEAST = 10;
const KEPT_AT_MOST = 20;
/** This many of them are the latest of unknown outcome, however old: they are what a person has to look at first. */
const UNKNOWN_KEPT = 5;
/** So many of the latest that the chain may still contradict stay besides; whoever has more has opened them for nothing. */
const LOOKED_FOR_KEPT = 30;

export function intentOf(person: Person, id: string): Intent | undefined {
  return Object.hasOwn(person.intents, id) ? person.intents[id] : undefined;
}

export function withIntent(person: Person, intent: Intent): Person {
  return { ...person, intents: { ...person.intents, [intent.id]: intent } };
}

/** Both cards after a fresh one took over the message of another. */
export function inPlaceOf(before: Intent, fresh: Intent): readonly [before: Intent, fresh: Intent] {
  const { messageId } = before;
  return [
    { ...before, replacedBy: fresh.id, shownState: before.state },
    messageId === undefined ? fresh : { ...fresh, messageId },
  ];
}

/** Whether no other call of the person's was on its way at any time since this one was sent. */
export function isAlone(person: Person, { id, times, quotedAt }: Intent): boolean {
  const since = times.SENT ?? quotedAt;
  return !Object.values(person.intents).some((other) => {
    if (other.id === id || other.times.SENT === undefined) return false;
    return other.state === "SENT" || (other.times[other.state] ?? other.times.SENT) >= since;
  });
}

/** A person's intents, the newest first. */
export function newestFirst(person: Person): readonly Intent[] {
  // Those of the same millisecond stay in the order in which they were added.
  return Object.values(person.intents)
    .reverse()
    .sort((left, right) => right.quotedAt - left.quotedAt);
}

/**
 * The oldest of what is over, expired cards included, that should leave the person's document; none until it is worth the
 * writing. What is open or under way always stays.
 */
export function leaving(person: Person, now: number): readonly Intent[] {
  const over = newestFirst(person).filter(
    (intent) => !isUnderWay(intent.state) && !(intent.state === "QUOTED" && now < intent.expiresAt),
  );
  const lookedFor = new Set(over.filter(isLookedFor).slice(0, LOOKED_FOR_KEPT));
  const others = over.filter((intent) => !lookedFor.has(intent));
  if (others.length <= KEPT_AT_MOST) return [];
  const unknown = others.filter(isOpenQuestion).slice(0, UNKNOWN_KEPT);
  const kept = new Set([...new Set([...unknown, ...others])].slice(0, KEPT_AT_LEAST));
  return others.filter((intent) => !kept.has(intent)).reverse();
}

/** The person without intents that have left, unless one has changed since. */
export function withoutIntents(person: Person, left: readonly Intent[]): Person {
  const known = ({ state, check }: Intent) => `${state} ${check?.at ?? ""}`;
  const states = new Map(left.map((intent) => [intent.id, known(intent)]));
  const intents = Object.entries(person.intents).filter(([id, intent]) => states.get(id) !== known(intent));
  return { ...person, intents: Object.fromEntries(intents) };
}
