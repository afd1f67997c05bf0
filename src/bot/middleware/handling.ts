import { sequentialize } from "@grammyjs/runner";
import { Composer, type Context, type MiddlewareFn, type NextFunction } from "grammy";
import type { Basics } from "../../loop.js";
import { within, type Clock } from "../../clock.js";
import { isFault } from "../../fault.js";
import { errorMessage } from "../../locales/messages.js";
import { deliveryFailureOf, isOfTelegram } from "../../services/telegram/telegram-errors.js";
import type { OwnWrites } from "../../services/person/own-writes.js";
import type { Outbox } from "../../services/telegram/outbox-sender.js";
import type { Pacer } from "../../services/telegram/pacer.js";
import type { Operator } from "../../services/operator/operator.js";
import { type BotBase, type BotContext, wordsFor } from "../context.js";
import { type Feature, isTapOn } from "../feature.js";
import { refuseUpdate } from "./guards.js";
import type { Metrics } from "../../services/operator/metrics.js";

const MAX_WAITING_UPDATES = 50;
const LIMIT_MS = 60_000;

/**
 * Handles each user's updates in order, and different users' in parallel. After a minute the queue stops waiting for an
 * update (a dialog can hang forever: github.com/grammyjs/conversations, issue 155). Updates beyond the queue's limit
 * are dropped, and the user is notified once until the queue is empty.
 */
export function userQueue({ clock, log }: Basics, overtakes: (ctx: Context) => boolean = () => false): MiddlewareFn {
  const lines = new Map<string, { length: number; isTold: boolean }>();
  const keyOf = (ctx: Context): string | undefined =>
    overtakes(ctx) ? undefined : (ctx.from?.id ?? ctx.chat?.id)?.toString();

  return new Composer(
    async function countWaiting(ctx, next) {
      const key = keyOf(ctx);
      if (key === undefined) return next();
      const line = lines.get(key) ?? { length: 0, isTold: false };
      if (line.length >= MAX_WAITING_UPDATES) {
        if (line.isTold) return;
        line.isTold = true;
        log.warn({ userId: ctx.from?.id }, "Queue limit exceeded; dropping the user's updates");
        return refuseUpdate(ctx, wordsFor(ctx).common.slowDown);
      }
      lines.set(key, line);
      line.length += 1;
      return next().finally(() => {
        line.length -= 1;
        if (line.length === 0) lines.delete(key);
      });
    },
    sequentialize(keyOf),
    async function letGo(ctx, next) {
      const handling = next();
      const over = handling.then(() => true);
      if (await within(clock, LIMIT_MS, over)) return;
      const about = { updateId: ctx.update.update_id, afterMilliseconds: LIMIT_MS };
      log.error(about, "Update timed out; continuing with the next one");
      handling.catch((err: unknown) => log.error({ ...about, err }, "Timed-out update failed"));
    },
  ).middleware();
}

/** What an update leads to writes nothing once its sender is forgotten. A tap that comes too late for that learns so. */
export function ownWork(ownWrites: Pick<OwnWrites, "during">): MiddlewareFn {
  return async function own(ctx, next) {
    if (ctx.from === undefined) return next();
    try {
      await ownWrites.during(ctx.from.id, next);
    } catch (error) {
      if (ctx.callbackQuery === undefined || !isFault(error, "forgotten")) throw error;
      // One that had begun may have been answered already.
      await ctx.answerCallbackQuery(wordsFor(ctx).common.oldButton).catch(() => undefined);
    }
  };
}

/** Answers the callback query if no handler did, even after an error. */
export async function answerTaps(ctx: Context, next: NextFunction): Promise<void> {
  if (ctx.callbackQuery === undefined) return next();
  const tap = { isAnswered: false };
  // Affects this update alone: each context has its own API object.
  ctx.api.config.use((previous, method, payload, signal) => {
    tap.isAnswered ||= method === "answerCallbackQuery";
    return previous(method, payload, signal);
  });
  try {
    await next();
  } finally {
    // The button's spinner times out anyway, so a failure doesn't matter.
    if (!tap.isAnswered) await ctx.answerCallbackQuery().catch(() => undefined);
  }
}

interface ErrorBoundaryParts {
  readonly base: BotBase;
  readonly metrics: Pick<Metrics, "updatesFailed">;
  readonly operator: Pick<Operator, "noteError">;
  readonly outbox: Pick<Outbox, "notify">;
}

/**
 * Logs what a handler throws, without secrets, and notifies the user once, and operators of unreadable records. What
 * Telegram doesn't take is not done again: the user learns from the outbox, once Telegram is back, that an answer is
 * missing.
 */
export function errorBoundary({ base, metrics, operator, outbox }: ErrorBoundaryParts): MiddlewareFn {
  const { clock, log, settings } = base;
  /** Replies with the fault's own message, or a general one for other errors. */
  const told = async (ctx: Context, error: unknown): Promise<true> => {
    operator.noteError(error);
    const words = wordsFor(ctx, settings.supportContact);
    const sentence = isFault(error) ? errorMessage(error, words) : words.common.somethingWentWrong;
    if (ctx.chat !== undefined) await ctx.reply(sentence);
    return true;
  };
  const tellLater = async ({ chat, from }: Context): Promise<void> => {
    if (chat?.type !== "private" || from === undefined) return;
    await outbox.notify(from.id, { id: "unanswered", what: { kind: "unanswered", at: clock.now() } });
  };
  return async function boundary(ctx, next) {
    try {
      await next();
    } catch (error) {
      const about = { updateId: ctx.update.update_id, userId: ctx.from?.id, err: error };
      const failure = isOfTelegram(error) ? deliveryFailureOf(error) : undefined;
      if (failure === "gone") log.info(about, "User unreachable");
      else {
        metrics.updatesFailed.inc();
        log.error(about, "Update failed");
      }
      const onError = (err: unknown) => log.error({ ...about, err }, "User not told of an error");
      const isTold = (failure === undefined || failure === "refused") && (await told(ctx, error).catch(onError));
      if (isTold !== true) await tellLater(ctx).catch(onError);
    }
  };
}

/** While a confirm is handled, its chat gets replies even if Telegram asks the bot to wait in all chats. */
export function hurryConfirms(pacer: Pick<Pacer, "hurry">): MiddlewareFn {
  return function hurryConfirm(ctx, next) {
    const { chat } = ctx;
    return chat !== undefined && isTapOn("confirm", ctx) ? next().finally(pacer.hurry(chat.id)) : next();
  };
}

interface NoteReturnParts {
  readonly outbox: Pick<Outbox, "onUserReturned">;
  readonly features: readonly Pick<Feature, "onUserReturned">[];
}

/** Resumes the alerts of a user who had been unreachable. */
export function noteReturn({ outbox, features }: NoteReturnParts): MiddlewareFn<BotContext> {
  return async function resume(ctx, next) {
    await outbox.onUserReturned(ctx.userId, ctx.person)?.then(() => {
      for (const { onUserReturned } of features) onUserReturned?.();
    });
    return next();
  };
}

/** Lets features look at what a user may have brought about. */
export function noteActed(features: readonly Pick<Feature, "onActed">[]): MiddlewareFn<BotContext> {
  return async function afterActing(ctx, next) {
    await next();
    for (const { onActed } of features) await onActed?.(ctx.userId);
  };
}

/** After this long, a user would wonder whether the bot got their message. */
const WAIT_NOTICE_MS = 1000;
/** Telegram shows the typing status for five seconds. */
const REPEAT_MS = 4500;

/** Shows the typing status during a long update; failures to do so are ignored. */
export function typing(clock: Clock): MiddlewareFn {
  return function showTyping(ctx, next) {
    let cancel = clock.timer(WAIT_NOTICE_MS, show);
    function show(): void {
      ctx.replyWithChatAction("typing").catch(() => undefined);
      cancel = clock.timer(REPEAT_MS, show);
    }
    return next().finally(() => cancel());
  };
}
