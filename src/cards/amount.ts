import { formatAmount, type Amount } from "../encoding/amount.js";
import { grouped, shortened, type DecimalText } from "../encoding/decimal.js";
import type { Messages } from "../locales/messages.js";

/**
 * An amount with its token's id: `12.5 KLV`. The id, not the name: names can be imitated. At most 8 significant digits, rounded
 * down: a person gets no less than they read. Where nobody knows the token's decimals, the figure counts base units, and
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

function written(amount: Amount, words: Messages, round: (text: DecimalText) => DecimalText): string {
  const { id, precision } = amount.token;
  return precision === undefined
    ? words.common.smallestUnits(figure(amount.units.toString(), words), id)
    : `${figure(round(formatAmount(amount)), words)} ${id}`;
}

/** A number as the language writes it: `1,250.5`. */
export function figure(value: DecimalText, { decimalMark }: Messages): string {
  return grouped(value, decimalMark);
}

/** Percent text as the language writes it: `0.5%`. */
export function percent(value: DecimalText, words: Messages): string {
  return `${figure(value, words)}%`;
}
