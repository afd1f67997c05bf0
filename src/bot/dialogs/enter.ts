import type { DialogArguments, DialogId } from "../../conversations/dialogs.js";
import type { BotContext } from "../context.js";

/** Begins a dialog in place of whichever is open. */
export async function enterDialog<Id extends DialogId>(
  ctx: BotContext,
  id: Id,
  ...args: DialogArguments<Id>
): Promise<void> {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter(id, ...args);
}
