import type { Clock } from "../../clock.js";
import { isSigned } from "./intent.js";
import type { Intent, IntentIn, IntentOutcome, IntentState, IntentTransaction, SignedIntent } from "./intent.js";
import type { ClosedState, PreparedTransaction, RequestEnd, TransactionPhase } from "./intent.js";

/**
 * The life of an intent, and that of the transaction which a wallet signs for it. No other file sets a state or a phase.
 *
 *     QUOTED --confirm--> CLAIMED --> SENT --> OK | FAILED | UNKNOWN
 *       |-- EXPIRED | CANCELED | SUPERSEDED
 *
 * CLAIMED also ends in SUPERSEDED if the fresh quote at confirm is below the card's minimum, and in FAILED if anything
 * else prevents the call, such as the lack of a fresh quote: nothing was sent in either case.
 *
 * If the user's wallet has to sign, CLAIMED leads to SIGNING, and only then to SENT. SIGNING ends in EXPIRED, CANCELED,
 * SUPERSEDED or FAILED once the bot has checked that the chain doesn't have the transaction from the wallet, and in SENT
 * if it does. A signed transaction that was never broadcast can still be CANCELED. While its nonce is unused, the chain
 * can contradict any of these ends, and UNKNOWN: the intent is then SENT again.
 */
const stateSteps: Readonly<Record<IntentState, readonly IntentState[]>> = {
  QUOTED: ["CLAIMED", "EXPIRED", "CANCELED", "SUPERSEDED"],
  // Superseded by a fresh quote, or failed before anything was sent; unknown after a crash.
  CLAIMED: ["SIGNING", "SENT", "SUPERSEDED", "FAILED", "UNKNOWN"],
  SIGNING: ["SENT", "EXPIRED", "CANCELED", "SUPERSEDED", "FAILED"],
  // CANCELED only if it was never broadcast.
  SENT: ["OK", "FAILED", "UNKNOWN", "CANCELED"],
  OK: [],
  // A wallet may broadcast what it was asked to sign after the bot has stopped waiting.
  FAILED: ["SENT"],
  UNKNOWN: ["SENT"],
  EXPIRED: ["SENT"],
  CANCELED: ["SENT"],
  SUPERSEDED: ["SENT"],
};

/** `broadcast` goes back to `signed` only if it is certain that nothing has left, and on to itself with a refusal. */
const phaseSteps: Readonly<Record<TransactionPhase, readonly TransactionPhase[]>> = {
  "to-sign": ["withdrawn", "signed", "broadcast", "abandoned"],
  withdrawn: ["broadcast", "abandoned"],
  signed: ["broadcast", "on-chain", "abandoned"],
  broadcast: ["signed", "broadcast", "on-chain", "abandoned"],
  "on-chain": [],
  abandoned: [],
};

/** The final state of each outcome. */
const ends = { ok: "OK", failed: "FAILED", "not-sent": "FAILED", unknown: "UNKNOWN" } as const;

/** `run`: the run of the process that sets a state. */
interface Run {
  readonly clock: Pick<Clock, "monotonic" | "now">;
  readonly run: string;
}

/** @throws TypeError for a step that doesn't exist, which is a bug. */
function advance(intent: Intent, state: IntentState, { clock, run }: Run, time = clock.now()): Intent {
  if (!stateSteps[intent.state].includes(state)) throw new TypeError(`no step from ${intent.state} to ${state}`);
  return { ...intent, state, run, times: { ...intent.times, [state]: time } };
}

/** @throws TypeError for a step that doesn't exist, which is a bug. */
function withPhase(intent: SignedIntent, next: IntentTransaction): SignedIntent {
  const { phase } = intent.transaction;
  if (!phaseSteps[phase].includes(next.phase)) throw new TypeError(`no step from ${phase} to ${next.phase}`);
  return { ...intent, transaction: next };
}

function preparedOf({ transaction }: SignedIntent): PreparedTransaction {
  const { raw, hash, nonce, networkFee, token, signUntil, sendUntil } = transaction;
  return { raw, hash, nonce, networkFee, token, signUntil, sendUntil };
}

/** The signature of a transaction that has one, in hex. */
export function signatureOf({ transaction }: Intent): string | undefined {
  return transaction !== undefined && "signature" in transaction ? transaction.signature : undefined;
}

export function isIn<Phase extends TransactionPhase>(
  intent: Intent,
  ...phases: readonly Phase[]
): intent is IntentIn<Phase> {
  return phases.some((phase) => phase === intent.transaction?.phase);
}

/** Begins the life of a new card. */
export function quoted(card: Omit<Intent, "run" | "state" | "times">, { run }: Pick<Run, "run">): Intent {
  return { ...card, state: "QUOTED", run, times: { QUOTED: card.quotedAt } };
}

export const claimed = (card: Intent, run: Run): Intent => advance(card, "CLAIMED", run);

/** Ends a card, or a claim, of which nothing has left. */
export const closedAs = (card: Intent, state: ClosedState, run: Run): Intent => advance(card, state, run);

/** The call is about to leave. */
export const sent = (claim: Intent, run: Run): Intent => advance(claim, "SENT", run);

/** The transaction waits for its signature. */
export function requested(claim: Intent, prepared: PreparedTransaction, run: Run): SignedIntent {
  return { ...advance(claim, "SIGNING", run), transaction: { ...prepared, phase: "to-sign" } };
}

/** Closes a request for a signature; the first reason counts. Returns anything else unchanged. */
export function withdrawn(intent: Intent, end: RequestEnd): Intent {
  if (!isRequest(intent) || !isIn(intent, "to-sign")) return intent;
  return withPhase(intent, { ...preparedOf(intent), phase: "withdrawn", end });
}

/** @param signature a verified one, of a request that is open. */
export function signedWith(request: SignedIntent, signature: string, run: Run): SignedIntent {
  const { transaction } = withPhase(request, { ...preparedOf(request), phase: "signed", signature });
  return { ...advance(request, "SENT", run), transaction };
}

/** The network may have it from now on. Returns anything but a signed transaction that is SENT unchanged. */
export function broadcastFrom(intent: Intent, broadcastAt: number): Intent {
  if (intent.state !== "SENT" || !isIn(intent, "signed")) return intent;
  const { signature } = intent.transaction;
  return withPhase(intent, { ...preparedOf(intent), phase: "broadcast", signature, broadcastAt });
}

/** Takes {@link broadcastFrom} back, once it is certain that nothing has left. Returns anything else unchanged. */
export function notBroadcast(intent: Intent): Intent {
  if (intent.state !== "SENT" || !isIn(intent, "broadcast")) return intent;
  return withPhase(intent, { ...preparedOf(intent), phase: "signed", signature: intent.transaction.signature });
}

/** The network rejects now what it may have accepted before. Returns anything but what was broadcast unchanged. */
export function refused(intent: Intent, refusal: string): Intent {
  if (intent.state !== "SENT" || !isIn(intent, "broadcast")) return intent;
  return withPhase(intent, { ...intent.transaction, refusal });
}

/**
 * The network has the transaction, however its request ended. Returns anything else unchanged.
 * @param signature the verified one from the chain.
 */
export function foundOnChain(intent: Intent, signature: string, run: Run): Intent {
  if (!isSigned(intent) || !(intent.state === "SIGNING" || mayStillExecute(intent))) return intent;
  const before = isIn(intent, "broadcast") ? intent.transaction : { broadcastAt: run.clock.now() };
  const { transaction } = withPhase(intent, { ...preparedOf(intent), ...before, phase: "broadcast", signature });
  const { outcome: _outcome, replacedBy, messageId, ...found } = advance(intent, "SENT", run);
  // If another card has its message, it gets a new one.
  const message = replacedBy === undefined && messageId !== undefined ? { messageId } : {};
  return { ...found, ...message, transaction };
}

/** Whether a signed transaction was never broadcast, and waits for that. */
export const isHeld = (intent: Intent): boolean => intent.state === "SENT" && isIn(intent, "signed");

/** Cancels what {@link isHeld}. */
export function canceled(held: Intent, run: Run): Intent {
  if (!isHeld(held)) throw new TypeError("it may have been broadcast");
  return advance(held, "CANCELED", run);
}

/** Whether an outcome can end an intent: only a call that was sent has an answer. */
export function mayEnd({ state }: Intent, { kind }: IntentOutcome): boolean {
  return stateSteps[state].includes(ends[kind]) && (kind !== "failed" || state === "SENT");
}

/** @throws TypeError for an outcome that the intent can't have, such as an answer to a call that was never sent. */
export function endedWith(intent: Intent, outcome: IntentOutcome, run: Run, time?: number): Intent {
  if (!mayEnd(intent, outcome)) throw new TypeError(`${outcome.kind} is no end of what is ${intent.state}`);
  const isCarriedOut = outcome.kind === "ok" || (outcome.kind === "failed" && outcome.costsFee === true);
  const over = { ...advance(intent, ends[outcome.kind], run, time), outcome };
  if (!isCarriedOut || !isSigned(intent)) return over;
  const signature = signatureOf(intent);
  if (signature === undefined) throw new TypeError("the chain carries out nothing without a signature");
  const { transaction } = withPhase(intent, { ...preparedOf(intent), phase: "on-chain", signature });
  return { ...over, transaction };
}

/** Ends a request as it was withdrawn, once the chain was checked. Returns anything else unchanged. */
export function endedAsWithdrawn(intent: Intent, run: Run, time?: number): Intent {
  if (!isRequest(intent) || !isIn(intent, "withdrawn")) return intent;
  const { end } = intent.transaction;
  if (typeof end === "string") return advance(intent, end, run, time);
  return endedWith(intent, { kind: "not-sent", ...end }, run, time);
}

/** Stops looking on the chain for an intent that ended otherwise. Returns anything else unchanged. */
export function givenUp(intent: Intent): Intent {
  if (!isSigned(intent) || !mayStillExecute(intent)) return intent;
  const signature = signatureOf(intent);
  return withPhase(intent, {
    ...preparedOf(intent),
    phase: "abandoned",
    ...(signature !== undefined && { signature }),
  });
}

/** Whether a call may be in progress: such an intent is never dropped. */
export function isUnderWay(state: IntentState): boolean {
  return state === "CLAIMED" || state === "SIGNING" || state === "SENT";
}

/**
 * Whether the chain may still show that a transaction was executed although its intent ended otherwise: a wallet can
 * broadcast what it was asked to sign until the nonce is used.
 */
export function mayStillExecute(intent: Intent): boolean {
  return isSigned(intent) && !isUnderWay(intent.state) && !isIn(intent, "on-chain", "abandoned");
}

/** Whether the chain has certainly executed a transaction, or tried to: its nonce is used. */
export const isOnChain = (intent: Intent): boolean => isIn(intent, "on-chain");

/**
 * Whether nothing can contradict its end. A signed transaction that isn't on the chain may still get there, even once
 * nobody looks for it any more.
 */
export function isFinal(intent: Intent): boolean {
  return isSigned(intent) ? isOnChain(intent) : intent.state === "OK" || intent.state === "FAILED";
}

/** Whether it can be confirmed, is in progress, or may still be contradicted by the chain. */
export function isOpen(intent: Intent): boolean {
  return intent.state === "QUOTED" || isUnderWay(intent.state) || mayStillExecute(intent);
}

export function isRequest(intent: Intent): intent is SignedIntent {
  return intent.state === "SIGNING" && isSigned(intent);
}

/** More than the time of day is corrected by in passing: what is further in the future is from before it was set back. */
const CORRECTION_MS = 5_000;

/** Setting the clock back never extends the time to sign: a request from the future is over. */
export function isOpenRequest(intent: Intent, now: number): intent is SignedIntent {
  if (!isRequest(intent) || !isIn(intent, "to-sign")) return false;
  return now < intent.transaction.signUntil && now >= (intent.times.SIGNING ?? 0) - CORRECTION_MS;
}

/**
 * Milliseconds until a card expires; none are left afterwards. Setting the clock never extends its life: the run that
 * opened the card, or sent it, also measures the elapsed time, and in a later run a card from the future counts as expired.
 */
export function timeLeft({ expiresAt, openedAt, ...intent }: Intent, { clock, run }: Run): number {
  const now = clock.now();
  const from = intent.arrived?.at ?? intent.quotedAt;
  if (intent.run !== run || openedAt === undefined) return now < from ? 0 : Math.max(0, expiresAt - now);
  const life = expiresAt - from;
  return Math.max(0, Math.min(expiresAt - now, life - (clock.monotonic() - openedAt)));
}

export const isExpired = (intent: Intent, run: Run): boolean => timeLeft(intent, run) === 0;

/** Lets a tap handle a card that expires at the same moment. */
export const EXPIRY_GRACE_MS = 250;
/** Delay before the chain is first searched for the transaction of an intent that ended otherwise. */
const ENDED_PAUSE_MS = 15_000;

/** When a loop next handles the intent. Negative values are due at once, the most urgent lowest. */
export function dueAt(intent: Intent): number | null {
  const { state, expiresAt, times } = intent;
  if (state === "QUOTED") return expiresAt + EXPIRY_GRACE_MS;
  if (!isSigned(intent)) return null;
  if (state === "SENT") return -3;
  if (state === "SIGNING") return isIn(intent, "to-sign") ? -1 : -2;
  return mayStillExecute(intent) ? (times[state] ?? 0) + ENDED_PAUSE_MS : null;
}
