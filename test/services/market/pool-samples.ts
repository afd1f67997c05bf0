import { addressFromBytes } from "../../../src/encoding/address.js";
import type { Pool } from "../../../src/services/market/pool.js";

/** Returns a different address for each number. */
export function poolAddress(number: number) {
  const bytes = new Uint8Array(32);
  bytes.set([5, 0], 8);
  new DataView(bytes.buffer).setUint32(28, number + 1);
  return addressFromBytes(bytes);
}

/** An active pool with a fee of 0.3 %, unless `changes` say otherwise. */
export function poolOf(
  number: number,
  [first, reserveFirst]: readonly [string, bigint],
  [second, reserveSecond]: readonly [string, bigint],
  changes: Partial<Pool> = {},
): Pool {
  const address = poolAddress(number);
  return { address, first, second, reserveFirst, reserveSecond, feePercent: 300n, state: "Active", ...changes };
}
