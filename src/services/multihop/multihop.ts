import type { Basics } from "../../base.js";
import type { Config } from "../../config.js";
import {
  paymentOf,
  type Amount,
  subtractAmounts,
  amountOf,
  compareAmounts,
  isZero,
  unlistedToken,
  formatAssetId,
} from "../../encoding/amount.js";
import { contractCall } from "../../encoding/call.js";
import { unlessFault } from "../../fault.js";
import { type TradeKind, outputsOf, seenToArrive, type Answered } from "../intent/kind.js";
import type { PeriodicCheck } from "../chain/checks.js";
import type { MultihopRequest } from "../request.js";
import type { MultihopTerms, PoolsPrice } from "../intent/terms.js";
import type { Person } from "../person/person.js";
import { planFreshly, ownPrice, poolsPrice } from "../pool/best.js";
import type { Pools } from "../pool/pools.js";
import { bestRoute, type PoolGraph } from "../pool/search.js";
import { payoutOf, slippageOf, type SlippageConfig } from "../person/people.js";
import type { TokenList } from "../token/list.js";
import { planRoute, reevaluate, type Plan } from "./plan.js";
import { swapBeside, type Swaps } from "../swap/swap.js";
import { amountPaid, type PayParts, readMultihop } from "../swap/request.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";

const MAX_AGE_MS = 20_000;
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
  /** Also quotes an ordinary swap where that can be done. */
  draft: async (parts, asked, { person }) => {
    const request = { ...asked, pay: await amountPaid(parts, person, asked.pay, asked.from) };
    parts.routerCheck.assertNoMismatch();
    const draft = await draftOf(parts, person, request);
    const { pay, from, stops } = request;
    const to = stops.at(-1)?.token;
    if (to === undefined || from.id === to.id || stops.some(({ exactly }) => exactly !== undefined)) return draft;
    const swap = await unlessFault(
      () => parts.swaps.quote(person, { kind: "swap", pay, from, to }),
      (err) => parts.log.info({ err }, "No swap to compare the route with"),
    );
    if (swap === undefined) return draft;
    const beside = swapBeside(draft.terms.expectedOut, swap, parts.settings.betterRouteBps);
    return { ...draft, terms: { ...draft.terms, swap: beside } };
  },
  /** It holds while no hop would fail at its pool now. */
  recheck: async (parts, { terms }, person) => {
    await parts.routerCheck.assertMatch();
    const graph = await parts.pools.reread(terms.hops.map(({ pair }) => pair));
    if (reevaluate(graph, terms.hops, terms.amountIn) !== undefined) return { kind: "holds" };
    return { kind: "worse", draft: await draftOf(parts, person, terms.request) };
  },
  movement: (intent, encoding) => {
    const { amountIn, minimumOut: wanted } = intent.terms;
    const { change = [], received } = readMultihopOutcome(intent, encoding) ?? {};
    const back = change.filter(({ token }) => token.id === amountIn.token.id);
    return { paid: [back.reduce(subtractAmounts, amountIn)], wanted, received };
  },
};

/** @throws Fault `wallet-missing`, `route-none`, `pair-…`, `route-too-expensive`, `pools-unknown`, `service-…`. */
async function draftOf(parts: MultihopParts, person: Person, request: MultihopRequest<Amount>) {
  const { clock, pools, settings, tokens } = parts;
  const payout = payoutOf(person);
  const slippage = { bps: slippageOf(person, settings), maximumBps: settings.maxSlippageBps };
  const planOn = (graph: PoolGraph) => {
    const plan = planRoute(graph, request, slippage, (id) => tokens.byId(id) ?? unlistedToken(id));
    return { ...plan, pools: priceOf(graph, plan) };
  };
  const planOnPools = async (maxAge: number) => planOn(await pools.fresh(maxAge));
  // A pair may have been opened, or filled, in the meantime.
  const first = (await unlessFault(() => planOnPools(MAX_AGE_MS))) ?? (await planOnPools(MAX_AGE_FOR_REFUSAL_MS));
  const plan = await planFreshly(pools, first, planOn, ({ hops }) => hops.map(({ pair }) => pair));
  const swap_operations = plan.hops.map(({ pair, function: name, wanted }) => ({
    pair_address: pair,
    function: name,
    token_wanted: wanted.token.id,
    amount_wanted: wanted.units,
  }));
  const router = { contract: "router", address: settings.routerContract } as const;
  return {
    terms: { kind: "multihop", ...plan, slippageBps: slippage.bps, payout, request } as const,
    call: contractCall(router, "multiPairSwap", { swap_operations }, [paymentOf(plan.amountIn)]),
    expiresAt: clock.now() + settings.quoteTtlSeconds * 1000,
  };
}

/** A typed path may not be the best. Exact amounts leave nothing to compare. */
function priceOf(graph: PoolGraph, { hops, amountIn, expectedOut, priceImpactBps }: Plan): PoolsPrice {
  const isExact = hops.some((hop) => hop.function === "swapTokensFixedOutput");
  const [tokenIn, tokenOut] = [amountIn.token.id, expectedOut.token.id];
  const best =
    isExact || tokenIn === tokenOut
      ? undefined
      : bestRoute(graph, { tokenIn, tokenOut, amountIn: paymentOf(amountIn).units });
  if (best !== undefined) return poolsPrice(best, expectedOut, priceImpactBps);
  return ownPrice(expectedOut, [tokenIn, ...hops.map((hop) => hop.amountOut.token.id)], priceImpactBps);
}

/**
 * The answer has unused inputs in the order of the hops, then the output. Undefined below the minimum; without an
 * answer, unless balances prove it.
 */
export function readMultihopOutcome(call: Answered<MultihopTerms>, encoding: ReturnDataEncoding) {
  const { terms, outcome } = call;
  if (outcome?.kind === "unknown") {
    const received = seenToArrive(call, terms.minimumOut);
    return received && { received, change: [] };
  }
  const [payments = []] = outputsOf("router", "multiPairSwap", outcome, encoding) ?? [];
  const tokens = [terms.amountIn, terms.minimumOut, ...terms.hops.map((hop) => hop.amountOut)].map(
    ({ token }) => token,
  );
  const amounts = payments.map(({ tokenId, nonce, units }) => {
    const known = nonce === undefined ? tokens.find((token) => token.id === tokenId) : undefined;
    return amountOf(known ?? unlistedToken(formatAssetId({ tokenId, ...(nonce !== undefined && { nonce }) })), units);
  });
  const received = amounts.at(-1);
  if (received?.token.id !== terms.minimumOut.token.id || compareAmounts(received, terms.minimumOut) < 0) {
    return undefined;
  }
  return { received, change: amounts.slice(0, -1).filter((amount) => !isZero(amount)) };
}
