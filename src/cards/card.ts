import { expandableBlockquote, FormattedString, fmt } from "@grammyjs/parse-mode";
import type { InlineKeyboardButton, InputRichMessage, MessageEntity } from "grammy/types";
import { type Line, type Lines, linesIn, linesBeyond } from "./line.js";
import type { Config } from "../config.js";
import type { Messages } from "../locales/messages.js";
import type { Person } from "../services/person/person.js";
import { isolated, placeIn, sanitizeForDisplay } from "../services/text/plain.js";

/** Whom a card is for, and what it says of them and of how the bot was set up. */
export interface View
  extends Pick<Person, "phrase" | "pictures" | "timeZone" | "wallet">,
    Pick<Config, "callIncludesCaller" | "maxImpactBps" | "returnDataEncoding" | "warnImpactBps">,
    Partial<Pick<Config, "explorerUrl" | "publicUrl">> {
  readonly words: Messages;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Whether lists are shown as tables. */
  readonly tables?: boolean;
}

/** One message as data. Text is formatted by entities, never by markup. */
export interface Card {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
  readonly keyboard?: Keyboard;
  /** The same for an app of today: what it says, and the buttons that stand below it. */
  readonly rich?: { readonly blocks: NonNullable<InputRichMessage["blocks"]>; readonly keyboard?: Keyboard };
}

/** What a person may send to any chat by way of the bot: what it says, and what leads from it to the bot. */
export interface Shareable {
  readonly title: string;
  readonly description: string;
  readonly card: Card;
  /** Absent where it has no room in a link. */
  readonly payload: string | undefined;
}

export type Keyboard = readonly (readonly InlineKeyboardButton[])[];

export type Rows = readonly (readonly (InlineKeyboardButton | undefined | false)[])[];

/** Removes invisible characters and isolates right-to-left text. */
export function card(lines: Lines, rows: Rows = []): Card {
  const joined = FormattedString.join(linesIn(lines), "\n");
  const shown = sanitizeForDisplay(joined.rawText);
  const place = placeIn(shown);
  const base = { text: isolated(shown), entities: joined.rawEntities.map((each) => ({ ...each, ...place(each) })) };
  const keyboard = keyboardOf(rows);
  return keyboard.length === 0 ? base : { ...base, keyboard };
}

/** The rows that have a button. */
export function keyboardOf(rows: Rows): Keyboard {
  return rows.map((row) => row.filter((each) => typeof each === "object")).filter((row) => row.length > 0);
}

/** What Telegram lets a message carry, in UTF-16 code units. */
const MAX_TEXT = 4096;

/** Details fold away under the rest; cut to what a message can carry, which the card then says. */
export function foldedCard({ common }: Messages, lines: Lines, details: Lines, rows: Rows): Card {
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

/** What Telegram lets a picture's caption carry, in UTF-16 code units. */
const MAX_CAPTION = 1024;
const MAX_ENTRIES = 12;

/** A card with as many of the entries between its lines as a caption can carry, and how many tokens there are besides. */
export function captioned(
  { before, entries, after }: Readonly<Record<"before" | "entries" | "after", Lines>>,
  rows: Rows,
  words: Messages,
  shown = Math.min(entries.length, MAX_ENTRIES),
): Card {
  const more = entries.length > shown && words.history.feesMore(entries.length - shown);
  const made = card([before, entries.slice(0, shown), more, after], rows);
  const fits = made.text.length <= MAX_CAPTION || shown === 0;
  return fits ? made : captioned({ before, entries, after }, rows, words, shown - 1);
}
