import type { InputRichMessage, MessageEntity, RichMessageButton, RichText, InlineKeyboardButton } from "grammy/types";
import { stringify } from "csv-stringify/sync";
import { button, type ButtonKind } from "./buttons.js";
import {
  card,
  keyboardOf,
  line,
  linesIn,
  type Card,
  type ButtonRows,
  type View,
  type Line,
  type Lines,
} from "./card.js";

/** A list on a card. An entry is one or more lines of text, or one row of a table, built from the same cells. */
export interface List {
  /** As text, `apart` puts a blank line before entries. Tables align amounts right. */
  readonly layout: "apart" | "close" | "amounts";
  readonly entries: readonly Entry[];
}

export interface Entry {
  /**
   * Every entry has the same number, at most three, since phones are narrow. Lines of one cell are stacked as text, and
   * joined in a table.
   */
  readonly cells: readonly Lines[number][];
  readonly buttons?: ButtonRows[number];
  /** Buttons that only a table has room for. */
  readonly tableButtons?: ButtonRows[number];
}

type Part = Lines[number] | List;
export type Parts = readonly Part[];
type Blocks = NonNullable<InputRichMessage["blocks"]>;

/** A table with fewer rows loses the buttons in them (telegramdesktop/tdesktop, issue 31248). */
const MIN_ROWS = 2;
const MAX_COPIED = 256;

/** A card with lists among its lines, and their entries' buttons. Users who chose tables get tables as well. */
export function listCard(parts: Parts, { tables = false }: Pick<View, "tables">, rows: ButtonRows = []): Card {
  const asText = parts.map((part) =>
    isList(part) ? part.entries.map((entry) => entryText(entry, part.layout)) : part,
  );
  const plain = card(asText, [...parts.flatMap(buttonRows), ...rows]);
  if (!tables || !parts.some(isTable)) return plain;
  const keyboard = keyboardOf([...parts.filter((part) => !isTable(part)).flatMap(buttonRows), ...rows]);
  const blocks = parts.flatMap((part, index) => (isTable(part) ? table(part) : paragraphs(asText[index])));
  return { ...plain, rich: { blocks, ...(keyboard.length > 0 && { keyboard }) } };
}

const isList = (part: Part): part is List => typeof part === "object" && "layout" in part;

const isTable = (part: Part): part is List => isList(part) && part.entries.length >= MIN_ROWS;

const buttonRows = (part: Part): ButtonRows => (isList(part) ? part.entries.map(({ buttons = [] }) => buttons) : []);

/** Nothing is indented: an app that wraps a line continues it at the margin. */
function entryText({ cells }: Entry, layout: List["layout"]): Line {
  const pieces = linesIn(cells).flatMap((each, index) => (index === 0 ? [each] : ["\n", each]));
  return line(layout === "apart" && "\n", ...pieces);
}

function table({ layout, entries }: List): Blocks {
  const cells = entries.map(({ cells, buttons = [], tableButtons = [] }) => {
    const own = keyboardOf([[...buttons, ...tableButtons]]).flat();
    return cells.map((cell, index) => {
      const lines = linesIn([cell]).map(richText);
      // Cards have no buttons of the types that only keyboards support.
      const pressed = own.map((button): RichText => ({ type: "button", button: button as RichMessageButton }));
      const all = index === cells.length - 1 ? [...lines, ...pressed] : lines;
      const text = all.flatMap((each, place) => (place === 0 ? [each] : [" ", each]));
      const align = layout === "amounts" && index === 0 ? ("right" as const) : ("left" as const);
      return { ...(text.length > 0 && { text }), align, valign: "top" as const };
    });
  });
  return [{ type: "table", is_striped: true, is_compact: true, cells }];
}

function paragraphs(part: Lines[number]): Blocks {
  const lines = linesIn([part]).filter((each) => each !== "");
  return lines.map((each) => ({ type: "paragraph", text: richText(each) }));
}

/** Formats a line. Code is meant to be copied, which text in tables can't be, so it becomes a button that copies it. */
function richText(written: Line): RichText {
  const { text, entities } = card([written]);
  const ends = entities.flatMap(({ offset, length }) => [offset, offset + length]);
  const cuts = [...new Set([0, ...ends, text.length])].sort((left, right) => left - right);
  const pieces = cuts.slice(1).map((end, index) => {
    const begin = cuts[index] ?? 0;
    const around = entities.filter(({ offset, length }) => offset <= begin && end <= offset + length);
    // A date may be nested in bold, but not the other way round.
    const inside = around.filter(({ type }) => type === "date_time");
    const outside = around.filter(({ type }) => type !== "date_time");
    return [...inside, ...outside].reduce<RichText>(formatted, text.slice(begin, end));
  });
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : pieces;
}

function formatted(text: RichText, entity: MessageEntity): RichText {
  switch (entity.type) {
    case "bold":
      return { type: "bold", text };
    case "date_time":
      return { type: "date_time", text, unix_time: entity.unix_time, date_time_format: entity.date_time_format };
    case "code":
      return typeof text === "string" && text.length <= MAX_COPIED
        ? { type: "button", button: { text, copy_text: { text } } }
        : { type: "code", text };
    default:
      return text;
  }
}

/** Pages count from 0. `wanted` is clamped, since lists grow and shrink. */
export function pageOf<Item>(all: readonly Item[], wanted: number, size: number) {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(Math.max(wanted, 0), pages - 1);
  /** Position of the first item in the whole list, from 1. */
  const first = page * size + 1;
  return { items: all.slice(page * size, (page + 1) * size), first, page, pages };
}

type Place = Readonly<Record<"page" | "pages", number>>;

/** Buttons to the previous and next page, labelled with their numbers. */
export function turnRow({ page, pages }: Place, kind: ButtonKind<number>, between?: InlineKeyboardButton) {
  const to = (text: string, at: number) => button(text, kind, at);
  return [page > 0 && to(`‹ ${page}`, page - 1), between, page < pages - 1 && to(`${page + 2} ›`, page + 1)];
}

/** A file's columns, in order, each with how to write a row's value; undefined if unknown. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | undefined>>;

/** Text that a spreadsheet would take for a formula. Negative numbers are safe. */
const FORMULA = /^(?:[=+@\t\r＝＋－＠]|-(?![0-9.]+$))/;

/** The names of the columns. */
export const csvNames = (columns: Columns<never>): string => `${Object.keys(columns).join(",")}\r\n`;

/** The header line, with the byte order mark by which spreadsheets recognise UTF-8. */
export const csvHead = (columns: Columns<never>): string => `\uFEFF${csvNames(columns)}`;

/** RFC 4180; an apostrophe escapes possible formulas. Fixed words are in English, since programs read them. */
export function csvLines<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const cells = rows.map((row) => Object.values(columns).map((write) => (write(row) ?? "").replace(FORMULA, "'$&")));
  return stringify(cells, { record_delimiter: "windows" });
}

export function csvOf<Row>(columns: Columns<Row>, rows: readonly Row[]): Buffer {
  return Buffer.from(csvHead(columns) + csvLines(columns, rows));
}
