import type { Pool } from "../../../src/services/market/pool.js";

/** The best amount, and the smallest number of hops that gives it. */
export interface Best {
  readonly amount: bigint;
  readonly hops: number;
}

/**
 * Returns the maximum output over all sequences of at most `maxHops` different pools. It tries every one, with its own
 * copy of the contract's formulas, and shares nothing with the search under test.
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

/** Returns the minimum input over all such sequences that give exactly the wanted output. */
export function exhaustiveInput(
  pools: readonly Pool[],
  trade: { readonly tokenIn: string; readonly tokenOut: string; readonly amountOut: bigint },
  maxHops: number,
): Best | undefined {
  return exhaustive(pools, trade.tokenOut, trade.tokenIn, trade.amountOut, maxHops, {
    isBetter: (amount, present) => amount < present,
    // The search starts at the output, so the reserves are the other way round.
    step: (wanted, feePercent, reserveOut, reserveIn) =>
      wanted >= reserveOut
        ? 0n
        : (reserveIn * wanted * 100_000n) / ((reserveOut - wanted) * (100_000n - feePercent)) + 1n,
  });
}

/** @param rules.step gets the reserve of the token it starts at, then the other one; it returns zero for a dead end. */
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
