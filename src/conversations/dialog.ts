import type { Conversation, ConversationData, ConversationFlavor, VersionedState } from "@grammyjs/conversations";
import type { Context } from "grammy";
import type { Card } from "../cards/card.js";
import type { Refusal } from "../cards/correction.js";

export type OpenDialog = VersionedState<ConversationData>;

export interface Refused extends Refusal {
  readonly ok: false;
  readonly needsWallet?: true;
}

/** Only a card that can be confirmed has an intent. */
export type Shown =
  | {
      readonly ok: true;
      readonly card: Card;
      readonly intentId?: string;
      readonly launchId?: string;
    }
  | Refused;

export interface DialogFlavor {
  /** As it was when the update arrived. */
  dialog?: OpenDialog;
  /** A refusal is returned, since the form says it. */
  show(shown: Shown): Promise<Refusal | null>;
}

export type Outer = ConversationFlavor<Context & DialogFlavor>;

/** Whatever a dialog asks or tells goes through its `external`, once: all else runs again at every update. */
export type Dialog = Conversation<Outer>;
