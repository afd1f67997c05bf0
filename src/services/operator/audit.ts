import { randomUUID } from "node:crypto";
import type { Clock } from "../../clock.js";
import type { Tables } from "../../store/schema.js";
import type { Database } from "../../store/store.js";

/** What operators do that is written down. */
export type AuditAction =
  | "pause"
  | "resume"
  | "approve"
  | "decline"
  | "withdraw"
  | "broadcast"
  | "halt"
  | "settle"
  | "anew";

/** `about`: the reason of a pause, the id of a person, the beginning of a text. */
export type AuditEntry = Omit<Tables["operator_log"], "id" | "action"> & { readonly action: AuditAction };

const LONGEST_ABOUT = 200;

export type Audit = ReturnType<typeof createAudit>;

/** What operators did, kept forever: entries are only ever added. */
export function createAudit({ store, clock }: { readonly store: Database; readonly clock: Clock }) {
  let latest = 0;
  return {
    /** To be called before the action, so that none is missing. */
    enter: (operator: number, action: AuditAction, about: string): Promise<void> => {
      // No two at one moment, so that their times have their order.
      latest = Math.max(clock.now(), latest + 1);
      const entry = { id: randomUUID(), at: latest, operator, action, about: about.slice(0, LONGEST_ABOUT) };
      return store.write(async (tx) => {
        await tx.insertInto("operator_log").values(entry).execute();
      });
    },
    /** One page, the newest first. `page` counts from 0 and is brought into range. */
    page: async (wanted: number, size: number) => {
      const { count } = await store.db
        .selectFrom("operator_log")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      const pages = Math.max(1, Math.ceil(count / size));
      const page = Math.min(Math.max(wanted, 0), pages - 1);
      const rows = await store.db
        .selectFrom("operator_log")
        .select(["at", "operator", "action", "about"])
        .orderBy("at", "desc")
        .limit(size)
        .offset(page * size)
        .execute();
      // Only `enter` writes them.
      return { items: rows as readonly AuditEntry[], page, pages };
    },
  };
}
