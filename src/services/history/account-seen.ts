import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import type { Holdings } from "../../encoding/amount.js";
import { stored } from "../../store/store.js";
import { nextAllowed, wholeAfterOne } from "./allowed.js";

const heldSchema = z.record(z.string(), z.bigint()).readonly();

const readingSchema = stored({
  at: z.number(),
  /** The number of the newest block once it had been read. */
  height: z.bigint(),
  mark: z.string().exactOptional(),
  held: heldSchema,
});
export type AccountReading = z.infer<typeof readingSchema>;

/** What an account was seen to hold, and what of that its owner has been told. */
export const accountSeenSchema = stored({
  /** What counts as told, in base units. */
  known: heldSchema,
  /** The number of a block that the chain has passed: what is read of an earlier one is of the past. */
  height: z.bigint(),
  /** Until when the moves of its owner's own calls are in `known`. */
  since: z.number(),
  /** See `ReadAccountMark`; set while it shows no more than `known`. */
  mark: z.string().exactOptional(),
  /** The last reading, while no later block has confirmed it. */
  unsure: readingSchema.exactOptional(),
  /** Number of small arrivals that weren't told. */
  small: z.number(),
  /** When as many messages are allowed again as at first. */
  wholeAt: z.number(),
});
export type AccountSeen = z.infer<typeof accountSeenSchema>;

/** Gives up a reading that nothing has confirmed in a day: the number of its block may have been wrong. */
export function unlessOld(seen: AccountSeen, now: number): AccountSeen {
  const { unsure, ...rest } = seen;
  return unsure === undefined || Math.abs(now - unsure.at) < DAY_MS ? seen : rest;
}

/**
 * Compares two readings, at least a block apart, with what is known and what own calls have moved since. What both show
 * is settled; so what only one of them shows, since its block was undone, is nothing. @returns what is known afterwards,
 * and by how much assets rose beyond their owner's calls.
 */
export function settled(
  known: Holdings,
  [first, second]: readonly [Holdings, Holdings],
  moves: ReadonlyMap<string, bigint>,
) {
  const after: Record<string, bigint> = { ...known };
  const rises: { readonly asset: string; readonly units: bigint }[] = [];
  for (const [asset, now] of Object.entries(second)) {
    const [told, before] = [known[asset], first[asset]];
    if (before === undefined) continue;
    const [least, most] = before < now ? [before, now] : [now, before];
    // An asset that wasn't looked at before may have been there all along.
    const expected = told === undefined ? least : told + (moves.get(asset) ?? 0n);
    if (expected < least) rises.push({ asset, units: least - expected });
    after[asset] = expected < least ? least : expected > most ? most : expected;
  }
  return { known: after, rises };
}

/** Whether they say the same of all that both name. */
export function agree(one: Holdings, other: Holdings): boolean {
  return Object.entries(one).every(([asset, units]) => (other[asset] ?? units) === units);
}

const MESSAGES = { atOnce: 6, oneMoreMs: 3_600_000 };

export const nextTold = ({ wholeAt }: Pick<AccountSeen, "wholeAt">, now: number): number =>
  nextAllowed(MESSAGES, wholeAt, now);

/** Takes one of the messages that are allowed. */
export const afterTold = (seen: AccountSeen, now: number): AccountSeen => ({
  ...seen,
  wholeAt: wholeAfterOne(MESSAGES, seen.wholeAt, now),
});
