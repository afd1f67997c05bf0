import { crc32 } from "node:zlib";
import * as z from "zod";
import { readSetting, setting, unlessUnreadable, writeSetting } from "../../store/store.js";
import type { Transaction } from "../../store/store.js";

/** What is polled, in turn. */
export type Polled = "orders" | "price_questions";

/** Every person has the same share of a service's requests, divided equally among what they watch. */
const SHARE = 10_000;
/** Maximum number of shares that are counted: with as many, a turn comes at once anyway. */
export const MOST_SHARES = 100;

/** What each of `watched` questions gets of its owner's share. */
export function shareOfTurn(watched: number): number {
  return Math.floor(SHARE / watched);
}

/** The furthest turn that was taken. It survives restarts, so that a start doesn't favor anybody. */
const reached = {
  orders: setting("turns-orders", z.number(), 0),
  price_questions: setting("turns-prices", z.number(), 0),
} as const;

/**
 * The next turn of a question for which people have these shares: the more they are, the sooner. Of what is due, the
 * lowest turn comes first, so each person's questions together get the same part of the requests. First turns are
 * spread, so that what is set at once doesn't stay in step.
 * @param taken the turn it has just had, if any.
 */
export async function nextTurn(
  tx: Transaction,
  { polled, id }: { readonly polled: Polled; readonly id: string },
  shares: readonly number[],
  taken?: number,
): Promise<number> {
  const before = (await unlessUnreadable(() => readSetting(tx, reached[polled]))) ?? 0;
  const now = Math.max(before, taken ?? 0);
  if (now > before) await writeSetting(tx, reached[polled], now);
  const sum = shares.reduce((total, share) => total + share, 0);
  const wait = Math.ceil((SHARE * SHARE) / Math.max(1, sum));
  const earlier = taken === undefined ? Math.floor((Math.min(wait / 2, SHARE) * crc32(id)) / 2 ** 32) : 0;
  return now + wait - earlier;
}
