import { DAY_MS } from "../clock.js";
import type { ConversationBuilder, ConversationContextStorage, ConversationData } from "@grammyjs/conversations";
import { conversations, createConversation } from "@grammyjs/conversations";
import { Composer, type Context, type MiddlewareFn, type NextFunction } from "grammy";
import type { Form, OpenDialog } from "../conversations/interview.js";
import { fromJson, type Reader, readRow, type StoreBasics, toJson } from "../store/store.js";
import { type BotContext, wordsFor } from "./context.js";
import { beginsWithCommand } from "./feature.js";

/**
 * Passes updates to the user's open dialog; a command ends it. Mounted after the handlers that work while a dialog is
 * open and before the commands that open one. A dialog whose id is not in `forms` has outdated steps and is dropped.
 */
export function mountDialogs(basics: StoreBasics, forms: readonly Form<never>[]): MiddlewareFn<BotContext> {
  const { store, clock, log } = basics;
  const run = new Composer<BotContext>(
    conversations<BotContext, Context>({ storage: dialogStorage(basics), plugins: [withoutApi] }),
    async function commandsInterrupt(ctx, next) {
      if (beginsWithCommand(ctx)) await ctx.conversation.exitAll();
      await next();
    },
    ...forms.map(({ id, run: begin }) =>
      createConversation<BotContext, Context>(begin as ConversationBuilder<BotContext, Context>, id),
    ),
  ).middleware();

  return async function dialogs(ctx, next) {
    // Dialogs are stored per user, so a group would share the private chat's.
    if (ctx.chat?.type !== "private" || ctx.from === undefined) return next();
    const userId = ctx.from.id;
    const kept = await dialogOf(store.db, userId, clock.now());
    // The dialog already took this update, but the process ended before the update was marked as handled.
    if (kept?.updateId === ctx.update.update_id) return;
    if (kept?.dialogs !== undefined && kept.updateId < ctx.update.update_id) {
      const isKnown = Object.keys(kept.dialogs.state).every((id) => forms.some((form) => form.id === id));
      if (isKnown) ctx.dialog = kept.dialogs;
      else {
        log.warn({ userId }, "Dialog dropped: its steps are outdated");
        await store.write((tx) => tx.deleteFrom("dialogs").where("user_id", "=", userId).execute());
        if (!beginsWithCommand(ctx)) await ctx.reply(wordsFor(ctx).common.dialogOutdated);
      }
    }
    if (ctx.dialog !== undefined) return run(ctx, next);
    // Most updates meet no open dialog. The plugin, which asks every form about an update, then runs only to open one.
    ctx.conversation = {
      ...closed,
      enter: async (id, ...args) => void (await run(ctx, () => ctx.conversation.enter(id, ...args))),
    };
    return next();
  };
}

/** What the plugin says of a user without an open dialog. */
function active(): Record<string, number>;
function active(name: string): number;
function active(name?: string) {
  return name === undefined ? {} : 0;
}
const doNothing = () => Promise.resolve();
const closed = { active, exit: doNothing, exitAll: doNothing, exitOne: doNothing };

/**
 * Blocks a dialog's own `ctx.api`: it has neither retries nor pacing, and an error from it can leave the update
 * unfinished forever (github.com/grammyjs/conversations, issue 155).
 */
function withoutApi({ api }: Context, next: NextFunction): Promise<void> {
  api.config.use(() => Promise.reject(new Error("a dialog calls Telegram through the context outside of it")));
  return next();
}

export async function enterDialog<Args extends readonly unknown[]>(ctx: BotContext, { id }: Form<Args>, ...args: Args) {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter(id, ...args);
}

/**
 * Update ids are only comparable within less than a week: after a week without updates, Telegram may continue from a
 * random id (core.telegram.org/bots/api#update).
 */
const DIALOG_KEPT_MS = 6 * DAY_MS;

/**
 * @returns undefined without a recent dialog. After a dialog ends, only the id of its last update remains, to recognise
 * that update if it is handled again. @throws Fault `store-unreadable`.
 */
export async function dialogOf(db: Reader, userId: number, now: number) {
  const row = await db
    .selectFrom("dialogs")
    .select(["update_id as updateId", "state"])
    .where("user_id", "=", userId)
    .where("changed_at", ">=", now - DIALOG_KEPT_MS)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { updateId, state } = row;
  const dialogs = state === null ? undefined : readRow(`dialogs/${userId}`, () => fromJson(state) as OpenDialog);
  return { updateId, dialogs };
}

/** Ignores changes by an update that is not newer than the dialog's last one. */
export function dialogStorage(basics: StoreBasics): ConversationContextStorage<BotContext, ConversationData> {
  const { store, clock, log } = basics;
  async function write({ from, update }: BotContext, dialogs?: OpenDialog): Promise<void> {
    if (from === undefined) return;
    const changed_at = clock.now();
    const row = { update_id: update.update_id, state: dialogs ? toJson(dialogs) : null, changed_at };
    const { numInsertedOrUpdatedRows: saved } = await store.write(async (tx) => {
      await tx
        .deleteFrom("dialogs")
        .where("changed_at", "<", changed_at - DIALOG_KEPT_MS)
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

  return { type: "context", adapter: { read: ({ dialog }) => dialog, write, delete: (ctx) => write(ctx) } };
}
