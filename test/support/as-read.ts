import { messages } from "../../src/locales/messages.js";

/** A text as a person reads it: a space that does not break a line looks like any other. */
export const asRead = (text: string): string => text.replace(/[\u00A0\u202F]/g, " ");

/** What the card of a call says once the node answered as the contract promises. */
export const accepted = wording(messages.en.intent.accepted);

/** Matches these words wherever they stand. */
export function wording(words: string): RegExp {
  return new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "u");
}
