import { grouped } from "../encoding/decimal.js";
import type { Fault } from "../fault.js";
import { isolated, sanitizeForDisplay } from "../services/base/display-text.js";
import * as en from "./en/index.js";
import * as pt from "./pt/index.js";

/** Every text that users see, in one language. Another language that lacks a key doesn't compile. */
export type Messages = typeof en;

/** Languages by code (ISO 639-1). A new one needs only its folder and an entry here. */
export const messages: Readonly<Record<"en" | "pt", Messages>> = { en, pt };

/** {@link messages}, for lookup by any code. */
export const languages: ReadonlyMap<string, Messages> = new Map(Object.entries(messages));

/** For users of any other language. */
export const defaultLanguage = "en" satisfies keyof typeof messages;

/** The language for a code from Telegram or a stored person, ignoring its region; the default if there is none. */
export function languageOf(code: string | undefined): string {
  const language = code?.toLowerCase().split("-")[0] ?? "";
  return languages.has(language) ? language : defaultLanguage;
}

/** @param contact how users reach the operator, added wherever a text tells them to. */
export function messagesIn(code: string | undefined, contact?: string): Messages {
  const language = languageOf(code);
  const words = languages.get(language) ?? messages[defaultLanguage];
  if (contact === undefined) return words;
  const key = `${language} ${contact}`;
  const known = withContacts.get(key) ?? withContact(words, contact);
  withContacts.set(key, known);
  return known;
}

const withContacts = new Map<string, Messages>();

/** Phrases that tell users to contact the operator, in every language. */
const TO_OPERATOR = /contact the operator|fale com o operador/gi;

/** Returns a copy in which each of those phrases names the contact. */
function withContact<Part>(part: Part, contact: string): Part {
  if (typeof part === "string") return part.replace(TO_OPERATOR, (sends) => `${sends} (${contact})`) as Part;
  if (typeof part === "function") {
    const says = part as (...parameters: unknown[]) => unknown;
    return ((...parameters: unknown[]) => withContact(says(...parameters), contact)) as Part;
  }
  const entries = Object.entries(part as object).map(([name, each]: [string, unknown]) => [
    name,
    withContact(each, contact),
  ]);
  return Object.fromEntries(entries) as Part;
}

/** Returns the sentence for a fault, in the language of `words`: what is wrong and what to do next. */
export function errorMessage(fault: Pick<Fault, "code" | "parameters">, words: Messages): string {
  // A fault's parameters fit its code, but the compiler can't follow that across the union of all codes.
  const sentence = words.faults[fault.code] as string | ((parameters: Fault["parameters"]) => string);
  const said = typeof sentence === "string" ? sentence : sentence(withFigures(fault.parameters, words));
  return isolated(sanitizeForDisplay(said));
}

/** Parameters that are amounts in plain decimal text. */
const FIGURES = new Set([
  "amount",
  "asked",
  "fee",
  "held",
  "larger",
  "left",
  "maximum",
  "minimum",
  "most",
  "needed",
  "paid",
  "perDay",
  "perTransaction",
  "price",
]);

/** What was typed, which is in plain form by then. */
const PLAIN_NUMBER = /^[-−]?[0-9]+\.[0-9]+%?$/;

/** Groups the digits of amounts, as cards do. */
function withFigures(parameters: Fault["parameters"], { decimalMark }: Messages): Fault["parameters"] {
  const shown = Object.entries(parameters).map(([name, value]: [string, unknown]) => {
    if (name === "meant") return [name, (value as readonly string[]).map((each) => each.replace(".", decimalMark))];
    const isTyped = name === "text" && PLAIN_NUMBER.test(value as string);
    if (name === "years" || isTyped) return [name, String(value).replace(".", decimalMark)];
    return [name, FIGURES.has(name) && typeof value === "string" ? grouped(value, decimalMark) : value];
  });
  return Object.fromEntries(shown) as Fault["parameters"];
}
