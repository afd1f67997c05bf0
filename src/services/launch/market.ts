import { amountOf, formatAmount, gainBps, partOf, type Amount } from "../../encoding/amount.js";
import { unlessFault } from "../../fault.js";
import type { DepositMarket } from "../../model/terms.js";
import type { Pools } from "../chain/pools.js";
import type { Quotation } from "../clients/quotation.js";
import { arbitrageGain, worthBeyond } from "../routes/amm.js";
import { bestRoute } from "../routes/best-route.js";
import { sideOf } from "../routes/pool.js";

/**
 * How a first deposit's proportion compares with what others pay; undefined where no price is known.
 * @param maxAge how old the pools behind a price may be, in milliseconds.
 */
export type Market = (first: Amount, second: Amount, maxAge: number) => Promise<DepositMarket | undefined>;

/** This far off the market, in hundredths of a percent, a deposit needs a second step. */
const FAR_OFF_BPS = 500n;
/** The price is asked for this part of the deposit, since the whole of it could move the price that is looked for. */
const PROBE_PART = 1000n;

/** Compares with the pools of the router, or with the quotation service where no route leads from one token to the other. */
export function createMarket(parts: { readonly pools: Pick<Pools, "fresh">; readonly quotation: Quotation }): Market {
  const worthByPools = async (first: Amount, { token }: Amount, maxAge: number): Promise<Amount | undefined> => {
    const graph = await unlessFault(() => parts.pools.fresh(maxAge));
    const trade = { tokenIn: first.token.id, tokenOut: token.id, amountIn: partOf(first, PROBE_PART).units };
    const route = graph && bestRoute(graph, trade);
    const sides = route?.hops.map((hop) => sideOf(hop.pool, hop.tokenIn));
    return sides && amountOf(token, worthBeyond(sides, first.units));
  };

  const worthByQuotation = async (first: Amount, { token: tokenOut }: Amount): Promise<Amount | undefined> => {
    const tokenIn = first.token;
    if (tokenIn.precision === undefined || tokenOut.precision === undefined) return undefined;
    const probe = partOf(first, PROBE_PART);
    const request = { amountInText: formatAmount(probe), tokenIn, tokenOut };
    const quoted = await unlessFault(() => parts.quotation.quote(request));
    const side = quoted && { reserveIn: probe.units, reserveOut: quoted.units };
    return side && amountOf(tokenOut, worthBeyond([side], first.units));
  };

  return async (first, second, maxAge) => {
    const worth = (await worthByPools(first, second, maxAge)) ?? (await worthByQuotation(first, second));
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
