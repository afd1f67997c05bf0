import type { Conversation, ConversationFlavor } from "@grammyjs/conversations";
import type { Context } from "grammy";

/** A dialog sees plain grammY contexts; what it needs to know about the person it asks for through `external`. */
export type DialogContext = Context;
export type Dialog = Conversation<ConversationFlavor<Context>>;
