import { amountOf, partOf, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { unlessFault } from "../../fault.js";
import type { Quotation } from "../clients/quotation.js";
import { worthBeyond } from "./amm.js";
import { bestRoute } from "./best-route.js";
import type { PoolGraph } from "./pool-graph.js";
import { sideOf } from "./pool.js";
import type { Pools } from "./pools.js";

/**
 * What an amount is worth in another token at present prices, fees and its own weight on them left out; undefined where no
 * price is known.
 * @param maxAge how old the pools behind a price may be, in milliseconds.
 */
export type Worth = (amount: Amount, tokenOut: Token, maxAge: number) => Promise<Amount | undefined>;

/** The price is asked for this part of the amount, since the whole of it could move the price that is looked for. */
const PROBE_PART = 1000n;

/** By the pools of the router, or by the quotation service where no route leads from one token to the other. */
export function createWorth(parts: { readonly pools: Pick<Pools, "fresh">; readonly quotation: Quotation }): Worth {
  const worthByQuotation = async (amount: Amount, tokenOut: Token): Promise<Amount | undefined> => {
    const tokenIn = amount.token;
    if (tokenIn.precision === undefined || tokenOut.precision === undefined) return undefined;
    const probe = partOf(amount, PROBE_PART);
    const quoted = await unlessFault(() => parts.quotation.quote(probe, tokenOut));
    const side = quoted && { reserveIn: probe.units, reserveOut: quoted.units };
    return side && amountOf(tokenOut, worthBeyond([side], amount.units));
  };

  return async (amount, tokenOut, maxAge) => {
    const graph = await unlessFault(() => parts.pools.fresh(maxAge));
    return (graph && worthByPools(graph, amount, tokenOut)) ?? (await worthByQuotation(amount, tokenOut));
  };
}

/** How old pools may be by which a card says what something is worth, and how long it waits for them, in milliseconds. */
const KNOWN_AGE_MILLISECONDS = 60_000;
const PATIENCE_MILLISECONDS = 1_500;

/** The same by the pools that are known, or soon can be. Never throws. */
export async function worthByKnown(pools: Pick<Pools, "known">, amount: Amount, tokenOut: Token) {
  const graph = await pools.known(KNOWN_AGE_MILLISECONDS, PATIENCE_MILLISECONDS);
  return graph && worthByPools(graph, amount, tokenOut);
}

/** The same by these pools alone. */
export function worthByPools(graph: PoolGraph, amount: Amount, tokenOut: Token): Amount | undefined {
  if (amount.token.id === tokenOut.id) return amount;
  const probe = partOf(amount, PROBE_PART).units;
  const route = bestRoute(graph, { tokenIn: amount.token.id, tokenOut: tokenOut.id, amountIn: probe });
  const sides = route?.hops.map((hop) => sideOf(hop.pool, hop.tokenIn));
  return sides && amountOf(tokenOut, worthBeyond(sides, amount.units));
}
