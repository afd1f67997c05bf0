import type { ConversationFlavor } from "@grammyjs/conversations";
import type { Context } from "grammy";
import type { Config } from "../config.js";
import type { View } from "../cards/card.js";
import type { Messages } from "../locales/messages.js";
import type { Person } from "../services/person/person.js";
import type { DialogFlavor } from "../conversations/dialog.js";

/** What a handler finds on every update of a private chat: who it is from, and the words of their language. */
export interface PersonFlavor {
  /** As it was when the update arrived. */
  person: Person;
  userId: number;
  words: Messages;
  /** How cards are drawn for them. */
  view: View;
}

export type BotContext = ConversationFlavor<Context & PersonFlavor & DialogFlavor>;

/** The operator's choices that the chat needs to know. */
export type BotSettings = Pick<
  Config,
  | "callIncludesCaller"
  | "defaultSlippageBps"
  | "explorerUrl"
  | "guardDelaySeconds"
  | "keptForFees"
  | "launchExtended"
  | "maxImpactBps"
  | "maxSlippageBps"
  | "publicUrl"
  | "referralPercentage"
  | "returnDataEncoding"
  | "warnImpactBps"
>;
