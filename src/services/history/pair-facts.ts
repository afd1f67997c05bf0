import { type Fault, unlessFault } from "../../fault.js";
import type { Basics } from "../../loop.js";
import type { Balances } from "../chain/query-gateway.js";
import { canSwap, type Pool } from "../market/pool.js";
import type { Pools } from "../market/pools.js";
import { poolDepth } from "../market/price-tree.js";
import type { LockContract } from "../trade/lock-contract.js";
import { type LockedShare, lockedShareOf } from "../trade/locked-share.js";

/** A pair by itself, as it is now. */
export interface PairFacts {
  readonly pool: Pool;
  /** What either side is worth, in base units of the native token; zero if it isn't open for swaps. */
  readonly depth: bigint;
  readonly locked: LockedShare | undefined;
}

/** By the pair's address; undefined if it can't be read. Never throws a Fault. */
export type ReadPairFacts = (address: string) => Promise<PairFacts | undefined>;

interface PairFactsParts extends Basics {
  readonly pools: Pick<Pools, "fresh">;
  readonly balances: Pick<Balances, "known">;
  readonly lock: Pick<LockContract, "target">;
}

/** Many are told of the same pairs within a short time. */
const FACTS_AGE_MS = 60_000;

export function createPairFacts(parts: PairFactsParts): ReadPairFacts {
  const { clock, log, pools } = parts;
  let read = { at: Number.NEGATIVE_INFINITY, facts: new Map<string, Promise<PairFacts | undefined>>() };
  const factsOf = async (address: string): Promise<PairFacts | undefined> => {
    const onFault = (err: Fault) => log.info({ err }, "New pair told without its pool");
    const graph = await unlessFault(() => pools.fresh(FACTS_AGE_MS), onFault);
    const pool = graph?.pools().find((each) => each.address === address);
    if (graph === undefined || pool === undefined) return undefined;
    const depth = canSwap(pool) ? poolDepth(graph, pool) : 0n;
    return { pool, depth, locked: await lockedShareOf(parts, pool) };
  };
  return (address) => {
    if (clock.monotonic() - read.at > FACTS_AGE_MS) read = { at: clock.monotonic(), facts: new Map() };
    const facts = read.facts.get(address) ?? factsOf(address);
    read.facts.set(address, facts);
    return facts;
  };
}
