import { DAY_MS } from "../../clock.js";
import { inLots } from "../base/lots.js";
import type { Amount } from "../../encoding/amount.js";
import { countRows, type Reader, readRow, type StoreBasics, type Transaction, whole } from "../../store/store.js";

/** Units of two tokens that were worth the same at some moment, in base units. */
export interface Price {
  readonly tokenIn: string;
  readonly unitsIn: bigint;
  readonly tokenOut: string;
  readonly unitsOut: bigint;
}

export function priceBetween({ token: { id: tokenIn }, units: unitsIn }: Amount, out: Amount): Price {
  return { tokenIn, unitsIn, tokenOut: out.token.id, unitsOut: out.units };
}

/** Fewer units are no price, since rounding alone could make it a percent of another. */
const LEAST_UNITS = 500n;

/** Whether rounding moves a price by less than a fifth of a percent. */
export function isFine({ unitsIn, unitsOut }: Price): boolean {
  return unitsIn >= LEAST_UNITS && unitsOut >= LEAST_UNITS;
}

/** The last price of the minute, hour or day that began at `at`, in milliseconds since 1970. */
export type PricePoint = Awaited<ReturnType<typeof pricesOf>>[number];

/** The last price of each minute is kept for six hours, of each hour for two weeks, of each day for a year. */
export const grains = {
  minute: { milliseconds: 60_000, kept: 360 },
  hour: { milliseconds: 3_600_000, kept: 336 },
  day: { milliseconds: DAY_MS, kept: 365 },
} as const;
export type Grain = keyof typeof grains;

/** Maximum number of pairs with a history. With all their points, they take some 50 MB. */
export const MAX_PAIRS = 200;
/** With the first further pair that each person asks for within a day. */
const MAX_WITH_FIRSTS = 10 * MAX_PAIRS;
/** A pair that was asked for within this time keeps its history, whichever others are asked for. */
const ASKED_MS = DAY_MS;
/** Pairs that make room at once: each has up to a thousand points. */
const REPLACED_AT_ONCE = 3;

/**
 * Records a price as the last one of its minute, hour and day. Beyond {@link MAX_PAIRS}, a new pair that is asked for
 * replaces the one least recently asked for, unless that was within {@link ASKED_MS}; one merely seen is left out.
 * @param isFirst whether it may be one of the further pairs. @returns whether it has become one.
 */
export async function notePrice(
  tx: Transaction,
  price: Price,
  { isAsked, isFirst = false }: { readonly isAsked: boolean; readonly isFirst?: boolean },
  now: number,
): Promise<boolean> {
  const pair = storedPair(price);
  const pairs = tx.selectFrom("price_pairs").select(["asked_at", "seen_at"]);
  const known = await pairs.where((row) => row.and(pair)).executeTakeFirst();
  const room = known === undefined ? await makeRoom(tx, isAsked, now) : "some";
  if (room === "none" || (room === "for-firsts" && !isFirst)) return false;
  const seen = { seen_at: now, asked_at: isAsked ? now : (known?.asked_at ?? 0) };
  const row = tx.insertInto("price_pairs").values({ ...pair, ...seen });
  await row.onConflict((conflict) => conflict.columns(["first", "second"]).doUpdateSet(seen)).execute();
  const [unitsIn, unitsOut] = [String(price.unitsIn), String(price.unitsOut)];
  const isStraight = pair.first === price.tokenIn;
  const units = { units_first: isStraight ? unitsIn : unitsOut, units_second: isStraight ? unitsOut : unitsIn };
  // Prune once an hour, so that a pair never has more than 60 extra minutes.
  const isThinned = known === undefined || slotOf("hour", known.seen_at) !== slotOf("hour", now);
  for (const grain of allGrains) {
    const point = tx.insertInto("prices").values({ ...pair, grain, slot: slotOf(grain, now), ...units });
    const key = ["first", "second", "grain", "slot"] as const;
    await point.onConflict((conflict) => conflict.columns(key).doUpdateSet(units)).execute();
    const points = tx.deleteFrom("prices").where((old) => old.and({ ...pair, grain }));
    if (isThinned) await points.where("slot", "<=", oldest(grain, now)).execute();
  }
  return room === "for-firsts";
}

/** A pair's prices in one direction, earliest first. @throws Fault `store-unreadable`. */
export async function pricesOf(db: Reader, asked: Pick<Price, "tokenIn" | "tokenOut">, grain: Grain, now: number) {
  const pair = storedPair(asked);
  const points = db.selectFrom("prices").select(["slot", "units_first", "units_second"]);
  const kept = points.where((row) => row.and({ ...pair, grain })).where("slot", ">", oldest(grain, now));
  const rows = await kept.where("slot", "<=", now).orderBy("slot").execute();
  return readRow(`prices/${pair.first}/${pair.second}/${grain}`, () =>
    rows.map(({ slot, units_first, units_second }) => {
      const [first, second] = [whole.parse(units_first), whole.parse(units_second)];
      const isFirst = pair.first === asked.tokenIn;
      return { at: slot, unitsIn: isFirst ? first : second, unitsOut: isFirst ? second : first };
    }),
  );
}

/** The history of prices, as pools and quotes have shown them. What can't be written is logged, and left out of it. */
export interface Prices {
  /**
   * Records prices in the background, one a minute per pair and whether a user asked; else a pool was read.
   * @param userId who asked, if it was somebody.
   */
  readonly note: (prices: readonly Price[], isAsked: boolean, userId?: number) => void;
  /** Notes a quote, fees and impact included, if no pool of its pair was read and it is fine. @returns whether it does. */
  readonly noteQuote: (price: Price, userId?: number) => boolean;
  /** Resolves once all noted prices are written. */
  readonly settled: () => Promise<void>;
}

/** Number of prices per transaction, so that other writes needn't wait. */
const TIDIED_AT_ONCE = 20;

export function createPrices({ store, clock, log }: StoreBasics): Prices {
  let minute = 0;
  const noted = new Set<string>();
  /** When each person's further pair of the day was taken: no more than there are such pairs. */
  const firsts = new Map<number, number>();
  /** Pairs that a pool was read for, so no more than there are pools. */
  const withPool = new Set<string>();
  let writing = Promise.resolve();

  const isNew = (price: Price, isAsked: boolean): boolean => {
    if (slotOf("minute", clock.now()) !== minute) noted.clear();
    minute = slotOf("minute", clock.now());
    const key = `${priceKey(price)} ${isAsked}`;
    if (noted.has(key) || price.unitsIn <= 0n || price.unitsOut <= 0n) return false;
    noted.add(key);
    return true;
  };

  const mayBeFirst = (userId: number): boolean => {
    const now = clock.now();
    for (const [who, at] of firsts) if (at <= now - ASKED_MS || at > now) firsts.delete(who);
    return !firsts.has(userId);
  };

  const note = (prices: readonly Price[], isAsked: boolean, userId?: number): void => {
    if (!isAsked) for (const price of prices) withPool.add(priceKey(price));
    const fresh = prices.filter((price) => isNew(price, isAsked));
    for (const lot of inLots(fresh, TIDIED_AT_ONCE)) {
      const work = async (tx: Transaction) => {
        for (const price of lot) {
          const isFirst = userId !== undefined && mayBeFirst(userId);
          if ((await notePrice(tx, price, { isAsked, isFirst }, clock.now())) && userId !== undefined)
            firsts.set(userId, clock.now());
        }
      };
      writing = writing
        .then(() => store.write(work))
        .catch((err: unknown) => log.warn({ err, prices: lot.length }, "Prices not recorded"));
    }
  };

  return {
    note,
    noteQuote: (price: Price, userId?: number): boolean => {
      if (withPool.has(priceKey(price)) || !isFine(price)) return false;
      note([price], true, userId);
      return true;
    },
    settled: () => writing,
  };
}

const allGrains = Object.keys(grains) as Grain[];

function slotOf(grain: Grain, at: number): number {
  return at - (at % grains[grain].milliseconds);
}

/** The finest grain that is kept since a moment; the coarsest for what is longer ago. */
export function grainSince(at: number, now: number): Grain {
  return allGrains.find((grain) => oldest(grain, now) < at) ?? "day";
}

/** The latest slot that is no longer kept. */
function oldest(grain: Grain, now: number): number {
  return slotOf(grain, now) - grains[grain].kept * grains[grain].milliseconds;
}

/** A pair is stored once, whichever way it is traded. */
function storedPair({ tokenIn, tokenOut }: Pick<Price, "tokenIn" | "tokenOut">) {
  return tokenIn < tokenOut ? { first: tokenIn, second: tokenOut } : { first: tokenOut, second: tokenIn };
}

function priceKey(price: Price): string {
  return Object.values(storedPair(price)).join("/");
}

/** `for-firsts`: only for one of the further pairs. */
async function makeRoom(tx: Transaction, isAsked: boolean, now: number): Promise<"some" | "for-firsts" | "none"> {
  const pairs = tx.selectFrom("price_pairs");
  const count = await countRows(pairs);
  if (count < MAX_PAIRS) return "some";
  if (!isAsked) return "none";
  const longest = pairs.select(["first", "second", "asked_at"]).orderBy("asked_at").limit(REPLACED_AT_ONCE);
  const isOld = ({ asked_at: at }: { readonly asked_at: number }) => at <= now - ASKED_MS || at > now;
  // One in place of one, and more of those that were further pairs.
  const replaced = (await longest.execute()).filter(isOld).slice(0, count - MAX_PAIRS + 1);
  for (const { first, second } of replaced) {
    for (const table of ["prices", "price_pairs"] as const)
      await tx.deleteFrom(table).where("first", "=", first).where("second", "=", second).execute();
  }
  if (replaced.length > 0) return "some";
  return count < MAX_WITH_FIRSTS ? "for-firsts" : "none";
}
