import type { ConversationFlavor } from "@grammyjs/conversations";
import type { Context } from "grammy";
import type { Config } from "../config.js";
import type { View } from "../cards/card.js";
import type { Messages } from "../locales/messages.js";
import type { Person } from "../services/person/person.js";
import type { DialogFlavor } from "../conversations/ask.js";

export interface PersonFlavor {
  /** As it was when the update arrived. */
  person: Person;
  userId: number;
  words: Messages;
  view: View;
}

export type BotContext = ConversationFlavor<Context & PersonFlavor & DialogFlavor>;

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
  | "supportContact"
  | "warnImpactBps"
>;
