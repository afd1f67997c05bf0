import { compareDecimals, isPositive } from "../../encoding/decimal.js";
import type { DecimalText } from "../../encoding/decimal.js";

/** What exchanges write for a status. A word is here only if all that write it mean the same: docs/exchange-orders.md. */
const synonyms = {
  OPEN: "accepted active created live new placed submitted working",
  PARTIALLY: "partial_filled partially_filled",
  /** Only with all filled: some exchanges also write these of orders that were cancelled. */
  DONE: "closed completed done effective executed filled finished full_fill fully_executed",
  CANCELED: "cancel order_canceled partial_canceled",
  EXPIRED: "expired",
  REJECTED: "rejected",
  FAILED: "order_failed",
};

/** Words that say more than one of those: they are shown as they came. */
const moreExact = {
  open: "incomplete init pending_new pending_replace triggering untouched untriggered wait",
  over: `canceled_auction canceled_child canceled_expired canceled_fok canceled_ioc canceled_liquidation
    canceled_margin_not_allowed canceled_market_protection canceled_not_enough_liquidity canceled_oco
    canceled_partially_filled canceled_position_not_allowed canceled_post_only canceled_reduce_only canceled_self_trade
    canceled_self_trade_prevention canceled_too_much_slippage canceled_unfilled expired_in_match`,
};

type Fill = { readonly filled: DecimalText; readonly quantity: DecimalText };

/** The same for words that differ only in case, spelling, and what stands between their parts; empty if it is no word. */
function keyOf(status: string): string {
  if (!/^[A-Za-z _-]+$/.test(status)) return "";
  return status.toLowerCase().replace(/[ _-]/g, "").replace("cancelled", "canceled");
}
const keysOf = (words: string) => words.split(/\s+/).map(keyOf);

const read = new Map(
  Object.entries(synonyms).flatMap(([known, words]) => keysOf(`${known} ${words}`).map((key) => [key, known] as const)),
);
const [openKeys, overKeys] = [new Set(keysOf(moreExact.open)), new Set(keysOf(moreExact.over))];
const ends: readonly string[] = ["DONE", "CANCELED", "EXPIRED", "REJECTED", "FAILED"];

/**
 * The interface's word, or that of another end, for what an exchange wrote. What isn't known for certain stays as it
 * came, also a word for `DONE` while less is filled than was ordered.
 */
export function readStatus(word: string, { filled, quantity }: Fill): string {
  if (word === "DONE") return word;
  const known = read.get(keyOf(word)) ?? word;
  const isAllFilled = isPositive(quantity) && compareDecimals(filled, quantity) >= 0;
  return known === "DONE" && !isAllFilled ? word : known;
}

type Stated = { readonly status: string };

/** Whether the exchange certainly says that nothing more will happen to the order. */
export function isFinalStatus({ status }: Stated): boolean {
  return ends.includes(status) || overKeys.has(keyOf(status));
}

/** Whether the status is a word for an end that the figures don't bear out. */
export function soundsFinal({ status }: Stated): boolean {
  return !isFinalStatus({ status }) && read.get(keyOf(status)) === "DONE";
}

/** Grows while an order goes on. Words that aren't known come after the two of an open order. */
export function progressOf({ status }: Stated): number {
  if (isFinalStatus({ status })) return 3;
  return status === "OPEN" || openKeys.has(keyOf(status)) ? 0 : status === "PARTIALLY" ? 1 : 2;
}
