import type { Address } from "../../encoding/address.js";
import { formatAmount, type Holdings } from "../../encoding/amount.js";
import { Fault, isFault } from "../../fault.js";
import { isNeverSent } from "../base/http.js";
import { assertMayTrade } from "../person/pause.js";
import { personIn, type Person } from "../person/person.js";
import { changeIntents, inPlaceOf, newIntent } from "./change.js";
import type { IntentParts, RunningParts } from "./change.js";
import { endForCertain } from "./finish-call.js";
import { isSigned, reasonOf, type ContractOutcome, type Intent, type IntentOutcome } from "./intent.js";
import { assertCovered, type Draft } from "./trade-kind.js";
import { limitFault } from "./limits.js";
import { claimed, closedAs, givenUp, isExpired, requested, sent, withdrawn } from "./machine.js";
import { findIntent, hasTwin, lookedForBeyond, spentLately, underWayOf } from "./queries.js";
import { paymentsOf } from "../terms/terms.js";

/** `not-open`: it was claimed by another tap, or is over. `pending`: a wallet has to sign. */
export type Confirmation =
  | { readonly kind: "ended" | "expired" | "not-open" | "pending"; readonly intent: Intent }
  | { readonly kind: "not-found" }
  /** The card's terms no longer hold: nothing was sent, and `fresh` is open instead. */
  | { readonly kind: "worse"; readonly fresh: Intent }
  /** The user has frozen trading, the call exceeds a limit, or its standing order objects. The card is unchanged. */
  | { readonly kind: "refused"; readonly fault: Fault };

/** Maximum number of a user's latest ended requests to look for on the chain. Nobody has a reason to open more. */
const MAX_LOOKED_FOR = 30;

/** How long the checks before the last write ahead of a call remain valid. */
const WRITTEN_WITHIN_MS = 10_000;

type Claim = {
  readonly kind: "claimed";
  readonly person: Person;
  readonly intent: Intent;
  /** The user's other calls in progress. */
  readonly others: readonly Intent[];
};

/**
 * Claims the intent in one atomic write, rechecks its price, writes SENT, sends once, and writes the outcome. At most
 * one call leaves, however many taps confirm at once and whenever the process dies. If a wallet has to sign, it stops
 * at SIGNING, with a transaction on disk that nobody has sent.
 * @throws Fault `store-…` if the claim could not be written; nothing was done then. Anything but a Fault is rethrown
 * after the intent was closed as not sent.
 */
export async function confirm(p: RunningParts, owner: number, id: string): Promise<Confirmation> {
  const claim = await claimIntent(p, owner, id);
  if (claim.kind !== "claimed") return claim;
  const { person, others } = claim;
  let { intent } = claim;
  let send: () => Promise<ContractOutcome>;
  try {
    // Requested alongside the new price, to save time.
    const before = p.kinds.holdings(intent);
    const worse = await p.kinds.recheck(intent, person);
    if (worse !== undefined) return await replaceIntent(p, intent, worse);
    if (!(await p.kinds.isConfigured(intent.call))) throw new Fault("contract-changed", {});
    const held = await before;
    // What would be refused costs a network fee all the same.
    assertCovered(p.kinds.flowOf(intent).paid, held);
    assertNoneSent(transactionsFrom(others, intent.terms.payout));
    const begun = await beginCall(p, intent, held);
    if (begun.kind === "request") return { kind: "pending", intent: begun.intent };
    ({ intent, send } = begun);
    await assertMayLeave(p, intent);
  } catch (error) {
    const reason = isFault(error) ? reasonOf(error) : ({ code: "interrupted" } as const);
    const ended = await endForCertain(p, intent, { kind: "not-sent", ...reason });
    if (!isFault(error)) throw error;
    return { kind: "ended", intent: ended };
  }
  return { kind: "ended", intent: await endForCertain(p, intent, await outcomeOfSending(p, intent, send)) };
}

/** Moves QUOTED to CLAIMED, for one caller only: unexpired, not frozen, and within the user's limits. */
function claimIntent(p: IntentParts, owner: number, id: string): Promise<Claim | Confirmation> {
  return changeIntents(p, async (tx, step) => {
    const intent = await findIntent(tx, owner, id);
    if (intent === undefined) return { kind: "not-found" };
    if (intent.state === "EXPIRED") return { kind: "expired", intent };
    if (intent.state !== "QUOTED") return { kind: "not-open", intent };
    if (isExpired(intent, p)) return { kind: "expired", intent: await step(intent, closedAs(intent, "EXPIRED", p)) };
    const person = await personIn(tx, owner);
    if (person.frozenSince !== undefined) return { kind: "refused", fault: new Fault("frozen", {}) };
    const now = p.clock.now();
    // Throws if one of these is unreadable: it isn't known then what the user may spend.
    const others = await underWayOf(tx, owner);
    const spent = await spentLately(tx, owner, now);
    const fault = (await p.objection(tx, intent)) ?? limitFault(person, intent.terms, spent, now);
    if (fault !== undefined) return { kind: "refused", fault };
    return { kind: "claimed", person, others, intent: await step(intent, claimed(intent, p)) };
  });
}

/** Closes the card and opens one with fresh figures, in one write. */
function replaceIntent(p: IntentParts, claim: Intent, draft: Draft): Promise<Confirmation> {
  return changeIntents(p, async (_tx, step) => {
    const [over, fresh] = inPlaceOf(closedAs(claim, "SUPERSEDED", p), newIntent(p, claim, draft, "recheck"));
    await step(claim, over);
    return { kind: "worse", fresh: await step(undefined, fresh) };
  });
}

/**
 * Moves to SENT or SIGNING. This is the last write before the call is sent or signed, so it checks for a freeze and a
 * pause.
 */
async function beginCall(p: IntentParts, claim: Intent, before: Holdings | undefined) {
  const { owner, id, terms } = claim;
  const begun = await p.gateway.begin(claim);
  const intent = await changeIntents(p, async (tx, step) => {
    const now = await findIntent(tx, owner, id);
    if (now === undefined) throw new Fault("sent-too-late", {});
    const person = await assertMayTrade(tx, owner);
    // A card can have been opened while its owner's address was being changed.
    if (person.wallet?.address !== terms.payout) throw new Fault("wallet-changed", {});
    const known = before && { balances: { before } };
    if (begun.kind === "call") return step(now, { ...sent(now, p), ...known });
    const { transaction } = begun;
    if (await hasTwin(tx, transaction.hash)) throw new Fault("wallet-busy", { paid: "" });
    const objection = await p.objection(tx, now, transaction);
    if (objection !== undefined) throw objection;
    const others = transactionsFrom(await underWayOf(tx, owner), terms.payout);
    assertNoneSent(others);
    // The chain executes at most one of two transactions with one nonce, and the user should sign the newest.
    for (const other of others) await step(other, withdrawn(other, "SUPERSEDED"));
    for (const old of await lookedForBeyond(tx, owner, MAX_LOOKED_FOR)) await step(old, givenUp(old));
    return step(now, { ...requested(now, transaction, p), ...known });
  });
  return { ...begun, intent };
}

async function outcomeOfSending(
  p: IntentParts,
  { id }: Intent,
  send: () => Promise<ContractOutcome>,
): Promise<IntentOutcome> {
  try {
    return await send();
  } catch (error) {
    if (isFault(error) && isNeverSent(error)) return { kind: "not-sent", ...reasonOf(error) };
    const reason = "the request failed in a way that is not known";
    const fault = isFault(error) ? error : new Fault("answer-unreadable", { reason }, { cause: error });
    p.log.warn({ err: fault, intent: id }, "Outcome unknown");
    return { kind: "unknown", code: fault.code };
  }
}

/**
 * Last check before every call and every broadcast, also a repeated one: its owner and the operator still allow it, and
 * it isn't outdated. Runs after SENT is written. The lease, which may have to wait, comes first, and what a freeze or a
 * pause changes last, so that nothing leaves after one.
 * @throws Fault with the objection; `service-…` and `store-…` if that can't be decided now.
 */
export async function assertMayLeave({ store, clock }: IntentParts, { owner, id }: Intent): Promise<void> {
  await store.assertOwned();
  const intent = await findIntent(store.db, owner, id);
  // Cancelled in the meantime: it already has an end, which this one doesn't replace.
  if (intent?.state !== "SENT") throw new Fault("sent-too-late", {});
  const { wallet } = await assertMayTrade(store.db, owner);
  const { transaction, times, terms } = intent;
  if (transaction !== undefined) {
    if (wallet?.address !== terms.payout) throw new Fault("wallet-changed", {});
    if (clock.now() >= transaction.sendUntil) throw new Fault("sent-too-late", {});
  } else if (clock.now() - (times.SENT ?? 0) > WRITTEN_WITHIN_MS) throw new Fault("store-slow", {});
}

/** Of calls in progress, the transactions from an address that wait for a signature, or for their end on the chain. */
function transactionsFrom(running: readonly Intent[], address: Address): readonly Intent[] {
  return running.filter(isSigned).filter(({ terms }) => terms.payout === address);
}

/** @throws Fault `wallet-busy`, naming what the transaction in progress pays. */
function assertNoneSent(running: readonly Intent[]): void {
  const first = running.find(({ state }) => state === "SENT");
  if (first === undefined) return;
  const [paid] = paymentsOf(first.terms);
  throw new Fault("wallet-busy", { paid: paid === undefined ? "" : `${formatAmount(paid)} ${paid.token.id}` });
}
