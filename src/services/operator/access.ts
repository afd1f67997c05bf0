import { DAY_MS } from "../../clock.js";
import { countRows, findsAny, type Reader, type Transaction } from "../../store/store.js";
import { plainText } from "../base/display-text.js";
import { setColumns } from "../person/person.js";
import { enqueue, noticeTopic, type Notice } from "../telegram/outbox.js";
import type { TellOperators } from "./incidents.js";

const MAX_NAME_LENGTH = 60;
/** Requests of a day that operators are told of one by one; further ones are told together. */
const TOLD_APART = 100;
/** Of a day, so that strangers can't fill the disk. */
const MAX_REQUESTS = 10 * TOLD_APART;
/** For how long further requests are gathered. */
const GATHER_MS = 3_600_000;

export const isMember = (db: Reader, userId: number): Promise<boolean> =>
  findsAny(db.selectFrom("users").where("id", "=", userId).where("access", "=", "member"));

/** False if it was already answered. */
export async function declineAccess(tx: Transaction, userId: number): Promise<boolean> {
  const asked = tx.updateTable("users").set({ access: null }).where("id", "=", userId).where("access", "=", "asked");
  return (await asked.executeTakeFirst()).numUpdatedRows > 0n;
}

const openRequests = (db: Reader) =>
  db.selectFrom("users").where("asked_at", "is not", null).where("access", "=", "asked");

export const countRequests = (db: Reader): Promise<number> => countRows(openRequests(db));

/** Who waits for an answer, longest first. */
export async function strangersWaiting(db: Reader): Promise<readonly number[]> {
  return (await openRequests(db).select("id").orderBy("asked_at").execute()).map(({ id }) => id);
}

interface Stranger {
  readonly userId: number;
  /** Self-chosen. */
  readonly typed: string;
}

/** Once a day per user. @param operators who are told. */
export async function requestAccess(
  tx: Transaction,
  { userId, typed }: Stranger,
  at: number,
  { tell, operators }: { readonly tell: TellOperators; readonly operators: readonly number[] },
): Promise<"asked" | "already" | "full"> {
  const yesterday = at - DAY_MS;
  const strangers = tx.deleteFrom("users").where("asked_at", "<=", yesterday).where("language", "is", null);
  await strangers.where((of) => of.or([of("access", "is", null), of("access", "=", "asked")])).execute();
  const today = tx.selectFrom("users").where("asked_at", ">", yesterday).where("asked_at", "<=", at);
  if (await findsAny(today.where("id", "=", userId))) return "already";
  const before = await countRows(today);
  if (before >= MAX_REQUESTS) return "full";
  await setColumns(tx, userId, { access: "asked", asked_at: at });
  if (before < TOLD_APART) {
    const name = plainText(typed, MAX_NAME_LENGTH);
    await tell(tx, `newcomer-${userId}-${at}`, { about: "newcomer", userId, name });
    return "asked";
  }
  const event = { about: "newcomers", people: await countRequests(tx) } as const;
  const what: Notice["what"] = { kind: "operator", event };
  for (const operator of operators) {
    const key = { user_id: operator, topic: noticeTopic.name, subject: "newcomers" };
    await enqueue(tx, key, what, at, { dueAt: at + GATHER_MS });
  }
  return "asked";
}
