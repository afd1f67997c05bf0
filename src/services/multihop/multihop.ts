import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Config } from "../../config.js";
import type { Address } from "../../encoding/address.js";
import { paymentOf, type Amount, subtractAmounts, amountOf, compareAmounts, isZero } from "../../encoding/amount.js";
import { contractCall } from "../../encoding/call.js";
import { unlistedToken, type Token } from "../../encoding/token.js";
import { isFault, unlessFault } from "../../fault.js";
import type { Draft, Recheck, TradeKind } from "../intent/kind.js";
import type { PeriodicCheck } from "../chain/checks.js";
import type { IntentOf } from "../intent/intent.js";
import type { MultihopRequest } from "../request.js";
import type { MultihopTerms, PoolsPrice } from "../intent/terms.js";
import type { Person } from "../person/person.js";
import { planFreshly, ownPrice, poolsPrice } from "../pool/best.js";
import type { Pools } from "../pool/pools.js";
import { bestRoute } from "../pool/search.js";
import type { PoolGraph } from "../pool/graph.js";
import { payoutOf, slippageOf, type SlippageConfig } from "../person/people.js";
import type { TokenList } from "../token/list.js";
import { planRoute, reevaluate, type Plan, type Slippage } from "./plan.js";
import { swapBeside } from "../swap/compare.js";
import type { Swaps } from "../swap/swap.js";
import { amountPaid, type PayParts } from "../swap/request.js";
import { readMultihop } from "./request.js";
import { formatAssetId } from "../../encoding/asset.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { outputsOf, seenToArrive, type Answered } from "../intent/finding.js";

export type MultihopDraft = Draft & { readonly terms: MultihopTerms };

const MAX_AGE_MS = 20_000;
const MAX_AGE_FOR_REFUSAL_MS = 3000;

export interface Multihop {
  /**
   * Also quotes an ordinary swap where that can be done. @throws Fault `wallet-missing`, `router-mismatch`,
   * `route-none`, `pair-…`, `route-too-expensive`, `pools-unknown`, `service-…`.
   */
  readonly prepare: (person: Person, request: MultihopRequest<Amount>) => Promise<MultihopDraft>;
  /** It holds while no hop would fail at its pool now. @throws as `prepare`. */
  readonly recheck: (person: Person, intent: IntentOf<"multihop">) => Promise<Recheck>;
}

export function createMultihop(parts: {
  readonly pools: Pools;
  readonly swaps: Pick<Swaps, "quote">;
  readonly routerCheck: PeriodicCheck;
  readonly tokens: TokenList;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: SlippageConfig & Pick<Config, "betterRouteBps" | "quoteTtlSeconds" | "routerContract">;
}): Multihop {
  const { pools, swaps, routerCheck, tokens, clock, log, config } = parts;
  const nameToken = (id: string): Token => tokens.byId(id) ?? unlistedToken(id);

  const planFresh = async (request: MultihopRequest<Amount>, slippage: Slippage) => {
    const planOn = (graph: PoolGraph) => {
      const plan = planRoute(graph, request, slippage, nameToken);
      return { ...plan, pools: priceOf(graph, plan) };
    };
    const planOnPools = async (maxAge: number) => planOn(await pools.fresh(maxAge));
    const plan = await planOnPools(MAX_AGE_MS).catch((error: unknown) => {
      if (!isFault(error)) throw error;
      // A pair may have been opened, or filled, in the meantime.
      return planOnPools(MAX_AGE_FOR_REFUSAL_MS);
    });
    return planFreshly(pools, plan, planOn, ({ hops }) => hops.map(({ pair }) => pair));
  };

  const draftOf = async (person: Person, request: MultihopRequest<Amount>): Promise<MultihopDraft> => {
    const payout = payoutOf(person);
    const bps = slippageOf(person, config);
    const plan = await planFresh(request, { bps, maximumBps: config.maxSlippageBps });
    return {
      terms: { kind: "multihop", ...plan, slippageBps: bps, payout, request },
      call: callOf(config.routerContract, plan),
      expiresAt: clock.now() + config.quoteTtlSeconds * 1000,
    };
  };

  const swapFor = (person: Person, { pay, from, stops }: MultihopRequest<Amount>) => {
    const to = stops.at(-1)?.token;
    if (to === undefined || from.id === to.id || stops.some((stop) => stop.exactly !== undefined)) return undefined;
    return unlessFault(
      () => swaps.quote(person, { kind: "swap", pay, from, to }),
      (err) => log.info({ err }, "No swap to compare the route with"),
    );
  };

  return {
    prepare: async (person, request) => {
      routerCheck.assertNoMismatch();
      const draft = await draftOf(person, request);
      const swap = await swapFor(person, request);
      if (swap === undefined) return draft;
      const beside = swapBeside(draft.terms.expectedOut, swap, config.betterRouteBps);
      return { ...draft, terms: { ...draft.terms, swap: beside } };
    },
    recheck: async (person, { terms }) => {
      await routerCheck.assertMatch();
      const graph = await pools.reread(terms.hops.map(({ pair }) => pair));
      if (reevaluate(graph, terms.hops, terms.amountIn) !== undefined) return { kind: "holds" };
      return { kind: "worse", draft: await draftOf(person, terms.request) };
    },
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

function callOf(router: Address, plan: Plan) {
  return contractCall(
    { contract: "router", address: router },
    "multiPairSwap",
    {
      swap_operations: plan.hops.map((hop) => ({
        pair_address: hop.pair,
        function: hop.function,
        token_wanted: hop.wanted.token.id,
        amount_wanted: hop.wanted.units,
      })),
    },
    [paymentOf(plan.amountIn)],
  );
}

export interface MultihopKindParts extends PayParts {
  readonly tokens: TokenList;
  readonly multihop: Multihop;
}

export const multihopKind: TradeKind<"multihop", MultihopKindParts> = {
  read: ({ tokens }, line) => readMultihop(line, tokens),
  draft: async (parts, request, { person }) => {
    const pay = await amountPaid(parts, person, request.pay, request.from);
    return parts.multihop.prepare(person, { ...request, pay });
  },
  recheck: ({ multihop }, intent, person) => multihop.recheck(person, intent),
  movement: (intent, encoding) => {
    const { terms } = intent;
    const read = readMultihopOutcome(intent, encoding);
    const wanted = terms.minimumOut;
    if (read === undefined) return { paid: [terms.amountIn], wanted };
    const back = read.change.filter(({ token }) => token.id === terms.amountIn.token.id);
    return { paid: [back.reduce(subtractAmounts, terms.amountIn)], wanted, received: read.received };
  },
};

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
