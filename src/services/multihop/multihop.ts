import type { Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { compareAmounts } from "../../encoding/amount.js";
import { encodeCall } from "../../encoding/call.js";
import type { Token } from "../../encoding/token.js";
import { Fault, isFault } from "../../fault.js";
import type { Recheck } from "../intents/confirm.js";
import type { Draft } from "../intents/draft.js";
import type { IntentOf } from "../intents/intent.js";
import type { Person } from "../people.js";
import type { Pools } from "../pools.js";
import type { TokenList } from "../tokens.js";
import { planRoute, reckonAgain, type Plan } from "./plan.js";
import { readMultihopRequest, type MultihopRequest } from "./request.js";

export interface Multihop {
  /**
   * Finds the route and builds its call.
   * @throws Fault `wallet-missing`, `route-none`, `route-too-dear`, `service-…`, `answer-unreadable`.
   */
  readonly prepare: (person: Person, request: MultihopRequest) => Promise<Draft>;
  /** Reckons the route at its pools as they are now: it holds as long as no hop would fail. */
  readonly recheck: (person: Person, intent: IntentOf<"multihop">) => Promise<Recheck>;
}

/** How old the pools behind a card, and behind a confirm, may be, in milliseconds. */
const MAX_AGE = { card: 5000, confirm: 0 };

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
  // A token that nobody listed is shown in smallest units, which is always true.
  const nameToken = (id: string): Token => tokens.byId(id) ?? { id, name: id, kind: "fungible" };

  const prepare = async (person: Person, request: MultihopRequest, maxAge: number): Promise<Draft> => {
    if (person.wallet === undefined) throw new Fault("wallet-missing", {});
    const graph = await pools.fresh(maxAge);
    const bps = Math.min(person.slippageBps ?? config.defaultSlippageBps, config.maxSlippageBps);
    const plan = planRoute(graph, request, { bps, maximumBps: config.maxSlippageBps }, nameToken);
    return {
      terms: { kind: "multihop", ...plan, slippageBps: bps, payout: person.wallet.address, typed: request.typed },
      call: callOf(config.routerContract, plan),
      expiresAt: clock.now() + config.quoteTtlSeconds * 1000,
    };
  };

  return {
    prepare: (person, request) => prepare(person, request, MAX_AGE.card),

    recheck: async (person, { terms }) => {
      try {
        const graph = await pools.fresh(MAX_AGE.confirm);
        const now = reckonAgain(graph, terms.hops, terms.amountIn);
        if (now !== undefined && compareAmounts(now, terms.minimumOut) >= 0) return { kind: "holds" };
        const read = readMultihopRequest(terms.typed, tokens);
        if (read?.ok !== true)
          throw new Fault("route-none", { from: terms.amountIn.token.id, to: terms.minimumOut.token.id });
        return { kind: "worse", draft: await prepare(person, read.request, MAX_AGE.card) };
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
    [{ tokenId: plan.amountIn.token.id, units: plan.amountIn.units }],
  );
}
