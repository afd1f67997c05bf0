import { readOrLog, type Basics } from "../../loop.js";
import type { Config } from "../../config.js";
import type { Address } from "../../encoding/address.js";
import { amountOf, compareAmounts, formatAssetId, isZero, paymentOf, type Amount } from "../../encoding/amount.js";
import { subtractAmounts, unlistedToken } from "../../encoding/amount.js";
import { contractCall } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault, isFault, unlessFault } from "../../fault.js";
import type { PeriodicCheck } from "../chain/checks.js";
import {
  type Draft,
  type TradeKind,
  outputsOf,
  seenToArrive,
  seenToLeave,
  type Answered,
} from "../intent/trade-kind.js";
import { routeTokens, worthUp } from "../market/comparison.js";
import { planFreshly, type Pools } from "../market/pools.js";
import { nativePrice, poolPrice, rateIn } from "../market/price-tree.js";
import { bestRoute, type PoolGraph, withoutPools } from "../market/route.js";
import type { TokenList } from "../market/token-list.js";
import { CONFIRM_AGE_MS, rightsFor, type RightsReader } from "../market/token-rights.js";
import { isOtherRoyalty, royaltiesIn, type TradeRoyalties } from "../market/royalty.js";
import { betweenByRoute } from "../market/token-way.js";
import { isRiskier, rightsInTrade } from "../market/trade-rights.js";
import { payoutOf, slippageOf, type Person, type SlippageConfig } from "../person/person.js";
import type { MultihopRequest, MultihopTerms, TradeRights } from "../terms/swap-terms.js";
import { otherWay } from "../terms/terms.js";
import { slippageFloor } from "../market/slippage.js";
import { pathOf, type Plan, planRoute, reevaluate } from "./route-plan.js";
import { fixedIn, reportedBy, saidRoyalty, withRoyalty } from "./royalty-taken.js";
import { amountPaid, type PayParts, readMultihop } from "./swap-request.js";
import { comparedWithSwap, isAboveLine, type Swaps } from "./swap.js";

const POOLS_MAX_AGE_MS = 20_000;
const MAX_AGE_FOR_REFUSAL_MS = 3000;
/** Maximum number of pairs that a route is led around, since they give out a token that they don't take back. */
const MAX_AVOIDED = 3;

export interface MultihopParts extends PayParts, Basics {
  readonly pools: Pick<Pools, "fresh" | "reread">;
  readonly rights: RightsReader;
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
    const { from, stops } = draft.terms.request;
    const other = otherWay(draft.terms.request);
    if (other === undefined || from.id === other.to.id || stops.some(({ exactly }) => exactly !== undefined))
      return draft;
    const quoted = () => parts.swaps.quote(person, other);
    const swap = await readOrLog(parts, "No swap to compare the route with", quoted);
    if (swap === undefined) return draft;
    const comparison = comparedWithSwap(draft.terms.expectedOut, swap, parts.settings.betterRouteBps);
    return { ...draft, terms: { ...draft.terms, swap: comparison } };
  },
  /** A card holds while no hop would fail at its pool, and nothing that an issuer does keeps a token from moving. */
  recheck: async (parts, { terms }, person) => {
    await parts.routerCheck.assertMatch();
    const [graph, told] = await Promise.all([
      parts.pools.reread(terms.hops.map(({ pair }) => pair)),
      rightsAlong(parts, terms, terms.payout, CONFIRM_AGE_MS),
    ]);
    const isOther = isRiskier(terms, told) || isOtherRoyalty(terms, told);
    const expected = reevaluate(graph, terms.hops, terms.amountIn);
    if (expected === undefined || isOther) return multihopDraft(parts, person, terms.request);
    assertThere(terms.request, expected);
    return undefined;
  },
  flow: (intent, encoding) => {
    const { amountIn, hops, minimumOut: expected, slippageBps: bps } = intent.terms;
    const { change, spent, received } = readMultihopOutcome(intent, encoding) ?? {};
    const isPayment = ({ token }: Amount) => token.id === amountIn.token.id;
    const back = change?.filter(isPayment) ?? [];
    const rest = change?.filter((amount) => !isPayment(amount)) ?? [];
    const isOpen = change === undefined && spent === undefined;
    const sent = spent ?? back.reduce(subtractAmounts, amountIn);
    // An exact output gives back what it doesn't take.
    const spends = hops.find((hop) => isPayment(hop.amountIn) && hop.spends !== undefined)?.spends;
    const leastPaid = isOpen && spends ? { leastPaid: slippageFloor(spends.expected, bps, bps) } : {};
    const taken = withRoyalty(intent, sent, reportedBy(intent, received));
    return { ...taken, expected, received, change: rest, ...leastPaid };
  },
};

/** @throws Fault `standing-price-back` if an order's price isn't there, or not any more, by this way. */
function assertThere(request: MultihopRequest<Amount>, expected: Amount): void {
  const { least } = request.standing ?? {};
  const isBelow = least !== undefined && compareAmounts(expected, least) < 0;
  if (isBelow || isAboveLine(request, expected)) throw new Fault("standing-price-back", {});
}

const tokensAlong = ({ hops, amountIn }: Pick<MultihopTerms, "amountIn" | "hops">): readonly string[] =>
  [amountIn, ...hops.map(({ amountOut }) => amountOut)].map(({ token }) => token.id);

/** @throws Fault as {@link rightsInTrade} for a hop's token that couldn't come back the same way. */
async function rightsAlong(
  { rights, settings }: MultihopParts,
  route: Pick<MultihopTerms, "amountIn" | "expectedOut" | "hops">,
  account: Address,
  maxAge?: number,
): Promise<TradeRights & TradeRoyalties> {
  const tokens = tokensAlong(route);
  const [[paid = ""], [bought = ""]] = [tokens, tokens.slice(-1)];
  const pairs = route.hops.map(({ pair: address, amountIn: { token: first }, amountOut: { token: second } }) => {
    return { address, first: first.id, second: second.id };
  });
  const givenOut = pairs.map((pair, index) => ({ tokenId: pair.second, pairs: [pair], taker: pairs[index + 1] }));
  const told = await rightsFor(rights, tokens, maxAge);
  return {
    ...rightsInTrade(told, { paid, bought, givenOut }, betweenByRoute(settings, account)),
    ...royaltiesIn(told, route.amountIn, route.expectedOut),
  };
}

/**
 * @throws Fault `wallet-missing`, `route-none`, `pair-…`, `route-too-expensive`, `pools-unknown`, `token-one-way`,
 * `token-limited`, `token-unsellable`, `standing-price-back`, `service-…`.
 */
async function multihopDraft(
  parts: MultihopParts,
  person: Person,
  asked: MultihopRequest<Amount>,
  avoided: readonly string[] = [],
): Promise<Draft & { readonly terms: MultihopTerms }> {
  const { clock, pools, settings, tokens } = parts;
  const payout = payoutOf(person);
  const { least } = asked.standing ?? {};
  // No bot fee is taken here: what a limit asks for is what arrives.
  const slippage = {
    bps: slippageOf(person, settings),
    maximumBps: settings.maxSlippageBps,
    ...(least && { least }),
  };
  const planOn = (all: PoolGraph) => {
    const graph = withoutPools(all, avoided);
    const { spent, own, ...plan } = planRoute(graph, asked, slippage, tokens.named);
    assertThere(asked, plan.expectedOut);
    const request = asked.isFound ? { ...asked, pay: plan.amountIn } : asked;
    const price = poolPrice(graph, spent.token.id, plan.expectedOut.token.id);
    const deep = price?.hops() ?? [];
    const deepest = price && {
      worth: worthUp(price, spent.units, plan.expectedOut),
      path: routeTokens({ hops: deep }),
      price: rateIn(price),
    };
    const native = nativePrice(graph, spent.token.id, plan.expectedOut.token.id);
    const found = { ...bestFor(graph, plan), paid: spent, deepest: deepest ?? own, own };
    const pools = { ...found, ...(native && { native }) };
    const pairs = [...plan.hops.map(({ pair }) => pair), ...deep.map(({ pool }) => pool.address)];
    return { terms: { ...plan, pools, request }, pairs: [...new Set(pairs)] };
  };
  const planOnPools = async (maxAge: number) => planOn(await pools.fresh(maxAge));
  // Before refusing, read the pools again: a pair may have been opened or funded in the meantime.
  const first = (await unlessFault(() => planOnPools(POOLS_MAX_AGE_MS))) ?? (await planOnPools(MAX_AGE_FOR_REFUSAL_MS));
  // The tokens' rights are read beside the pools.
  const [{ terms: plan }] = await Promise.all([
    planFreshly(pools, first, planOn, ({ pairs }) => pairs),
    rightsFor(parts.rights, tokensAlong(first.terms)),
  ]);
  let told: TradeRights & TradeRoyalties;
  try {
    told = await rightsAlong(parts, plan, payout);
  } catch (error) {
    // A token on the way never is in an account, so that it is its pairs that stop it.
    const isPassedOn =
      isFault(error, "token-limited", "token-one-way") && error.parameters.token !== plan.expectedOut.token.id;
    if (!isPassedOn || asked.stops.length > 1 || avoided.length === MAX_AVOIDED) throw error;
    // The bot chose the way, so that nobody can keep a token from being traded by putting a better one in between.
    const others = multihopDraft(parts, person, asked, [...avoided, error.parameters.address]);
    return others.catch((next: unknown) => {
      throw isFault(next, "route-none") ? error : next;
    });
  }
  const swap_operations = plan.hops.map(({ pair, function: name, wanted }) => ({
    pair_address: pair,
    function: name,
    token_wanted: wanted.token.id,
    amount_wanted: wanted.units,
  }));
  const router = { contract: "router", address: settings.routerContract } as const;
  return {
    terms: { kind: "multihop", ...plan, ...told, slippageBps: slippage.bps, payout } as const,
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

/**
 * The answer lists unused inputs in the order of the hops, then the output. Undefined if the output is below the
 * minimum, or if there is no answer and balances don't prove the output; `spent` is what they prove of the payment.
 */
export function readMultihopOutcome(call: Answered<MultihopTerms>, encoding: ReturnDataEncoding) {
  const { terms, outcome } = call;
  if (outcome?.kind === "unknown") {
    const royalty = saidRoyalty(terms);
    const received = seenToArrive(call.balances, terms.minimumOut, fixedIn(royalty));
    return received && { received, spent: seenToLeave(call, terms.amountIn, royalty) };
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
