import { DAY_MS } from "../clock.js";
import { fmt, FormattedString } from "@grammyjs/parse-mode";
import type { InlineKeyboardButton, MessageEntity } from "grammy/types";
import type { Config } from "../config.js";
import type { Token } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";
import type { Person } from "../services/person/person.js";
import { isolated, placeIn, sanitizeForDisplay } from "../services/base/display-text.js";

/** What a card depends on besides its subject: settings of its user and of the operator, language and time. */
export interface View
  extends Pick<Person, "alerts" | "phrase" | "pictures" | "timeZone" | "weekly">,
    Pick<Config, "callIncludesCaller" | "guardDelaySeconds" | "referralPercentage" | "returnDataEncoding">,
    Partial<Pick<Config, "explorerUrl" | "proposalUrl" | "publicUrl">> {
  readonly words: Messages;
  /** A token as the list names it now. */
  readonly tokenOf: (id: string) => Token;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** What isn't for those without them isn't mentioned to them. */
export const hasQuietHours = ({ alerts }: Pick<View, "alerts">): boolean => alerts?.quiet !== undefined;

/** A message as data. Text is formatted with entities, never with markup. */
export interface Card {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
  readonly keyboard?: Keyboard;
  /** A picture above it, as SVG, in messages that the bot sends by itself. */
  readonly svg?: string;
}

/** A message that a user can send to any chat in inline mode, and the payload of its link to the bot. */
export interface Shareable {
  readonly title: string;
  readonly description: string;
  readonly card: Card;
  /** Undefined if it doesn't fit in a link. */
  readonly payload: string | undefined;
}

/** The requested card, or a refusal. Only a card that can be confirmed has an intent. */
export interface CardReply {
  readonly ok: boolean;
  readonly card: Card;
  readonly intentId?: string;
  readonly launchId?: string;
  readonly needsWallet?: boolean;
}

/** A value, or the card that says why there is none. */
export type Made<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly card: Card; readonly needsWallet?: boolean };

export type Keyboard = readonly (readonly InlineKeyboardButton[])[];

export type ButtonRows = readonly (readonly (InlineKeyboardButton | undefined | false)[])[];

/** Removes invisible characters and isolates right-to-left text. */
export function card(lines: Lines, rows: ButtonRows = []): Card {
  const joined = joinedBy("\n", linesIn(lines));
  const shown = sanitizeForDisplay(joined.rawText);
  const place = placeIn(shown);
  const base = { text: isolated(shown), entities: joined.rawEntities.map((each) => ({ ...each, ...place(each) })) };
  const keyboard = keyboardOf(rows);
  return keyboard.length === 0 ? base : { ...base, keyboard };
}

/** Drops absent buttons and empty rows. */
export function keyboardOf(rows: ButtonRows): Keyboard {
  return rows.map((row) => row.filter((each) => typeof each === "object")).filter((row) => row.length > 0);
}

/** Telegram's limit on a message's text, in UTF-16 code units. */
const MAX_TEXT = 4096;

/** Folds details away below the other lines. Cuts them to fit in a message, and says so if it does. */
export function foldedCard({ common }: Messages, lines: Lines, details: Lines, rows: ButtonRows): Card {
  const open = card(lines, rows);
  const kept: Line[] = [];
  // Isolating right-to-left text adds two characters per run, and there are fewer runs than lines.
  let room = MAX_TEXT - open.text.length - common.detailsCut.length - 10;
  const all = linesBeyond(lines, details);
  for (const each of all) {
    room -= card([each]).text.length + 1;
    if (room < 0) break;
    kept.push(each);
  }
  if (kept.length === 0) return open;
  const shown = joinedBy("\n", kept.length < all.length ? [...kept, common.detailsCut] : kept);
  return card([lines, FormattedString.expandableBlockquote(shown)], rows);
}

/** Telegram's limit on a picture's caption, in UTF-16 code units. */
const MAX_CAPTION = 1024;
const MAX_LIST_ENTRIES = 12;
type Caption = Readonly<Record<"before" | "entries" | "after", Lines>>;

/** Builds a card with as many entries as fit in a caption, and says how many tokens are left out. */
export function captioned(caption: Caption, rows: ButtonRows, words: Messages, most = MAX_LIST_ENTRIES): Card {
  const { before, entries, after } = caption;
  const shown = Math.min(entries.length, most);
  const more = entries.length > shown && words.history.feesMore(entries.length - shown);
  const made = card([before, entries.slice(0, shown), more, after], rows);
  const fits = made.text.length <= MAX_CAPTION || shown === 0;
  return fits ? made : captioned(caption, rows, words, shown - 1);
}

export type Line = string | FormattedString;

/** Nested lists are flattened; undefined and false are dropped, so that cards can write optional lines in place. */
export type Lines = readonly (Line | undefined | false | Lines)[];

export function linesIn(lines: Lines): Line[] {
  return lines.flatMap((each) => {
    if (each === undefined || each === false) return [];
    return typeof each === "string" || each instanceof FormattedString ? [each] : linesIn(each);
  });
}

export const bold = (text: Line): FormattedString => FormattedString.bold(text);
export const code = (text: string): FormattedString => FormattedString.code(text);

export const line = (...pieces: Lines): FormattedString => joinedBy("", linesIn(pieces));

/** Builds a card that says the same to everybody once for each language. */
export function oncePerLanguage(make: (words: Messages) => Card): (words: Messages) => Card {
  const built = new Map<Messages, Card>();
  return (words) => {
    const known = built.get(words) ?? make(words);
    built.set(words, known);
    return known;
  };
}

/** In one pass: `FormattedString.join` copies what it has joined so far with each item. */
function joinedBy(separator: string, items: readonly Line[]): FormattedString {
  return fmt([...items.map((_, index) => (index === 0 ? "" : separator)), ""], ...items);
}

/** A sentence around formatted pieces: `say(words.since, momentOf(at, view))`. Undefined pieces are passed on. */
export function say<const Pieces extends readonly (Line | undefined)[]>(
  write: (...places: { [Index in keyof Pieces]: string | Extract<Pieces[Index], undefined> }) => string,
  ...pieces: Pieces
): FormattedString {
  // Telegram's texts contain no NUL, so nothing that a user typed can look like a placeholder.
  const places = pieces.map((piece, index) => piece && `\0${index}\0`);
  const parts = write(...(places as never)).split("\0");
  return line(...parts.map((part, index) => (index % 2 === 0 ? part : (pieces[places.indexOf(`\0${part}\0`)] ?? ""))));
}

export function linesBeyond(others: Lines, lines: Lines): Line[] {
  const said = new Set(linesIn(others).map(textOf));
  return linesIn(lines).filter((each) => !said.has(textOf(each)));
}

export const textOf = (text: Line): string => (typeof text === "string" ? text : text.rawText);

export function labelled(label: string, value: Line): FormattedString {
  return line(`${label}: `, typeof value === "string" ? bold(value) : value);
}

/**
 * Telegram rejects a new or edited message with a date more than 1,098 days ahead
 * (https://core.telegram.org/constructor/messageEntityFormattedDate). One day is left for clocks that differ.
 */
const MAX_SHOWN_AHEAD_MS = 1_097 * DAY_MS;

const formats = { moment: "Dt", day: "D", time: "T", ticking: "r" } as const;
type MomentFormat = keyof typeof formats;
type Now = Pick<View, "now">;

/**
 * Telegram shows a moment in each reader's own time zone and language; old clients show the text, in UTC. `ticking`
 * counts up once the moment has passed, so the words around it must fit both. @param at in milliseconds since 1970.
 */
export function momentOf(at: number, now: Now, shown?: MomentFormat): Line;
export function momentOf(at: number | undefined, now: Now, shown?: MomentFormat): Line | undefined;
export function momentOf(at: number | undefined, { now }: Now, shown: MomentFormat = "moment"): Line | undefined {
  if (at === undefined) return undefined;
  const text = shown === "time" || shown === "ticking" ? `${new Date(at).toISOString().slice(11, 19)} UTC` : utcOf(at);
  const isShowable = at >= 1_000 && at - now <= MAX_SHOWN_AHEAD_MS;
  return isShowable ? FormattedString.time(text, Math.floor(at / 1_000), formats[shown]) : text;
}

/** A sentence around a time of day, and how far off it is. */
export function sayWhen(write: (time: string, off: string) => string, at: number, now: Now): FormattedString {
  return say(write, momentOf(at, now, "time"), momentOf(at, now, "ticking"));
}

/** `2026-12-31 23:59 UTC`. */
export const utcOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
