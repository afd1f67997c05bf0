import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import * as z from "zod";
import { systemClock, within } from "../clock.js";
import { Fault, isFault } from "../fault.js";
import type { Basics, DueTimes } from "../loop.js";
import type { tables } from "./schema.js";

type Pieces<List extends string> = List extends `${infer Piece},${infer Others}` ? Piece | Pieces<Others> : List;
type Trimmed<Text extends string> = Text extends `${" " | "\n"}${infer Rest}` ? Trimmed<Rest> : Text;
type NameIn<Column extends string> = Column extends `${infer Name} ${string}` ? Exclude<Name, "PRIMARY"> : never;
type ValueIn<Column extends string> =
  | (Column extends `${string} TEXT${string}` ? string : number)
  | (Column extends `${string} ${"NOT NULL" | "PRIMARY KEY"}` ? never : null);
/** Row type of a table, inferred from its SQL. */
type RowOf<Sql extends string> = { readonly [Column in Trimmed<Pieces<Sql>> as NameIn<Column>]: ValueIn<Column> };

/** Row types of all tables. Columns with a few fixed values get them as literals. */
export type Tables = { readonly [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]> } & {
  readonly users: { readonly access: "member" | "asked" | null; readonly week_at: number | null };
  readonly intents: {
    readonly pack_at: number | null;
    readonly packed: Uint8Array | null;
    readonly standing: string | null;
    readonly occurrence: number | null;
  };
  readonly news_watches: { readonly whole_at: number | null };
  readonly outbox: { readonly edits: number };
  readonly standing_orders: {
    readonly held_told: string | null;
    readonly failed_at: number | null;
    readonly ends_from_now: number | null;
    readonly offered_moved: number;
  };
  readonly price_questions: { readonly steady_units: string | null; readonly steady_at: number | null };
  readonly dialogs: { readonly asked: string | null; readonly ended: string | null };
  readonly prices: { readonly grain: "minute" | "hour" | "day" };
  readonly price_alerts: { readonly ended: "time" | "unlisted" | null; readonly ends_from_now: number | null };
};

export type Reader = Pick<Kysely<Tables>, "selectFrom">;
export type Transaction = Pick<Kysely<Tables>, "selectFrom" | "insertInto" | "updateTable" | "deleteFrom">;

export type Work<Result> = (tx: Transaction) => Promise<Result>;

export interface Database {
  /** Reads committed data. @throws Fault `store-read-failed`. */
  readonly db: Reader;
  /**
   * Runs one transaction at a time, so `work` must await nothing but its own statements, for a second at most.
   * @throws Fault `store-slow`, `store-write-failed`, `store-lost`, or whatever `work` throws.
   */
  readonly write: <Result>(work: Work<Result>) => Promise<Result>;
}

/** Dependencies of every part that uses the store. */
export interface StoreBasics extends Basics {
  readonly store: Database;
}

export interface Store extends Database {
  /** Call right before sending anything that must not be sent twice. @throws Fault `store-lost`. */
  readonly assertOwned: () => Promise<void>;
  /** Waits for writes in progress. The store can't be used afterwards. */
  readonly close: () => Promise<void>;
}

export async function countRows<Table extends keyof Tables>(found: SelectQueryBuilder<Tables, Table, object>) {
  const { count } = await found.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return count;
}

export async function findsAny<Table extends keyof Tables>(found: SelectQueryBuilder<Tables, Table, object>) {
  const one = found.select((is) => is.lit(1).as("any")).limit(1);
  return (await one.executeTakeFirst()) !== undefined;
}

/** Maximum rows per read: those of calls take a millisecond or two, which nobody notices who waits for them. */
export const READ_AT_ONCE = 25;

/**
 * Yields `most` rows at most, in lots; the event loop runs in between. @param read returns the rows after `last`, at
 * most `size`.
 */
export async function* inLots<Row>(
  most: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
  size = READ_AT_ONCE,
) {
  let last: Row | undefined;
  for (let left = most; left > 0; left -= size) {
    const lot = (await read(last)).slice(0, left);
    if (lot.length > 0) yield lot;
    last = lot.at(size - 1);
    if (last === undefined) return;
    await nextTurn();
  }
}

/** Before any time. A comparison, unlike `is not null`, makes databases search the index. */
const EVER = Number.MIN_SAFE_INTEGER;

/** The queries of a `Loop` over rows ordered by due time. @param horizon see {@link Loop}. */
export function dueFrom<Table extends keyof Tables, Row, Key extends keyof Row & string>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  key: Key,
  { horizon, column = "due_at" }: { readonly horizon: number; readonly column?: string },
) {
  const dueAt = sql.ref<number>(column);
  const times = rows.clearSelect().select(dueAt.as("at")).limit(1);
  /** The earliest time later than `now`. */
  const nextAt = async (now: number) => (await times.where(dueAt, ">", now).executeTakeFirst())?.at;
  const latest = times.clearOrderBy().orderBy(dueAt, "desc").where(dueAt, ">", EVER);
  return {
    horizon,
    keyOf: (row: Row) => row[key],
    due: async (then: DueTimes, limit: number, running: readonly Row[Key][]): Promise<readonly Row[]> => {
      const first = rows.limit(limit);
      const free = running.length === 0 ? first : first.where(sql.ref(key), "not in", paddedKeys(running));
      return "until" in then
        ? free.where(dueAt, "<=", then.until).execute()
        : free.where(dueAt, ">", then.after).execute();
    },
    nextAt,
    times: async (now: number): Promise<readonly number[]> => {
      const first = await nextAt(EVER);
      if (first === undefined) return [];
      const last = (await latest.executeTakeFirst())?.at ?? first;
      const next = first <= now && now < last ? await nextAt(now) : undefined;
      return [first, next ?? last, last];
    },
  };
}

const DIGITS = 40;

/** Sorts as the number does. More than any supply is cut to the greatest. */
export function padded(units: bigint): string {
  const text = String(units);
  return text.length > DIGITS ? "9".repeat(DIGITS) : text.padStart(DIGITS, "0");
}

/** Repeats the last key up to a power of two: each length of an `in` list makes a statement, and SQLite's are kept. */
export function paddedKeys<Key>(keys: readonly Key[]): readonly Key[] {
  let length = 1;
  while (length < keys.length) length *= 2;
  return [...keys, ...Array.from({ length: length - keys.length }, () => keys.at(-1) as Key)];
}

/** Marks a bigint in stored JSON: `{"$bigint":"123"}`. */
const MARK = "$bigint";
/** The mark itself, or a value's own key, escaped. */
const MARK_LIKE = /^\$+bigint$/;

/**
 * Compact JSON that preserves bigints. A value's own key `$bigint` is escaped as `$$bigint` (and so on), so that
 * nothing else reads as a bigint. @throws TypeError for undefined and functions.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? { [MARK]: part.toString() } : renamed(part, (key) => `$${key}`),
  ) as string | undefined;
  if (text === undefined) throw new TypeError(`there is no JSON for ${typeof value}`);
  return text;
}

/** @throws SyntaxError for text that {@link toJson} cannot have written. */
export function fromJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes(MARK) ? unmarked(value) : value;
}

/** Walks the parsed value, which takes less than half as long as a reviver in JSON.parse. */
function unmarked(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(unmarked);
  if (!isRecord(part)) return part;
  for (const key of Object.keys(part)) part[key] = unmarked(part[key]);
  if (!Object.hasOwn(part, MARK)) return renamed(part, (key) => key.slice(1));
  const digits = part[MARK];
  if (Object.keys(part).length !== 1 || typeof digits !== "string" || !/^-?\d+$/.test(digits)) {
    throw new SyntaxError(`${MARK} without one plain whole number`);
  }
  return BigInt(digits);
}

/** Renames a value's own keys that look like the mark. */
function renamed(part: unknown, rename: (key: string) => string): unknown {
  if (!isRecord(part) || !Object.keys(part).some((key) => MARK_LIKE.test(key))) return part;
  const entries = Object.entries(part).map(([key, child]) => [MARK_LIKE.test(key) ? rename(key) : key, child] as const);
  return Object.fromEntries(entries);
}

export function isRecord(part: unknown): part is Record<string, unknown> {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

/** @throws Fault `store-unreadable`, which names the row, if `read` throws. */
export function readRow<Value>(document: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new Fault("store-unreadable", { document }, { cause });
  }
}

/** Returns undefined if a record is unreadable, so that it blocks nobody else; `onFault` receives the fault. */
export async function unlessUnreadable<Value>(read: () => Value | Promise<Value>, onFault?: (fault: Fault) => void) {
  try {
    return await read();
  } catch (error) {
    if (!isFault(error, "store-unreadable")) throw error;
    onFault?.(error);
    return undefined;
  }
}

/** What unexpected values lead to. Databases throw others. */
const CONTENT_ERRORS = [TypeError, RangeError, SyntaxError, z.ZodError];

/**
 * Does work for one row of many. What its content causes goes to `onFault` as `store-unreadable` of the document, and
 * holds up no other row; what the store says is thrown.
 */
export async function unlessRowFails<Value>(
  document: string,
  work: () => Promise<Value>,
  onFault: (fault: Fault) => void,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch (cause) {
    const isOfStore = isFault(cause) && cause.code.startsWith("store-") && cause.code !== "store-unreadable";
    const isOfContent = isFault(cause) || CONTENT_ERRORS.some((kind) => cause instanceof kind);
    if (isOfStore || !isOfContent) throw cause;
    onFault(new Fault("store-unreadable", { document }, { cause }));
    return undefined;
  }
}

/** A non-negative integer of any size, stored as text. */
export const whole = z.string().regex(/^\d+$/).transform(BigInt);

/** Schema of a stored object, which validates what is read and defines its type. */
export const stored = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).readonly();

export type StoredSetting<Value> = ReturnType<typeof setting<Value>>;

export function setting<Value>(name: string, schema: z.ZodType<Value>, initial: NoInfer<Value>) {
  return { name, schema, initial };
}

/** @throws Fault `store-unreadable`; an unreadable value is never replaced by the initial one. */
export async function readSetting<Value>(db: Reader, kept: StoredSetting<Value>): Promise<Value> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", kept.name).executeTakeFirst();
  return parseSetting(kept, row?.value);
}

/** {@link readSetting}, from its stored text. */
export function parseSetting<Value>(
  { name, schema, initial }: StoredSetting<Value>,
  text: string | null | undefined,
): Value {
  return text == null ? initial : readRow(`settings/${name}`, () => schema.parse(fromJson(text)));
}

export async function writeSetting<Value>(tx: Transaction, { name }: StoredSetting<Value>, next: Value): Promise<void> {
  const value = toJson(next);
  const insert = tx.insertInto("settings").values({ name, value });
  await insert.onConflict((conflict) => conflict.column("name").doUpdateSet({ value })).execute();
}

/**
 * Before anything is asked, on either engine: what one refuses, or takes for something else. PostgreSQL keeps no text with a
 * NUL, and its driver, like later ones of SQLite, binds a forgotten value as NULL, which fits no row. @throws Fault `text-nul`.
 */
export function assertBindable(values: readonly unknown[]): void {
  if (values.includes(undefined)) throw new Error("a value of a query is undefined");
  if (values.some((value) => typeof value === "string" && value.includes("\0"))) throw new Fault("text-nul", {});
}

/** Begins a transaction. Each statement calls `assertOpen` before it runs. */
type Begin = (assertOpen: () => void) => Transaction;

/**
 * Runs the work of one transaction; its statements throw once it has ended. @throws Fault `store-slow` if it takes
 * longer than `milliseconds`.
 */
export async function inside<Result>(milliseconds: number, begin: Begin, work: Work<Result>): Promise<Result> {
  let isOver = false;
  const tx = begin(() => {
    if (isOver) throw new Error("a transaction was used after its end");
  });
  const result = work(tx).then((value) => ({ value }));
  const done = await within(systemClock, milliseconds, result).finally(() => (isOver = true));
  if (done === undefined) throw new Fault("store-slow", {});
  return done.value;
}
