import type { Pool } from "../../../src/services/pool/pool.js";

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
  return exhaustive(pools, trade.tokenIn, trade.tokenOut, trade.amountIn, maxHops, {
    isBetter: (amount, present) => amount > present,
    step: (amount, feePercent, reserveIn, reserveOut) => {
      const afterFee = amount * (100_000n - feePercent);
      return (afterFee * reserveOut) / (reserveIn * 100_000n + afterFee);
    },
  });
}

/** The least input over every such sequence that gives exactly the wanted output. */
export function exhaustiveInput(
  pools: readonly Pool[],
  trade: { readonly tokenIn: string; readonly tokenOut: string; readonly amountOut: bigint },
  maxHops: number,
): Best | undefined {
  return exhaustive(pools, trade.tokenOut, trade.tokenIn, trade.amountOut, maxHops, {
    isBetter: (amount, present) => amount < present,
    // The token that comes out is known here, so the reserves are the other way round.
    step: (wanted, feePercent, reserveOut, reserveIn) =>
      wanted >= reserveOut
        ? 0n
        : (reserveIn * wanted * 100_000n) / ((reserveOut - wanted) * (100_000n - feePercent)) + 1n,
  });
}

/** @param rules.step gets the reserve of the token that it leads from, and that of the other; zero leads nowhere. */
function exhaustive(
  pools: readonly Pool[],
  from: string,
  to: string,
  first: bigint,
  maxHops: number,
  rules: {
    readonly isBetter: (amount: bigint, present: bigint) => boolean;
    readonly step: (amount: bigint, feePercent: bigint, reserve: bigint, otherReserve: bigint) => bigint;
  },
): Best | undefined {
  let best: Best | undefined;
  const visit = (token: string, amount: bigint, used: readonly Pool[]): void => {
    const hops = used.length;
    const isBest = best === undefined || rules.isBetter(amount, best.amount);
    if (token === to && (isBest || (amount === best?.amount && hops < best.hops))) best = { amount, hops };
    if (hops === maxHops) return;
    for (const pool of pools.filter((candidate) => candidate.state === "Active" && !used.includes(candidate))) {
      for (const [here, reserve, other, otherReserve] of [
        [pool.first, pool.reserveFirst, pool.second, pool.reserveSecond],
        [pool.second, pool.reserveSecond, pool.first, pool.reserveFirst],
      ] as const) {
        const next = here === token ? rules.step(amount, pool.feePercent, reserve, otherReserve) : 0n;
        if (next > 0n) visit(other, next, [...used, pool]);
      }
    }
  };
  visit(from, first, []);
  return best;
}
