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

/** Lines become a card; an undefined line is left out, so that cards can name their optional lines in place. */
export function card(lines: readonly (Line | undefined)[], keyboard?: Keyboard): Card {
  const present = lines.filter((line) => line !== undefined);
  const joined = FormattedString.join(present, "\n");
  const shown = shownText(joined.rawText);
  const place = placeIn(shown);
  const base = { text: isolated(shown), entities: joined.rawEntities.map((each) => ({ ...each, ...place(each) })) };
  return keyboard === undefined || keyboard.length === 0 ? base : { ...base, keyboard };
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
export function linesBeyond(others: readonly Line[], lines: readonly Line[]): Line[] {
  const said = new Set(others.map(textOf));
  return lines.filter((each) => !said.has(textOf(each)));
}

function textOf(text: Line): string {
  return typeof text === "string" ? text : text.rawText;
}

/** `label: value` with the value in bold. */
export function labelled(label: string, value: Line): FormattedString {
  return line(`${label}: `, typeof value === "string" ? bold(value) : value);
}
