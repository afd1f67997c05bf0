import * as z from "zod";
import type { Config } from "../../config.js";
import { addressSchema, type Address } from "../../encoding/address.js";
import { amountSchema } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import type { Database, Reader, Tables, Transaction } from "../../store/store.js";
import {
  fromJson,
  isRecord,
  inLots,
  readRow,
  readSetting,
  setting,
  stored,
  toJson,
  writeSetting,
} from "../../store/store.js";
import { themes } from "../picture/picture.js";
import { dayAfter, findZone, instantOf, localTime, zoneOf, zonesVersion } from "./zone.js";

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

/** Omitted modes are `on`. */
/** `HH:MM` */
const clockTime = z.string().regex(/^[0-9]{2}:[0-9]{2}$/);

export const alertsSchema = stored({
  modes: z.partialRecord(z.enum(alertKinds), z.enum(alertModes)).readonly(),
  /** `HH:MM` in the user's time zone; may cross midnight. */
  quiet: stored({ from: clockTime, to: clockTime }).exactOptional(),
});
export type AlertControl = z.infer<typeof alertsSchema>;

export const defaultControl: AlertControl = { modes: {} };

const personSchema = z.object({
  chatId: z.number(),
  language: z.string(),
  timeZone: z.string(),
  timeZoneSince: z.number().exactOptional(),
  wallet: stored({ address: addressSchema, since: z.number() }).exactOptional(),
  offeredWallet: addressSchema.exactOptional(),
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
  /** Whether lists are shown as tables. */
  tables: z.literal(true).exactOptional(),
  /** Since when the user has been unreachable; their next message ends it. */
  restingSince: z.number().exactOptional(),
});

export type Person = Readonly<z.infer<typeof personSchema>>;

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

/** {@link findPerson}, from what {@link userRow} has read. */
export function personOf(userId: number, row: UserRow | undefined): Person | undefined {
  const document = `users/${userId}`;
  if (row?.damage_told === 1) throw new Fault("store-unreadable", { document });
  if (row === undefined || row.language === null) return undefined;
  return readRow(document, () => personSchema.parse(fieldsOf(row)));
}

export async function putPerson(tx: Transaction, userId: number, person: Person): Promise<void> {
  await setColumns(tx, userId, columnsOf(person));
}

/** Version of the table of zones that had everybody's. */
const zonesChecked = setting("zones-checked", z.string(), "");
const ZONES_AT_ONCE = 1_000;

/**
 * Time zones that people have and that aren't known, so that they count as UTC. Everybody's is known when it is stored,
 * so people are read only if the table of zones has changed since.
 */
export async function unknownZones({ db, write }: Database): Promise<readonly string[]> {
  if ((await readSetting(db, zonesChecked)) === zonesVersion) return [];
  const people = db.selectFrom("users").select(["id", "time_zone as zone"]).orderBy("id").limit(ZONES_AT_ONCE);
  const zones = new Set<string>();
  const read = (last?: { readonly id: number }) => people.where("id", ">", last?.id ?? 0).execute();
  for await (const lot of inLots(Infinity, read, ZONES_AT_ONCE)) {
    for (const { zone } of lot) if (zone !== null) zones.add(zone);
  }
  const unknown = [...zones].filter((zone) => findZone(zone) === undefined);
  if (unknown.length === 0) await write((tx) => writeSetting(tx, zonesChecked, zonesVersion));
  return unknown;
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

/** Writes nothing if the person is unchanged. @returns the person afterwards. @throws Fault `store-unreadable`. */
export async function changePerson(tx: Transaction, userId: number, change: (person: Person) => Person) {
  const before = await personIn(tx, userId);
  const after = change(before);
  if (after !== before) await putPerson(tx, userId, after);
  return after;
}

/** Keeps only whether an operator approved access. */
export async function removePerson(tx: Transaction, userId: number): Promise<void> {
  const { access } = (await tx.selectFrom("users").select("access").where("id", "=", userId).executeTakeFirst()) ?? {};
  await tx.deleteFrom("users").where("id", "=", userId).execute();
  if (access === "member") await tx.insertInto("users").values({ id: userId, access }).execute();
}

function columnsOf(person: Person) {
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
    damage_told: null,
  };
}

function fieldsOf(row: UserRow): Readonly<Record<string, unknown>> {
  const preferences = fromJson(row.preferences ?? "null");
  if (!isRecord(preferences)) throw new TypeError("preferences are no object");
  const fields = {
    ...preferences,
    language: row.language,
    timeZone: row.time_zone,
    timeZoneSince: row.time_zone_since,
    wallet: row.payout === null ? null : { address: row.payout, since: row.payout_since },
    offeredWallet: row.offered_payout,
    slippageBps: row.slippage_bps,
    phrase: row.phrase,
    frozenSince: row.frozen_since,
    restingSince: row.unreachable_since,
    limits: row.limits === null ? null : fromJson(row.limits),
    changes: row.guard_log === null ? null : fromJson(row.guard_log),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
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

type Alerted = Pick<Person, "alerts" | "timeZone">;

/** Quiet hours hold nothing back; they only silence. */
export function modeFor(person: Alerted, kind: AlertKind, now: number) {
  const mode = person.alerts?.modes[kind] ?? "on";
  return mode === "on" && quietUntil(person, now) !== undefined ? "silent" : mode;
}

const TIME = "((?:[01]?[0-9]|2[0-3]):[0-5][0-9])";
const HOURS = new RegExp(`^\\s*${TIME}\\s*[-\\u2013]\\s*${TIME}\\s*$`);

/** Parses `22:00-07:00`; undefined for anything else. */
export function readQuietHours(text: string): AlertControl["quiet"] {
  const [, from, to] = HOURS.exec(text)?.map((time) => time.padStart(5, "0")) ?? [];
  return from !== undefined && to !== undefined && from !== to ? { from, to } : undefined;
}

/** The end of the current quiet hours; undefined outside them. */
export function quietUntil({ alerts, timeZone }: Alerted, now: number): number | undefined {
  if (alerts?.quiet === undefined) return undefined;
  const { from, to } = alerts.quiet;
  const zone = zoneOf({ timeZone });
  const { date, time } = localTime(zone, now);
  const isQuiet = from < to ? from <= time && time < to : from <= time || time < to;
  if (!isQuiet) return undefined;
  const end = instantOf(zone, { date: time < to ? date : dayAfter(date), time: to });
  // The clocks were set back within the quiet hours, and show their end a second time.
  return end > now ? end : now + Date.parse(`${date}T${to}Z`) - Date.parse(`${date}T${time}Z`);
}
