import {
  amountOf,
  compareAmounts,
  formatAmount,
  isZero,
  slippageCeiling,
  slippageFloor,
  smallerAmount,
  subtractAmounts,
  type Amount,
} from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import type { HopTerms } from "../intent/terms.js";
import { inBps, priceImpact, type Fraction } from "../pool/amm.js";
import { canSwap, inputFor, outputFor, sideOf, type Pool } from "../pool/pool.js";
import type { PoolGraph } from "../pool/pool-graph.js";
import type { Stop } from "../request.js";

/** A hop before it is evaluated: what is asked, and of which pool. */
export interface Step extends Stop {
  readonly pool: Pool;
}

/** How far a price may move, and the most that the operator allows, in hundredths of a percent. */
export interface Slippage {
  readonly bps: number;
  readonly maximumBps: number;
}

/** The hops of a route with what each is expected to do. */
export type Plan = ReturnType<typeof evaluate>;

/**
 * Evaluates every hop exactly as the pairs will, with the bounds that protect the person.
 *
 * A call is carried out whole or not at all. A hop that spends all it gets needs no minimum of its own where the next one
 * does so too: a later minimum covers it, and its own could only fail a call that would have held. Such hops ask for a
 * single unit, since the contract takes no zero. A fixed output lets the rest come back, so the hop before it needs its own
 * minimum, and what it spends is bounded: by the payment when it comes first, otherwise when the card is confirmed.
 * @throws Fault `route-none` where a hop gives nothing, `route-too-expensive` where the payment does not suffice for an exact
 * amount, `slippage-out-of-range`.
 */
export function evaluate(offered: Amount, steps: readonly Step[], slippage: Slippage) {
  const payment = paymentFor(offered, steps, slippage);
  const hops: HopTerms[] = [];
  const impacts: Fraction[] = [];
  let amount = payment;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const isCovered = next !== undefined && next.exactly === undefined;
    const { hop, impact } = evaluateHop(amount, step, slippage, isCovered);
    hops.push(hop);
    impacts.push(impact);
    amount = hop.amountOut;
  }
  const last = hops.at(-1);
  if (last === undefined) throw new TypeError("a route has at least one hop");
  const priceImpactBps = inBps(together(impacts));
  return { hops, amountIn: payment, expectedOut: last.amountOut, minimumOut: last.wanted, priceImpactBps };
}

/**
 * Evaluates hops again, at their pools as they are now: what would come out, or undefined when a hop would fail or spend more
 * than its card says.
 */
export function reevaluate(graph: PoolGraph, hops: readonly HopTerms[], payment: Amount): Amount | undefined {
  let amount = payment;
  for (const hop of hops) {
    const pool = graph.poolAt(hop.pair);
    if (pool === undefined || !canSwap(pool)) return undefined;
    if (hop.function === "swapTokensFixedOutput") {
      const needed = inputFor(pool, hop.wanted, amount.token);
      const atMost = smallerAmount(amount, hop.spends?.atMost ?? amount);
      if (isZero(needed) || compareAmounts(needed, atMost) > 0) return undefined;
      amount = hop.wanted;
    } else {
      amount = outputFor(pool, amount, hop.amountOut.token);
      if (compareAmounts(amount, hop.wanted) < 0) return undefined;
    }
  }
  return amount;
}

/** What is sent along: all that was offered, or what a fixed output may take of it at most. */
function paymentFor(offered: Amount, [first]: readonly Step[], slippage: Slippage): Amount {
  if (first?.exactly === undefined) return offered;
  const needed = inputFor(first.pool, first.exactly, offered.token);
  return smallerAmount(offered, slippageCeiling(needed, slippage.bps));
}

/** @param isCovered whether a later hop's minimum protects what this one gives. */
function evaluateHop(amount: Amount, { pool, token: tokenOut, exactly }: Step, slippage: Slippage, isCovered: boolean) {
  const received = exactly ?? outputFor(pool, amount, tokenOut);
  const spent = exactly === undefined ? amount : inputFor(pool, exactly, amount.token);
  if (isZero(received) || isZero(spent)) throw new Fault("route-none", { from: amount.token.id, to: tokenOut.id });
  if (compareAmounts(spent, amount) > 0) {
    const [needed, paid] = [formatAmount(spent), formatAmount(amount)];
    throw new Fault("route-too-expensive", { token: amount.token.id, needed, paid });
  }
  const side = sideOf(pool, amount.token.id);
  const impact = priceImpact([side], spent.units, received.units);
  const common = { pair: pool.address, amountIn: amount, amountOut: received, priceImpactBps: inBps(impact) };
  if (exactly === undefined) {
    const wanted = isCovered ? amountOf(tokenOut, 1n) : slippageFloor(received, slippage.bps, slippage.maximumBps);
    return { hop: { ...common, function: "swapTokensFixedInput", wanted } as const, impact };
  }
  const change = subtractAmounts(amount, spent);
  const spends = { expected: spent, atMost: smallerAmount(amount, slippageCeiling(spent, slippage.bps)) };
  const hop = { ...common, function: "swapTokensFixedOutput", wanted: exactly, spends } as const;
  return { hop: isZero(change) ? hop : { ...hop, change }, impact };
}

/** The impact of hops one after the other: what each leaves is multiplied. What an exact amount leaves over is no loss. */
function together(impacts: readonly Fraction[]): Fraction {
  const left = impacts.reduce((product, { numerator, denominator }) => product * (denominator - numerator), 1n);
  const whole = impacts.reduce((product, { denominator }) => product * denominator, 1n);
  return { numerator: whole - left, denominator: whole };
}
