import type { Conversation, ConversationFlavor } from "@grammyjs/conversations";
import type { Context } from "grammy";
import type { Refusal } from "../cards/mends.js";
import type { Filled } from "./filled.js";

/** What a dialog finds outside of it. */
export interface FormFlavor {
  /** Does what a form was filled for and shows what came of it; or says why not. */
  submit(filled: Filled): Promise<Refusal | null>;
}

/** A dialog sees plain grammY contexts; what it needs to know about the person it asks for through `external`. */
export type DialogContext = Context;
export type Dialog = Conversation<ConversationFlavor<Context & FormFlavor>>;
