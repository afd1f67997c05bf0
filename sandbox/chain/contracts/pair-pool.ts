import { check, required } from "../failure.js";
import type { Call } from "../call.js";
import type { Pair } from "../state.js";

/** A pair in one direction of a swap. */
export interface Pool {
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
}

/** The running pair. */
export function ownPair(call: Call): Pair {
  return required(call.state.pairs.get(call.self), "Not a pair SC");
}

/** Updates the running pair's storage. */
export function updatePair(call: Call, change: Partial<Pair>): void {
  call.state.pairs.set(call.self, { ...ownPair(call), ...change });
}

/** The pool from one token to the other; undefined unless they are the pair's two tokens. */
export function poolOf(pair: Pair, tokenIn: string, tokenOut: string): Pool | undefined {
  const { firstToken, secondToken, reserveFirst, reserveSecond } = pair;
  if (tokenIn === firstToken && tokenOut === secondToken) {
    return { tokenIn, tokenOut, reserveIn: reserveFirst, reserveOut: reserveSecond };
  }
  if (tokenIn === secondToken && tokenOut === firstToken) {
    return { tokenIn, tokenOut, reserveIn: reserveSecond, reserveOut: reserveFirst };
  }
  return undefined;
}

/** The other token of the pair, or undefined for a token that is not in it. */
export function otherToken(pair: Pair, token: string): string | undefined {
  if (token === pair.firstToken) return pair.secondToken;
  return token === pair.secondToken ? pair.firstToken : undefined;
}

/** Stores the running pair's new reserves. @throws CallFailure if their product would fall. */
export function setReserves(call: Call, pool: Pool, reserveIn: bigint, reserveOut: bigint): void {
  check(reserveIn * reserveOut >= pool.reserveIn * pool.reserveOut, "K invariant failed");
  const inIsFirst = pool.tokenIn === ownPair(call).firstToken;
  updatePair(call, {
    reserveFirst: inIsFirst ? reserveIn : reserveOut,
    reserveSecond: inIsFirst ? reserveOut : reserveIn,
  });
}

/** Whether liquidity can be added and removed: the pair is active, with or without swaps. */
export function isActiveForLiquidity(pair: Pair): boolean {
  return pair.state !== "Inactive";
}
