import { conversations, type ConversationFlavor } from "@grammyjs/conversations";
import { Composer, type Context } from "grammy";
import type { Logger } from "pino";
import type { Store } from "../../store/store.js";
import { dialogApi } from "./api.js";
import { createDialogStorage, type DropReason } from "./storage.js";

/**
 * What dialogs need: their state in the store, calls that go through the bot's own API, and the rule that a command ends
 * whatever dialog is open. Install it after the handlers that work beside an open dialog (buttons of cards), then each
 * dialog by `createConversation`, then the commands that enter them.
 */
export function createDialogs<Outer extends Context>(parts: {
  store: Store;
  version: string;
  log: Pick<Logger, "warn">;
  /** Tells the person that an open dialog can't go on; it is not called when a command begins something new anyway. */
  onDropped: (ctx: Outer, reason: DropReason) => Promise<unknown>;
}): Composer<ConversationFlavor<Outer>> {
  const dialogs = new Composer<ConversationFlavor<Outer>>();
  dialogs.use(
    conversations<Outer, Context>({
      storage: createDialogStorage<Outer>({
        ...parts,
        onDropped: async (ctx, reason) => {
          if (!beginsWithCommand(ctx)) await parts.onDropped(ctx, reason);
        },
      }),
      plugins: (conversation) => [dialogApi(conversation)],
    }),
  );
  dialogs.use(async function commandsInterrupt(ctx, next) {
    if (beginsWithCommand(ctx)) await ctx.conversation.exitAll();
    await next();
  });
  return dialogs;
}

/** Whether the message is a command. A slash further on, in an address or a token id say, is none. */
export function beginsWithCommand(ctx: Pick<Context, "message">): boolean {
  return ctx.message?.entities?.some(({ type, offset }) => type === "bot_command" && offset === 0) ?? false;
}
