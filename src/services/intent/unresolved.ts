import { intentOf } from "./row.js";
import type { Intent } from "./intent.js";
import type { Reader, Transaction } from "../../store/queries.js";

/** Of more, the oldest wait until some of these are put away. */
const MAX_UNRESOLVED = 100;

/** How many of a person's calls have an outcome that nobody knows. */
export async function countUnresolved(db: Reader, owner: number): Promise<number> {
  const own = db.selectFrom("intents").where("owner", "=", owner).where("unresolved", "is not", null);
  return (await own.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** The calls of unknown outcome that no operator has put away, the newest first. What can't be read is left out. */
export async function unresolvedIntents(
  db: Reader,
  onUnreadable: (error: unknown) => void,
): Promise<readonly Intent[]> {
  const unresolved = db.selectFrom("intents").selectAll().where("unresolved", "is not", null);
  const rows = await unresolved
    .where("unresolved", "<>", 3)
    .orderBy("ended_at", "desc")
    .limit(MAX_UNRESOLVED)
    .execute();
  return rows.flatMap((row) => {
    try {
      return [intentOf(row)];
    } catch (error) {
      onUnreadable(error);
      return [];
    }
  });
}

/** The calls of unknown outcome of which operators were not told, the newest first. */
export async function untoldUnknowns(db: Reader) {
  const untold = db.selectFrom("intents").select(["id", "owner", "ended_at"]).where("unresolved", "is not", null);
  const rows = untold.where("unresolved", "=", 1).orderBy("ended_at", "desc").$narrowType<{ ended_at: number }>();
  return (await rows.execute()).map(({ id, owner, ended_at: endedAt }) => ({ id, owner, endedAt }));
}

/** Operators are told of all that ended until a moment. */
export async function markTold(tx: Transaction, until: number): Promise<void> {
  const untold = tx.updateTable("intents").set({ unresolved: 2 }).where("unresolved", "is not", null);
  await untold.where("unresolved", "=", 1).where("ended_at", "<=", until).execute();
}

/** Takes one off the operators' list; its owner's card stays as it is. */
export async function putAway(tx: Transaction, id: string): Promise<void> {
  const one = tx.updateTable("intents").set({ unresolved: 3 }).where("id", "=", id);
  await one.where("unresolved", "is not", null).execute();
}
