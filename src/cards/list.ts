import type { InlineKeyboardButton } from "grammy/types";
import { stringify } from "csv-stringify/sync";
import { button, type ButtonKind } from "./buttons.js";
import { card, line, linesIn, type Card, type ButtonRows, type Line, type Lines } from "./card.js";

/** A list on a card. */
export interface List {
  /** `apart` puts a blank line before entries. */
  readonly layout: "apart" | "close";
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly lines: Lines;
  readonly buttons?: ButtonRows[number];
}

type Part = Lines[number] | List;
export type Parts = readonly Part[];

/** A card with lists among its lines, and their entries' buttons above its own. */
export function listCard(parts: Parts, rows: ButtonRows = []): Card {
  const lines = parts.map((part) => (isList(part) ? part.entries.map((entry) => entryText(entry, part.layout)) : part));
  const entries = parts.flatMap((part) => (isList(part) ? part.entries : []));
  return card(lines, [...entries.map(({ buttons = [] }) => buttons), ...rows]);
}

const isList = (part: Part): part is List => typeof part === "object" && "layout" in part;

/** Nothing is indented: an app that wraps a line continues it at the margin. */
function entryText({ lines }: Entry, layout: List["layout"]): Line {
  const pieces = linesIn(lines).flatMap((each, index) => (index === 0 ? [each] : ["\n", each]));
  return line(layout === "apart" && "\n", ...pieces);
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
