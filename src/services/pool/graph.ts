import type { Address } from "../../encoding/address.js";
import { amountOf, type Amount } from "../../encoding/amount.js";
import type { PairState } from "../../encoding/result.js";
import type { Token } from "../../encoding/token.js";
import type { Price } from "../price/history.js";
import { amountIn, amountOut, FEE_BASE, type Side } from "./amm.js";

/** In base units. */
export interface Pool {
  readonly address: Address;
  readonly first: string;
  readonly second: string;
  readonly reserveFirst: bigint;
  readonly reserveSecond: bigint;
  /** Base 100000. */
  readonly feePercent: bigint;
  readonly state: PairState;
  readonly lpTokenId?: string;
  readonly totalSupply?: bigint;
}

export function canSwap(pool: Pool): boolean {
  const holdsBoth = pool.first !== pool.second && pool.reserveFirst > 0n && pool.reserveSecond > 0n;
  return holdsBoth && pool.state === "Active" && pool.feePercent < FEE_BASE;
}

export function otherToken(pool: Pool, tokenIn: string): string | undefined {
  return tokenIn === pool.first ? pool.second : tokenIn === pool.second ? pool.first : undefined;
}

export function sideOf(pool: Pool, tokenIn: string): Side {
  const kept = FEE_BASE - pool.feePercent;
  return tokenIn === pool.first
    ? { reserveIn: pool.reserveFirst, reserveOut: pool.reserveSecond, kept }
    : { reserveIn: pool.reserveSecond, reserveOut: pool.reserveFirst, kept };
}

/** Fees left out. */
export function priceIn({ first, second, reserveFirst, reserveSecond }: Pool): Price {
  return { tokenIn: first, unitsIn: reserveFirst, tokenOut: second, unitsOut: reserveSecond };
}

/** Zero means that the pool would refuse. */
export function outputFor(pool: Pool, paid: Amount, tokenOut: Token): Amount {
  return amountOf(tokenOut, amountOut(sideOf(pool, paid.token.id), paid.units));
}

/** Zero means that the pool does not hold that much. */
export function inputFor(pool: Pool, wanted: Amount, tokenIn: Token): Amount {
  return amountOf(tokenIn, amountIn(sideOf(pool, tokenIn.id), wanted.units));
}

export interface Edge {
  readonly to: number;
  readonly pool: Pool;
  /** `to` comes out. */
  readonly there: Side;
  /** `to` goes in. */
  readonly back: Side;
}

export interface Network {
  readonly numbers: ReadonlyMap<string, number>;
  readonly edges: readonly (readonly Edge[])[];
}

export type PoolGraph = ReturnType<typeof createPoolGraph>;

export function createPoolGraph(first: Iterable<Pool>) {
  const pools = new Map(Array.from(first, (pool) => [pool.address, pool]));
  /** Undefined from a change until somebody asks. */
  let network: Network | undefined;
  return {
    update: (pool: Pool) => {
      pools.set(pool.address, pool);
      network = undefined;
    },
    /** Also one that is not open for swaps. */
    poolAt: (address: Address) => pools.get(address),
    pools: (): readonly Pool[] => [...pools.values()],
    network: () => (network ??= networkOf(pools.values())),
  };
}

function networkOf(pools: Iterable<Pool>): Network {
  const numbers = new Map<string, number>();
  const edges: Edge[][] = [];
  const numberOf = (token: string): number => {
    const number = numbers.get(token) ?? edges.push([]) - 1;
    numbers.set(token, number);
    return number;
  };
  for (const pool of pools) {
    if (!canSwap(pool)) continue;
    const [first, second] = [numberOf(pool.first), numberOf(pool.second)];
    const [there, back] = [sideOf(pool, pool.first), sideOf(pool, pool.second)];
    edges[first]?.push({ to: second, pool, there, back });
    edges[second]?.push({ to: first, pool, there: back, back: there });
  }
  return { numbers, edges };
}

export function poolsBetween(graph: PoolGraph, first: string, second: string): readonly Pool[] {
  const { numbers, edges } = graph.network();
  const [from, to] = [numbers.get(first), numbers.get(second)];
  return (edges[from ?? -1] ?? []).filter((edge) => edge.to === to).map(({ pool }) => pool);
}
