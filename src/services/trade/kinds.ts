import type { Config } from "../../config.js";
import { destinationOf } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Intent } from "../intent/intent.js";
import type { Answered, Movement } from "../intent/finding.js";
import type { Recheck, TradeKind } from "../intent/kind.js";
import type { Person } from "../person/person.js";
import type { IntentKind, Terms } from "../intent/terms.js";
import { launchKind, lockOrStepKind, type LaunchKindParts } from "../launch/kind.js";
import { unlockKind } from "../lock/lock.js";
import { multihopKind, type MultihopKindParts } from "../multihop/multihop.js";
import { swapKind, type SwapKindParts } from "../swap/swap.js";

/** What the kinds ask of the world together. */
export interface TradeParts extends SwapKindParts, MultihopKindParts, LaunchKindParts {
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

/** Whether what a card shows can still be had; its fee was estimated before. @throws Fault */
export async function recheckIntent(parts: TradeParts, intent: Intent, person: Person): Promise<Recheck> {
  const checked = await tradeKind(intent.terms.kind).recheck(parts, intent, person);
  if (checked.kind === "holds" || intent.estimatedFee === undefined) return checked;
  return { ...checked, draft: { ...checked.draft, estimatedFee: intent.estimatedFee } };
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
