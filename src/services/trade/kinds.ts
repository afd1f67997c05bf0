import type { Config } from "../../config.js";
import { NATIVE_TOKEN } from "../../encoding/amount.js";
import { destinationOf } from "../../encoding/call.js";
import { Fault } from "../../fault.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Intent } from "../intent/intent.js";
import { isConfigured } from "../chain/checks.js";
import type { Balances } from "../chain/query-gateway.js";
import type { Answered, Draft, Flow, IntentKinds, Owner, TradeKind } from "../intent/trade-kind.js";
import type { Pools } from "../market/pools.js";
import { isTrade, type Request, type IntentKind, type Terms } from "../terms/terms.js";
import type { Parsed } from "../base/typed-line.js";
import type { LaunchKindParts } from "./launch-facts.js";
import { launchKind as launch, lockKind as lock } from "./launch.js";
import { unlockKind as unlock } from "./lock.js";
import { multihopKind as multihop, type MultihopParts } from "./multihop.js";
import { swapKind as swap, type SwapKindParts, type Swaps } from "./swap.js";
import { assertResalable } from "./trade-cost.js";

type TradeParts = SwapKindParts & MultihopParts & LaunchKindParts;

const tradeKinds: { readonly [Kind in IntentKind]: TradeKind<Kind, TradeParts> } = {
  swap,
  multihop,
  lock,
  unlock,
  launch,
};

export function tradeKind<Kind extends IntentKind>(kind: Kind): TradeKind<Kind, TradeParts> {
  return tradeKinds[kind];
}

type KindsParts = TradeParts & {
  readonly pools: Pick<Pools, "areListed">;
  readonly balances: Pick<Balances, "known">;
  readonly settings: Pick<Config, "callIncludesCaller" | "lockContract" | "referralContract">;
};

/** What cards that spend are made of, and what the life of an intent asks of their kinds. */
export interface Kinds extends IntentKinds {
  /** Reads a one-line command of a kind. @throws Fault of what the line names: tokens, amounts, contracts. */
  readonly read: (kind: IntentKind, line: string, owner: Owner) => Promise<Parsed<Request>>;
  /** What a card for a request says, from current figures. Sends nothing. @param swaps of another budget. @throws Fault */
  readonly draft: (request: Request, owner: Owner, swaps?: Swaps) => Promise<Draft>;
}

export function createKinds(parts: KindsParts): Kinds {
  const { balances, pools, settings } = parts;
  const { returnDataEncoding: encoding } = settings;
  const forIntents: IntentKinds = {
    seen: async (intent) => (await tradeKind(intent.terms.kind).seen?.(parts, intent)) ?? [],
    // Keeps the earlier fee estimate.
    recheck: async (intent, person) => {
      assertListed(parts.tokens, intent.terms);
      const worse = await tradeKind(intent.terms.kind).recheck(parts, intent, person);
      if (worse !== undefined) assertDraft(worse);
      return worse && { ...worse, ...(intent.estimatedFee && { estimatedFee: intent.estimatedFee }) };
    },
    recordEffects: async (tx, ended) => tradeKind(ended.terms.kind).recordEffects?.(tx, ended, encoding),
    flowOf: (intent) => flowOf(intent, encoding),
    isConfigured: (call) => isConfigured(call, settings, pools.areListed),
    holdings: (intent) => balances.known(intent.terms.payout, watchedAssets(intent, settings)),
  };
  return {
    ...forIntents,
    read: async (kind, line, owner) => (await tradeKind(kind).read?.(parts, line, owner)) ?? "unreadable",
    draft: async (request, owner, swaps = parts.swaps) => {
      const draft = await tradeKind(request.kind).draft({ ...parts, swaps }, request, owner);
      assertDraft(draft);
      return draft;
    },
  };
}

/** The operator may have taken a token off the list since its card came. @throws Fault `token-unlisted`. */
function assertListed(tokens: TradeParts["tokens"], terms: Terms): void {
  if (!isTrade(terms)) return;
  const { request } = terms;
  const others = request.kind === "swap" ? [request.to] : request.stops.map(({ token }) => token);
  for (const { id, precision } of [request.from, ...others])
    if (tokens.byId(id)?.precision !== precision) throw new Fault("token-unlisted", { token: id });
}

/** @throws Fault `token-royalty`. */
function assertDraft({ terms }: Draft): void {
  if (isTrade(terms)) assertResalable(terms);
}

/** @param encoding the node's, used if the outcome names none. */
export function flowOf(intent: Answered<Terms>, encoding: ReturnDataEncoding): Flow {
  return tradeKind(intent.terms.kind).flow(intent, encoding);
}

/**
 * Assets whose balances can prove a call's outcome: what is paid only if the user's own account makes the call, what is
 * received also if the call names that account.
 */
function watchedAssets(intent: Intent, settings: Pick<Config, "callIncludesCaller" | "returnDataEncoding">) {
  const { paid, expected, royalty } = flowOf(intent, settings.returnDataEncoding);
  const isCaller = settings.callIncludesCaller;
  const arrives = isCaller || destinationOf(intent.call) === intent.terms.payout;
  const watched = [...(isCaller ? paid : []), ...(expected !== undefined && arrives ? [expected] : [])];
  // An issuer may take some of the native token on top.
  const native = isCaller && royalty !== undefined ? [NATIVE_TOKEN] : [];
  return [...new Set([...watched.map(({ token }) => token.id), ...native])];
}
