import { DAY_MS } from "../../clock.js";
import { sql } from "kysely";
import * as z from "zod";
import { addAmounts, amountSchema } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { findsAny, fromJson, inLots, READ_AT_ONCE, type Reader, whole } from "../../store/store.js";
import { isDone, isUnresolved, type Intent } from "../intent/intent.js";
import { sentOf } from "../intent/trade-kind.js";
import { packedBy, unpacked } from "../intent/packed.js";
import { each, intents } from "../intent/intent-row.js";
import { poolWorth, tradeCost } from "../trade/trade-cost.js";
import { outputOf } from "../trade/swap.js";
import { isTrade, tradedKinds } from "../terms/terms.js";
import { flowOf } from "../trade/kinds.js";

/** Maximum number of trades per month: the first ones. */
export const MAX_TRADES = 2000;

/** What a trade received, and what its card compared it with. */
export type Receipt = Exclude<ReturnType<typeof receiptOf>, "unknown" | undefined>;

/** Undefined if nothing was traded, or it isn't over; `unknown` if its outcome or amounts are unknown. */
export function receiptOf(intent: Intent, encoding: ReturnDataEncoding) {
  const { terms, state, times, quotedAt, transaction } = intent;
  if (!isTrade(terms)) return undefined;
  if (isUnresolved(intent)) return "unknown";
  if (!isDone(intent)) return undefined;
  const flow = flowOf(intent, encoding);
  const { paid, leastPaid, received, fee, royalty, saidRoyalty, change = [] } = flow;
  const [whole, ...besides] = paid;
  const sent = sentOf(flow);
  if (whole === undefined || sent === undefined || received === undefined) return "unknown";
  const { pools } = terms;
  const networkFee = transaction?.networkFee;
  const gross = fee === undefined ? received : addAmounts(received, fee);
  const moved = { paid: sent, royalty, gross, net: received, networkFee, hasChange: change.length > 0 };
  return {
    intent,
    /** When it ended, in milliseconds since 1970. */
    at: times[state] ?? quotedAt,
    /** With the issuer's share. */
    paid: whole,
    /** What else left, the network fee apart: what an issuer takes of another token. */
    ...(besides.length > 0 && { besides }),
    ...(royalty && { royalty }),
    /** What the card said of the royalty, if balances show another one. */
    ...(saidRoyalty && { saidRoyalty }),
    /** `paid` is only the most that it can have been: it is no cost. */
    ...(leastPaid && { isPaidAtMost: true }),
    /** Without the operator's fee. */
    received,
    fee,
    networkFee,
    /** What the quote promised, without the operator's fee. */
    quoted: outputOf(terms).net,
    /** The payment at the pool price, the best route, and what it cost. Absent if the pools couldn't be read for the card. */
    ...(pools && { pools: { ...pools, price: poolWorth(pools).worth }, cost: tradeCost(moved, pools) }),
    /** Age of the quote and the pools when the call left, in milliseconds. */
    age: Math.max(0, (times.SENT ?? times.CLAIMED ?? quotedAt) - quotedAt),
  };
}

/** `2026-12`, in UTC, of this century. */
export const monthPattern = /^20[0-9]{2}-(?:0[1-9]|1[0-2])$/;
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);
export const startOf = (month: string): number => Date.parse(`${month}-01`);
export const monthEndOf = (month: string): number => startOf(monthOf(startOf(month) + 32 * DAY_MS));

/** Receipts of the trades that a user confirmed in a month, oldest first. */
export async function receiptsIn(db: Reader, owner: number, month: string, encoding: ReturnDataEncoding) {
  const read: ReturnType<typeof receiptOf>[] = [];
  const next = (last: Intent | undefined) => tradesBetween(db, owner, last ?? startOf(month), monthEndOf(month));
  for await (const lot of inLots(MAX_TRADES, next)) read.push(...lot.map((intent) => receiptOf(intent, encoding)));
  const receipts = read.filter((receipt) => typeof receipt === "object");
  const unknown = read.filter((receipt) => receipt === "unknown").length;
  return { receipts, unknown, isCut: read.length === MAX_TRADES };
}

/** A user's trades confirmed after another one, or since a moment, and before `until`; oldest first. */
export function tradesBetween(db: Reader, owner: number, after: Intent | number, until: number) {
  const [at, id] = typeof after === "number" ? [after, ""] : [after.times.CLAIMED ?? 0, after.id];
  const trades = intents(db).where("owner", "=", owner).where("kind", "in", tradedKinds);
  const earlier = trades.where("claimed_at", "<", until).orderBy("claimed_at").orderBy("id").limit(READ_AT_ONCE);
  return each(earlier.where((is) => is(is.refTuple("claimed_at", "id"), ">", is.tuple(at, id))));
}

/** Whether any of a user's trades ended within these times. */
export function hasTradedIn(db: Reader, owner: number, { from, to }: { readonly from: number; readonly to: number }) {
  const own = db.selectFrom("intents").where("owner", "=", owner).where("claimed_at", ">=", 0);
  // By the bare column, everybody's trades of these times would be read.
  const ended = own.where(sql<number>`+ended_at`, ">=", from).where(sql<number>`+ended_at`, "<", to);
  return findsAny(ended.where("kind", "in", tradedKinds));
}

/** Maximum number of trades counted: the newest ones. */
export const MAX_ENDED = 50_000;

/** Volume and earnings in a token on one day (`2026-12-31`, in UTC), in base units. */
export type DayVolume = Readonly<ReturnType<typeof noVolume>>;

function noVolume(day: string, tokenId: string) {
  return { day, tokenId, trades: 0, volume: 0n, earned: 0n };
}

type Ended = Awaited<ReturnType<typeof endedBefore>>[number];

/** By day and token, newest first: trades that were accepted or paid a fee, and the operator's proven earnings. */
export async function volumesSince(db: Reader, since: number): Promise<readonly DayVolume[]> {
  const volumes = new Map<string, ReturnType<typeof noVolume>>();
  const sumsOf = (day: string, tokenId: string) => {
    const sums = volumes.get(`${day} ${tokenId}`) ?? noVolume(day, tokenId);
    volumes.set(`${day} ${tokenId}`, sums);
    return sums;
  };
  for await (const lot of inLots<Ended>(MAX_ENDED, (last) => endedBefore(db, last, since))) {
    for (const row of lot) {
      const { ended_at, state, fee_token, fee_units } = row;
      if (state !== "OK" && fee_units === null) continue;
      const day = new Date(ended_at).toISOString().slice(0, 10);
      // Not reported as a damaged row of its owner: what is unreadable here is no reason to lock them out.
      const [amount] = z.array(amountSchema).parse(fromJson(unpacked(row).paid));
      if (amount !== undefined) {
        const sums = sumsOf(day, amount.token.id);
        sums.trades += 1;
        sums.volume += amount.units;
      }
      if (fee_token !== null && fee_units !== null) sumsOf(day, fee_token).earned += whole.parse(fee_units);
    }
  }
  return [...volumes.values()];
}

/** Trades that ended before another one, or until now, and since a moment; newest first. */
export async function endedBefore(db: Reader, before: { ended_at: number; id: string } | undefined, since: number) {
  const { ended_at, id } = before ?? { ended_at: Number.MAX_SAFE_INTEGER, id: "" };
  const figures = ["id", "ended_at", "state", "paid", "fee_token", "fee_units"] as const;
  const ended = db.selectFrom("intents").select([...figures, ...packedBy]);
  const earlier = ended
    .where("ended_at", ">=", since)
    .where((is) => is(is.refTuple("ended_at", "id"), "<", is.tuple(ended_at, id)))
    .where("kind", "in", tradedKinds);
  const newest = earlier.orderBy("ended_at", "desc").orderBy("id", "desc").limit(READ_AT_ONCE);
  return newest.$narrowType<{ ended_at: number }>().execute();
}
