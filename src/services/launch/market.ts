import { amountOf, gainBps, type Amount } from "../../encoding/amount.js";
import type { DepositMarket } from "../intent/terms.js";
import type { Worth } from "../pool/best.js";
import { arbitrageGain } from "../pool/amm.js";

/**
 * How a first deposit's proportion compares with what others pay; undefined where no price is known.
 * @param maxAge how old the pools behind a price may be, in milliseconds.
 */
export type Market = (first: Amount, second: Amount, maxAge: number) => Promise<DepositMarket | undefined>;

/** This far off the market, in hundredths of a percent, a deposit needs a second step. */
const FAR_OFF_BPS = 500n;
export function createMarket(worthIn: Worth): Market {
  return async (first, second, maxAge) => {
    const worth = await worthIn(first, second.token, maxAge);
    const difference = worth && gainBps(second, worth);
    if (worth === undefined || difference === undefined) return undefined;
    return { worth, differenceBps: difference, loss: amountOf(second.token, arbitrageGain(worth.units, second.units)) };
  };
}

export function isFarOff({ differenceBps }: DepositMarket): boolean {
  return differenceBps > FAR_OFF_BPS || differenceBps < -FAR_OFF_BPS;
}

/** Whether the market has moved so far from what a card says that the deposit needs another second step. */
export function hasMovedAway(before: DepositMarket | undefined, now: DepositMarket): boolean {
  if (!isFarOff(now)) return false;
  if (before === undefined || !isFarOff(before)) return true;
  const moved = now.differenceBps - before.differenceBps;
  return moved > FAR_OFF_BPS || moved < -FAR_OFF_BPS;
}
