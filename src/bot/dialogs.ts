import {
  type ConversationBuilder,
  type ConversationContextStorage,
  type ConversationData,
  type ConversationFlavor,
  conversations,
  createConversation,
} from "@grammyjs/conversations";
import { Composer, type Context, type MiddlewareFn } from "grammy";
import type { Logger } from "pino";
import type { Refusal } from "../cards/correction.js";
import type { Clock } from "../clock.js";
import type { DialogFlavor, OpenDialog } from "../conversations/ask.js";
import type { Form } from "../conversations/interview.js";
import type { Shown } from "../conversations/reply-card.js";
import { fromJson, readRow, toJson } from "../store/json.js";
import type { Database, Reader } from "../store/store.js";
import type { BotContext } from "./context.js";
import { beginsWithCommand } from "./feature.js";

/**
 * Open dialogs take their answers; a command ends them. Mounted after the handlers that work beside a dialog and
 * before the commands that open one.
 */
export function mountDialogs<C extends ConversationFlavor<Context & DialogFlavor>>(parts: {
  /** A dialog whose id is not here has outdated steps and is dropped. */
  readonly forms: readonly Form<never>[];
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  readonly show: (ctx: C, shown: Shown) => Promise<Refusal | null>;
  readonly onDropped: (ctx: C) => Promise<unknown>;
}): MiddlewareFn<C> {
  const { forms, store, clock, log, show, onDropped } = parts;
  const mounted = new Composer<C>();
  mounted.use(
    conversations<C, Context>({
      storage: dialogStorage<C>({ store, clock, log }),
      // By itself a dialog has an API of its own, without retries and pace; an error of it can leave the update unfinished for ever
      // (github.com/grammyjs/conversations, issue 155).
      plugins: [
        (ctx, next) => {
          ctx.api.config.use(() =>
            Promise.reject(new Error("a dialog calls Telegram through the context outside of it")),
          );
          return next();
        },
      ],
    }),
    async function commandsInterrupt(ctx, next) {
      if (beginsWithCommand(ctx)) await ctx.conversation.exitAll();
      await next();
    },
    ...forms.map(({ id, run }) => createConversation<C, Context>(run as ConversationBuilder<C, Context>, id)),
  );
  const run = mounted.middleware();

  async function drop(ctx: C, userId: number): Promise<void> {
    log.warn({ userId }, "Dialog dropped: its steps are outdated");
    await store.write((tx) => tx.deleteFrom("dialogs").where("user_id", "=", userId).execute());
    if (!beginsWithCommand(ctx)) await onDropped(ctx);
  }

  return async function dialogs(ctx, next) {
    // All others would share one dialog.
    if (ctx.chat?.type !== "private" || ctx.from === undefined) return next();
    const kept = await dialogOf(store.db, ctx.from.id, clock.now());
    // The dialog has had it, in a run that ended before it could be marked as handled.
    if (kept?.updateId === ctx.update.update_id) return;
    if (kept?.dialogs !== undefined && kept.updateId < ctx.update.update_id) {
      const isKnown = Object.keys(kept.dialogs.state).every((id) => forms.some((form) => form.id === id));
      if (isKnown) ctx.dialog = kept.dialogs;
      else await drop(ctx, ctx.from.id);
    }
    ctx.show = (shown) => show(ctx, shown);
    return run(ctx, next);
  };
}

export async function enterDialog<Args extends readonly unknown[]>(
  ctx: BotContext,
  { id }: Form<Args>,
  ...args: Args
): Promise<void> {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter(id, ...args);
}

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
