import type { Context, MiddlewareFn } from "grammy";
import { buttons, readButton } from "../../../cards/buttons.js";
import { button, card } from "../../../cards/card.js";
import type { BotContext, Parts } from "../../context.js";
import { wordsFor } from "../../person.js";
import { replyCard } from "../../../conversations/reply-card.js";
import { seldom } from "../../middleware/guards.js";
import { alertOnTap } from "../../tap.js";

/** Replies to people who are not let in take no more from everybody else's. */
const REPLY_EVERY_MILLISECONDS = 60_000;

/**
 * Lets only those pass who may use the bot. Everybody else reads their own id, once a minute at most, and can ask the operators to be let in, where
 * there are any.
 */
export function onlyMembers({ clock, operator }: Pick<Parts, "clock" | "operator">): MiddlewareFn<BotContext> {
  const { newcomers } = operator;
  const isDue = seldom(clock, REPLY_EVERY_MILLISECONDS);
  return async function onlyThoseLetIn(ctx, next) {
    const userId = ctx.from?.id;
    if (userId === undefined) return;
    if (await newcomers.isIn(userId)) return next();
    const { common } = wordsFor(ctx);
    const tapped = readButton(ctx.callbackQuery?.data ?? "");
    if (tapped?.verb === buttons.askIn.verb && newcomers.canBeAsked) {
      const outcome = await newcomers.ask(userId, nameOf(ctx));
      await alertOnTap(ctx, common.askIn[outcome]);
    } else if (ctx.callbackQuery !== undefined) {
      await alertOnTap(ctx, common.notAllowed(userId));
    } else if (ctx.message !== undefined && isDue(userId)) {
      const ask = newcomers.canBeAsked ? [[button(common.askInButton, buttons.askIn, "now")]] : undefined;
      await replyCard(ctx, card([common.notAllowed(userId)], ask));
    }
  };
}

/** How somebody calls themselves, which proves nothing. */
function nameOf({ from }: Context): string {
  const { first_name: first = "", last_name: last, username } = from ?? {};
  return [first, last, username && `@${username}`].filter((part) => part !== undefined).join(" ");
}
