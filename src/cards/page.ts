import type { InlineKeyboardButton } from "grammy/types";
import type { ButtonKind } from "./buttons.js";
import { button, type Rows } from "./card.js";

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Counts from 0. */
  readonly page: number;
  readonly pages: number;
}

/** A page that does not exist is brought into range: lists grow and shrink. */
export function pageOf<Item>(all: readonly Item[], page: number, size: number): Page<Item> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const shown = Math.min(Math.max(page, 0), pages - 1);
  return { items: all.slice(shown * size, (shown + 1) * size), page: shown, pages };
}

export function turnRow(
  page: number,
  hasNext: boolean,
  buttonTo: (page: number, isNext: boolean) => InlineKeyboardButton,
  between?: InlineKeyboardButton,
): Rows[number] {
  return [page > 0 && buttonTo(page - 1, false), between, hasNext && buttonTo(page + 1, true)];
}

export function numbered(kind: ButtonKind<number>): (page: number, isNext: boolean) => InlineKeyboardButton {
  return (page, isNext) => button(isNext ? `${page + 1} ›` : `‹ ${page + 1}`, kind, page);
}
