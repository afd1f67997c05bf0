import type { ConversationContextStorage, ConversationData } from "@grammyjs/conversations";
import type { Context } from "grammy";
import type { Logger } from "pino";
import type { DialogFlavor, OpenDialog } from "../../conversations/ask.js";
import type { Clock } from "../../clock.js";
import { fromJson, readRow, toJson } from "../../store/json.js";
import type { Reader, Database } from "../../store/store.js";

/**
 * After a week without updates Telegram may restart at a random update id, so ids can only be compared within less
 * (core.telegram.org/bots/api#update).
 */
const KEPT_MS = 6 * 24 * 3_600_000;

interface KeptDialog {
  readonly updateId: number;
  /** Absent once it is over: then the row is there to know its last answer again. */
  readonly dialogs?: OpenDialog;
}

/** Undefined where nothing was asked lately. @throws Fault `store-unreadable`. */
export async function dialogOf(db: Reader, userId: number, now: number): Promise<KeptDialog | undefined> {
  const row = await db
    .selectFrom("dialogs")
    .select(["update_id", "state"])
    .where("user_id", "=", userId)
    .where("changed_at", ">=", now - KEPT_MS)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { update_id: updateId, state } = row;
  if (state === null) return { updateId };
  return { updateId, dialogs: readRow(`dialogs/${userId}`, () => fromJson(state) as OpenDialog) };
}

/** An update that is not newer than the dialog's last changes nothing. */
export function dialogStorage<C extends Context & DialogFlavor>(parts: {
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}): ConversationContextStorage<C, ConversationData> {
  const { store, clock, log } = parts;

  async function save({ from, update }: C, dialogs?: OpenDialog): Promise<void> {
    if (from === undefined) return;
    const changed_at = clock.now();
    const row = { update_id: update.update_id, state: dialogs ? toJson(dialogs) : null, changed_at };
    const { numInsertedOrUpdatedRows: saved } = await store.write(async (tx) => {
      await tx
        .deleteFrom("dialogs")
        .where("changed_at", "<", changed_at - KEPT_MS)
        .execute();
      return tx
        .insertInto("dialogs")
        .values({ user_id: from.id, ...row })
        .onConflict((conflict) =>
          conflict.column("user_id").doUpdateSet(row).where("dialogs.update_id", "<", row.update_id),
        )
        .executeTakeFirstOrThrow();
    });
    if (saved === 0n) log.warn({ updateId: row.update_id }, "Dialog change dropped: its update came late");
  }

  return {
    type: "context",
    adapter: {
      read: ({ dialog }) => dialog,
      write: save,
      delete: (ctx) => save(ctx),
    },
  };
}
