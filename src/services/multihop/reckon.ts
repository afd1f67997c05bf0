import { formatAmount, slippageFloor, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import type { HopTerms } from "../../model/intent.js";
import { amountIn, amountOut, inBps, priceImpact, type Fraction } from "../routes/amm.js";
import { canSwap, sideOf, type Pool } from "../routes/pool.js";
import type { PoolGraph } from "../routes/pool-graph.js";

/** A hop before it is reckoned: which pool, and what is asked of it. */
export interface Step {
  readonly pool: Pool;
  readonly tokenOut: Token;
  /** Exactly so much; undefined: as much as comes out. */
  readonly exactly?: bigint;
}

/** How far a price may move, and the most that the operator allows, in hundredths of a percent. */
export interface Slippage {
  readonly bps: number;
  readonly maximumBps: number;
}

/** The hops of a route with what each is expected to do. */
export interface Plan {
  readonly hops: readonly HopTerms[];
  /** What is sent along. */
  readonly amountIn: Amount;
  readonly expectedOut: Amount;
  readonly minimumOut: Amount;
  readonly priceImpactBps: number;
}

/**
 * Reckons every hop exactly as the pairs will.
 *
 * The last minimum alone protects the person: a call is carried out whole or not at all, and each hop spends all that the
 * one before gave. A higher minimum on an earlier hop could only fail a call whose last hop would have held, because a later
 * pool became cheaper in the meantime. So earlier hops ask for a single unit, since the contract takes no zero.
 * @throws Fault `route-none` where a hop gives nothing, `route-too-dear` where the payment does not suffice for an exact
 * amount, `slippage-out-of-range`.
 */
export function reckon(payment: Amount, steps: readonly Step[], slippage: Slippage): Plan {
  const hops: HopTerms[] = [];
  const impacts: Fraction[] = [];
  let amount = payment;
  for (const step of steps) {
    const isLast = hops.length === steps.length - 1;
    const { hop, impact } = reckonHop(amount, step, isLast ? slippage : undefined);
    hops.push(hop);
    impacts.push(impact);
    amount = hop.amountOut;
  }
  const last = hops.at(-1);
  if (last === undefined) throw new TypeError("a route has at least one hop");
  return {
    hops,
    amountIn: payment,
    expectedOut: last.amountOut,
    minimumOut: last.wanted,
    priceImpactBps: inBps(together(impacts)),
  };
}

/**
 * Reckons hops again, at their pools as they are now: what would come out, or undefined when a hop would fail.
 */
export function reckonAgain(graph: PoolGraph, hops: readonly HopTerms[], payment: Amount): Amount | undefined {
  let amount = payment;
  for (const hop of hops) {
    const pool = graph.poolAt(hop.pair);
    if (pool === undefined || !canSwap(pool)) return undefined;
    const side = sideOf(pool, amount.token.id);
    if (hop.function === "swapTokensFixedOutput") {
      const needed = amountIn(side, hop.wanted.units);
      if (needed === 0n || needed > amount.units) return undefined;
      amount = hop.wanted;
    } else {
      const units = amountOut(side, amount.units);
      if (units < hop.wanted.units) return undefined;
      amount = { token: hop.amountOut.token, units };
    }
  }
  return amount;
}

/** @param floor the slippage where this is the last hop. */
function reckonHop(
  amount: Amount,
  { pool, tokenOut, exactly }: Step,
  floor: Slippage | undefined,
): { hop: HopTerms; impact: Fraction } {
  const side = sideOf(pool, amount.token.id);
  const received = { token: tokenOut, units: exactly ?? amountOut(side, amount.units) };
  const spent = exactly === undefined ? amount.units : amountIn(side, exactly);
  if (received.units === 0n || spent === 0n) throw new Fault("route-none", { from: amount.token.id, to: tokenOut.id });
  if (spent > amount.units) throw tooDear({ ...amount, units: spent }, amount);
  const impact = priceImpact([{ side, amountIn: spent, amountOut: received.units }]);
  const minimum = floor && slippageFloor(received, floor.bps, floor.maximumBps);
  const hop: HopTerms = {
    pair: pool.address,
    function: exactly === undefined ? "swapTokensFixedInput" : "swapTokensFixedOutput",
    amountIn: amount,
    amountOut: received,
    wanted: exactly === undefined ? (minimum ?? { token: tokenOut, units: 1n }) : received,
    ...(spent < amount.units && { change: { token: amount.token, units: amount.units - spent } }),
    priceImpactBps: inBps(impact),
  };
  return { hop, impact };
}

/** The fault for a payment that does not suffice. */
export function tooDear(needed: Amount, paid: Amount): Fault {
  return new Fault("route-too-dear", {
    token: paid.token.id,
    needed: formatAmount(needed),
    paid: formatAmount(paid),
  });
}

/** The impact of hops one after the other: what each leaves is multiplied. What an exact amount leaves over is no loss. */
function together(impacts: readonly Fraction[]): Fraction {
  const left = impacts.reduce((product, { numerator, denominator }) => product * (denominator - numerator), 1n);
  const whole = impacts.reduce((product, { denominator }) => product * denominator, 1n);
  return { numerator: whole - left, denominator: whole };
}
