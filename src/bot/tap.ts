import type { Context, MiddlewareFn, NextFunction } from "grammy";
import type { Logger } from "pino";
import { readButton, type ButtonKind } from "../cards/buttons.js";
import type { Card } from "../cards/card.js";
import type { BotContext } from "./context.js";
import { editCard } from "./send.js";

export interface Tap {
  readonly verb: string;
  readonly handle: (ctx: BotContext, text: string, next: NextFunction) => unknown;
}

type Handle<Payload> = (ctx: BotContext, payload: Payload) => unknown;

/** The callback is answered before the handler runs. */
export function onTap<Payload>(button: ButtonKind<Payload>, handle: Handle<Payload>): Tap {
  return onTapToAnswer(button, async (ctx, payload) => {
    await ctx.answerCallbackQuery();
    return handle(ctx, payload);
  });
}

/** The handler answers the callback itself. */
export function onTapToAnswer<Payload>(button: ButtonKind<Payload>, handle: Handle<Payload>): Tap {
  return {
    verb: button.verb,
    handle: (ctx, text, next) => {
      const payload = button.read(text);
      return payload === undefined ? next() : handle(ctx, payload);
    },
  };
}

/** @throws TypeError where a button has two handlers. */
export function routeTaps(taps: readonly Tap[]): MiddlewareFn<BotContext> {
  const handlers = new Map(taps.map((tap) => [tap.verb, tap]));
  if (handlers.size < taps.length) throw new TypeError("a button has two handlers");
  return function leadTap(ctx, next) {
    const button = readButton(ctx.callbackQuery?.data ?? "");
    const tap = button && handlers.get(button.verb);
    return button === undefined || tap === undefined ? next() : tap.handle(ctx, button.text, next);
  };
}

/** Without waiting for Telegram, whose failure is only logged. */
export function answerAside(ctx: Context, log: Pick<Logger, "warn">): void {
  ctx.answerCallbackQuery().catch((err: unknown) => {
    log.warn({ userId: ctx.from?.id, err }, "Callback not answered");
  });
}

export async function sayOnTap(ctx: Context, text: string): Promise<void> {
  await ctx.answerCallbackQuery({ text });
}

const MAX_ANSWER = 200;

/** Stays until it was read; cut where it is too long. */
export async function alertOnTap(ctx: Context, sentence: string): Promise<void> {
  await ctx.answerCallbackQuery({ text: sentence.slice(0, MAX_ANSWER), show_alert: true });
}

export async function putAway(ctx: BotContext, log: Pick<Logger, "info">): Promise<void> {
  await alertOnTap(ctx, ctx.words.common.notYours);
  // A private chat has the number of its person: nobody takes the buttons of another's card away.
  if (ctx.chat?.id !== ctx.userId) return;
  await ctx.editMessageReplyMarkup().catch((err: unknown) => {
    log.info({ userId: ctx.userId, err }, "Outdated card keeps its buttons");
  });
}

export async function editTapped(ctx: BotContext, card: Card): Promise<void> {
  const message = ctx.callbackQuery?.message;
  if (message !== undefined) await editCard(ctx.api, message.chat.id, message.message_id, card);
}
