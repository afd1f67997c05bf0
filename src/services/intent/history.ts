import { z } from "zod";
import { amountSchema } from "../../encoding/amount.js";
import { fromJson } from "../../store/json.js";
import { countRows, type Reader } from "../../store/store.js";
import type { Intent, IntentState } from "./intent.js";
import type { Spent } from "./limits.js";
import { each, readable, timesSchema } from "./row.js";
import type { IntentKind } from "./terms.js";

export const historyFilters = ["all", "swap", "multihop", "lock", "launch"] as const;
export type HistoryFilter = (typeof historyFilters)[number];

/** Undefined for all. Locks are shown with what ends them. */
export function kindsOf(filter: HistoryFilter): readonly IntentKind[] | undefined {
  if (filter === "all") return undefined;
  return filter === "lock" ? ["lock", "unlock"] : [filter];
}
/** No day, and nothing that a wallet signs and the chain may still carry out, lasts as long. */
const LATELY_MS = 49 * 3_600_000;
/** So many calls one after the other are looked at to find one that was on its way at the same time. */
const MAX_AROUND = 500;

const NEVER_HAPPENED: readonly IntentState[] = ["QUOTED", "EXPIRED", "CANCELED", "SUPERSEDED"];

const ownOf = (db: Reader, owner: number) => db.selectFrom("intents").where("owner", "=", owner);

/** The calls that were made, are in progress, or would have been but for what spoke against them at the last moment. */
const happened = (db: Reader, owner: number) =>
  ownOf(db, owner).where("claimed_at", ">=", 0).where("state", "not in", NEVER_HAPPENED);

export async function spentLately(db: Reader, owner: number, now: number): Promise<readonly Spent[]> {
  const since = now - LATELY_MS;
  const lately = happened(db, owner).where("claimed_at", ">", since).where("state", "<>", "FAILED");
  const rows = lately.select(["id", "owner", "paid", "claimed_at"]).$narrowType<{ claimed_at: number }>();
  return (await rows.execute()).flatMap((row) => {
    const paid = readable(row, () => z.array(amountSchema).parse(fromJson(row.paid)));
    return paid.map((amount) => ({ at: row.claimed_at, amount }));
  });
}

export async function isAlone(db: Reader, { owner, id, times, quotedAt }: Intent): Promise<boolean> {
  const since = times.SENT ?? quotedAt;
  const lately = ownOf(db, owner).where("claimed_at", ">", since - LATELY_MS);
  const latest = lately.select(["id", "owner", "state", "times"]).orderBy("claimed_at", "desc").limit(MAX_AROUND);
  const rows = await latest.execute();
  const hasOther = rows.some((row) => {
    const known = readable(row, () => timesSchema.parse(fromJson(row.times)));
    const { SENT, [row.state as IntentState]: last = SENT } = known;
    return row.id !== id && SENT !== undefined && (row.state === "SENT" || (last ?? SENT) >= since);
  });
  return !hasOther && rows.length < MAX_AROUND;
}

export type HistoryPage = Awaited<ReturnType<typeof historyPage>>;

/** What is unknown first, then the newest. @param page counts from 0. */
export async function historyPage(
  db: Reader,
  owner: number,
  page: number,
  size: number,
  kinds?: readonly IntentKind[],
) {
  const all = kinds === undefined ? happened(db, owner) : happened(db, owner).where("kind", "in", kinds);
  const unresolved = all.where("unresolved", "is not", null);
  const count = await countRows(unresolved);
  const [from, end] = [page * size, (page + 1) * size];
  const lot = (some: typeof all, before: number) => {
    const sorted = some.selectAll().orderBy("claimed_at", "desc").orderBy("id");
    return each(sorted.offset(Math.max(0, from - before)).limit(Math.max(0, end + 1 - Math.max(from, before))));
  };
  const first = from < count ? await lot(unresolved, 0) : [];
  const rest = await lot(all.where("unresolved", "is", null), count);
  const items: readonly Intent[] = [...first, ...rest].slice(0, size);
  return { items, page, hasOlder: first.length + rest.length > size };
}

export function countCalls(db: Reader, owner: number): Promise<number> {
  return countRows(happened(db, owner));
}

export function callsAfter(
  db: Reader,
  owner: number,
  after: Intent | number,
  limit: number,
): Promise<readonly Intent[]> {
  const calls = happened(db, owner).selectAll().orderBy("claimed_at").orderBy("id").limit(limit);
  if (typeof after === "number") return each(calls.offset(after));
  const at = after.times.CLAIMED ?? 0;
  const later = calls.where("claimed_at", ">=", at);
  return each(later.where((is) => is.or([is("claimed_at", ">", at), is("id", ">", after.id)])));
}
