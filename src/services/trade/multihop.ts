import { readOrLog, type Basics } from "../../loop.js";
import type { Config } from "../../config.js";
import { amountOf, paymentOf, unlistedToken, type Amount } from "../../encoding/amount.js";
import { compareAmounts, isZero, smallerAmount, subtractAmounts } from "../../encoding/amount.js";
import { dividedUp, formatAmount, formatAssetId, slippageCeiling, slippageFloor } from "../../encoding/amount.js";
import { contractCall } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault, unlessFault } from "../../fault.js";
import type { PeriodicCheck } from "../chain/checks.js";
import { type TradeKind, outputsOf, seenToArrive, type Answered } from "../intent/trade-kind.js";
import type { HopTerms, MultihopRequest, MultihopTerms, PoolsPrice, Stop } from "../terms/swap-terms.js";
import { payoutOf, slippageOf, type Person, type SlippageConfig } from "../person/person.js";
import { planFreshly, type Pools } from "../market/pools.js";
import { poolFeesOf, priceAlong, routeTokens, worthUp } from "../market/comparison.js";
import { poolPrice } from "../market/price-tree.js";
import type { Route, PoolGraph } from "../market/route.js";
import { bestRoute, bestRouteFixedOutput, MAX_HOPS, poolsBetween } from "../market/route.js";
import { canSwap, inputFor, otherToken, outputFor, sideOf, inBps, priceImpact } from "../market/pool.js";
import type { Pool, Side } from "../market/pool.js";
import { amountPaid, type PayParts, readMultihop } from "./swap-request.js";
import { swapBeside, type Swaps } from "./swap.js";
import type { TokenList } from "../market/token-list.js";

type RouteStep = Stop & { readonly pool: Pool };
type FindToken = TokenList["named"];
/** In basis points. */
type Slippage = { readonly bps: number; readonly maximumBps: number };

const POOLS_MAX_AGE_MS = 20_000;
const MAX_AGE_FOR_REFUSAL_MS = 3000;

export interface MultihopParts extends PayParts, Basics {
  readonly pools: Pick<Pools, "fresh" | "reread">;
  readonly swaps: Pick<Swaps, "quote">;
  readonly routerCheck: PeriodicCheck;
  readonly tokens: TokenList;
  readonly settings: PayParts["settings"] &
    SlippageConfig &
    Pick<Config, "betterRouteBps" | "quoteTtlSeconds" | "routerContract">;
}

export const multihopKind: TradeKind<"multihop", MultihopParts> = {
  read: ({ tokens }, line) => readMultihop(line, tokens),
  /** Also quotes an ordinary swap, if possible. */
  draft: async (parts, asked, { person }) => {
    const paid = asked.isFound ? amountOf(asked.from, 0n) : await amountPaid(parts, person, asked.pay, asked.from);
    parts.routerCheck.assertNoMismatch();
    const draft = await multihopDraft(parts, person, { ...asked, pay: paid });
    const { pay, from, stops } = draft.terms.request;
    const to = stops.at(-1)?.token;
    if (to === undefined || from.id === to.id || stops.some(({ exactly }) => exactly !== undefined)) return draft;
    const quoted = () => parts.swaps.quote(person, { kind: "swap", pay, from, to });
    const swap = await readOrLog(parts, "No swap to compare the route with", quoted);
    if (swap === undefined) return draft;
    const beside = swapBeside(draft.terms.expectedOut, swap, parts.settings.betterRouteBps);
    return { ...draft, terms: { ...draft.terms, swap: beside } };
  },
  /** A card holds while no hop would fail at its pool. */
  recheck: async (parts, { terms }, person) => {
    await parts.routerCheck.assertMatch();
    const graph = await parts.pools.reread(terms.hops.map(({ pair }) => pair));
    if (reevaluate(graph, terms.hops, terms.amountIn) !== undefined) return undefined;
    return multihopDraft(parts, person, terms.request);
  },
  flow: (intent, encoding) => {
    const { amountIn, minimumOut: expected } = intent.terms;
    const { change = [], received } = readMultihopOutcome(intent, encoding) ?? {};
    const back = change.filter(({ token }) => token.id === amountIn.token.id);
    return { paid: [back.reduce(subtractAmounts, amountIn)], expected, received };
  },
};

/** @throws Fault `wallet-missing`, `route-none`, `pair-…`, `route-too-expensive`, `pools-unknown`, `service-…`. */
async function multihopDraft(parts: MultihopParts, person: Person, asked: MultihopRequest<Amount>) {
  const { clock, pools, settings, tokens } = parts;
  const payout = payoutOf(person);
  const slippage = { bps: slippageOf(person, settings), maximumBps: settings.maxSlippageBps };
  const planOn = (graph: PoolGraph) => {
    const { spent, own, ...plan } = planRoute(graph, asked, slippage, tokens.named);
    const request = asked.isFound ? { ...asked, pay: plan.amountIn } : asked;
    const price = poolPrice(graph, spent.token.id, plan.expectedOut.token.id);
    const deep = price?.hops() ?? [];
    const deepest = price && {
      worth: worthUp(price, spent.units, plan.expectedOut),
      path: routeTokens({ hops: deep }),
    };
    const pools = { ...bestFor(graph, plan), paid: spent, deepest: deepest ?? own, own };
    const pairs = [...plan.hops.map(({ pair }) => pair), ...deep.map(({ pool }) => pool.address)];
    return { terms: { ...plan, pools, request }, pairs: [...new Set(pairs)] };
  };
  const planOnPools = async (maxAge: number) => planOn(await pools.fresh(maxAge));
  // Before refusing, read the pools again: a pair may have been opened or funded in the meantime.
  const first = (await unlessFault(() => planOnPools(POOLS_MAX_AGE_MS))) ?? (await planOnPools(MAX_AGE_FOR_REFUSAL_MS));
  const { terms: plan } = await planFreshly(pools, first, planOn, ({ pairs }) => pairs);
  const swap_operations = plan.hops.map(({ pair, function: name, wanted }) => ({
    pair_address: pair,
    function: name,
    token_wanted: wanted.token.id,
    amount_wanted: wanted.units,
  }));
  const router = { contract: "router", address: settings.routerContract } as const;
  return {
    terms: { kind: "multihop", ...plan, slippageBps: slippage.bps, payout } as const,
    call: contractCall(router, "multiPairSwap", { swap_operations }, [paymentOf(plan.amountIn)]),
    expiresAt: clock.now() + settings.quoteTtlSeconds * 1000,
  };
}

/** The best route, as a typed path may not be it. Exact amounts leave nothing to compare. */
function bestFor(graph: PoolGraph, { hops, amountIn, expectedOut }: Pick<Plan, "hops" | "amountIn" | "expectedOut">) {
  const [tokenIn, tokenOut] = [amountIn.token.id, expectedOut.token.id];
  const isComparable = tokenIn !== tokenOut && hops.every((hop) => hop.function === "swapTokensFixedInput");
  const best = isComparable ? bestRoute(graph, { tokenIn, tokenOut, amountIn: amountIn.units }) : undefined;
  return best === undefined
    ? { best: expectedOut, path: pathOf(hops) }
    : { best: amountOf(expectedOut.token, best.amountOut), path: routeTokens(best) };
}

const pathOf = (hops: readonly HopTerms[]): string[] =>
  hops.flatMap(({ amountIn, amountOut }, index) => [...(index === 0 ? [amountIn.token.id] : []), amountOut.token.id]);

/**
 * The answer lists unused inputs in the order of the hops, then the output. Undefined if the output is below the
 * minimum, or if there is no answer and balances don't prove the output.
 */
export function readMultihopOutcome(call: Answered<MultihopTerms>, encoding: ReturnDataEncoding) {
  const { terms, outcome } = call;
  if (outcome?.kind === "unknown") {
    const received = seenToArrive(call.balances, terms.minimumOut);
    return received && { received, change: [] };
  }
  const [payments = []] = outputsOf("router", "multiPairSwap", outcome, encoding) ?? [];
  const known = [terms.amountIn, terms.minimumOut, ...terms.hops.map((hop) => hop.amountOut)];
  const amounts = payments.map(({ tokenId, nonce, units }) => {
    const id = nonce === undefined ? tokenId : formatAssetId({ tokenId, nonce });
    return amountOf(known.find(({ token }) => token.id === id)?.token ?? unlistedToken(id), units);
  });
  const received = amounts.at(-1);
  if (received?.token.id !== terms.minimumOut.token.id || compareAmounts(received, terms.minimumOut) < 0) {
    return undefined;
  }
  return { received, change: amounts.slice(0, -1).filter((amount) => !isZero(amount)) };
}

/** @throws Fault `pair-…` for a hop that the user named, and as {@link evaluate}. */
export function planRoute(
  graph: PoolGraph,
  request: MultihopRequest<Amount>,
  slippage: Slippage,
  named: FindToken,
): Plan {
  const { pay, stops } = request;
  const [only, ...more] = stops;
  if (only === undefined) throw new TypeError("a route needs a token to end in");
  const way =
    more.length > 0
      ? { steps: stepsAlong(graph, pay, stops), sent: pay }
      : stepsTo(graph, pay, only, slippage.bps, named);
  if (way === undefined) throw new Fault("route-none", { from: pay.token.id, to: only.token.id });
  return evaluate(request.isFound ? way.sent : pay, way.steps, slippage);
}

/** Picks the best pool for each hop, or the first on a tie; never the same one twice, nor one that would refuse. */
function stepsAlong(graph: PoolGraph, pay: Amount, stops: readonly Stop[]): readonly RouteStep[] {
  const steps: RouteStep[] = [];
  let amount = pay;
  for (const stop of stops) {
    const { token, exactly } = stop;
    const paid = amount;
    const [from, to] = [paid.token.id, token.id];
    const unused = poolsBetween(graph, from, to).filter((pool) => !steps.some((step) => step.pool === pool));
    if (unused.length === 0) throw whyNoPool(graph, from, to);
    const direction = exactly === undefined ? -1 : 1;
    const [best] = unused
      .map((pool) => ({ pool, moved: exactly ? inputFor(pool, exactly, paid.token) : outputFor(pool, paid, token) }))
      .filter(({ moved }) => !isZero(moved))
      .sort((left, right) => direction * compareAmounts(left.moved, right.moved));
    if (best === undefined) throw new Fault("route-none", { from, to });
    steps.push({ ...stop, pool: best.pool });
    amount = exactly ?? best.moved;
  }
  return steps;
}

function whyNoPool(graph: PoolGraph, from: string, to: string): Fault {
  const pools = graph.pools().filter((pool) => otherToken(pool, from) === to);
  if (pools.length === 0) return new Fault("pair-unknown", { from, to });
  // Any pool that can swap is on the path already.
  if (pools.some(canSwap)) return new Fault("route-none", { from, to });
  const isEmpty = pools.every((pool) => pool.reserveFirst === 0n || pool.reserveSecond === 0n);
  return new Fault(isEmpty ? "pair-empty" : "pair-inactive", { from, to });
}

/**
 * Returns the steps of the best route, and the payment. For an exact amount, each hop asks for what the next one needs
 * plus slippage, and the rest comes back in that hop's token. A longer route that is only slightly cheaper would leave
 * the user with unwanted tokens, so of the best routes of each length, the one that sends the least wins, slippage
 * included.
 */
function stepsTo(graph: PoolGraph, pay: Amount, stop: Stop, slippageBps: number, named: FindToken) {
  const { token, exactly } = stop;
  const ends = { tokenIn: pay.token.id, tokenOut: token.id };
  if (exactly === undefined) {
    const best = bestRoute(graph, { ...ends, amountIn: pay.units });
    return (
      best && { steps: best.hops.map(({ pool, tokenOut }): RouteStep => ({ pool, token: named(tokenOut) })), sent: pay }
    );
  }
  const trade = { ...ends, amountOut: exactly.units };
  const [cheapest] = Array.from({ length: MAX_HOPS }, (_, hops) => bestRouteFixedOutput(graph, trade, hops + 1))
    .map((route) => route && withSlack(route, exactly, slippageBps, named))
    .filter((way) => way !== undefined)
    .sort((left, right) => compareAmounts(left.sent, right.sent));
  return cheapest;
}

/** Works backwards, adding slippage at each hop; undefined if a pool doesn't hold enough. */
function withSlack(route: Route, wanted: Amount, slippageBps: number, named: FindToken) {
  const steps: RouteStep[] = [];
  let sent = wanted;
  for (const { pool, tokenIn } of route.hops.toReversed()) {
    steps.unshift({ pool, token: sent.token, exactly: sent });
    const needed = inputFor(pool, sent, named(tokenIn));
    if (isZero(needed)) return undefined;
    sent = slippageCeiling(needed, slippageBps);
  }
  return { steps, sent };
}

type Plan = ReturnType<typeof evaluate>;

/**
 * Evaluates every hop exactly as the pairs will. A call succeeds or fails as a whole, so if the next hop spends all of
 * a hop's output, a later minimum covers it, and its own is one unit (the contract rejects zero). A hop before a fixed
 * output needs its own minimum, since the rest comes back. What a fixed output spends is bounded by the payment, or by
 * the check on confirmation. @throws Fault `route-none`, `route-too-expensive`.
 */
function evaluate(offered: Amount, steps: readonly RouteStep[], slippage: Slippage) {
  const [first] = steps;
  const asked = first?.exactly && inputFor(first.pool, first.exactly, offered.token);
  const payment = asked ? smallerAmount(offered, slippageCeiling(asked, slippage.bps)) : offered;
  const hops: HopTerms[] = [];
  let [amountIn, minimumOut] = [payment, payment];
  // Price impacts compound over the hops; change from an exact amount is no loss.
  let [left, whole] = [1n, 1n];
  // The part of the payment that isn't returned on the way.
  let [used, sent] = [payment.units, 1n];
  const sides: Side[] = [];
  for (const [index, { pool, token, exactly }] of steps.entries()) {
    const amountOut = exactly ?? outputFor(pool, amountIn, token);
    const spent = exactly === undefined ? amountIn : inputFor(pool, exactly, amountIn.token);
    if (isZero(amountOut) || isZero(spent)) throw new Fault("route-none", { from: amountIn.token.id, to: token.id });
    if (compareAmounts(spent, amountIn) > 0) {
      const [needed, paid] = [formatAmount(spent), formatAmount(amountIn)];
      throw new Fault("route-too-expensive", { token: amountIn.token.id, needed, paid });
    }
    const side = sideOf(pool, amountIn.token.id);
    const impact = priceImpact([side], spent.units, amountOut.units);
    sides.push(side);
    used *= spent.units;
    sent *= amountIn.units;
    left *= impact.denominator - impact.numerator;
    whole *= impact.denominator;
    const hop = { pair: pool.address, amountIn, amountOut, priceImpactBps: inBps(impact) };
    if (exactly === undefined) {
      const next = steps[index + 1];
      const isCovered = next !== undefined && next.exactly === undefined;
      minimumOut = isCovered ? amountOf(token, 1n) : slippageFloor(amountOut, slippage.bps, slippage.maximumBps);
      hops.push({ ...hop, function: "swapTokensFixedInput", wanted: minimumOut });
    } else {
      minimumOut = exactly;
      const change = subtractAmounts(amountIn, spent);
      const spends = { expected: spent, atMost: smallerAmount(amountIn, slippageCeiling(spent, slippage.bps)) };
      const fixed = { ...hop, function: "swapTokensFixedOutput", wanted: exactly, spends } as const;
      hops.push(isZero(change) ? fixed : { ...fixed, change });
    }
    amountIn = amountOut;
  }
  const priceImpactBps = inBps({ numerator: whole - left, denominator: whole });
  const { unitsIn, unitsOut } = priceAlong(sides);
  const own: NonNullable<PoolsPrice["own"]> = {
    worth: worthUp({ unitsIn: unitsIn * sent, unitsOut }, used, amountIn),
    path: pathOf(hops),
    feeBps: inBps(poolFeesOf(sides)),
    impactBps: priceImpactBps,
  };
  const spent = amountOf(payment.token, dividedUp(used, sent));
  return { hops, amountIn: payment, expectedOut: amountIn, minimumOut, priceImpactBps, spent, own };
}

/** Returns the output at current reserves; undefined if a hop would fail or spend more than its card says. */
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
