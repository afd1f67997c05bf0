import { z } from "zod";
import { amountSchema } from "../../encoding/amount.js";
import { fromJson } from "../../store/json.js";
import type { Reader } from "../../store/queries.js";
import { inLots, LOT } from "./receipt.js";

/** Of a time the newest trades count, so many at most. */
export const MAX_ENDED = 50_000;

/** What was traded of a token on one day, and earned in it, in base units. */
export interface DayVolume {
  /** `2026-12-31`, in UTC. */
  readonly day: string;
  readonly tokenId: string;
  readonly trades: number;
  readonly volume: bigint;
  readonly earned: bigint;
}

type Ended = Awaited<ReturnType<typeof endedBefore>>[number];

/** By day and token since a moment, the newest first: what was accepted or has paid a fee, and what the operator is proven to have earned. */
export async function volumesSince(db: Reader, since: number): Promise<readonly DayVolume[]> {
  const volumes = new Map<string, DayVolume>();
  const add = (day: string, tokenId: string, more: Pick<DayVolume, "trades" | "volume" | "earned">): void => {
    const { trades, volume, earned } = volumes.get(`${day} ${tokenId}`) ?? { trades: 0, volume: 0n, earned: 0n };
    const sums = { trades: trades + more.trades, volume: volume + more.volume, earned: earned + more.earned };
    volumes.set(`${day} ${tokenId}`, { day, tokenId, ...sums });
  };
  for await (const ended of inLots<Ended>(MAX_ENDED, (last) => endedBefore(db, last, since))) {
    const { ended_at, state, paid, fee_token, fee_units } = ended;
    if (state !== "OK" && fee_units === null) continue;
    const day = new Date(ended_at).toISOString().slice(0, 10);
    const [amount] = z.array(amountSchema).parse(fromJson(paid));
    if (amount !== undefined) add(day, amount.token.id, { trades: 1, volume: amount.units, earned: 0n });
    if (fee_token !== null && fee_units !== null)
      add(day, fee_token, { trades: 0, volume: 0n, earned: BigInt(fee_units) });
  }
  return [...volumes.values()];
}

/** Trades that ended before one, or until now, and since a moment, the newest first. */
export async function endedBefore(db: Reader, before: { ended_at: number; id: string } | undefined, since: number) {
  const { ended_at, id } = before ?? { ended_at: Number.MAX_SAFE_INTEGER, id: "" };
  const ended = db.selectFrom("intents").select(["id", "ended_at", "state", "paid", "fee_token", "fee_units"]);
  const earlier = ended
    .where("ended_at", ">=", since)
    .where("ended_at", "<=", ended_at)
    .where((is) => is.or([is("ended_at", "<", ended_at), is("id", "<", id)]))
    .where("kind", "in", ["swap", "multihop"]);
  const newest = earlier.orderBy("ended_at", "desc").orderBy("id", "desc").limit(LOT);
  return newest.$narrowType<{ ended_at: number }>().execute();
}
