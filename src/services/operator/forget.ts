import { isFault } from "../../fault.js";
import { personColumns } from "../../store/schema.js";
import { changePerson, findPerson, personIn, removePerson, setColumns, userIdOf } from "../person/person.js";
import type { OwnWrites } from "../person/own-writes.js";
import type { Person } from "../person/person.js";
import { type Database, findsAny, type Reader, type Transaction, unlessUnreadable } from "../../store/store.js";
import { hasIntents, hasOpenCalls, unreadableIntents } from "../intent/queries.js";
import { forgetOver } from "../intent/intent-row.js";
import { earnedFees } from "../intent/totals.js";
import { endWatch, orderIdsOf } from "../alerts/watched-order-queries.js";
import { unwatch } from "../price-watches/price-watch-queries.js";
import { broadcastDraft } from "./broadcast.js";
import type { TellOperators } from "./incidents.js";
import { forgetListings } from "./listings.js";

const FORGET_BATCH = 500;

const personal = Object.entries(personColumns).filter(([, column]) => column !== null);
/** What `erase` doesn't delete in another way. The compiler takes each for one of them. */
const others = personal.filter(([table]) => !["updates", "intents", "users", "listing_requests"].includes(table)) as [
  "locks",
  "owner",
][];

/** What else has a say in a running bot. */
interface Leaving {
  readonly mayGo: (db: Reader, person: Person) => Promise<boolean>;
  /** Ends what the user's updates still do: see {@link OwnWrites}. */
  readonly endWork: OwnWrites["end"];
}
const offline: Leaving = { mayGo: () => Promise.resolve(true), endWork: () => () => undefined };

/**
 * Keeps the operators' log, anonymous totals and access. Safe to repeat. @returns `waits` while a call has no end yet,
 * or `mayGo` is false; `frozen`: only the freeze is left, also if it was unreadable.
 */
export async function forget(
  store: Database,
  userId: number,
  now: number,
  { mayGo, endWork }: Leaving = offline,
): Promise<"forgotten" | "frozen" | "waits" | "unknown"> {
  const begin = async (db: Reader) => {
    const person = await unlessUnreadable(() => findPerson(db, userId).then((found) => found ?? "none"));
    if (person === "none" && !(await hasIntents(db, userId))) return "unknown";
    const isLeaving = typeof person !== "object" || (await mayGo(db, person));
    if (!isLeaving || (await hasOpenCalls(db, userId))) return "waits";
    return { frozenSince: person === undefined ? now : person === "none" ? undefined : person.frozenSince };
  };
  const begun = await begin(store.db);
  if (typeof begun === "string") return begun;
  // Many calls would take longer than a transaction may.
  while (await store.write((tx) => forgetOver(tx, userId, FORGET_BATCH))) continue;
  let resume = (): void => undefined;
  const leaving = store.write(async (tx) => {
    const ending = await begin(tx);
    if (ending === "waits") return ending;
    await erase(tx, userId, now);
    resume = endWork(userId);
    const { frozenSince } = typeof ending === "string" ? begun : ending;
    if (frozenSince === undefined) return "forgotten";
    await changePerson(tx, userId, (fresh) => ({ ...fresh, frozenSince }));
    return "frozen";
  });
  return leaving.catch((error: unknown) => {
    resume();
    throw error;
  });
}

export async function erase(tx: Transaction, userId: number, now: number): Promise<void> {
  await tx.deleteFrom("intents").where("owner", "=", userId).execute();
  const settings = [earnedFees(userId).name, broadcastDraft(userId).name];
  await tx.deleteFrom("settings").where("name", "in", settings).execute();
  await eraseAllButHistory(tx, userId, now);
}

async function eraseAllButHistory(tx: Transaction, userId: number, now: number): Promise<void> {
  for (const { order_id } of await orderIdsOf(tx, userId).execute()) await endWatch(tx, userId, order_id);
  await unwatch(tx, { user_id: userId }, now);
  for (const [table, column] of others) await tx.deleteFrom(table).where(column, "=", userId).execute();
  // The ids of updates stay, to recognise duplicates.
  const nobodys = { body: null, user_id: 0 };
  await tx.updateTable("updates").set(nobodys).where("user_id", "=", userId).where("body", "is not", null).execute();
  await forgetListings(tx, userId);
  await removePerson(tx, userId);
}

/** If true, nothing of the user's can be confirmed or changed until an operator decides. */
export async function isUnreadable(db: Reader, userId: number): Promise<boolean> {
  const person = await unlessUnreadable(() => personIn(db, userId));
  return person === undefined || (await unreadableIntents(db, userId)).length > 0;
}

/** Notifies operators once per user, and of each document that was put aside. */
export async function noteUnreadable(store: Database, tell: TellOperators, error: unknown): Promise<void> {
  const document = isFault(error, "store-unreadable") ? error.parameters.document : "";
  const [, owner] = PUT_ASIDE.exec(document) ?? [];
  if (owner !== undefined) {
    const event = { about: "put-aside", userId: userIdOf(owner) } as const;
    return store.write((tx) => tell(tx, `put-aside-${document}`, event));
  }
  const [, id] = OF_PERSON.exec(document) ?? [];
  const userId = id === undefined ? undefined : userIdOf(id);
  if (userId === undefined || (await isTold(store.db, userId))) return;
  await store.write(async (tx) => {
    if (await isTold(tx, userId)) return;
    await tell(tx, `unreadable-${userId}`, { about: "unreadable", userId });
    await setColumns(tx, userId, { damage_told: 1 });
  });
}

/**
 * Deletes unreadable calls, or, if anything else is damaged, all but the readable calls, and freezes the user. Calls in
 * progress go on to their end. @returns false if everything is readable.
 */
export async function resetUser(tx: Transaction, userId: number, now: number): Promise<boolean> {
  if (!(await isUnreadable(tx, userId))) return false;
  await tx.updateTable("users").set({ damage_told: null }).where("id", "=", userId).execute();
  const calls = await unreadableIntents(tx, userId);
  const isReadable = (await unlessUnreadable(() => personIn(tx, userId))) !== undefined;
  for (const id of calls) await tx.deleteFrom("intents").where("id", "=", id).execute();
  if (calls.length === 0 || !isReadable) await eraseAllButHistory(tx, userId, now);
  await changePerson(tx, userId, (person) => ({ ...person, frozenSince: now }));
  return true;
}

const isTold = (db: Reader, userId: number): Promise<boolean> =>
  findsAny(db.selectFrom("users").where("id", "=", userId).where("damage_told", "=", 1));

/** Documents that are put aside one by one, with a user's id after the table: the user can do without them. */
const PUT_ASIDE = /^(?:price_(?:alerts|watches)|standing_orders)\/(\d+)\//;

/** Documents of a person have the table's name first, then their id. Those that PUT_ASIDE finds are of one row. */
const OF_PERSON = new RegExp(`^(?:${personal.map(([table]) => table).join("|")})/(\\d+)(?:/|$)`);
