import type { Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { paymentOf } from "../../encoding/amount.js";
import { encodeCall } from "../../encoding/call.js";
import { unlistedToken, type Token } from "../../encoding/token.js";
import { Fault, isFault } from "../../fault.js";
import type { Recheck } from "../intents/confirm.js";
import type { Draft } from "../intents/draft.js";
import type { IntentOf } from "../../model/intent.js";
import type { Person } from "../../model/person.js";
import type { Pools } from "../chain/pools.js";
import { slippageOf } from "../slippage.js";
import type { TokenList } from "../tokens.js";
import { planRoute } from "./plan.js";
import { reckonAgain, type Plan } from "./reckon.js";
import { readMultihopRequest, type MultihopRequest } from "./request.js";

export interface Multihop {
  /**
   * Finds the route and builds its call.
   * @throws Fault `wallet-missing`, `route-none`, `pair-…`, `route-too-dear`, `pools-unknown`, `service-…`.
   */
  readonly prepare: (person: Person, request: MultihopRequest) => Promise<Draft>;
  /** Reckons the route at its pools as they are now: it holds as long as no hop would fail, the last one's minimum included. */
  readonly recheck: (person: Person, intent: IntentOf<"multihop">) => Promise<Recheck>;
}

/** How old the pools behind a card may be, in milliseconds. */
const MAX_AGE = 5000;

/** Routes over several pairs through the router. */
export function createMultihop(parts: {
  readonly pools: Pools;
  readonly tokens: TokenList;
  readonly clock: Clock;
  readonly config: {
    readonly routerContract: Address;
    readonly defaultSlippageBps: number;
    readonly maxSlippageBps: number;
    readonly quoteTtlSeconds: number;
  };
}): Multihop {
  const { pools, tokens, clock, config } = parts;
  const nameToken = (id: string): Token => tokens.byId(id) ?? unlistedToken(id);

  const prepare = async (person: Person, request: MultihopRequest): Promise<Draft> => {
    if (person.wallet === undefined) throw new Fault("wallet-missing", {});
    const graph = await pools.fresh(MAX_AGE);
    const bps = slippageOf(person, config);
    const plan = planRoute(graph, request, { bps, maximumBps: config.maxSlippageBps }, nameToken);
    return {
      terms: { kind: "multihop", ...plan, slippageBps: bps, payout: person.wallet.address, typed: request.typed },
      call: callOf(config.routerContract, plan),
      expiresAt: clock.now() + config.quoteTtlSeconds * 1000,
    };
  };

  return {
    prepare,

    recheck: async (person, { terms }) => {
      try {
        const graph = await pools.reread(terms.hops.map(({ pair }) => pair));
        if (reckonAgain(graph, terms.hops, terms.amountIn) !== undefined) return { kind: "holds" };
        const read = readMultihopRequest(terms.typed, tokens);
        if (read?.ok !== true) {
          throw new Fault("route-none", { from: terms.amountIn.token.id, to: terms.minimumOut.token.id });
        }
        return { kind: "worse", draft: await prepare(person, read.request) };
      } catch (error) {
        if (isFault(error)) return { kind: "failed", fault: error };
        throw error;
      }
    },
  };
}

function callOf(router: Address, plan: Plan) {
  return encodeCall(
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
