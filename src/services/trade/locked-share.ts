import type { Balances } from "../chain/query-gateway.js";
import type { Pool } from "../market/pool.js";
import type { LockContract } from "./lock-contract.js";

/** The share of a pool's LP tokens that lies in the lock contract, in basis points, rounded down. */
export interface LockedShare {
  readonly isNone: boolean;
  readonly bps: bigint;
}

interface LockedShareParts {
  readonly balances: Pick<Balances, "known">;
  readonly lock: Pick<LockContract, "target">;
}

/** Undefined if it isn't known. Never throws a Fault. */
export async function lockedShareOf(
  { balances, lock }: LockedShareParts,
  { lpTokenId, totalSupply = 0n }: Pool,
): Promise<LockedShare | undefined> {
  if (lpTokenId === undefined || totalSupply === 0n) return undefined;
  const units = (await balances.known(lock.target.address, [lpTokenId]))?.[lpTokenId];
  return units === undefined || units > totalSupply
    ? undefined
    : { isNone: units === 0n, bps: (units * 10_000n) / totalSupply };
}
