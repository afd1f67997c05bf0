import type { Address } from "../../encoding/address.js";
import { amountOf, type Amount } from "../../encoding/amount.js";
import type { PairState } from "../../encoding/result.js";
import type { Token } from "../../encoding/token.js";
import { amountIn, amountOut, FEE_BASE, type Side } from "./amm.js";

/** A pair contract as its views describe it. Reserves and supply in smallest units. */
export interface Pool {
  readonly address: Address;
  readonly first: string;
  readonly second: string;
  readonly reserveFirst: bigint;
  readonly reserveSecond: bigint;
  /** What the pair keeps of a payment, base 100000. */
  readonly feePercent: bigint;
  readonly state: PairState;
  /** Absent while none is issued. */
  readonly lpTokenId?: string;
  readonly totalSupply?: bigint;
}

/** Whether the pair would swap at all: it is active, and both reserves hold something. */
export function canSwap(pool: Pool): boolean {
  const holdsBoth = pool.first !== pool.second && pool.reserveFirst > 0n && pool.reserveSecond > 0n;
  return holdsBoth && pool.state === "Active" && pool.feePercent < FEE_BASE;
}

/** The token that comes out when `tokenIn` goes in; undefined when the pool does not hold it. */
export function otherToken(pool: Pool, tokenIn: string): string | undefined {
  return tokenIn === pool.first ? pool.second : tokenIn === pool.second ? pool.first : undefined;
}

/** The direction in which `tokenIn`, one of the pool's tokens, goes in. */
export function sideOf(pool: Pool, tokenIn: string): Side {
  const kept = FEE_BASE - pool.feePercent;
  return tokenIn === pool.first
    ? { reserveIn: pool.reserveFirst, reserveOut: pool.reserveSecond, kept }
    : { reserveIn: pool.reserveSecond, reserveOut: pool.reserveFirst, kept };
}

/** What the pool gives for a payment in one of its tokens. Zero means that it would refuse. */
export function outputFor(pool: Pool, paid: Amount, tokenOut: Token): Amount {
  return amountOf(tokenOut, amountOut(sideOf(pool, paid.token.id), paid.units));
}

/** What the pool asks for an exact amount of one of its tokens. Zero means that it does not hold that much. */
export function inputFor(pool: Pool, wanted: Amount, tokenIn: Token): Amount {
  return amountOf(tokenIn, amountIn(sideOf(pool, tokenIn.id), wanted.units));
}
