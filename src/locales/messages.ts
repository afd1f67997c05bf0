import type { Language } from "../services/people.js";
import { en } from "./en/index.js";
import { pt } from "./pt/index.js";

/** Every word that people see, in one language. A second language that lacks a key does not compile. */
export type Messages = typeof en;

export const messages: Record<Language, Messages> = { en, pt };

/** The language for a person's Telegram language code: Portuguese for any `pt`, else English. */
export function languageOf(languageCode: string | undefined): Language {
  return languageCode?.toLowerCase().startsWith("pt") ? "pt" : "en";
}
