import { formatAmount, type Amount } from "../encoding/amount.js";
import { shortened, type DecimalText } from "../encoding/decimal-text.js";
import type { Messages } from "../locales/messages.js";

/** Narrow, and no line breaks there. */
const THIN_SPACE = "\u202F";

/**
 * An amount with its token's id: `12.5 KLV`. The id, not the name: names can be imitated. At most 8 significant digits, rounded
 * down: a person gets no less than they read. Where nobody knows the token's decimals, the figure counts smallest units, and
 * says so.
 */
export function withToken(amount: Amount, words: Messages): string {
  return written(amount, words, shortened);
}

/** What a person pays, like {@link withToken} but rounded up: they pay no more than they read. */
export function paidWithToken(amount: Amount, words: Messages): string {
  return written(amount, words, (text) => shortened(text, "up"));
}

/** Like {@link withToken}, to the last digit. */
export function exactWithToken(amount: Amount, words: Messages): string {
  return written(amount, words, (text) => text);
}

/** Whole digits in groups of three: `42 000.5`. */
export function grouped(text: DecimalText): string {
  const [whole = "", decimals] = text.split(".");
  const groups = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, THIN_SPACE);
  return decimals === undefined ? groups : `${groups}.${decimals}`;
}

function written(amount: Amount, words: Messages, round: (text: DecimalText) => DecimalText): string {
  const { id, precision } = amount.token;
  return precision === undefined
    ? words.common.smallestUnits(grouped(amount.units.toString()), id)
    : `${grouped(round(formatAmount(amount)))} ${id}`;
}
