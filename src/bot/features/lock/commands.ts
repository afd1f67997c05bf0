import { buttons } from "../../../cards/buttons.js";
import { locksCard } from "../../../cards/locks.js";
import { unlessFault } from "../../../fault.js";
import { openLocks } from "../../../services/locks/record.js";
import type { Parts } from "../../context.js";
import type { Commands, Feature } from "../../feature.js";
import { openCard, replyOpened, type OpenCardParts } from "../../intents/open.js";
import { answerCommand } from "../../intents/command.js";
import { viewOf } from "../../person.js";
import { personOf } from "../../../services/people.js";
import { sendCard } from "../../send.js";
import { editTapped, onTap } from "../../tap.js";

type LockFeatureParts = OpenCardParts & Pick<Parts, "clock" | "locking" | "log" | "store">;

/** `/lock`, `/unlock`, and `/locks` with its pages and buttons. */
export function lockFeature(parts: LockFeatureParts): Feature {
  const pageFor = async (userId: number, page: number) => {
    const person = await personOf(parts.store, userId);
    const status = await unlessFault(parts.locking.epochStatus, (err) =>
      parts.log.info({ err }, "Locks are listed without the epoch"),
    );
    return locksCard(openLocks(person), page, status, parts.clock.now(), viewOf(person, parts));
  };

  const taps = [
    onTap(buttons.unlock, async (ctx, locked) => {
      await ctx.answerCallbackQuery();
      await replyOpened(parts, ctx, await openCard(parts, "unlock", ctx.userId, locked));
    }),
    onTap(buttons.locksPage, async (ctx, page) => {
      await ctx.answerCallbackQuery();
      await editTapped(ctx, await pageFor(ctx.userId, page));
    }),
  ];

  const commands: Commands = {
    lock: (ctx) => answerCommand(parts, ctx, "lock"),
    unlock: (ctx) => answerCommand(parts, ctx, "unlock"),
    locks: async (ctx) => {
      await sendCard(ctx, await pageFor(ctx.userId, 0));
    },
  };

  return { commands, taps };
}
