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

/** What a dialog runs in. */
export type Outer = ConversationFlavor<Context & DialogFlavor>;

/** Whatever a dialog asks or tells goes through its `external`, once: all else runs again at every update. */
export type Dialog = Conversation<Outer>;
