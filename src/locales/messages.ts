import { grouped } from "../encoding/decimal.js";
import type { Fault } from "../fault.js";
import { isolated, sanitizeForDisplay } from "../services/text/plain.js";
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

/** @param contact how people reach the operator, named wherever a text sends them there. */
export function messagesIn(code: string | undefined, contact?: string): Messages {
  const language = languageOf(code);
  const words = languages.get(language) ?? messages[defaultLanguage];
  if (contact === undefined) return words;
  const key = `${language} ${contact}`;
  const known = withContacts.get(key) ?? named(words, contact);
  withContacts.set(key, known);
  return known;
}

const withContacts = new Map<string, Messages>();

/** What sends people to the operator, in every language. */
const TO_OPERATOR = /contact the operator|fale com o operador/gi;

/** The same words, in which each of those sentences names the contact. */
function named<Part>(part: Part, contact: string): Part {
  if (typeof part === "string") return part.replace(TO_OPERATOR, (sends) => `${sends} (${contact})`) as Part;
  if (typeof part === "function") {
    const says = part as (...parameters: unknown[]) => unknown;
    return ((...parameters: unknown[]) => named(says(...parameters), contact)) as Part;
  }
  const entries = Object.entries(part as object).map(([name, each]: [string, unknown]) => [name, named(each, contact)]);
  return Object.fromEntries(entries) as Part;
}

/** The sentence for a fault: what is wrong and what to do next, in the language of `words`. */
export function errorMessage(fault: Pick<Fault, "code" | "parameters">, words: Messages): string {
  // Code and parameters of a fault belong together, which the compiler cannot follow across the union of all codes.
  const sentence = words.faults[fault.code] as string | ((parameters: Fault["parameters"]) => string);
  const said = typeof sentence === "string" ? sentence : sentence(withFigures(fault.parameters, words));
  return isolated(sanitizeForDisplay(said));
}

/** Parameters that are amounts, as plain decimal text. */
const FIGURES = new Set(["asked", "fee", "held", "left", "maximum", "minimum", "most", "needed", "paid"]);

/** The parameters with the digits of amounts in groups, as on cards. */
function withFigures(parameters: Fault["parameters"], { decimalMark }: Messages): Fault["parameters"] {
  const shown = Object.entries(parameters).map(([name, value]: [string, unknown]) => {
    if (name === "meant") return [name, (value as readonly string[]).map((each) => each.replace(".", decimalMark))];
    return [name, FIGURES.has(name) && typeof value === "string" ? grouped(value, decimalMark) : value];
  });
  return Object.fromEntries(shown) as Fault["parameters"];
}
