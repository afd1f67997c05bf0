import type { IntentParts } from "./change.js";
import { isLookedFor, isRequest, isSigned, type Intent, type IntentState, type RequestEnd } from "./intent.js";
import type { Draft } from "./kind.js";

/** Every step that exists. A state without one is final. */
export const steps: Readonly<Record<IntentState, readonly IntentState[]>> = {
  QUOTED: ["CLAIMED", "EXPIRED", "CANCELED", "SUPERSEDED"],
  // Superseded by a fresh quote, or failed before anything was sent; unknown after a crash.
  CLAIMED: ["SIGNING", "SENT", "SUPERSEDED", "FAILED", "UNKNOWN"],
  SIGNING: ["SENT", "EXPIRED", "CANCELED", "SUPERSEDED", "FAILED"],
  // Cancelled only where it was never given to the network.
  SENT: ["OK", "FAILED", "UNKNOWN", "CANCELED"],
  OK: [],
  // A wallet may send what it was asked to sign after everybody has stopped waiting for it.
  FAILED: ["SENT"],
  UNKNOWN: ["SENT"],
  EXPIRED: ["SENT"],
  CANCELED: ["SENT"],
  SUPERSEDED: ["SENT"],
};

type Run = Pick<IntentParts, "clock" | "run">;

/**
 * The intent one step on. @param time of the step, in milliseconds since 1970.
 * @throws TypeError for a step that does not exist, which is a mistake in the program.
 */
export function advance(intent: Intent, state: IntentState, { clock, run }: Run, time = clock.now()): Intent {
  if (!steps[intent.state].includes(state)) throw new TypeError(`no step from ${intent.state} to ${state}`);
  return { ...intent, state, run, times: { ...intent.times, [state]: time } };
}

/**
 * Whether a card's life is over. A step of the time of day never makes it longer: in the run that opened the card the time
 * that has passed counts too, and in a later one a card that seems to come from the future is over.
 */
export function isExpired(intent: Intent, { clock, run }: Run): boolean {
  const now = clock.now();
  if (now >= intent.expiresAt) return true;
  if (intent.run !== run || intent.openedAt === undefined) return now < intent.quotedAt;
  return clock.monotonic() - intent.openedAt >= intent.expiresAt - intent.quotedAt;
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

/** How long the buttons of a card that came instead of a confirmed one do nothing. */
const ACTS_AFTER_MS = 1_500;

/** The intent of a card with less than a card had that was confirmed. */
export function worseIntent(parts: IntentParts, { owner, chatId }: Intent, draft: Draft): Intent {
  const fresh = quotedIntent(parts, owner, chatId, draft);
  return { ...fresh, actsFrom: fresh.quotedAt + ACTS_AFTER_MS };
}

/** Both cards after a fresh one took over the message of another. */
export function inPlaceOf(before: Intent, fresh: Intent): readonly [before: Intent, fresh: Intent] {
  const { messageId } = before;
  return [{ ...before, replacedBy: fresh.id }, messageId === undefined ? fresh : { ...fresh, messageId }];
}

/** The request closing, the first reason counting; anything else as it is. */
export function closing(intent: Intent, end: RequestEnd): Intent {
  if (!isRequest(intent) || intent.transaction.closing !== undefined) return intent;
  return { ...intent, transaction: { ...intent.transaction, closing: end } };
}

/** Nobody looks any more on the chain for one that ended otherwise. */
export function givenUp(intent: Intent): Intent {
  if (!isSigned(intent) || !isLookedFor(intent)) return intent;
  return { ...intent, transaction: { ...intent.transaction, isOver: true } };
}
