import * as z from "zod";
import type { Config } from "../../config.js";
import { addressSchema, type Address } from "../../encoding/address.js";
import { amountSchema } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { fromJson, isRecord, readRow, stored, toJson } from "../../store/store.js";
import { weekAt, weeklySchema } from "./sunday.js";

/** Maximum payments in a token; absent: unlimited. */
const most = stored({
  /** Per call of any kind: the name is older than limits on anything but swaps. */
  perTransaction: amountSchema.optional(),
  perDay: amountSchema.optional(),
});
export type LimitAmounts = z.infer<typeof most>;

/** For one token. A raise waits for a day, so that someone who holds the phone for a moment can't lift the limit. */
const limit = stored({ most, later: stored({ most, from: z.number() }).exactOptional() });
export type Limit = z.infer<typeof limit>;

const guards = ["first-wallet", "wallet", "freeze", "unfreeze", "limit", "phrase", "slippage", "timezone"] as const;
/** A change of a guard that has taken effect. */
const guarded = stored({ at: z.number(), guard: z.enum(guards) });

const from = z.number();
const guardChangeSchema = z.union([
  stored({ from, guard: z.literal("wallet"), address: addressSchema }),
  stored({ from, guard: z.literal("unfreeze") }),
]);
/**
 * Removing a guard takes effect later and can be undone, so that someone who holds the phone for a moment can't do it
 * unnoticed.
 */
const laterSchema = z.union([guardChangeSchema, stored({ from, guard: z.literal("forget") })]);
export type GuardChange = z.infer<typeof guardChangeSchema>;
export type Later = z.infer<typeof laterSchema>;

export const alertKinds = ["fill", "done", "canceled", "other", "service"] as const;
export type AlertKind = (typeof alertKinds)[number];

export const alertModes = ["on", "silent", "off"] as const;

/** Of pictures. */
export const themes = ["dark", "light"] as const;

/** Omitted modes are `on`. */
/** `HH:MM` */
const clockTime = z.string().regex(/^[0-9]{2}:[0-9]{2}$/);

export const alertsSchema = stored({
  modes: z.partialRecord(z.enum(alertKinds), z.enum(alertModes)).readonly(),
  /** `HH:MM` in the user's time zone; may cross midnight. */
  quiet: stored({ from: clockTime, to: clockTime }).exactOptional(),
  /** They were told that stops come in quiet hours. */
  knowsStops: z.literal(true).exactOptional(),
});
export type AlertControl = z.infer<typeof alertsSchema>;

export const defaultControl: AlertControl = { modes: {} };

const personSchema = stored({
  chatId: z.number(),
  language: z.string(),
  timeZone: z.string(),
  timeZoneSince: z.number().exactOptional(),
  wallet: stored({ address: addressSchema, since: z.number() }).exactOptional(),
  offeredWallet: addressSchema.exactOptional(),
  /** See services/person/watch-only.ts. */
  watchOnly: z
    .array(stored({ address: addressSchema, name: z.string() }))
    .readonly()
    .exactOptional(),
  homeMessage: z.number().exactOptional(),
  /** In basis points; absent: the operator's default. */
  slippageBps: z.number().int().exactOptional(),
  /** Whole tokens as decimal text. */
  presets: z.array(z.string()).readonly().default(["10", "100", "1000"]),
  recentTokens: z.array(z.string()).readonly().default([]),
  limits: z.record(z.string(), limit).readonly().exactOptional(),
  /** Anti-phishing phrase, on each card that can be confirmed. */
  phrase: z.string().exactOptional(),
  changes: z.array(guarded).readonly().exactOptional(),
  frozenSince: z.number().exactOptional(),
  later: z.array(laterSchema).readonly().exactOptional(),
  /** UTC date of the last quote (`2026-12-31`), so that users are counted once a day. */
  tradedOn: z.string().exactOptional(),
  alerts: alertsSchema.exactOptional(),
  /** Theme of pictures; absent: dark. */
  pictures: z.enum(themes).exactOptional(),
  weekly: weeklySchema.exactOptional(),
  stopPercent: z.string().exactOptional(),
  /** Since when the user has been unreachable; their next message ends it. */
  restingSince: z.number().exactOptional(),
});

export type Person = z.infer<typeof personSchema>;

/** A private chat has its user's id. */
export function newPerson(userId: number): Person {
  return personSchema.parse({ chatId: userId, language: "en", timeZone: "UTC" });
}

/** Undefined for a new user. @throws Fault `store-unreadable`, until an operator decides. */
export async function findPerson(db: Reader, userId: number): Promise<Person | undefined> {
  return personOf(userId, await userRow(db, userId).executeTakeFirst());
}

export const userRow = (db: Reader, userId: number) => db.selectFrom("users").selectAll().where("id", "=", userId);

/** All columns but the id, which isn't needed; all are null if there is no such row. */
type UserRow = Omit<Tables["users"], "id">;

/** The row from which a person was read. */
const rowsRead = new WeakMap<Person, UserRow>();
/** People who were read lately: most rows are read again as they were, within an update or by the next. */
const readLately = new Map<number, Person>();
const MAX_READ_LATELY = 1_000;

/** {@link findPerson}, from what {@link userRow} has read. */
export function personOf(userId: number, row: UserRow | undefined): Person | undefined {
  const document = `users/${userId}`;
  if (row?.damage_told === 1) throw new Fault("store-unreadable", { document });
  if (row === undefined || row.language === null) return undefined;
  const known = readLately.get(userId);
  if (known !== undefined && changedIn(rowsRead.get(known), row).length === 0) return known;
  const person = readRow(document, () => personSchema.parse(fieldsOf(row)));
  rowsRead.set(person, row);
  readLately.delete(userId);
  readLately.set(userId, person);
  const [oldest = userId] = readLately.keys();
  if (readLately.size > MAX_READ_LATELY) readLately.delete(oldest);
  return person;
}

/** The columns of a person that differ in two rows. */
function changedIn(row: UserRow | undefined, next: PersonColumns): (keyof PersonColumns)[] {
  return personColumns.filter((column) => row?.[column] !== next[column]);
}

export async function putPerson(tx: Transaction, userId: number, person: Person): Promise<void> {
  await setColumns(tx, userId, columnsOf(person));
}

/** Inserts the row if there is none. */
export async function setColumns(tx: Transaction, userId: number, columns: Partial<Tables["users"]>): Promise<void> {
  const row = tx.insertInto("users").values({ ...columns, id: userId });
  await row.onConflict((conflict) => conflict.column("id").doUpdateSet(columns)).execute();
}

/** Defaults for a new user. @throws Fault `store-unreadable`. */
export async function personIn(db: Reader, userId: number): Promise<Person> {
  return (await findPerson(db, userId)) ?? newPerson(userId);
}

/**
 * Writes only what has changed, and nothing if nothing has. @returns the person afterwards.
 * @throws Fault `store-unreadable`.
 */
export async function changePerson(tx: Transaction, userId: number, change: (person: Person) => Person) {
  const known = await findPerson(tx, userId);
  const before = known ?? newPerson(userId);
  const after = change(before);
  if (after === before) return after;
  const columns = columnsOf(after);
  if (known === undefined) {
    await setColumns(tx, userId, columns);
    return after;
  }
  const changed = changedIn(rowsRead.get(known), columns);
  if (changed.length === 0) return after;
  const update = tx.updateTable("users").set(Object.fromEntries(changed.map((column) => [column, columns[column]])));
  await update.where("id", "=", userId).execute();
  return after;
}

/** Keeps only whether an operator approved access. */
export async function removePerson(tx: Transaction, userId: number): Promise<void> {
  const { access } = (await tx.selectFrom("users").select("access").where("id", "=", userId).executeTakeFirst()) ?? {};
  await tx.deleteFrom("users").where("id", "=", userId).execute();
  if (access === "member") await tx.insertInto("users").values({ id: userId, access }).execute();
}

/** Those of what {@link columnsOf} writes. */
const personColumns = [
  "language",
  "time_zone",
  "time_zone_since",
  "payout",
  "payout_since",
  "offered_payout",
  "slippage_bps",
  "phrase",
  "frozen_since",
  "unreachable_since",
  "limits",
  "guard_log",
  "preferences",
  "later_at",
  "week_at",
  "damage_told",
] as const;

type PersonColumns = Pick<UserRow, (typeof personColumns)[number]>;

function columnsOf(person: Person): PersonColumns {
  const { language, timeZone, timeZoneSince, wallet, offeredWallet, slippageBps, phrase, ...others } = person;
  const { frozenSince, restingSince, limits, changes, ...preferences } = others;
  return {
    language,
    time_zone: timeZone,
    time_zone_since: timeZoneSince ?? null,
    payout: wallet?.address ?? null,
    payout_since: wallet?.since ?? null,
    offered_payout: offeredWallet ?? null,
    slippage_bps: slippageBps ?? null,
    phrase: phrase ?? null,
    frozen_since: frozenSince ?? null,
    unreachable_since: restingSince ?? null,
    limits: limits === undefined ? null : toJson(limits),
    guard_log: changes === undefined ? null : toJson(changes),
    preferences: toJson(preferences),
    later_at: person.later === undefined ? null : Math.min(...person.later.map(({ from }) => from)),
    week_at: weekAt(person),
    damage_told: null,
  };
}

function fieldsOf(row: UserRow): Readonly<Record<string, unknown>> {
  const fields = fromJson(row.preferences ?? "null");
  if (!isRecord(fields)) throw new TypeError("preferences are no object");
  const set = (field: keyof Person, value: unknown): void => {
    if (value !== null) fields[field] = value;
  };
  set("language", row.language);
  set("timeZone", row.time_zone);
  set("timeZoneSince", row.time_zone_since);
  if (row.payout !== null) fields["wallet"] = { address: row.payout, since: row.payout_since };
  set("offeredWallet", row.offered_payout);
  set("slippageBps", row.slippage_bps);
  set("phrase", row.phrase);
  set("frozenSince", row.frozen_since);
  set("restingSince", row.unreachable_since);
  if (row.limits !== null) fields["limits"] = fromJson(row.limits);
  if (row.guard_log !== null) fields["changes"] = fromJson(row.guard_log);
  return fields;
}

const KEPT = 10;

export function withChange(person: Person, guard: (typeof guards)[number], at: number): Person {
  return { ...person, changes: [{ at, guard }, ...(person.changes ?? [])].slice(0, KEPT) };
}

export function laterOf({ later }: Pick<Person, "later">, guard: Later["guard"]): Later | undefined {
  return later?.find((one) => one.guard === guard);
}

/** Replaces a pending change of the same guard. */
export function withLater(person: Person, later: Later): Person {
  const before = withoutLater(person, later.guard);
  return { ...before, later: [...(before.later ?? []), later] };
}

/** Without `guard`, removes all of them. */
export function withoutLater(person: Person, guard?: Later["guard"]): Person {
  const { later = [], ...rest } = person;
  const left = later.filter((one) => guard !== undefined && one.guard !== guard);
  return left.length === 0 ? rest : { ...rest, later: left };
}

export function inEffect(person: Person, later: GuardChange, now: number): Person {
  const rest = withoutLater(person, later.guard);
  if (later.guard === "wallet")
    return withChange({ ...rest, wallet: { address: later.address, since: now } }, "wallet", now);
  const { frozenSince, ...thawed } = rest;
  return frozenSince === undefined ? thawed : withChange(thawed, "unfreeze", now);
}

/** @throws Fault `wallet-missing`. */
export function payoutOf({ wallet }: Pick<Person, "wallet">): Address {
  if (wallet === undefined) throw new Fault("wallet-missing", {});
  return wallet.address;
}

export type SlippageConfig = Pick<Config, "defaultSlippageBps" | "maxSlippageBps">;
/** In basis points: the user's own or the operator's default, never above the ceiling. */
export function slippageOf(person: Pick<Person, "slippageBps">, operator: SlippageConfig): number {
  return Math.min(person.slippageBps ?? operator.defaultSlippageBps, operator.maxSlippageBps);
}

export function userIdOf(id: string): number {
  // oxlint-disable-next-line money/no-floating-point -- not an amount
  return Number(id);
}

/** @throws Fault `frozen`. */
export function assertNotFrozen({ frozenSince }: Person): void {
  if (frozenSince !== undefined) throw new Fault("frozen", {});
}
