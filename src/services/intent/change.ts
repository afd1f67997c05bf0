import type { Intent } from "./intent.js";
import type { Person } from "../person/person.js";
import type { Transaction } from "../../store/queries.js";
import { personIn } from "../person/people.js";
import type { Change, IntentParts } from "./parts.js";
import { deleteUnspent, findIntent, insertIntent, updateIntent } from "./queries.js";
import { countEnd, countPerson } from "./totals.js";

type ChangeParts = Pick<IntentParts, "book" | "clock" | "feeOf" | "onChanged" | "store">;

/** How long a card that spent nothing is kept, and how many of those go with a new one: however many there are, they become fewer. */
const UNSPENT_MILLISECONDS = 30 * 86_400_000;
const UNSPENT_AT_ONCE = 10;

/**
 * Does several steps in one transaction, each with all that has to be remembered of it, and tells of them once they are on disk.
 * @param work gets what writes a step, from none for a new intent, and returns the intent; the same one writes nothing.
 */
export async function changeIntents<Result>(
  parts: ChangeParts,
  work: (tx: Transaction, step: (before: Intent | undefined, after: Intent) => Promise<Intent>) => Promise<Result>,
): Promise<Result> {
  const changes: Change[] = [];
  const result = await parts.store.write((tx) =>
    work(tx, async (before, after) => {
      if (after === before) return after;
      await (before === undefined ? add(parts, tx, after) : update(parts, tx, before, after));
      changes.push({ before, after });
      return after;
    }),
  );
  changes.forEach(parts.onChanged);
  return result;
}

/** Changes one intent, and returns it as it is then; undefined where there is none. The same intent writes nothing. */
export function changeIntent(
  parts: ChangeParts,
  owner: number,
  id: string,
  next: (intent: Intent, person: Person) => Intent,
): Promise<Intent | undefined> {
  return changeIntents(parts, async (tx, step) => {
    const intent = await findIntent(tx, owner, id);
    return intent && step(intent, next(intent, await personIn(tx, owner)));
  });
}

async function add({ clock }: ChangeParts, tx: Transaction, intent: Intent): Promise<void> {
  await insertIntent(tx, intent);
  await countPerson(tx, intent.owner, clock.now());
  await deleteUnspent(tx, clock.now() - UNSPENT_MILLISECONDS, UNSPENT_AT_ONCE);
}

async function update({ book, feeOf }: ChangeParts, tx: Transaction, before: Intent, after: Intent): Promise<void> {
  const fee = feeOf(after);
  await updateIntent(tx, before, after, fee);
  await countEnd(tx, before, after, { was: feeOf(before), is: fee });
  if (hasEnded({ before, after })) await book(tx, after);
}

/** Whether a call has ended now. */
export function hasEnded({ before, after }: Change): boolean {
  return before?.outcome === undefined && after.outcome !== undefined;
}
