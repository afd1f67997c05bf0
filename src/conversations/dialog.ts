import type { Conversation, ConversationFlavor } from "@grammyjs/conversations";
import type { Context } from "grammy";

/** A dialog sees plain grammY contexts; what it needs to know about the person it asks for through `external`. */
export type DialogContext = Context;
export type Dialog = Conversation<ConversationFlavor<Context>>;

/** The user who is asked. Dialogs run in private chats only, where every update has a sender. */
export function userIdOf(ctx: DialogContext): number {
  if (ctx.from === undefined)
    throw new TypeError("a dialog needs a sender: is it installed behind the private-chat guard?");
  return ctx.from.id;
}
