import type { Address } from "../../encoding/address.js";
import { formatAmount } from "../../encoding/amount.js";
import { Fault, isFault } from "../../fault.js";
import type { Reader } from "../../store/store.js";
import { isNeverSent } from "../clients/http.js";
import { assertNotFrozen, personIn, type Person } from "../person/person.js";
import { advance, changeIntents, closing, givenUp, inPlaceOf, isExpired, newIntent } from "./change.js";
import type { IntentParts, RunningParts } from "./change.js";
import { endForCertain } from "./end.js";
import { isSigned, reasonOf, type ContractOutcome, type Intent, type IntentOutcome } from "./intent.js";
import type { Draft, Holdings } from "./kind.js";
import { beyondLimit } from "./limits.js";
import { findIntent, hasTwin, lookedForBeyond, spentLately, underWayOf } from "./queries.js";
import { paymentsOf } from "../terms/terms.js";

/** `not-open`: somebody was faster, or it is over. `pending`: a wallet has to sign. */
export type Confirmation =
  | { readonly kind: "ended" | "expired" | "not-open" | "pending"; readonly intent: Intent }
  | { readonly kind: "not-found" }
  /** What the card shows cannot be had any more: nothing was sent, and `fresh` is open instead. */
  | { readonly kind: "worse"; readonly fresh: Intent }
  /** The person froze trading, or it goes beyond a limit of their own. The card is as it was. */
  | { readonly kind: "refused"; readonly fault: Fault };

/** So many of the latest that the chain may still contradict are looked for; anyone with more has opened them for nothing. */
const MAX_LOOKED_FOR = 30;

/** What was checked before the last write ahead of a call does not hold for longer than this. */
const WRITTEN_WITHIN_MS = 10_000;

type Claim = { readonly kind: "claimed"; readonly person: Person; readonly intent: Intent };

/**
 * Claims the intent in one atomic write, asks its price again, writes SENT, sends once, writes the outcome. However many confirm at
 * once, and whenever the process dies, at most one call leaves. Where a wallet has to sign, it ends at SIGNING with a transaction on
 * disk that nobody has sent.
 * @throws Fault `store-…` when the claim could not be written: nothing was done then. What is no Fault is thrown on, after the intent
 * was closed as not sent.
 */
export async function confirm(p: RunningParts, owner: number, id: string): Promise<Confirmation> {
  const claim = await claimIntent(p, owner, id);
  if (claim.kind !== "claimed") return claim;
  const { person } = claim;
  let { intent } = claim;
  let send: () => Promise<ContractOutcome>;
  try {
    // Requested alongside the new price, so that it delays nobody.
    const before = p.holdings(intent);
    const worse = await p.recheck(intent, person);
    if (worse !== undefined) return await replaceIntent(p, intent, worse);
    await p.assertOpen();
    if (!(await p.isConfigured(intent.call))) throw new Fault("contract-changed", {});
    const begun = await begin(p, intent, await before);
    if (begun.state === "SIGNING") return { kind: "pending", intent: begun.intent };
    ({ intent, send } = begun);
    await assertMayLeave(p, intent);
  } catch (error) {
    const reason = isFault(error) ? reasonOf(error) : ({ code: "interrupted" } as const);
    const ended = await endForCertain(p, intent, { kind: "not-sent", ...reason });
    if (!isFault(error)) throw error;
    return { kind: "ended", intent: ended };
  }
  return { kind: "ended", intent: await endForCertain(p, intent, await outcomeOf(p, intent, send)) };
}

/** From QUOTED to CLAIMED, by one alone: unexpired, not frozen, and within the person's limits. */
function claimIntent(p: IntentParts, owner: number, id: string): Promise<Claim | Confirmation> {
  return changeIntents(p, async (tx, step) => {
    const intent = await findIntent(tx, owner, id);
    if (intent === undefined) return { kind: "not-found" };
    if (intent.state === "EXPIRED") return { kind: "expired", intent };
    if (intent.state !== "QUOTED") return { kind: "not-open", intent };
    if (isExpired(intent, p)) return { kind: "expired", intent: await step(intent, advance(intent, "EXPIRED", p)) };
    const person = await personIn(tx, owner);
    if (person.frozenSince !== undefined) return { kind: "refused", fault: new Fault("frozen", {}) };
    const now = p.clock.now();
    // Where one of those can't be read, nobody can say what this person may spend.
    await underWayOf(tx, owner);
    const fault = beyondLimit(person, intent.terms, await spentLately(tx, owner, now), now);
    if (fault !== undefined) return { kind: "refused", fault };
    return { kind: "claimed", person, intent: await step(intent, advance(intent, "CLAIMED", p)) };
  });
}

/** Closes the card and opens one with the fresh numbers, in one write. */
function replaceIntent(p: IntentParts, claimed: Intent, draft: Draft): Promise<Confirmation> {
  return changeIntents(p, async (_tx, step) => {
    const [over, fresh] = inPlaceOf(advance(claimed, "SUPERSEDED", p), newIntent(p, claimed, draft, true));
    await step(claimed, over);
    return { kind: "worse", fresh: await step(undefined, fresh) };
  });
}

/** To SENT or SIGNING. It is the last write before the request, or before a wallet is asked: a freeze before it counts. */
async function begin(p: IntentParts, claimed: Intent, before: Holdings | undefined) {
  const { owner, id, terms } = claimed;
  assertNoneSent(await transactionsOf(p.store.db, owner, terms.payout));
  const begun = await p.gateway.begin(claimed);
  const intent = await changeIntents(p, async (tx, step) => {
    const now = await findIntent(tx, owner, id);
    if (now === undefined) throw new Fault("sent-too-late", {});
    const person = await personIn(tx, owner);
    assertNotFrozen(person);
    const next = { ...advance(now, begun.state, p), ...(before && { balances: { before } }) };
    if (begun.state === "SENT") return step(now, next);
    const { transaction } = begun;
    if (person.wallet?.address !== terms.payout) throw new Fault("wallet-changed", {});
    if (await hasTwin(tx, transaction.hash)) throw new Fault("wallet-busy", { paid: "" });
    const others = await transactionsOf(tx, owner, terms.payout);
    assertNoneSent(others);
    // Of two transactions with one nonce the chain carries out one at most, and the person should sign the newest.
    for (const other of others) await step(other, closing(other, { state: "SUPERSEDED" }));
    for (const old of await lookedForBeyond(tx, owner, MAX_LOOKED_FOR)) await step(old, givenUp(old));
    return step(now, { ...next, transaction });
  });
  return { ...begun, intent };
}

async function outcomeOf(p: IntentParts, { id }: Intent, send: () => Promise<ContractOutcome>): Promise<IntentOutcome> {
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
 * The one question right before every broadcast, the first time or another: whether its owner and the operator still let it, and
 * whether it is still of today. It is asked after SENT was written, so that nothing leaves after a freeze or a pause was.
 * @throws Fault for what speaks against it; `service-…` and `store-…` where it can't be said now.
 */
export async function assertMayLeave(parts: IntentParts, { owner, id }: Intent): Promise<void> {
  const { store, clock } = parts;
  const [intent, person] = [await findIntent(store.db, owner, id), await personIn(store.db, owner)];
  // Cancelled in the meantime: it has an end already, which no other replaces.
  if (intent?.state !== "SENT") throw new Fault("sent-too-late", {});
  const { transaction, times, terms } = intent;
  assertNotFrozen(person);
  if (transaction !== undefined) {
    if (person.wallet?.address !== terms.payout) throw new Fault("wallet-changed", {});
    if (clock.now() >= transaction.sendUntil) throw new Fault("sent-too-late", {});
  } else if (clock.now() - (times.SENT ?? 0) > WRITTEN_WITHIN_MS) throw new Fault("store-slow", {});
  await store.assertOwned();
  await parts.assertOpen();
}

/** A person's transactions of an address that wait for a signature, or for their end on the chain. */
async function transactionsOf(db: Reader, owner: number, address: Address): Promise<readonly Intent[]> {
  const running = await underWayOf(db, owner);
  return running.filter(isSigned).filter(({ terms }) => terms.payout === address);
}

/** @throws Fault `wallet-busy`, naming what the one pays that is waited for. */
function assertNoneSent(running: readonly Intent[]): void {
  const sent = running.find(({ state }) => state === "SENT");
  if (sent === undefined) return;
  const [paid] = paymentsOf(sent.terms);
  throw new Fault("wallet-busy", { paid: paid === undefined ? "" : `${formatAmount(paid)} ${paid.token.id}` });
}
