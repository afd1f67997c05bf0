import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import { type Address, addressSchema } from "../../encoding/address.js";
import { padded, paddedKeys, readSetting, setting, stored, writeSetting } from "../../store/store.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { inLots } from "../base/lots.js";
import type { ListedPair } from "../market/pools.js";
import { lastSince, type NewsKind, publish } from "./news-queries.js";

/** A pair that has been open for longer is no news, however deep it becomes. */
const NEWS_MS = 30 * DAY_MS;
/** After a longer time without a reading, nobody knows when a pair opened: it counts as seen. */
const MAX_GAP_MS = DAY_MS;
/** Anybody can create pairs: of more new ones at once, the deepest are news, and of more in all, the deepest are kept. */
const MAX_AT_ONCE = 100;
const MAX_SEEN = 10_000;
const PAIRS_AT_ONCE = 500;

const pairSchema = stored({
  address: addressSchema,
  first: z.string(),
  second: z.string(),
  /** When it was first found open, in milliseconds since 1970. */
  openedAt: z.number(),
});
export type NewPair = z.infer<typeof pairSchema>;

/** Its units are depths, in base units of the native token; it begins with the reading that finds the pair. */
export const newPairKind: NewsKind<NewPair> = {
  name: "new-pairs",
  gap: 15 * 60_000,
  keptFor: NEWS_MS,
  maximum: MAX_SEEN,
  waitsForReturn: true,
  what: pairSchema,
};
/** All pairs are one subject. */
export const ANY_PAIR = "";

/** `number`: how many readings there were; `pairs`: how many have been seen. */
const lastReadingSchema = z.object({ number: z.number(), at: z.number(), pairs: z.number() });
const lastReading = setting("pairs-read", lastReadingSchema, { number: 0, at: 0, pairs: 0 });

/** `depth` is in base units of the native token. */
type OpenPair = ListedPair & { readonly depth: bigint };

interface PairReading {
  /** Those that are open for swaps. */
  readonly open: readonly OpenPair[];
  readonly unread: readonly ListedPair[];
  readonly now: number;
  /** Milliseconds since the last reading; undefined if this process made none. */
  readonly sinceLast: number | undefined;
}

/**
 * Keeps which pairs are open and how deep each has been, and makes news of what somebody waits for. @returns how many
 * new ones are too shallow to be news, as there are too many at once, and how many to be kept.
 */
export async function noteReading(tx: Transaction, { open, unread, now, sinceLast }: PairReading) {
  const last = await readSetting(tx, lastReading);
  const number = last.number + 1;
  const known = await seenAmong(tx, [...open, ...unread]);
  const isOld = (sinceLast ?? now - last.at) > MAX_GAP_MS;
  const missed = isOld ? unread.map((pair) => ({ ...pair, depth: 0n })) : [];
  const opened = isOld ? { opened: 0, opened_at: 0 } : { opened: number, opened_at: now };
  const fresh = [...open, ...missed]
    .filter(({ address }) => !known.has(address))
    .map(({ address, first, second, depth }) => ({ address, first, second, ...opened, peak: padded(depth) }))
    .sort((one, other) => (one.peak === other.peak ? 0 : one.peak < other.peak ? 1 : -1));
  const room = await replaceShallowest(tx, fresh, MAX_SEEN - last.pairs);
  const added = fresh.slice(0, room.places);
  for (const lot of inLots(added, PAIRS_AT_ONCE)) await tx.insertInto("pairs_seen").values(lot).execute();
  await writeSetting(tx, lastReading, { number, at: now, pairs: last.pairs + added.length - room.removed });

  for (const pair of isOld ? [] : added.slice(0, MAX_AT_ONCE)) await publishPair(tx, pair, { before: 0n, now });
  for (const { address, depth } of open) {
    const seen = known.get(address);
    const peak = padded(depth);
    if (seen === undefined || seen.opened === 0 || now - seen.opened_at >= NEWS_MS || peak <= seen.peak) continue;
    await tx.updateTable("pairs_seen").set({ peak }).where("address", "=", address).execute();
    await publishPair(tx, { ...seen, peak }, { before: BigInt(seen.peak), now });
  }
  return { tooMany: isOld ? 0 : Math.max(0, added.length - MAX_AT_ONCE), beyond: fresh.length - added.length };
}

type PairRow = Tables["pairs_seen"];

/** @param before the depth of which is known. */
async function publishPair(
  tx: Transaction,
  { address, first, second, opened: begun, opened_at: openedAt, peak }: PairRow,
  { before, now }: { readonly before: bigint; readonly now: number },
): Promise<void> {
  // It was an address when it was stored.
  const what = { address: address as Address, first, second, openedAt };
  await publish(tx, newPairKind, { subject: ANY_PAIR, before, units: BigInt(peak), begun, what }, now);
}

/** Removes the shallowest pairs for new ones that are deeper than they have been. */
async function replaceShallowest(tx: Transaction, fresh: readonly { readonly peak: string }[], free: number) {
  const beyond = fresh.slice(Math.max(0, free));
  const rows = tx.selectFrom("pairs_seen").select(["address", "peak"]).orderBy("peak").limit(beyond.length);
  const shallowest = beyond.length === 0 ? [] : await rows.execute();
  const replaced = shallowest.filter(({ peak }, at) => peak < (beyond[at]?.peak ?? ""));
  const addresses = replaced.map(({ address }) => address);
  for (const lot of inLots(addresses, PAIRS_AT_ONCE))
    await tx.deleteFrom("pairs_seen").where("address", "in", paddedKeys(lot)).execute();
  return { places: Math.max(0, free) + replaced.length, removed: replaced.length };
}

async function seenAmong(db: Reader, pairs: readonly ListedPair[]) {
  const addresses = pairs.map(({ address }) => address);
  const found = [];
  for (const lot of inLots(addresses, PAIRS_AT_ONCE)) {
    found.push(...(await db.selectFrom("pairs_seen").selectAll().where("address", "in", paddedKeys(lot)).execute()));
  }
  return new Map(found.map((row) => [row.address, row]));
}

/** What opens after the next reading is new for who begins to watch now. */
export async function nextReading(db: Reader): Promise<number> {
  return (await readSetting(db, lastReading)).number + 1;
}

/** When to read the pairs next; undefined while nobody who can be reached wants to be told of new ones. */
export async function readingDue(db: Reader, now: number, every: number): Promise<number | undefined> {
  const newest = await lastSince(db, newPairKind);
  if (newest === undefined) return undefined;
  const { number, at } = await readSetting(db, lastReading);
  // At once, to know what is open when somebody begins; and if the clock was set back.
  return newest > number || at > now ? 0 : at + every;
}
