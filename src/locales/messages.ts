import type { Language } from "../model/person.js";
import { en, type Messages } from "./en/index.js";
import { pt } from "./pt/index.js";

export type { Messages };

export const messages: Record<Language, Messages> = { en, pt };

/** The language for a person's Telegram language code: Portuguese for any `pt`, else English. */
export function languageOf(languageCode: string | undefined): Language {
  return languageCode?.toLowerCase().startsWith("pt") ? "pt" : "en";
}
