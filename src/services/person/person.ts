import { z } from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import { fromJson, isRecord, toJson } from "../../store/json.js";
import type { Reader, Transaction } from "../../store/queries.js";
import type { Tables } from "../../store/schema.js";
import { alertsSchema } from "./alerts.js";

const most = z.object({ inOneSwap: amountSchema.optional(), inADay: amountSchema.optional() });

const guards = ["wallet", "freeze", "unfreeze", "limit", "phrase", "slippage", "timezone"] as const;
export type Guard = (typeof guards)[number];

const from = z.number();
/** A change of what guards a person's money. */
const guardChangeSchema = z.union([
  z.object({ from, guard: z.literal("wallet"), address: addressSchema }).readonly(),
  z.object({ from, guard: z.literal("unfreeze") }).readonly(),
]);
/** What takes a guard away takes effect later and can be undone: whoever holds the phone for a moment can't make it unnoticed. */
const laterSchema = z.union([guardChangeSchema, z.object({ from, guard: z.literal("forget") }).readonly()]);
export type GuardChange = z.infer<typeof guardChangeSchema>;
export type Later = z.infer<typeof laterSchema>;

/** What is kept about one person: it changes as a whole or not at all. */
const personSchema = z.object({
  chatId: z.number(),
  /** A code such as `pt`; whether there are words for it, `src/locales/messages.ts` knows. */
  language: z.string(),
  timeZone: z.string(),
  /** Since when the person has their time zone, where they changed it. */
  timeZoneSince: z.number().exactOptional(),
  wallet: z.object({ address: addressSchema, since: z.number() }).readonly().exactOptional(),
  /** Another address that the person asked for last, until they agree to the change. */
  offeredWallet: addressSchema.exactOptional(),
  homeMessage: z.number().exactOptional(),
  /** In hundredths of a percent; absent: the operator's default. */
  slippageBps: z.number().int().exactOptional(),
  /** Amounts offered as buttons, whole tokens as decimal text. */
  presets: z.array(z.string()).readonly().default(["10", "100", "1000"]),
  /** Token ids, the last used first. */
  recentTokens: z.array(z.string()).readonly().default([]),
  limits: z
    .record(
      z.string(),
      z.object({ most, later: z.object({ most, from: z.number() }).readonly().exactOptional() }).readonly(),
    )
    .readonly()
    .exactOptional(),
  /** Words of the person's own, shown on each card that can be confirmed: who imitates the bot does not know them. */
  phrase: z.string().exactOptional(),
  /** The last changes to what guards the person's money, the newest first. */
  changes: z
    .array(z.object({ at: z.number(), guard: z.enum(guards) }).readonly())
    .readonly()
    .exactOptional(),
  /** Since when nothing may be confirmed (`/freeze`). */
  frozenSince: z.number().exactOptional(),
  later: z.array(laterSchema).readonly().exactOptional(),
  /** The day of the last card, `2026-12-31` in UTC, so that people are counted once a day; absent: none yet. */
  tradedOn: z.string().exactOptional(),
  /** How alerts reach the person; absent: all of them, with a sound. */
  alerts: alertsSchema.exactOptional(),
  /** Since when nothing can be sent to the person; their next message ends it. */
  restingSince: z.number().exactOptional(),
});

export type Person = Readonly<z.infer<typeof personSchema>>;

/** Somebody who has never written. A private chat has the number of its person. */
export function newPerson(userId: number): Person {
  return personSchema.parse({ chatId: userId, language: "en", timeZone: "UTC" });
}

/** Undefined for somebody who has never written. @throws Fault `store-unreadable`, until an operator decides. */
export async function findPerson(db: Reader, userId: number): Promise<Person | undefined> {
  const row = await db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();
  const document = `users/${userId}`;
  if (row?.damage_told === 1) throw new Fault("store-unreadable", { document });
  if (row === undefined || row.language === null) return undefined;
  try {
    return personSchema.parse(fieldsOf(row));
  } catch (cause) {
    throw new Fault("store-unreadable", { document }, { cause });
  }
}

export async function putPerson(tx: Transaction, userId: number, person: Person): Promise<void> {
  const row = columnsOf(person);
  await tx
    .insertInto("users")
    .values({ id: userId, ...row })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

/** Forgets all but whether an operator let them in. */
export async function removePerson(tx: Transaction, userId: number): Promise<void> {
  const { access } = (await tx.selectFrom("users").select("access").where("id", "=", userId).executeTakeFirst()) ?? {};
  await tx.deleteFrom("users").where("id", "=", userId).execute();
  if (access === "member") await tx.insertInto("users").values({ id: userId, access }).execute();
}

/** What a person's row holds of them. What has no column of its own is in `preferences`. */
function columnsOf(person: Person) {
  const { language, timeZone, timeZoneSince, wallet, offeredWallet, slippageBps, phrase, frozenSince, ...others } =
    person;
  const { restingSince, limits, changes, ...preferences } = others;
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

function fieldsOf(row: Tables["users"]): Readonly<Record<string, unknown>> {
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
