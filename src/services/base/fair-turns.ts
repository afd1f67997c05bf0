import { crc32 } from "node:zlib";
import * as z from "zod";
import { readSetting, setting, unlessUnreadable, writeSetting } from "../../store/store.js";
import type { Database, Reader, Transaction } from "../../store/store.js";

/** What is polled, in turn. */
export type Polled = "orders" | "price_questions";

/** Every person has the same share of a service's requests, divided equally among what they watch. */
const SHARE = 10_000;
/** Maximum number of shares that are counted: with as many, a turn comes at once anyway. */
export const MAX_SHARES = 100;

/** What each of `watched` questions gets of its owner's share. */
export function shareOfTurn(watched: number): number {
  return Math.floor(SHARE / watched);
}

/** The furthest turn that was taken. It survives restarts, so that a start doesn't favor anybody. */
const reached = {
  orders: setting("turns-orders", z.number(), 0),
  price_questions: setting("turns-prices", z.number(), 0),
} as const;

/** A turn that was taken. */
export interface Taken {
  /** The furthest that was taken until then, this one included. */
  readonly furthest: number;
  /** Whether it is the last of those that were chosen together, and notes that for all of them. */
  readonly isLast: boolean;
}

/** Knows the furthest turn that was taken, which is noted on disk once for those that are chosen together. */
export function createTurns(store: Pick<Database, "db">, polled: Polled) {
  let furthest: number | undefined;
  return {
    /** @param chosen in the order of their turns. */
    take: async <Row extends { readonly turn: number }>(chosen: readonly Row[]) => {
      let reached = furthest ?? (await furthestTurn(store.db, polled));
      const rows = chosen.map((row, at) => {
        reached = Math.max(reached, row.turn);
        return { ...row, taken: { furthest: reached, isLast: at === chosen.length - 1 } satisfies Taken };
      });
      furthest = reached;
      return rows;
    },
  };
}

/** The furthest turn that was noted. */
async function furthestTurn(db: Reader, polled: Polled): Promise<number> {
  return (await unlessUnreadable(() => readSetting(db, reached[polled]))) ?? 0;
}

/**
 * The next turn of a question for which people have these shares: the more they are, the sooner. Of what is due, the
 * lowest turn comes first, so each person's questions together get the same part of the requests. First turns are
 * spread, so that what is set at once doesn't stay in step.
 * @param taken absent if the question wasn't polled just now.
 */
export async function nextTurn(
  tx: Transaction,
  { polled, id }: { readonly polled: Polled; readonly id: string },
  shares: readonly number[],
  taken?: Taken,
): Promise<number> {
  if (taken?.isLast === true) await noteFurthest(tx, polled, taken);
  const now = taken?.furthest ?? (await furthestTurn(tx, polled));
  const sum = shares.reduce((total, share) => total + share, 0);
  const wait = Math.ceil((SHARE * SHARE) / Math.max(1, sum));
  const earlier = taken === undefined ? Math.floor((Math.min(wait / 2, SHARE) * crc32(id)) / 2 ** 32) : 0;
  return now + wait - earlier;
}

/** Those that were chosen later may have noted more already. */
async function noteFurthest(tx: Transaction, polled: Polled, { furthest }: Taken): Promise<void> {
  if (furthest > (await furthestTurn(tx, polled))) await writeSetting(tx, reached[polled], furthest);
}
