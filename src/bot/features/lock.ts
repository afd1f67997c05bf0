import { Composer } from "grammy";
import { locksCard } from "../../cards/locks.js";
import { parseAssetId } from "../../encoding/asset.js";
import { isFault } from "../../fault.js";
import { bookLocks, openLocks } from "../../services/locks/book.js";
import { parseButton } from "../callback.js";
import type { BotContext, Parts } from "../context.js";
import { openLock, openUnlock } from "../locks.js";
import { replyOpened } from "../open-card.js";
import { changePerson, viewOf } from "../person.js";
import { sendCard } from "../send.js";

/** `/lock`, `/unlock` and `/locks`. */
export function lockFeature(parts: Parts): Composer<BotContext> {
  const composer = new Composer<BotContext>();

  composer.command("lock", async (ctx) => {
    if (ctx.match.trim() === "") await ctx.conversation.enter("lock");
    else await replyOpened(parts, ctx, await openLock(parts, ctx.from?.id ?? 0, ctx.match));
  });

  composer.command("unlock", async (ctx) => {
    if (ctx.match.trim() === "") await ctx.conversation.enter("unlock");
    else await replyOpened(parts, ctx, await openUnlock(parts, ctx.from?.id ?? 0, ctx.match));
  });

  composer.command("locks", async (ctx) => {
    const person = await changePerson(parts.store, ctx.from?.id ?? 0, (before) =>
      bookLocks(before, parts.settings.returnDataEncoding),
    );
    const status = await parts.locking.epochStatus().catch((error: unknown) => {
      if (!isFault(error)) throw error;
      parts.log.info({ err: error }, "Locks are listed without the epoch");
      return undefined;
    });
    await sendCard(ctx, locksCard(openLocks(person), status, parts.clock.now(), viewOf(person, parts)));
  });

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    if (button?.verb !== "u" || !isLocked(button.id)) return next();
    await ctx.answerCallbackQuery();
    await replyOpened(parts, ctx, await openUnlock(parts, ctx.from.id, button.id));
  });

  return composer;
}

function isLocked(text: string): boolean {
  try {
    return parseAssetId(text).nonce !== undefined;
  } catch (error) {
    if (!isFault(error)) throw error;
    return false;
  }
}
