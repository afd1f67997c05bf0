import type { Dialog, DialogContext } from "./dialog.js";
import type { Opened } from "./opened.js";
import { replyCard } from "./reply-card.js";

/** What the end of a dialog asks of the world. None of it sends anything to the chain. */
export interface OpenedParts {
  readonly open: (userId: number, typed: string) => Promise<Opened>;
  readonly attachMessage: (userId: number, intentId: string, messageId: number) => Promise<void>;
}

/** Ends a dialog in a card for what was collected, or in the reason why there is none. */
export async function finish(
  dialog: Dialog,
  ctx: DialogContext,
  parts: OpenedParts,
  userId: number,
  typed: string,
): Promise<void> {
  const opened = await dialog.external(() => parts.open(userId, typed));
  if (!opened.ok) {
    await ctx.reply(opened.sentence);
    return;
  }
  const messageId = await replyCard(ctx, opened.card);
  await dialog.external(() => parts.attachMessage(userId, opened.intentId, messageId));
}
