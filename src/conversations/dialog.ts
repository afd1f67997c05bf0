import type { Conversation, ConversationData, ConversationFlavor, VersionedState } from "@grammyjs/conversations";
import type { Context } from "grammy";
import type { Refusal } from "../cards/mends.js";
import type { Filled } from "./filled.js";

export type OpenDialog = VersionedState<ConversationData>;

/** What the context of an update has for dialogs. */
export interface DialogFlavor {
  /** The open dialog as it was when the update arrived. */
  dialog?: OpenDialog;
  /** Does what a form was filled for and shows what came of it; or says why not. */
  submit(filled: Filled): Promise<Refusal | null>;
}

/** A dialog sees plain grammY contexts; what it needs to know about the person it asks for through `external`. */
export type DialogContext = Context;
export type Dialog = Conversation<ConversationFlavor<Context & DialogFlavor>>;
