import type { ContractCall } from "../../encoding/call.js";
import type { FeeEstimate, Intent } from "./intent.js";
import type { Terms } from "./terms.js";
import type { IntentParts } from "./parts.js";

/** What a flow prepares: the numbers for the card, and the call that was built from them. */
export interface Draft {
  readonly terms: Terms;
  readonly call: ContractCall;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  readonly estimatedFee?: FeeEstimate;
}

/** Whether what the card shows can still be had, or the draft of a card in its place. */
export type Recheck<Fresh extends Draft = Draft> =
  | { readonly kind: "holds" }
  | { readonly kind: "worse"; readonly draft: Fresh };

/** For how long a card stays good that has no price which could move: ten minutes. */
const STEADY_CARD_MILLISECONDS = 600_000;

/** The draft of such a card. */
export function steadyDraft({ clock }: Pick<IntentParts, "clock">, terms: Terms, call: ContractCall): Draft {
  return { terms, call, expiresAt: clock.now() + STEADY_CARD_MILLISECONDS };
}

/** How long the buttons of a card that came instead of a confirmed one do nothing. */
const ACTS_AFTER_MILLISECONDS = 1_500;

/** The intent of a card with less than a card had that was confirmed. */
export function worseIntent(parts: IntentParts, owner: number, chatId: number, draft: Draft): Intent {
  const fresh = quotedIntent(parts, owner, chatId, draft);
  return { ...fresh, actsFrom: fresh.quotedAt + ACTS_AFTER_MILLISECONDS };
}

/** The intent of a card that is about to be shown. */
export function quotedIntent(parts: IntentParts, owner: number, chatId: number, draft: Draft): Intent {
  const now = parts.clock.now();
  return {
    ...draft,
    id: parts.newId(),
    owner,
    chatId,
    quotedAt: now,
    state: "QUOTED",
    run: parts.run,
    openedAt: parts.clock.monotonic(),
    times: { QUOTED: now },
  };
}

/** Both cards after a fresh one took over the message of another. */
export function inPlaceOf(before: Intent, fresh: Intent): readonly [before: Intent, fresh: Intent] {
  const { messageId } = before;
  return [
    { ...before, replacedBy: fresh.id, shownState: before.state },
    messageId === undefined ? fresh : { ...fresh, messageId },
  ];
}
