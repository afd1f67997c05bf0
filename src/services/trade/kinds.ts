import type { Config } from "../../config.js";
import { destinationOf } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Intent } from "../intent/intent.js";
import type { Answered, Draft, Movement, Owner, TradeKind } from "../intent/kind.js";
import type { Request, IntentKind, Terms } from "../terms/terms.js";
import type { Read } from "../text/line.js";
import type { Person } from "../person/person.js";
import type { LaunchKindParts } from "../launch/facts.js";
import { launchKind as launch, lockKind as lock } from "../launch/launch.js";
import { unlockKind as unlock } from "../lock/lock.js";
import { multihopKind as multihop, type MultihopParts } from "../multihop/multihop.js";
import { swapKind as swap, type SwapKindParts } from "../swap/swap.js";

type TradeParts = SwapKindParts & MultihopParts & LaunchKindParts;

const kinds: { readonly [Kind in IntentKind]: TradeKind<Kind, TradeParts> } = { swap, multihop, lock, unlock, launch };

export function tradeKind<Kind extends IntentKind>(kind: Kind): TradeKind<Kind, TradeParts> {
  return kinds[kind];
}

export type Trades = ReturnType<typeof createTrades>;

export function createTrades(parts: TradeParts) {
  return {
    read: async (kind: IntentKind, line: string, owner: Owner): Promise<Read<Request>> =>
      (await tradeKind(kind).read?.(parts, line, owner)) ?? "unreadable",
    /** Uses current figures. @throws Fault */
    draft: (request: Request, owner: Owner) => tradeKind(request.kind).draft(parts, request, owner),
    /** What views show of a call; undefined if none can. @throws Fault */
    seen: async (intent: Intent) => tradeKind(intent.terms.kind).seen?.(parts, intent),
    /** Keeps the earlier fee estimate. @throws Fault */
    recheck: async (intent: Intent, person: Person): Promise<Draft | undefined> => {
      const worse = await tradeKind(intent.terms.kind).recheck(parts, intent, person);
      return worse && { ...worse, ...(intent.estimatedFee && { estimatedFee: intent.estimatedFee }) };
    },
  };
}

/** @param encoding the node's, used if the outcome names none. */
export function movementOf(intent: Answered<Terms>, encoding: ReturnDataEncoding): Movement {
  return tradeKind(intent.terms.kind).movement(intent, encoding);
}

/**
 * Assets whose balances can prove a call's outcome: what is paid only if the user's own account makes the call, what is
 * received also if the call names that account.
 */
export function movedAssets(intent: Intent, settings: Pick<Config, "callIncludesCaller" | "returnDataEncoding">) {
  const { paid, wanted } = movementOf(intent, settings.returnDataEncoding);
  const isCaller = settings.callIncludesCaller;
  const arrives = isCaller || destinationOf(intent.call) === intent.terms.payout;
  const watched = [...(isCaller ? paid : []), ...(wanted !== undefined && arrives ? [wanted] : [])];
  return [...new Set(watched.map(({ token }) => token.id))];
}
