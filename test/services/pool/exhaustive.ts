import type { Pool } from "../../../src/services/pool/graph.js";

/** The best amount, and the fewest hops that give it. */
export interface Best {
  readonly amount: bigint;
  readonly hops: number;
}

/**
 * The most output over every sequence of pools of at most `maxHops` hops that uses none twice: all of them tried, the
 * contract's formulas written a second time. Nothing is shared with the search under test.
 */
export function exhaustiveOutput(
  pools: readonly Pool[],
  trade: { readonly tokenIn: string; readonly tokenOut: string; readonly amountIn: bigint },
  maxHops: number,
): Best | undefined {
  let most: Best | undefined;
  const visit = (token: string, amount: bigint, used: readonly Pool[]): void => {
    const hops = used.length;
    if (token === trade.tokenOut) {
      if (most === undefined || amount > most.amount || (amount === most.amount && hops < most.hops)) {
        most = { amount, hops };
      }
    }
    if (hops === maxHops) return;
    for (const pool of pools.filter((candidate) => candidate.state === "Active" && !used.includes(candidate))) {
      const [tokenOut, reserveIn, reserveOut] = direction(pool, token);
      if (tokenOut === undefined) continue;
      const afterFee = amount * (100_000n - pool.feePercent);
      const received = (afterFee * reserveOut) / (reserveIn * 100_000n + afterFee);
      if (received > 0n) visit(tokenOut, received, [...used, pool]);
    }
  };
  visit(trade.tokenIn, trade.amountIn, []);
  return most;
}

/** The least input over every such sequence that gives exactly the wanted output. */
export function exhaustiveInput(
  pools: readonly Pool[],
  trade: { readonly tokenIn: string; readonly tokenOut: string; readonly amountOut: bigint },
  maxHops: number,
): Best | undefined {
  let least: Best | undefined;
  const visit = (token: string, wanted: bigint, used: readonly Pool[]): void => {
    const hops = used.length;
    if (token === trade.tokenIn) {
      if (least === undefined || wanted < least.amount || (wanted === least.amount && hops < least.hops)) {
        least = { amount: wanted, hops };
      }
    }
    if (hops === maxHops) return;
    for (const pool of pools.filter((candidate) => candidate.state === "Active" && !used.includes(candidate))) {
      // The token that comes out is known here, so the reserves are the other way round.
      const [tokenIn, reserveOut, reserveIn] = direction(pool, token);
      if (tokenIn === undefined || wanted >= reserveOut) continue;
      const asked = (reserveIn * wanted * 100_000n) / ((reserveOut - wanted) * (100_000n - pool.feePercent)) + 1n;
      visit(tokenIn, asked, [...used, pool]);
    }
  };
  visit(trade.tokenOut, trade.amountOut, []);
  return least;
}

/** The other token, the reserve of `token` and that of the other. */
function direction(pool: Pool, token: string): [other: string | undefined, reserve: bigint, otherReserve: bigint] {
  if (pool.first === token) return [pool.second, pool.reserveFirst, pool.reserveSecond];
  if (pool.second === token) return [pool.first, pool.reserveSecond, pool.reserveFirst];
  return [undefined, 0n, 0n];
}
