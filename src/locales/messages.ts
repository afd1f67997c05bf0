import * as en from "./en/index.js";
import * as pt from "./pt/index.js";

/** Every word that people see, in one language. A second language that lacks a key does not compile. */
export type Messages = typeof en;

/** The languages, by their code (ISO 639-1). Another one needs its folder and its name here, and nothing else anywhere. */
export const messages: Readonly<Record<"en" | "pt", Messages>> = { en, pt };

/** The same, for a code that is not known beforehand. */
export const languages: ReadonlyMap<string, Messages> = new Map(Object.entries(messages));

/** The language of everybody else. */
export const defaultLanguage = "en" satisfies keyof typeof messages;

/** The language for a code as Telegram or a stored person has it, its region aside; the default for any that is not there. */
export function languageOf(code: string | undefined): string {
  const language = code?.toLowerCase().split("-")[0] ?? "";
  return languages.has(language) ? language : defaultLanguage;
}

/** The words for such a code. */
export function messagesIn(code: string | undefined): Messages {
  return languages.get(languageOf(code)) ?? messages[defaultLanguage];
}
