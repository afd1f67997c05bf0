import { sql } from "kysely";
import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import type { ListedPair } from "../market/pools.js";
import { findsAny, padded, paddedKeys, readSetting, setting, writeSetting } from "../../store/store.js";
import type { Reader, Transaction } from "../../store/store.js";
import { MAX_HELD_MS, UNHEARD } from "./telling.js";

/** A pair that has been open for longer is no news, however deep it becomes. */
const NEWS_MS = 30 * DAY_MS;
/** After a longer time without a reading, nobody knows when a pair opened: it counts as seen. */
const MAX_GAP_MS = DAY_MS;
/** Anybody can create pairs: of more new ones at once, the deepest are news, and of more in all, the deepest are kept. */
const MAX_AT_ONCE = 100;
const MAX_SEEN = 10_000;
const PAIRS_AT_ONCE = 500;

/** `number`: how many readings there were; `pairs`: how many have been seen. */
const lastReadingSchema = z.object({ number: z.number(), at: z.number(), pairs: z.number() });
const lastReading = setting("pairs-read", lastReadingSchema, {
  number: 0,
  at: 0,
  pairs: 0,
});

/** `depth` is in base units of the native token. */
type OpenPair = ListedPair & { readonly depth: bigint };
export interface NewPair extends OpenPair {
  /** When it was first found open, in milliseconds since 1970. */
  readonly openedAt: number;
}

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
  for (const lot of lotsOf(added)) await tx.insertInto("pairs_seen").values(lot).execute();
  await writeSetting(tx, lastReading, { number, at: now, pairs: last.pairs + added.length - room.removed });

  const news = { reading: number, at: now };
  for (const { address, peak } of isOld ? [] : added.slice(0, MAX_AT_ONCE)) {
    await addNews(tx, { ...news, address, opened: number, before: padded(0n), peak });
  }
  for (const { address, depth } of open) {
    const { peak: before, opened = 0, opened_at = 0 } = known.get(address) ?? {};
    const peak = padded(depth);
    if (before === undefined || opened === 0 || now - opened_at >= NEWS_MS || peak <= before) continue;
    await tx.updateTable("pairs_seen").set({ peak }).where("address", "=", address).execute();
    await addNews(tx, { ...news, address, opened, before, peak });
  }
  await tx
    .deleteFrom("pair_news")
    .where("at", "<", now - NEWS_MS)
    .execute();
  return { tooMany: isOld ? 0 : Math.max(0, added.length - MAX_AT_ONCE), beyond: fresh.length - added.length };
}

/** Removes the shallowest pairs for new ones that are deeper than they have been. */
async function replaceShallowest(tx: Transaction, fresh: readonly { readonly peak: string }[], free: number) {
  const beyond = fresh.slice(Math.max(0, free));
  const rows = tx.selectFrom("pairs_seen").select(["address", "peak"]).orderBy("peak").limit(beyond.length);
  const shallowest = beyond.length === 0 ? [] : await rows.execute();
  const replaced = shallowest.filter(({ peak }, at) => peak < (beyond[at]?.peak ?? ""));
  for (const lot of lotsOf(replaced.map(({ address }) => address)))
    await tx.deleteFrom("pairs_seen").where("address", "in", paddedKeys(lot)).execute();
  return { places: Math.max(0, free) + replaced.length, removed: replaced.length };
}

async function seenAmong(db: Reader, pairs: readonly ListedPair[]) {
  const lots = lotsOf(pairs).map((lot) => paddedKeys(lot.map(({ address }) => address)));
  const found = [];
  for (const lot of lots) {
    found.push(...(await db.selectFrom("pairs_seen").selectAll().where("address", "in", lot).execute()));
  }
  return new Map(found.map((row) => [row.address, row]));
}

function lotsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.flatMap((_, at) => (at % PAIRS_AT_ONCE === 0 ? [items.slice(at, at + PAIRS_AT_ONCE)] : []));
}

type PairNewsRow = { reading: number; address: string; opened: number; before: string; peak: string; at: number };

/** Nothing if nobody waits for such a depth. */
async function addNews(tx: Transaction, news: PairNewsRow): Promise<void> {
  const waiting = tx.selectFrom("pair_watchers").where("least", ">", news.before).where("least", "<=", news.peak);
  if (await findsAny(waiting)) await tx.insertInto("pair_news").values(news).execute();
}

/** When to read the pairs next; undefined while nobody who can be reached wants to be told of new ones. */
export async function readingDue(db: Reader, now: number, every: number): Promise<number | undefined> {
  const near = db.selectFrom("pair_watchers").select("since").where("away", "is", null);
  const newest = await near.orderBy("since", "desc").limit(1).executeTakeFirst();
  if (newest === undefined) return undefined;
  const { number, at } = await readSetting(db, lastReading);
  // At once, to know what is open when somebody begins; and if the clock was set back.
  return newest.since > number || at > now ? 0 : at + every;
}

const newest = (db: Reader) => db.selectFrom("pair_news").select("reading").orderBy("reading", "desc").limit(1);
const newestNews = async (db: Reader) => (await newest(db).executeTakeFirst())?.reading ?? 0;

/** When to tell somebody, or {@link UNHEARD}; undefined if there is nothing to tell. */
export async function tellingDue(db: Reader): Promise<number | undefined> {
  const watchers = db.selectFrom("pair_watchers").limit(1);
  const due = watchers.select("due_at").where("due_at", ">", UNHEARD).orderBy("due_at").as("due");
  // One query, since every idle look asks.
  const first = await watchers
    .select(["heard", newest(db).as("news"), due])
    .orderBy("heard")
    .executeTakeFirst();
  return first && (first.heard < (first.news ?? 0) ? UNHEARD : (first.due ?? undefined));
}

/** Makes some users due for whom there is news. @returns whether more may have to be looked at. */
export async function hearNews(tx: Transaction, limit: number, now: number): Promise<boolean> {
  const newest = await newestNews(tx);
  const unheard = tx.selectFrom("pair_watchers").selectAll().where("heard", "<", newest);
  const lot = await unheard.orderBy("heard").limit(limit).execute();
  const [first] = lot;
  if (first === undefined) return false;
  const later = tx.selectFrom("pair_news").selectAll().where("reading", ">", first.heard);
  const news = await later.orderBy("reading").execute();
  // Who can't be reached is due once they can be.
  const concerned = lot.filter(({ heard, since, least, away }) => {
    const isFor = (one: PairNewsRow) => one.opened > since && one.before < least && least <= one.peak;
    return away === null && news.some((one) => one.reading > heard && isFor(one));
  });
  const among = (users: typeof lot) =>
    tx.updateTable("pair_watchers").where("user_id", "in", paddedKeys(users.map(({ user_id }) => user_id)));
  if (concerned.length > 0)
    await among(concerned)
      .set({ due_at: sql`coalesce(due_at, ${now})` })
      .execute();
  await among(lot).set({ heard: newest }).execute();
  return lot.length === limit;
}

export async function dueToTell(tx: Transaction, now: number, limit: number) {
  const watchers = tx.selectFrom("pair_watchers").select(["user_id", sql.lit("").as("subject")]);
  const due = watchers.where((is) => is.or([is("due_at", "<=", now), is("due_at", ">", now + MAX_HELD_MS)]));
  return due.orderBy("due_at").limit(limit).execute();
}

type OfUser = { readonly user_id: number };

const watcher = (tx: Transaction, userId: number) => tx.updateTable("pair_watchers").where("user_id", "=", userId);

export async function tellAt(tx: Transaction, { user_id }: OfUser, at: number | null) {
  await watcher(tx, user_id).set({ due_at: at }).execute();
}

export async function noteReachOfWatcher(tx: Transaction, userId: number, isReachable: boolean, now: number) {
  await watcher(tx, userId)
    .set(isReachable ? { away: null, due_at: now } : { away: 1, due_at: null })
    .execute();
}

/** The news of readings after the one and up to the other. */
export interface TakenNews {
  readonly after: number;
  readonly upTo: number;
}

const watcherOf = (db: Reader, userId: number) =>
  db.selectFrom("pair_watchers").selectAll().where("user_id", "=", userId).executeTakeFirst();

/** From now on they count as told. @returns undefined if there are none. */
export async function takeNews(tx: Transaction, { user_id: userId }: OfUser): Promise<TakenNews | undefined> {
  const own = await watcherOf(tx, userId);
  const taken = { after: own?.told ?? 0, upTo: await newestNews(tx) };
  if ((await pairsTaken(tx, userId, taken)).length === 0) return undefined;
  await watcher(tx, userId).set({ told: taken.upTo }).execute();
  return taken;
}

/** The pairs that are news for a user, deepest first. */
export async function pairsTaken(db: Reader, userId: number, { after, upTo }: TakenNews): Promise<readonly NewPair[]> {
  const own = await watcherOf(db, userId);
  if (own === undefined) return [];
  const news = db.selectFrom("pair_news as news").innerJoin("pairs_seen as seen", "seen.address", "news.address");
  const taken = news.where("reading", ">", after).where("reading", "<=", upTo);
  const wanted = taken.where("news.opened", ">", own.since).where("before", "<", own.least);
  const fields = ["seen.address", "first", "second", "opened_at as openedAt", "news.peak"] as const;
  const found = await wanted
    .where("news.peak", ">=", own.least)
    .select([...fields])
    .orderBy("news.peak", "desc")
    .execute();
  // It was an address when it was stored.
  return found.map(({ peak, address, ...pair }) => ({ ...pair, address: address as Address, depth: BigInt(peak) }));
}

export async function leastOf(db: Reader, userId: number): Promise<bigint | undefined> {
  const own = db.selectFrom("pair_watchers").select("least").where("user_id", "=", userId);
  const row = await own.executeTakeFirst();
  return row && BigInt(row.least);
}

/** What opens after the next reading is new for the user, unless they have asked for the same before. */
export async function putPairWatcher(tx: Transaction, userId: number, least: bigint): Promise<void> {
  if ((await leastOf(tx, userId)) === least) return;
  const { number } = await readSetting(tx, lastReading);
  const row = { least: padded(least), since: number + 1, heard: number, told: number, due_at: null, away: null };
  const insert = tx.insertInto("pair_watchers").values({ user_id: userId, ...row });
  await insert.onConflict((conflict) => conflict.column("user_id").doUpdateSet(row)).execute();
}

export async function deletePairWatcher(tx: Transaction, userId: number): Promise<void> {
  await tx.deleteFrom("pair_watchers").where("user_id", "=", userId).execute();
}
