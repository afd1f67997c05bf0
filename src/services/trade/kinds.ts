import type { Config } from "../../config.js";
import { destinationOf } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Intent } from "../intent/intent.js";
import type { Answered, Movement } from "../intent/finding.js";
import type { Draft, Owner, Recheck, TradeKind } from "../intent/kind.js";
import type { Request } from "../request.js";
import type { Read } from "../text/line.js";
import type { Person } from "../person/person.js";
import type { IntentKind, Terms } from "../intent/terms.js";
import { launchKind, lockOrStepKind, type LaunchKindParts } from "../launch/kind.js";
import { unlockKind } from "../lock/lock.js";
import { multihopKind, type MultihopKindParts } from "../multihop/multihop.js";
import { swapKind, type SwapKindParts } from "../swap/swap.js";

/** What the kinds ask of the world together. */
interface TradeParts extends SwapKindParts, MultihopKindParts, LaunchKindParts {
  readonly settings: SwapKindParts["settings"];
}

const kinds: { readonly [Kind in IntentKind]: TradeKind<Kind, TradeParts> } = {
  swap: swapKind,
  multihop: multihopKind,
  lock: lockOrStepKind,
  unlock: unlockKind,
  launch: launchKind,
};

/** What differs between the kinds of trade, to be used with what is of that kind. */
export function tradeKind<Kind extends IntentKind>(kind: Kind): TradeKind<Kind, TradeParts> {
  return kinds[kind];
}

/** What can be traded: each request and each intent is dealt with as its kind does. */
export interface Trades {
  /** Reads the words behind a kind's command. */
  readonly read: (kind: IntentKind, line: string, owner: Owner) => Promise<Read<Request>>;
  /** The card for a request, with current figures. @throws Fault */
  readonly draft: (request: Request, owner: Owner) => Promise<Draft>;
  /** Whether what a card shows can still be had; its fee was estimated before. @throws Fault */
  readonly recheck: (intent: Intent, person: Person) => Promise<Recheck>;
}

export function createTrades(parts: TradeParts): Trades {
  return {
    read: async (kind, line, owner) => (await tradeKind(kind).read?.(parts, line, owner)) ?? "unreadable",
    draft: (request, owner) => tradeKind(request.kind).draft(parts, request, owner),
    recheck: async (intent, person) => {
      const checked = await tradeKind(intent.terms.kind).recheck(parts, intent, person);
      if (checked.kind === "holds" || intent.estimatedFee === undefined) return checked;
      return { ...checked, draft: { ...checked.draft, estimatedFee: intent.estimatedFee } };
    },
  };
}

/** What an intent moves. `encoding` is how the node writes its answers, where the outcome does not say. */
export function movementOf(intent: Answered<Terms>, encoding: ReturnDataEncoding): Movement {
  return tradeKind(intent.terms.kind).movement(intent, encoding);
}

/**
 * The assets by which the person's own balances can tell what became of a call: what is paid leaves their account only where calls are
 * made in their name, and what is wanted arrives there where that is so, or where the call names them.
 */
export function movedAssets(
  intent: Intent,
  settings: Pick<Config, "callIncludesCaller" | "returnDataEncoding">,
): readonly string[] {
  const { paid, wanted } = movementOf(intent, settings.returnDataEncoding);
  const isCaller = settings.callIncludesCaller;
  const arrives = isCaller || destinationOf(intent.call) === intent.terms.payout;
  const watched = [...(isCaller ? paid : []), ...(wanted !== undefined && arrives ? [wanted] : [])];
  return [...new Set(watched.map(({ token }) => token.id))];
}
