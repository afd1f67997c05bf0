import { messages } from "../../src/locales/messages.js";

/** A text as a user reads it: a no-break space looks like any other. */
export const asRead = (text: string): string => text.replace(/[\u00A0\u202F]/g, " ");

/** The text of a call's card once the node has accepted the call. */
export const accepted = wording(messages.en.intent.accepted);

/** Matches these words literally, anywhere in a text. */
export function wording(words: string): RegExp {
  return new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "u");
}
