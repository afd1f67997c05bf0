import { b, FormattedString, fmt } from "@grammyjs/parse-mode";

export type Line = string | FormattedString;

/** Lists are flattened, undefined and false left out, so that cards can name optional lines in place. */
export type Lines = readonly (Line | undefined | false | Lines)[];

export function linesIn(lines: Lines): Line[] {
  return lines.flatMap((each) => {
    if (each === undefined || each === false) return [];
    return typeof each === "string" || each instanceof FormattedString ? [each] : linesIn(each);
  });
}

export const bold = (text: Line): FormattedString => fmt`${b}${text}${b}`;
export const code = (text: string): FormattedString => FormattedString.code(text);

export function line(...pieces: readonly Line[]): FormattedString {
  return FormattedString.join([...pieces], "");
}

/**
 * A sentence around formatted pieces: `say((time) => words.since(time), momentOf(at, view))`. An undefined piece is
 * passed on as such.
 */
export function say<const Pieces extends readonly (Line | undefined)[]>(
  write: (...places: { [Index in keyof Pieces]: string | Extract<Pieces[Index], undefined> }) => string,
  ...pieces: Pieces
): FormattedString {
  // Telegram's texts hold no NUL, so nothing that somebody typed can look like a place.
  const places = pieces.map((piece, index) => piece && `\0${index}\0`);
  const parts = write(...(places as never)).split("\0");
  return line(...parts.map((part, index) => (index % 2 === 0 ? part : (pieces[places.indexOf(`\0${part}\0`)] ?? ""))));
}

export function linesBeyond(others: Lines, lines: Lines): Line[] {
  const said = new Set(linesIn(others).map(textOf));
  return linesIn(lines).filter((each) => !said.has(textOf(each)));
}

export function textOf(text: Line): string {
  return typeof text === "string" ? text : text.rawText;
}

export function labelled(label: string, value: Line): FormattedString {
  return line(`${label}: `, typeof value === "string" ? bold(value) : value);
}

/**
 * Telegram refuses a date of more than 1,098 days after it reads it, with the whole message, also when that is edited
 * (https://core.telegram.org/constructor/messageEntityFormattedDate). A day is to spare for clocks that differ.
 */
const FURTHEST_MS = 1_097 * 86_400_000;

const formats = { moment: "Dt", day: "D", time: "T", ticking: "r" } as const;
type Shown = keyof typeof formats;
type Now = { readonly now: number };

/**
 * Telegram shows it in each reader's own zone and language; old clients show the text, in UTC. `ticking` counts up
 * once the moment is over, so the words around it must hold before and after. @param at in milliseconds since 1970
 */
export function momentOf(at: number, now: Now, shown?: Shown): Line;
export function momentOf(at: number | undefined, now: Now, shown?: Shown): Line | undefined;
export function momentOf(at: number | undefined, { now }: Now, shown: Shown = "moment"): Line | undefined {
  if (at === undefined) return undefined;
  const text = shown === "time" || shown === "ticking" ? `${new Date(at).toISOString().slice(11, 19)} UTC` : utcOf(at);
  const isShowable = at >= 1_000 && at - now <= FURTHEST_MS;
  return isShowable ? FormattedString.time(text, Math.floor(at / 1_000), formats[shown]) : text;
}

/** A sentence around a moment of a day, and how far off it is. */
export function sayWhen(write: (time: string, off: string) => string, at: number, now: Now): FormattedString {
  return say(write, momentOf(at, now, "time"), momentOf(at, now, "ticking"));
}

/** `2026-12-31`, in UTC, whatever the reader's zone. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** `2026-12-31 23:59 UTC`. */
export function utcOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
