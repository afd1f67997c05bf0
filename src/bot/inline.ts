import type { MiddlewareFn } from "grammy";
import type { InlineQueryResultArticle } from "grammy/types";
import type { Shareable } from "../cards/card.js";
import { messageOptions } from "../conversations/reply-card.js";
import { isFault } from "../fault.js";
import { createRateLimit, createUserRateLimit } from "../services/limits/rate.js";
import type { Operator } from "../services/operator/operator.js";
import { looksLikeSecret } from "../services/text/secret.js";
import { type BotContext, ownerOf, type ViewParts, wordsFor } from "./context.js";
import type { Feature } from "./feature.js";

/** An app shows an answer as long; after that it asks again. */
const CACHE_SECONDS = 5;
/** Telegram takes no answer to a query that waited for longer. */
const ANSWERABLE_MS = 10_000;
/** So many are answered with a price or an order in a second, from all users together: others use the services too. */
const PER_SECOND = 5;

type Say = { readonly results: readonly Shareable[]; readonly button: string };

/**
 * Answers what people type behind the bot's name in any chat. Of one person's queries one is answered at a time, and of those that
 * come meanwhile the last alone: their app has forgotten the others. Nothing is stored, and nobody without access is told anything.
 */
export function answerInline(
  parts: ViewParts & {
    readonly features: readonly Feature[];
    readonly operator: Pick<Operator, "isIn">;
  },
): MiddlewareFn<BotContext> {
  const { clock, features, operator, log } = parts;
  const allowance = createUserRateLimit({ clock, burst: 10, refillSeconds: 3 });
  const rate = createRateLimit(PER_SECOND);
  /** Who is being answered, with what they have typed since. */
  const busy = new Map<number, { readonly ctx: BotContext; readonly at: number } | undefined>();

  const sayTo = async (userId: number, query: string, ctx: BotContext): Promise<Say> => {
    const { share } = wordsFor(ctx);
    const nothing = { results: [], button: share.open };
    if (query.trim() === "" || looksLikeSecret(query) || !(await operator.isIn(userId))) return nothing;
    const owner = await ownerOf(parts, userId);
    const make = features.flatMap(({ shared }) => shared?.(query, owner) ?? [])[0];
    if (make === undefined) return { results: [], button: owner.words.share.hint };
    if (rate.earliest() > clock.monotonic()) return { results: [], button: owner.words.share.busy };
    try {
      allowance.take(userId);
      rate.take(clock.monotonic());
      return { results: [await make()], button: owner.words.share.open };
    } catch (error) {
      if (!isFault(error)) throw error;
      return { results: [], button: isFault(error, "too-often") ? owner.words.share.busy : owner.words.share.none };
    }
  };

  const answer = async (ctx: BotContext): Promise<void> => {
    const { from, query } = ctx.inlineQuery ?? {};
    if (from === undefined || query === undefined) return;
    const { results, button } = await sayTo(from.id, query, ctx);
    await ctx.answerInlineQuery(
      results.map((each, index) => articleOf(each, index, ctx)),
      { cache_time: CACHE_SECONDS, is_personal: true, button: { text: button, start_parameter: "inline" } },
    );
  };

  return async function inline(ctx, next) {
    const userId = ctx.inlineQuery?.from.id;
    if (userId === undefined) return next();
    const at = clock.monotonic();
    if (busy.has(userId)) return void busy.set(userId, { ctx, at });
    try {
      let current: { readonly ctx: BotContext; readonly at: number } | undefined = { ctx, at };
      while (current !== undefined) {
        busy.set(userId, undefined);
        const isLate = clock.monotonic() - current.at > ANSWERABLE_MS;
        if (!isLate)
          await answer(current.ctx).catch((err: unknown) => log.warn({ userId, err }, "Inline query unanswered"));
        current = busy.get(userId);
      }
    } finally {
      busy.delete(userId);
    }
  };
}

function articleOf(
  { title, description, card, payload }: Shareable,
  index: number,
  ctx: BotContext,
): InlineQueryResultArticle {
  const { entities, link_preview_options } = messageOptions(card);
  const url = `https://t.me/${ctx.me.username}${payload === undefined ? "" : `?start=${payload}`}`;
  return {
    type: "article",
    id: `${index}`,
    title,
    description,
    input_message_content: { message_text: card.text, entities, link_preview_options },
    reply_markup: { inline_keyboard: [[{ text: wordsFor(ctx).share.open, url }]] },
  };
}
