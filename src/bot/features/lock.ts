import { buttons } from "../../cards/buttons.js";
import { locksCard } from "../../cards/lock.js";
import { unlessFault } from "../../fault.js";
import type { BotContext } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { answerCommand, openRead, readLine, replyOpened, type OpenCardParts } from "../intents/open.js";
import { heldLocksOf, type HeldParts } from "../held.js";
import { replyCard } from "../../conversations/reply-card.js";
import { editTapped, onTap } from "../tap.js";

/** `/lock`, `/unlock`, and `/locks` with its pages and buttons. */
export function lockFeature(parts: OpenCardParts & HeldParts): Feature {
  const pageFor = async ({ person, userId, view }: BotContext, page: number) => {
    const [locks, status, held] = await Promise.all([
      parts.locking.open(userId),
      unlessFault(parts.locking.epochStatus, (err) => parts.log.info({ err }, "Locks are listed without the epoch")),
      heldLocksOf(parts, person),
    ]);
    return locksCard(locks, page, status, parts.clock.now(), view, held);
  };

  const taps = [
    onTap(buttons.unlock, async (ctx, asset) =>
      replyOpened(parts, ctx, await openRead(parts, ctx.userId, await readLine(parts, "unlock", asset, ctx))),
    ),
    onTap(buttons.locksPage, async (ctx, page) => editTapped(ctx, await pageFor(ctx, page))),
  ];

  const commands: Commands = {
    lock: (ctx) => answerCommand(parts, ctx, "lock"),
    unlock: (ctx) => answerCommand(parts, ctx, "unlock"),
    locks: async (ctx) => replyCard(ctx, await pageFor(ctx, 0)),
  };

  return { commands, taps };
}
