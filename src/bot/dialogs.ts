import { DAY_MS } from "../clock.js";
import type { ConversationBuilder, ConversationContextStorage, ConversationData } from "@grammyjs/conversations";
import { conversations, createConversation } from "@grammyjs/conversations";
import { Composer, type Context, type MiddlewareFn, type NextFunction } from "grammy";
import type { InlineKeyboardButton } from "grammy/types";
import type { Logger } from "pino";
import { button, buttons } from "../cards/buttons.js";
import { type Card, card } from "../cards/card.js";
import type { AskedQuestion, EndedQuestion, Form, OpenDialog } from "../conversations/interview.js";
import type { Messages } from "../locales/messages.js";
import { type Database, fromJson, type Reader, readRow, type StoreBasics, toJson } from "../store/store.js";
import { type BotContext, wordsFor } from "./context.js";
import { editTapped, replyCard } from "./reply.js";
import { beginsWithCommand, commandReader, type Feature, routeTaps, type Taps } from "./feature.js";

type DialogFeature = Pick<Feature, "commands" | "forms" | "isFor" | "spoken" | "unlisted">;

/**
 * Passes updates to the user's open dialog; a command ends it, and its question can be continued. Mounted after the
 * handlers that work while a dialog is open and before the commands that open one. A dialog whose id is not among the
 * features' forms has outdated steps and is dropped.
 */
export function mountDialogs(basics: StoreBasics, features: readonly DialogFeature[]): MiddlewareFn<BotContext> {
  const { store, clock, log } = basics;
  const forms = features.flatMap(({ forms = [] }) => forms);
  const isKnown = (id: string) => forms.some((form) => form.id === id);
  const meaningOf = commandReader(features);
  const run = new Composer<BotContext>(
    conversations<BotContext, Context>({
      storage: dialogStorage(basics),
      plugins: [withoutApi],
      onExit: (_id, ctx) => keepQuestion(ctx, clock.now()),
    }),
    async function commandsInterrupt(ctx, next) {
      if (beginsWithCommand(ctx)) await ctx.conversation.exitAll();
      await next();
    },
    ...forms.map(({ id, run: begin }) =>
      createConversation<BotContext, Context>(begin as ConversationBuilder<BotContext, Context>, id),
    ),
  ).middleware();

  async function dialogs(ctx: BotContext, next: NextFunction): Promise<unknown> {
    // Dialogs are stored per user, so a group would share the private chat's.
    if (ctx.chat?.type !== "private" || ctx.from === undefined) return next();
    const userId = ctx.from.id;
    const kept = await dialogOf(store.db, userId, clock.now());
    // The dialog already took this update, but the process ended before the update was marked as handled.
    if (kept?.updateId === ctx.update.update_id) return undefined;
    ctx.meant = (text) => meaningOf(ctx, text);
    const isNewer = kept !== undefined && kept.updateId < ctx.update.update_id;
    if (isNewer && kept.ended !== undefined && isKnown(kept.ended.formId)) ctx.ended = kept.ended;
    if (isNewer && kept.dialogs !== undefined) {
      if (Object.keys(kept.dialogs.state).every(isKnown))
        Object.assign(ctx, { dialog: kept.dialogs, asked: kept.asked });
      else {
        log.warn({ userId }, "Dialog dropped: its steps are outdated");
        await store.write((tx) => tx.deleteFrom("dialogs").where("user_id", "=", userId).execute());
        if (!beginsWithCommand(ctx)) await ctx.reply(wordsFor(ctx).common.dialogOutdated);
      }
    }
    if (ctx.ended !== undefined && answersEnded(ctx, ctx.ended)) {
      return replyCard(ctx, endedCard(ctx.ended, wordsFor(ctx)));
    }
    if (ctx.dialog !== undefined) {
      const { asked } = ctx;
      await run(ctx, next);
      if (asked !== undefined) tidyEnded(ctx, asked, log);
      return undefined;
    }
    // Most updates meet no open dialog. The plugin, which asks every form about an update, then runs only to open one.
    ctx.conversation = {
      ...closed,
      enter: async (id, ...args) => void (await run(ctx, () => ctx.conversation.enter(id, ...args))),
    };
    return next();
  }

  return new Composer<BotContext>(dialogs, routeTaps([{ buttons: questionTaps(basics, forms) }])).middleware();
}

/** What the buttons under questions do, apart from answers. */
function questionTaps({ store, log }: StoreBasics, forms: readonly Form<never>[]): Taps {
  const resume = async (ctx: BotContext, promptId: number): Promise<unknown> => {
    const { dialog, ended } = ctx;
    const { common } = wordsFor(ctx);
    const form = forms.find(({ id }) => id === ended?.formId);
    if (ended === undefined || form === undefined || ended.messages[0] !== promptId)
      return ctx.answerCallbackQuery(dialog === undefined ? common.oldButton : common.askedBelow);
    await ctx.answerCallbackQuery();
    if (await isRefused(ctx, form)) return undefined;
    Object.assign(ctx, { ended: undefined, given: ended.answers });
    ctx.editMessageReplyMarkup().catch((err: unknown) => {
      log.info({ userId: ctx.from?.id, err }, "A continued question keeps its button");
    });
    await begin(ctx, form.id, ended.args);
    // The plugin writes nothing for a dialog that ends at once.
    return dialog === undefined ? forgetEnded(store, ctx) : undefined;
  };

  const leave = async (ctx: BotContext): Promise<unknown> => {
    const messageId = ctx.callbackQuery?.message?.message_id ?? 0;
    const { common } = wordsFor(ctx);
    const isIn = (question?: AskedQuestion) => question?.messages.includes(messageId) === true;
    if (isIn(ctx.asked)) {
      ctx.asked = undefined;
      await ctx.conversation.exitAll();
    } else if (isIn(ctx.ended)) {
      await dropEnded(store, ctx);
    } else {
      return ctx.answerCallbackQuery(common.oldButton);
    }
    await ctx.answerCallbackQuery();
    return editTapped(ctx, card([common.dialogLeft]));
  };

  return { resume, leave };
}

/** Leaves one button under a question that was ended, if it can be continued, and otherwise none. */
function tidyEnded(ctx: BotContext, { messages }: AskedQuestion, log: Pick<Logger, "info">): void {
  const { asked, callbackQuery, chatId, ended, from } = ctx;
  const kept = ended?.messages[0] === messages[0] ? ended : undefined;
  if (chatId === undefined || (kept === undefined && asked !== undefined)) return;
  const last = messages.at(-1);
  for (const id of new Set([messages[0], last])) {
    // The tap that cancelled it has changed its own message.
    if (id === undefined || (kept === undefined && id === callbackQuery?.message?.message_id)) continue;
    const keyboard = kept !== undefined && id === last ? [[resumeButton(kept, wordsFor(ctx))]] : [];
    // Aside: what ended the question doesn't wait for it.
    ctx.api
      .editMessageReplyMarkup(chatId, id, { reply_markup: { inline_keyboard: keyboard } })
      .catch((err: unknown) => {
        log.info({ userId: from?.id, err }, "An ended question keeps its buttons");
      });
  }
}

/** Keeps the question of a dialog that something else ends. Continuing starts the dialog over, so nothing is stale. */
function keepQuestion(ctx: BotContext, at: number): void {
  if (ctx.asked !== undefined) ctx.ended = { ...ctx.asked, at };
  ctx.asked = undefined;
}

/** A reply to a question is no answer to another one. */
function answersEnded(ctx: BotContext, { messages }: EndedQuestion): boolean {
  const { text, reply_to_message: repliedTo } = ctx.message ?? {};
  const isReply = repliedTo !== undefined && messages.includes(repliedTo.message_id);
  return isReply && text !== undefined && !beginsWithCommand(ctx) && ctx.meant?.(text) === undefined;
}

const commandOfForm = (formId: string): string => formId.replace(/[^a-z].*$/, "");

function resumeButton({ formId, messages: [promptId = 0] }: EndedQuestion, words: Messages): InlineKeyboardButton {
  return button(words.common.resume(commandOfForm(formId)), buttons.resume, promptId);
}

export function endedCard(ended: EndedQuestion, words: Messages): Card {
  return card([words.common.dialogEnded(commandOfForm(ended.formId))], [[resumeButton(ended, words)]]);
}

/** Forgets the question that could be continued. */
export async function dropEnded(store: Database, ctx: BotContext): Promise<void> {
  if (ctx.ended === undefined) return;
  ctx.ended = undefined;
  await forgetEnded(store, ctx);
}

export async function forgetEnded(store: Database, { from, update }: Pick<BotContext, "from" | "update">) {
  if (from === undefined) return;
  await store.write((tx) =>
    tx
      .updateTable("dialogs")
      .set({ ended: null })
      .where("user_id", "=", from.id)
      .where("update_id", "<=", update.update_id)
      .execute(),
  );
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

/** Begins a dialog in place of an open one, or replies why it can't begin now. */
export async function enterDialog<Args extends readonly unknown[]>(ctx: BotContext, form: Form<Args>, ...args: Args) {
  if (!(await isRefused(ctx, form))) await begin(ctx, form.id, args);
}

async function isRefused(ctx: BotContext, { refuses }: Pick<Form<never>, "refuses">): Promise<boolean> {
  const refused = await refuses?.(ctx.userId);
  if (refused !== undefined) await replyCard(ctx, refused);
  return refused !== undefined;
}

async function begin(ctx: BotContext, formId: string, args: readonly unknown[]): Promise<void> {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter(formId, ...args);
}

/**
 * Update ids are only comparable within less than a week: after a week without updates, Telegram may continue from a
 * random id (core.telegram.org/bots/api#update).
 */
const DIALOG_KEPT_MS = 6 * DAY_MS;
/** How long an ended question can be continued. */
const RESUMED_MS = DAY_MS;

/**
 * @returns undefined without a recent dialog. After a dialog ends, only the id of its last update remains, to recognise
 * that update if it is handled again. @throws Fault `store-unreadable`.
 */
export async function dialogOf(db: Reader, userId: number, now: number) {
  const row = await db
    .selectFrom("dialogs")
    .select(["update_id as updateId", "state", "asked", "ended"])
    .where("user_id", "=", userId)
    .where("changed_at", ">=", now - DIALOG_KEPT_MS)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return readRow(`dialogs/${userId}`, () => {
    const read = (text: string | null) => (text === null ? undefined : fromJson(text));
    const ended = read(row.ended) as EndedQuestion | undefined;
    return {
      updateId: row.updateId,
      dialogs: read(row.state) as OpenDialog | undefined,
      asked: read(row.asked) as AskedQuestion | undefined,
      ended: ended !== undefined && now - ended.at <= RESUMED_MS ? ended : undefined,
    };
  });
}

/** Ignores changes by an update that is not newer than the dialog's last one. */
export function dialogStorage(basics: StoreBasics): ConversationContextStorage<BotContext, ConversationData> {
  const { store, clock, log } = basics;
  async function write({ asked, ended, from, update }: BotContext, dialogs?: OpenDialog): Promise<void> {
    if (from === undefined) return;
    const changed_at = clock.now();
    const row = {
      update_id: update.update_id,
      state: dialogs ? toJson(dialogs) : null,
      changed_at,
      asked: dialogs && asked ? toJson(asked) : null,
      ended: ended ? toJson(ended) : null,
    };
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
