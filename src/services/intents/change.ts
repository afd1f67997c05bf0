import type { Intent } from "../../model/intent.js";
import { people, type Person } from "../../model/person.js";
import type { IntentParts } from "./parts.js";
import { intentOf, withIntent } from "./person-intents.js";

/**
 * Changes one intent in its owner's document, and gives it as it is then; undefined where the document has none. The same
 * intent writes nothing. An end is written together with what has to be remembered of it.
 * @param lost stands in where the document does not have it any more.
 */
export async function changeIntent(
  parts: Pick<IntentParts, "book" | "onEnded" | "store">,
  owner: number,
  id: string,
  next: (intent: Intent, person: Person) => Intent,
  lost?: Intent,
): Promise<Intent | undefined> {
  const [before, after] = await parts.store.update(people, String(owner), (person) => {
    const before = intentOf(person, id) ?? lost;
    const after = before && next(before, person);
    if (after === undefined || after === before) return [person, [before, before]];
    const changed = withIntent(person, after);
    return [hasEnded(before, after) ? parts.book(changed, after) : changed, [before, after]];
  });
  if (after !== undefined && hasEnded(before, after)) parts.onEnded(after);
  return after;
}

function hasEnded(before: Intent | undefined, after: Intent): boolean {
  return before?.outcome === undefined && after.outcome !== undefined;
}
