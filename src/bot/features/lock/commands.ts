import { Composer } from "grammy";
import { locksCard } from "../../../cards/locks.js";
import { isFault } from "../../../fault.js";
import { openLocks } from "../../../services/locks/book.js";
import { parseButton } from "../../callback.js";
import type { BotContext, Parts } from "../../context.js";
import type { Commands, Feature } from "../../feature.js";
import { openCard, replyOpened } from "../../intents/open.js";
import { answerCommand } from "../../intents/command.js";
import { viewOf } from "../../person.js";
import { personOf } from "../../../services/people.js";
import { editCard, sendCard } from "../../send.js";

/** `/lock`, `/unlock`, and `/locks` with its pages and buttons. */
export function lockFeature(parts: Parts): Feature {
  const composer = new Composer<BotContext>();

  const pageFor = async (userId: number, page: number) => {
    const person = await personOf(parts.store, userId);
    const status = await parts.locking.epochStatus().catch((error: unknown) => {
      if (!isFault(error)) throw error;
      parts.log.info({ err: error }, "Locks are listed without the epoch");
      return undefined;
    });
    return locksCard(openLocks(person), page, status, parts.clock.now(), viewOf(person, parts));
  };

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    const message = ctx.callbackQuery.message;
    if (button?.verb === "u") {
      await ctx.answerCallbackQuery();
      await replyOpened(parts, ctx, await openCard(parts, "unlock", ctx.from.id, button.id));
    } else if (button?.verb === "lk" && /^[0-9]{1,3}$/.test(button.id) && message !== undefined) {
      await ctx.answerCallbackQuery();
      const card = await pageFor(ctx.from.id, Number(button.id));
      await editCard(ctx.api, message.chat.id, message.message_id, card);
    } else await next();
  });

  const commands: Commands = {
    lock: (ctx) => answerCommand(parts, ctx, "lock"),
    unlock: (ctx) => answerCommand(parts, ctx, "unlock"),
    locks: async (ctx) => {
      await sendCard(ctx, await pageFor(ctx.from?.id ?? 0, 0));
    },
  };

  return { commands, other: composer };
}
