import type { Address } from "../../encoding/address.js";
import type { Side } from "./amm.js";
import { canSwap, sideOf, type Pool } from "./pool.js";

/** A pool as seen from one of its tokens, which are numbered here. It changes in place: read it, keep none. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  pool: Pool;
  /** `from` goes in, `to` comes out. */
  there: Side;
  /** `to` goes in, `from` comes out. */
  back: Side;
}

/** Pools by the tokens that they join, built once and updated in place as reserves change. */
export type PoolGraph = ReturnType<typeof createPoolGraph>;

/** Builds a graph of these pools. Pools that do not swap are known, but no route leads through them. */
export function createPoolGraph(pools: Iterable<Pool>) {
  const numbers = new Map<string, number>();
  const edges: Edge[][] = [];
  const known = new Map<Address, { readonly pool: Pool; readonly ends: readonly Edge[] }>();

  const numberOf = (tokenId: string): number => {
    const known = numbers.get(tokenId);
    if (known !== undefined) return known;
    const number = edges.push([]) - 1;
    numbers.set(tokenId, number);
    return number;
  };

  /** The pool seen from both of its tokens. */
  const endsOf = (pool: Pool): readonly [Edge, Edge] => {
    const [first, second] = [numberOf(pool.first), numberOf(pool.second)];
    const [there, back] = [sideOf(pool, pool.first), sideOf(pool, pool.second)];
    return [
      { from: first, to: second, pool, there, back },
      { from: second, to: first, pool, there: back, back: there },
    ];
  };

  const update = (pool: Pool): void => {
    const before = known.get(pool.address)?.ends ?? [];
    const after = canSwap(pool) ? endsOf(pool) : [];
    const inPlace = before.length === after.length && before.every((end, index) => end.from === after[index]?.from);
    if (inPlace) before.forEach((end, index) => Object.assign(end, after[index]));
    else {
      for (const end of before) edges[end.from]?.splice(edges[end.from]?.indexOf(end) ?? 0, 1);
      for (const end of after) edges[end.from]?.push(end);
    }
    known.set(pool.address, { pool, ends: inPlace ? before : after });
  };

  for (const pool of pools) update(pool);
  return {
    /** Adds the pool, or replaces what was known of the one at its address. */
    update,
    /** Any known pool, even one that is not open for swaps. */
    poolAt: (address: Address): Pool | undefined => known.get(address)?.pool,
    /** All known pools, even those that are not open for swaps. */
    pools: (): Pool[] => [...known.values()].map(({ pool }) => pool),
    /** The open pools between two tokens. */
    poolsBetween: (first: string, second: string): Pool[] => {
      const other = numbers.get(second);
      return (edges[numbers.get(first) ?? -1] ?? []).filter(({ to }) => to === other).map(({ pool }) => pool);
    },
    /** The number of a token, undefined where no pool that swaps ever held it. */
    tokenNumber: (tokenId: string): number | undefined => numbers.get(tokenId),
    /** By token number: the pools that hold the token and swap now. */
    edges: edges as readonly (readonly Edge[])[],
  };
}
