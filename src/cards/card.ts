import { buttons, type ButtonKind } from "./buttons.js";
import { FormattedString } from "@grammyjs/parse-mode";
import type { InlineKeyboardButton, MessageEntity } from "grammy/types";
import { isolated, placeIn } from "../services/isolate.js";
import { shownText, visibleText } from "../services/plain-text.js";

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

/** Lines in their order. A list stands for its lines and undefined for none, so that cards can name optional lines in place. */
export type Lines = readonly (Line | undefined | Lines)[];

/** Rows of buttons, of which undefined ones are left out, and rows without a button too. */
export type Rows = readonly (readonly (InlineKeyboardButton | undefined)[])[];

export function card(lines: Lines, rows: Rows = []): Card {
  const joined = FormattedString.join(linesIn(lines), "\n");
  const shown = shownText(joined.rawText);
  const place = placeIn(shown);
  const base = { text: isolated(shown), entities: joined.rawEntities.map((each) => ({ ...each, ...place(each) })) };
  const keyboard = rows.map((row) => row.filter((each) => each !== undefined)).filter((row) => row.length > 0);
  return keyboard.length === 0 ? base : { ...base, keyboard };
}

/** All lines that there are. */
export function linesIn(lines: Lines): Line[] {
  return lines.flatMap((each) => {
    if (each === undefined) return [];
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

/** A button that does what typing a command does, such as `swap 100 KLV KFI`; undefined where that has no room in one. */
export function commandButton(text: string, command: string): InlineKeyboardButton | undefined {
  return shortButton(text, buttons.command, command);
}

/** A button that opens an address. */
export function linkButton(text: string, url: string): InlineKeyboardButton {
  return { text, url };
}

/** A button that puts a text on the clipboard; 256 characters at most. */
export function copyButton(text: string, copied: string): InlineKeyboardButton {
  return { text, copy_text: { text: copied } };
}

export const bold = (text: string): FormattedString => FormattedString.bold(text);
export const code = (text: string): FormattedString => FormattedString.code(text);

/** Several pieces as one line. */
export function line(...pieces: readonly Line[]): FormattedString {
  return FormattedString.join([...pieces], "");
}

/** Those of `lines` that say something which `others` don't. */
export function linesBeyond(others: Lines, lines: Lines): Line[] {
  const said = new Set(linesIn(others).map(textOf));
  return linesIn(lines).filter((each) => !said.has(textOf(each)));
}

function textOf(text: Line): string {
  return typeof text === "string" ? text : text.rawText;
}

/** `label: value` with the value in bold. */
export function labelled(label: string, value: Line): FormattedString {
  return line(`${label}: `, typeof value === "string" ? bold(value) : value);
}
