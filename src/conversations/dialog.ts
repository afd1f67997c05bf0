import type { Conversation, ConversationData, ConversationFlavor, VersionedState } from "@grammyjs/conversations";
import type { Context } from "grammy";
import type { Card } from "../cards/card.js";
import type { Refusal } from "../cards/mends.js";

export type OpenDialog = VersionedState<ConversationData>;

/** Why there is no card. */
export interface Refused extends Refusal {
  readonly ok: false;
  readonly needsWallet?: true;
}

/** A card, or why there is none. Only one that can be confirmed has an intent. */
export type Shown =
  | {
      readonly ok: true;
      readonly card: Card;
      readonly intentId?: string;
      /** Of a launch's checklist. */
      readonly launchId?: string;
    }
  | Refused;

/** What the context of an update has for dialogs. */
export interface DialogFlavor {
  /** The open dialog as it was when the update arrived. */
  dialog?: OpenDialog;
  /** Shows what came of a filled form; a refusal is returned, since the form says it. */
  show(shown: Shown): Promise<Refusal | null>;
}

/** What a dialog runs in. */
export type Outer = ConversationFlavor<Context & DialogFlavor>;

/** Whatever a dialog asks or tells goes through its `external`, once: all else runs again at every update. */
export type Dialog = Conversation<Outer>;
