import * as z from "zod";
import { readBy } from "../../config.js";
import { parseContractAddress } from "../../encoding/address.js";
import { amountOf, dividedUp, isTokenId, type Amount, type Holdings, type Token } from "../../encoding/amount.js";

const units = z
  .string()
  .regex(/^(?:0|[1-9][0-9]*)$/, "is not an amount in smallest units")
  .transform(BigInt);
const tokenId = z.string().refine(isTokenId, "is not a token id");

/** A pool as an entry of the pools file. */
export const poolSchema = z.object({
  address: readBy(parseContractAddress, "address is not the klv1… address of a contract"),
  first: tokenId,
  second: tokenId,
  reserveFirst: units,
  reserveSecond: units,
  /** Base 100000. */
  feePercent: z.int().min(0).max(99_999).default(300).transform(BigInt),
  state: z.enum(["Inactive", "Active", "PartialActive"]).default("Active"),
});

/** Reserves and supply are in base units. */
export type Pool = Readonly<z.infer<typeof poolSchema>> & {
  readonly lpTokenId?: string;
  readonly totalSupply?: bigint;
};

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

/** LP tokens, and the part of their pool's reserves that they represent, rounded down. */
export interface PoolShare {
  readonly amount: Amount;
  readonly first: Amount;
  readonly second: Amount;
}

/** Returns the share of each pool whose LP tokens are in `held`. */
export function sharesOf(pools: readonly Pool[], held: Holdings, tokenOf: (id: string) => Token): readonly PoolShare[] {
  return pools.flatMap(({ lpTokenId = "", totalSupply = 0n, ...pool }) => {
    const units = held[lpTokenId] ?? 0n;
    if (units === 0n || totalSupply === 0n) return [];
    const part = (id: string, reserve: bigint) => amountOf(tokenOf(id), (reserve * units) / totalSupply);
    const [first, second] = [part(pool.first, pool.reserveFirst), part(pool.second, pool.reserveSecond)];
    return { amount: amountOf(tokenOf(lpTokenId), units), first, second };
  });
}

/** Zero if the pool would refuse. */
export function outputFor(pool: Pool, paid: Amount, tokenOut: Token): Amount {
  return amountOf(tokenOut, amountOut(sideOf(pool, paid.token.id), paid.units));
}

/** Zero if the pool doesn't hold that much. */
export function inputFor(pool: Pool, wanted: Amount, tokenIn: Token): Amount {
  return amountOf(tokenIn, amountIn(sideOf(pool, tokenIn.id), wanted.units));
}

// Constant-product arithmetic with the contract's own rounding (multiversx/mx-exchange-sc, `dex/pair/src/amm.rs`).

export interface Side {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  readonly kept: bigint;
}

export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** 300 means 0.3 %. */
export const FEE_BASE = 100_000n;

/** Rounded down; zero if the pair would refuse. Both reserves must be above zero. */
export function amountOut(side: Side, amountIn: bigint): bigint {
  const kept = amountIn * side.kept;
  return (kept * side.reserveOut) / (side.reserveIn * FEE_BASE + kept);
}

/** Rounded down plus one, even if the division is exact. Zero if the reserve is too small. */
export function amountIn(side: Side, amountOut: bigint): bigint {
  if (amountOut >= side.reserveOut) return 0n;
  return (side.reserveIn * amountOut * FEE_BASE) / ((side.reserveOut - amountOut) * side.kept) + 1n;
}

/** Excludes fees: `1 - amountOut / (amountIn * product of kept * reserveOut / reserveIn)`. */
export function priceImpact(sides: readonly Side[], amountIn: bigint, amountOut: bigint): Fraction {
  let got = amountOut;
  let ideal = amountIn;
  for (const side of sides) {
    got *= side.reserveIn * FEE_BASE;
    ideal *= side.reserveOut * side.kept;
  }
  return { numerator: ideal - got, denominator: ideal };
}

/** Rounded up, so that an impact is never understated. */
export function inBps({ numerator, denominator }: Fraction): number {
  // oxlint-disable-next-line money/no-floating-point -- at most 10000, and no amount
  return Number(dividedUp(numerator * 10_000n, denominator));
}

/**
 * Maximum that arbitrage can take from a new pool, in its second token and excluding fees:
 * `(sqrt(worth) - sqrt(reserve))^2`, rounded up.
 * @param worth market value of the first reserve. @param reserve the second reserve.
 */
export function arbitrageGain(worth: bigint, reserve: bigint): bigint {
  return worth + reserve - 2n * squareRoot(worth * reserve);
}

/** Rounded down: Newton's method converges from above. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = value;
  for (let next = value / 2n; next < root; next = (root + value / root) / 2n) root = next;
  return root;
}
