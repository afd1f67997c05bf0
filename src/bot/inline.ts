import type { MiddlewareFn } from "grammy";
import type { InlineQueryResultArticle } from "grammy/types";
import type { Shareable } from "../cards/card.js";
import { messageOptions } from "./send.js";
import { Fault, isFault } from "../fault.js";
import { createUserRateLimit } from "../services/base/rate.js";
import { createRequestQueue } from "../services/base/request-queue.js";
import { botLink } from "../services/base/bot-link.js";
import { looksLikeSecret } from "../services/base/secret.js";
import type { Operator } from "../services/operator/operator.js";
import { type BotBase, type BotContext, ownerOf, wordsFor } from "./context.js";
import type { Feature } from "./feature.js";

/** How long an app may reuse an answer before it asks again. */
const CACHE_SECONDS = 5;
/** Telegram rejects answers to queries older than this. */
const ANSWERABLE_MS = 10_000;
/** Maximum number of prices and orders per second for all users together, since commands need the services too. */
const QUERIES_PER_SECOND = 5;
/** Maximum number of queries that wait for their turn, so that all of them can still be answered. */
const MAX_WAITING_QUERIES = 25;

interface InlineParts {
  readonly base: BotBase;
  readonly features: readonly Feature[];
  readonly operator: Operator;
}

/**
 * Answers inline queries, one at a time for each user, in turn. Of the queries that arrive meanwhile, only the last is answered:
 * the app has dropped the others. Nothing is stored, and users without access learn nothing.
 */
export function answerInline({ base, features, operator }: InlineParts): MiddlewareFn<BotContext> {
  const { clock, log } = base;
  const allowance = createUserRateLimit({ clock, burst: 10, refillSeconds: 3 });
  const turns = createRequestQueue({ clock, requestsPerSecond: QUERIES_PER_SECOND, most: MAX_WAITING_QUERIES });
  const tooMany = () => new Fault("too-often", { retryAfterSeconds: MAX_WAITING_QUERIES / QUERIES_PER_SECOND });
  /** By user whose query is being answered: the newest query since, if any. */
  const waiting = new Map<number, { readonly ctx: BotContext; readonly at: number } | undefined>();

  /** @returns the result of a query, if any, and the label of the button above it. */
  const answerTo = async (userId: number, query: string, ctx: BotContext) => {
    const { share } = wordsFor(ctx);
    if (query.trim() === "" || looksLikeSecret(query) || !(await operator.isIn(userId))) return { button: share.open };
    const owner = await ownerOf(base, userId);
    const { hint, busy, none, open } = owner.words.share;
    const make = features.flatMap(({ shared }) => shared?.(query, owner) ?? [])[0];
    if (make === undefined) return { button: hint };
    try {
      allowance.take(userId);
      await turns.look(userId, tooMany);
      return { shown: await make(), button: open };
    } catch (error) {
      if (!isFault(error)) throw error;
      return { button: isFault(error, "too-often") ? busy : none };
    }
  };

  const answer = async (ctx: BotContext): Promise<void> => {
    const { from, query } = ctx.inlineQuery ?? {};
    if (from === undefined || query === undefined) return;
    const { shown, button } = await answerTo(from.id, query, ctx);
    await ctx.answerInlineQuery(shown === undefined ? [] : [articleOf(shown, ctx)], {
      cache_time: CACHE_SECONDS,
      is_personal: true,
      button: { text: button, start_parameter: "inline" },
    });
  };

  return async function inline(ctx, next) {
    const userId = ctx.inlineQuery?.from.id;
    if (userId === undefined) return next();
    const isBusy = waiting.has(userId);
    waiting.set(userId, { ctx, at: clock.monotonic() });
    if (isBusy) return;
    try {
      for (let query = waiting.get(userId); query !== undefined; query = waiting.get(userId)) {
        waiting.set(userId, undefined);
        if (clock.monotonic() - query.at > ANSWERABLE_MS) continue;
        await answer(query.ctx).catch((err: unknown) => log.warn({ userId, err }, "Inline query unanswered"));
      }
    } finally {
      waiting.delete(userId);
    }
  };
}

function articleOf({ title, description, card, payload }: Shareable, ctx: BotContext): InlineQueryResultArticle {
  const { entities, link_preview_options } = messageOptions(card);
  const url = botLink(ctx.me.username, payload);
  return {
    type: "article",
    id: "0",
    title,
    description,
    input_message_content: { message_text: card.text, entities, link_preview_options },
    reply_markup: { inline_keyboard: [[{ text: wordsFor(ctx).share.open, url }]] },
  };
}
