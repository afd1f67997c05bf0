import { DAY_MS } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { Fault } from "../../fault.js";
import { countRows, findsAny, padded, paddedKeys, readSetting, setting, writeSetting } from "../../store/store.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import * as z from "zod";
import type { ListedPair } from "../market/pools.js";
import type { SeenTrade } from "../market/pair-trades.js";
import { MAX_HELD_MS, type ToldUser, UNHEARD } from "./telling.js";

/** Of one user. */
const MOST_PAIRS = 5;
const KEPT_MS = 2 * DAY_MS;
/** Of one pair; with more, only the last ones are told, and counted. */
const MOST_TRADES = 1000;

/** How many there were. */
const trades = setting("pair-trades", z.number(), 0);

/** What a user wants to be told of: `least` is in base units of `quote`. */
export interface TradeWatch {
  readonly pair: Address;
  readonly base: string;
  readonly quote: string;
  readonly least: bigint;
}

/** A swap as seen from a watch: of `base`, for `quote`. */
export interface BigTrade extends Pick<SeenTrade, "hash" | "at"> {
  readonly isBuy: boolean;
  readonly baseUnits: bigint;
  readonly quoteUnits: bigint;
}

type TradeWatchRow = Tables["trade_watches"];

// It was an address when it was stored.
const readWatch = ({
  pair,
  base,
  quote,
  least,
}: Pick<TradeWatchRow, "pair" | "base" | "quote" | "least">): TradeWatch => ({
  pair: pair as Address,
  base,
  quote,
  least: BigInt(least),
});

export async function tradeWatchesOf(db: Reader, userId: number): Promise<readonly TradeWatch[]> {
  const own = db.selectFrom("trade_watches").selectAll().where("user_id", "=", userId).orderBy("pair");
  return (await own.execute()).map(readWatch);
}

/** Trades until now count as old. @throws Fault `trade-watches-full`. */
export async function putTradeWatch(tx: Transaction, userId: number, { least, ...watch }: TradeWatch): Promise<void> {
  const others = tx.selectFrom("trade_watches").where("user_id", "=", userId).where("pair", "<>", watch.pair);
  if ((await countRows(others)) >= MOST_PAIRS) throw new Fault("trade-watches-full", { maximum: MOST_PAIRS });
  const told = await readSetting(tx, trades);
  const row = { ...watch, least: padded(least), told, due_at: null, away: null };
  const insert = tx.insertInto("trade_watches").values({ user_id: userId, ...row });
  await insert.onConflict((conflict) => conflict.columns(["pair", "user_id"]).doUpdateSet(row)).execute();
}

export async function deleteTradeWatch(tx: Transaction, userId: number, pair: Address): Promise<void> {
  await tx.deleteFrom("trade_watches").where("pair", "=", pair).where("user_id", "=", userId).execute();
}

/** The pair that is watched, of those after this one. */
export async function nextWatchedPair(db: Reader, after: string): Promise<ListedPair | undefined> {
  const rows = db.selectFrom("trade_watches").select(["pair", "base", "quote"]).where("pair", ">", after);
  const row = await rows.orderBy("pair").orderBy("user_id").limit(1).executeTakeFirst();
  return row && { address: row.pair as Address, first: row.base, second: row.quote };
}

export function isPairWatched(db: Reader, pair: Address): Promise<boolean> {
  return findsAny(db.selectFrom("trade_watches").where("pair", "=", pair));
}

/** Keeps a trade once, if it is large enough for somebody. @returns whether anybody watches the pair. */
export async function noteTrade(tx: Transaction, trade: SeenTrade, now: number): Promise<boolean> {
  const { pair, hash, paid, got, at } = trade;
  const sides = { [paid]: trade.paidUnits, [got]: trade.gotUnits };
  for (const [quote, units] of Object.entries(sides)) {
    const watching = tx.selectFrom("trade_watches").where("pair", "=", pair).where("quote", "=", quote);
    if (!(await findsAny(watching.where("least", "<=", padded(units)).where("away", "is", null)))) continue;
    const number = (await readSetting(tx, trades)) + 1;
    const units_of = { paid_units: String(trade.paidUnits), got_units: String(trade.gotUnits) };
    const insert = tx.insertInto("pair_trades").values({ number, pair, hash, paid, got, ...units_of, at, reached: 0 });
    const added = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) return true;
    await writeSetting(tx, trades, number);
    await forgetOldTrades(tx, pair, now);
    return true;
  }
  return isPairWatched(tx, pair);
}

async function forgetOldTrades(tx: Transaction, pair: string, now: number): Promise<void> {
  await tx
    .deleteFrom("pair_trades")
    .where("at", "<", now - KEPT_MS)
    .execute();
  const own = tx.selectFrom("pair_trades").select("number").where("pair", "=", pair).orderBy("number", "desc");
  const beyond = await own.offset(MOST_TRADES).limit(1).executeTakeFirst();
  if (beyond === undefined) return;
  await tx.deleteFrom("pair_trades").where("pair", "=", pair).where("number", "<=", beyond.number).execute();
}

type TradeRow = Tables["pair_trades"];

/** Undefined if it isn't large enough. */
function asWatched({ quote, least }: Pick<TradeWatchRow, "quote" | "least">, row: TradeRow): BigTrade | undefined {
  const isBuy = row.paid === quote;
  const { paid_units: paid, got_units: got, hash, at } = row;
  const [quoteUnits, baseUnits] = (isBuy ? [paid, got] : [got, paid]).map(BigInt) as [bigint, bigint];
  return padded(quoteUnits) < least ? undefined : { isBuy, baseUnits, quoteUnits, hash, at };
}

const unreached = (db: Reader) => db.selectFrom("pair_trades").where("reached", ">=", 0).orderBy("number").limit(1);

/** Makes some users due for the oldest trade of which not all know. @returns whether there was one. */
export async function hearOfTrade(tx: Transaction, limit: number, now: number): Promise<boolean> {
  const trade = await unreached(tx).selectAll().executeTakeFirst();
  if (trade === undefined) return false;
  const { number, pair, reached } = trade;
  const after = tx.selectFrom("trade_watches").selectAll().where("pair", "=", pair).where("user_id", ">", reached);
  // Who is due is told of it anyway.
  const waiting = after.where("due_at", "is", null).where("away", "is", null);
  const lot = await waiting.orderBy("user_id").limit(limit).execute();
  const concerned = lot.filter((watch) => asWatched(watch, trade) !== undefined);
  if (concerned.length > 0) {
    await tx
      .updateTable("trade_watches")
      .where("pair", "=", pair)
      .where("user_id", "in", paddedKeys(concerned.map(({ user_id }) => user_id)))
      .set({ due_at: now })
      .execute();
  }
  const last = lot.length === limit ? lot.at(-1)?.user_id : undefined;
  await tx
    .updateTable("pair_trades")
    .where("number", "=", number)
    .set({ reached: last ?? null })
    .execute();
  return true;
}

export async function tradesDueAt(db: Reader): Promise<number | undefined> {
  if ((await unreached(db).select("number").executeTakeFirst()) !== undefined) return UNHEARD;
  const due = db.selectFrom("trade_watches").select("due_at").where("due_at", ">", UNHEARD);
  return (await due.orderBy("due_at").limit(1).executeTakeFirst())?.due_at ?? undefined;
}

export async function dueForTrades(tx: Transaction, now: number, limit: number) {
  const watches = tx.selectFrom("trade_watches").select(["user_id", "pair as subject"]);
  const due = watches.where((is) => is.or([is("due_at", "<=", now), is("due_at", ">", now + MAX_HELD_MS)]));
  return due.orderBy("due_at").limit(limit).execute();
}

const watchRow = (tx: Transaction, { user_id, subject }: ToldUser) =>
  tx.updateTable("trade_watches").where("pair", "=", subject).where("user_id", "=", user_id);

export async function tellOfTradesAt(tx: Transaction, told: ToldUser, at: number | null): Promise<void> {
  await watchRow(tx, told).set({ due_at: at }).execute();
}

/** The trades of a pair after the one and up to the other. */
export interface TakenTrades {
  readonly after: number;
  readonly upTo: number;
}

/** From now on they count as told. @returns undefined if there are none. */
export async function takeTrades(tx: Transaction, told: ToldUser): Promise<TakenTrades | undefined> {
  const own = tx.selectFrom("trade_watches").select("told").where("pair", "=", told.subject);
  const watch = await own.where("user_id", "=", told.user_id).executeTakeFirst();
  const taken = { after: watch?.told ?? 0, upTo: await readSetting(tx, trades) };
  if ((await tradesTaken(tx, told, taken)) === undefined) return undefined;
  await watchRow(tx, told).set({ told: taken.upTo }).execute();
  return taken;
}

/** A watch with its trades, the largest first. Undefined if there are none, or nobody watches any more. */
export async function tradesTaken(db: Reader, { user_id, subject: pair }: ToldUser, { after, upTo }: TakenTrades) {
  const own = db.selectFrom("trade_watches").selectAll().where("pair", "=", pair).where("user_id", "=", user_id);
  const watch = await own.executeTakeFirst();
  if (watch === undefined) return undefined;
  const taken = db.selectFrom("pair_trades").selectAll().where("pair", "=", pair).where("number", ">", after);
  const rows = await taken.where("number", "<=", upTo).execute();
  const found = rows.flatMap((row) => asWatched(watch, row) ?? []);
  found.sort((one, other) => (one.quoteUnits > other.quoteUnits ? -1 : 1));
  return found.length === 0 ? undefined : { watch: readWatch(watch), found };
}

/** What happens while a user can't be reached is no news when they are back. */
export async function noteReachForTrades(tx: Transaction, userId: number, isReachable: boolean): Promise<void> {
  const told = await readSetting(tx, trades);
  const own = tx.updateTable("trade_watches").where("user_id", "=", userId);
  await own.set({ away: isReachable ? null : 1, due_at: null, told }).execute();
}
