import { conversations, type ConversationControls, type ConversationFlavor } from "@grammyjs/conversations";
import { Composer, type Context, type MiddlewareFn } from "grammy";
import type { Logger } from "pino";
import type { Store } from "../../store/store.js";
import { dialogApi } from "./api.js";
import { personOnArrival } from "../middleware/person-on-arrival.js";
import { beginsWithCommand } from "../middleware/guards.js";
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

/**
 * Lets an update pass through the dialogs only where the person has an open one; else they come into play when a handler
 * enters one, since the plugin and every dialog in it cost more than a plain command.
 */
export function onlyWhenNeeded<C extends Context>(
  store: Store,
  dialogs: Composer<ConversationFlavor<C>>,
): MiddlewareFn<ConversationFlavor<C>> {
  const run = dialogs.middleware();
  return function dialogsWhenNeeded(ctx, next) {
    return personOnArrival(store, ctx).then((person) => {
      if (person?.dialog !== undefined) return run(ctx, next);
      const notYet: Pick<ConversationControls, "enter" | "exitAll"> = {
        enter: async (...dialog) => {
          await run(ctx, () => ctx.conversation.enter(...dialog));
        },
        exitAll: () => Promise.resolve(),
      };
      ctx.conversation = notYet as ConversationControls;
      return next();
    });
  };
}
