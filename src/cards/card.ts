import { commandOf, type TypedRequest } from "../services/request.js";
import { buttons, type ButtonKind } from "./buttons.js";
import { b, expandableBlockquote, FormattedString, fmt } from "@grammyjs/parse-mode";
import type { InlineKeyboardButton, MessageEntity } from "grammy/types";
import type { ReturnDataEncoding } from "../encoding/result.js";
import type { Messages } from "../locales/messages.js";
import { isolated, placeIn, shownText, visibleText } from "../services/text/plain.js";

/** For whom a card is drawn, and what is the same on every card. */
export interface View {
  readonly words: Messages;
  /** IANA name: for files, and for what the person types. On cards, Telegram shows each reader's own time. */
  readonly timeZone: string;
  /** When the card is drawn, in milliseconds since 1970. */
  readonly now: number;
  readonly returnDataEncoding: ReturnDataEncoding;
  /** Whether calls are made, and paid, by the person's own account; otherwise the node decides whose it is. */
  readonly callerIsPerson: boolean;
  /** From so many hundredths of a percent on, a loss against the pools' price is warned of, and has to be agreed to. */
  readonly warnImpactBps: number;
  readonly maxImpactBps: number;
  /** Since when calls pay out to the address that they pay out to, in milliseconds since 1970. */
  readonly payoutSince?: number | undefined;
  /** Words of the person's own, by which they know a card of this bot. */
  readonly phrase?: string | undefined;
  /** Where people's wallets sign, if they do: the bot's own address, without a slash at its end. */
  readonly publicUrl?: string | undefined;
  /** What a transaction's hash is put behind, to look at it. */
  readonly explorerUrl?: string | undefined;
}

/** One message as data: what is sent or edited, and compared in tests. Text is formatted by entities, never by markup. */
export interface Card {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
  /** Rows of buttons; absent for none. */
  readonly keyboard?: Keyboard;
}

export type Keyboard = readonly (readonly InlineKeyboardButton[])[];

/** Text without or with formatting. */
export type Line = string | FormattedString;

/** Lines in their order. A list stands for its lines, undefined and false for none, so that cards can name optional lines in place. */
export type Lines = readonly (Line | undefined | false | Lines)[];

/** Rows of buttons, of which undefined and false are left out, and rows without a button too. */
export type Rows = readonly (readonly (InlineKeyboardButton | undefined | false)[])[];

/** Puts lines and rows of buttons together. Nothing in the text stays invisible, or turns what stands beside it around. */
export function card(lines: Lines, rows: Rows = []): Card {
  const joined = FormattedString.join(linesIn(lines), "\n");
  const shown = shownText(joined.rawText);
  const place = placeIn(shown);
  const base = { text: isolated(shown), entities: joined.rawEntities.map((each) => ({ ...each, ...place(each) })) };
  const keyboard = rows.map((row) => row.filter((each) => typeof each === "object")).filter((row) => row.length > 0);
  return keyboard.length === 0 ? base : { ...base, keyboard };
}

/** What Telegram lets a message carry, in UTF-16 code units. */
const MAX_TEXT = 4096;

/** A card with details that fold away under the rest. Where there is no room for all of them, they are cut, and say so. */
export function foldedCard(lines: Lines, details: Lines, rows: Rows, { common }: Messages): Card {
  const open = card(lines, rows);
  const kept: Line[] = [];
  // Marks that isolate text from right to left take two characters a run, and there are fewer runs than lines.
  let room = MAX_TEXT - open.text.length - common.detailsCut.length - 10;
  const all = linesBeyond(lines, details);
  for (const each of all) {
    room -= card([each]).text.length + 1;
    if (room < 0) break;
    kept.push(each);
  }
  if (kept.length === 0) return open;
  const shown = FormattedString.join(kept.length < all.length ? [...kept, common.detailsCut] : kept, "\n");
  const fold = expandableBlockquote();
  return card([lines, fmt`${fold}${shown}${fold}`], rows);
}

/** All lines that there are. */
export function linesIn(lines: Lines): Line[] {
  return lines.flatMap((each) => {
    if (each === undefined || each === false) return [];
    return typeof each === "string" || each instanceof FormattedString ? [each] : linesIn(each);
  });
}

/** A button that acts. */
export function button<Payload>(
  text: string,
  kind: ButtonKind<Payload>,
  payload: NoInfer<Payload>,
): InlineKeyboardButton {
  return { text: isolated(visibleText(text)), callback_data: `v1:${kind.verb}:${kind.write(payload)}` };
}

/** The one button of a card that spends. Its label says so too: not every client shows the colour, and not everybody sees it. */
export function spending(made: InlineKeyboardButton): InlineKeyboardButton {
  return { ...made, style: "success" };
}

/** The button that gives something up. A card that has one has no other colour. */
export function giving(made: InlineKeyboardButton): InlineKeyboardButton {
  return { ...made, style: "danger" };
}

/** A button that says why there is nothing to tap in its place. */
export function disabled(text: string): InlineKeyboardButton {
  return { text, disabled: {} };
}

/** What Telegram lets a button carry, in bytes. */
const MAX_BUTTON_BYTES = 64;

/** The same, or undefined where the payload has no room in a button. */
export function shortButton<Payload>(
  text: string,
  kind: ButtonKind<Payload>,
  payload: NoInfer<Payload>,
): InlineKeyboardButton | undefined {
  const made = button(text, kind, payload);
  return "callback_data" in made && Buffer.byteLength(made.callback_data) <= MAX_BUTTON_BYTES ? made : undefined;
}

/** Asks for the same again; undefined where that has no room in a button. */
export function repeatButton(request: TypedRequest, text: string): InlineKeyboardButton | undefined {
  return commandButton(text, commandOf(request));
}

/** A button that does what typing a command does, such as `swap 100 KLV KFI`; undefined where that has no room in one. */
export function commandButton(text: string, command: string): InlineKeyboardButton | undefined {
  return shortButton(text, buttons.command, command);
}

export const bold = (text: Line): FormattedString => fmt`${b}${text}${b}`;
export const code = (text: string): FormattedString => FormattedString.code(text);

/** Several pieces as one line. */
export function line(...pieces: readonly Line[]): FormattedString {
  return FormattedString.join([...pieces], "");
}

/**
 * A sentence around formatted pieces, each where the words put it: `say((time) => words.since(time), momentOf(at, view))`.
 * Words stay plain functions of text. A piece that is undefined is passed on as such.
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

/** Those of `lines` that say something which `others` don't. */
export function linesBeyond(others: Lines, lines: Lines): Line[] {
  const said = new Set(linesIn(others).map(textOf));
  return linesIn(lines).filter((each) => !said.has(textOf(each)));
}

/** A line without its formatting. */
export function textOf(text: Line): string {
  return typeof text === "string" ? text : text.rawText;
}

/** `label: value` with the value in bold. */
export function labelled(label: string, value: Line): FormattedString {
  return line(`${label}: `, typeof value === "string" ? bold(value) : value);
}
