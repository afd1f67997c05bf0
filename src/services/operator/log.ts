import { randomUUID } from "node:crypto";
import type { Reader, Transaction, Tables } from "../../store/store.js";

export type LogAction =
  | "pause"
  | "resume"
  | "approve"
  | "decline"
  | "withdraw"
  | "broadcast"
  | "halt"
  | "settle"
  | "anew";

/** `about`: a pause's reason, a person's id, or the beginning of a text. */
export type LogEntry = Omit<Tables["operator_log"], "id" | "action"> & { readonly action: LogAction };

const MAX_ABOUT_LENGTH = 200;

/** Called before the action. Entries are kept forever. */
export async function enterLog(tx: Transaction, { about, ...entry }: LogEntry): Promise<void> {
  const last = await tx.selectFrom("operator_log").select("at").orderBy("at", "desc").limit(1).executeTakeFirst();
  // No two at one moment, so that their times have their order.
  const at = Math.max(entry.at, (last?.at ?? 0) + 1);
  const row = { ...entry, id: randomUUID(), at, about: about.slice(0, MAX_ABOUT_LENGTH) };
  await tx.insertInto("operator_log").values(row).execute();
}

/** The newest first; `page` counts from 0 and is brought into range. */
export async function logPage(db: Reader, wanted: number, size: number) {
  const log = db.selectFrom("operator_log");
  const { count } = await log.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const pages = Math.max(1, Math.ceil(count / size));
  const page = Math.min(Math.max(wanted, 0), pages - 1);
  const entries = log.select(["at", "operator", "action", "about"]).orderBy("at", "desc").limit(size);
  const rows = await entries.offset(page * size).execute();
  // Only `enterLog` writes them.
  return { items: rows as readonly LogEntry[], page, pages };
}
