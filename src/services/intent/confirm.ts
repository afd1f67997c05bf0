import { Fault, isFault } from "../../fault.js";
import { createTurns } from "../limits/turns.js";
import { pauseAfter } from "../limits/back-off.js";
import { assertNotFrozen, personIn } from "../person/people.js";
import type { SendOutcome } from "./gateway.js";
import type { Person } from "../person/person.js";
import { advance, closing, conclude, givenUp, inPlaceOf, isExpired, momentOf, worseIntent } from "./steps.js";
import type { Draft, Recheck } from "./kind.js";
import type { Holdings } from "./finding.js";
import { changeIntent, changeIntents, type IntentParts } from "./change.js";
import { beyondLimit } from "./limits.js";
import { findIntent, hasTwin, lookedForBeyond, underWayOf } from "./queries.js";
import { spentLately } from "./history.js";
import {
  isUnderWay,
  reasonOf,
  transactionsUnderWay,
  type Intent,
  type IntentOutcome,
  type IntentTransaction,
} from "./intent.js";
import { paymentsOf } from "./terms.js";
import { formatAmount } from "../../encoding/amount.js";

/** What became of a tap on confirm. */
export type Confirmation =
  /** The call was sent; its end is OK, FAILED or UNKNOWN. */
  | { readonly kind: "settled"; readonly intent: Intent }
  /** The call waits for a signature; its end is reported later. */
  | { readonly kind: "pending"; readonly intent: Intent }
  /** Somebody was faster, or it is over: nothing was done this time. */
  | { readonly kind: "not-open"; readonly intent: Intent }
  | { readonly kind: "expired"; readonly intent: Intent }
  | { readonly kind: "not-found" }
  /** What the card shows cannot be had any more: nothing was sent, and `fresh` is open instead. */
  | { readonly kind: "worse"; readonly intent: Intent; readonly fresh: Intent }
  /** It is certain that nothing was sent. */
  | { readonly kind: "not-sent"; readonly intent: Intent; readonly fault: Fault }
  /** The person froze trading. The card is as it was. */
  | { readonly kind: "frozen" }
  /** It goes beyond a limit of the person's own. The card is as it was. */
  | { readonly kind: "limited"; readonly fault: Fault };

/** Before the outcome is written again: space on a full disk is often freed soon. */
const BACK_OFF = { first: 200, longest: 10_000 };
/** What was checked before the last write ahead of a call does not hold for longer than this. */
const WRITTEN_WITHIN_MILLISECONDS = 10_000;
/** So many of the latest that the chain may still contradict are looked for; whoever has more has opened them for nothing. */
const MOST_LOOKED_FOR = 30;
/** After this many failures the person learns how it ended, though it is not written yet. */
const FAILURES_UNTOLD = 3;

type Claim = { readonly kind: "claimed"; readonly person: Person; readonly intent: Intent };
type Sent = { readonly kind: "sent"; readonly intent: Intent; readonly send: () => Promise<SendOutcome> };

export function createConfirm(parts: IntentParts) {
  const { store, gateway, clock, log } = parts;
  const underWay = createTurns();
  const track = <Result>(task: () => Promise<Result>) => underWay.take(Symbol(), task);

  const claim = (owner: number, id: string) =>
    changeIntents(parts, async (tx, step): Promise<Claim | Confirmation> => {
      const intent = await findIntent(tx, owner, id);
      if (intent === undefined) return { kind: "not-found" };
      if (intent.state === "EXPIRED") return { kind: "expired", intent };
      if (intent.state !== "QUOTED") return { kind: "not-open", intent };
      if (isExpired(intent, parts)) {
        return { kind: "expired", intent: await step(intent, advance(intent, "EXPIRED", momentOf(parts))) };
      }
      const person = await personIn(tx, owner);
      if (person.frozenSince !== undefined) return { kind: "frozen" };
      const now = clock.now();
      // Where one of those can't be read, nobody can say what this person may spend.
      await underWayOf(tx, owner);
      const fault = beyondLimit(person, intent.terms, await spentLately(tx, owner, now), now);
      if (fault !== undefined) return { kind: "limited", fault };
      return { kind: "claimed", person, intent: await step(intent, advance(intent, "CLAIMED", momentOf(parts))) };
    });

  /** From CLAIMED to SENT, the last write before the request. A freeze in between still counts. */
  const markSent = async (claimed: Intent, balances: Pick<Intent, "balances">): Promise<Intent> => {
    const intent = await changeIntent(parts, claimed.owner, claimed.id, (now, person) => {
      assertNotFrozen(person);
      return { ...advance(now, "SENT", momentOf(parts)), ...balances };
    });
    if (intent === undefined) throw new Fault("sent-too-late", {});
    return intent;
  };

  /**
   * From CLAIMED to SIGNING. A request of the same address that is still open closes: of two transactions with one nonce the
   * chain carries out one at most, and the person should sign the newest.
   */
  const markSigning = (claimed: Intent, transaction: IntentTransaction, balances: Pick<Intent, "balances">) =>
    changeIntents(parts, async (tx, step) => {
      const { owner, id, terms } = claimed;
      const person = await personIn(tx, owner);
      assertNotFrozen(person);
      if (person.wallet?.address !== terms.payout) throw new Fault("wallet-changed", {});
      if (await hasTwin(tx, transaction.hash)) throw new Fault("wallet-busy", { paid: "" });
      const others = transactionsUnderWay(await underWayOf(tx, owner), terms.payout);
      assertNoneSent(others);
      const now = (await findIntent(tx, owner, id)) ?? claimed;
      for (const other of others) await step(other, closing(other, { state: "SUPERSEDED" }));
      for (const old of await lookedForBeyond(tx, owner, MOST_LOOKED_FOR)) await step(old, givenUp(old));
      const intent = await step(now, { ...advance(now, "SIGNING", momentOf(parts)), transaction, ...balances });
      return { kind: "pending", intent } as const;
    });

  /** Closes the card and opens one with the fresh numbers, in one write. */
  const replace = (claimed: Intent, draft: Draft) =>
    changeIntents(parts, async (_tx, step): Promise<Confirmation> => {
      const worse = worseIntent(parts, claimed.owner, claimed.chatId, draft);
      const [intent, fresh] = inPlaceOf(advance(claimed, "SUPERSEDED", momentOf(parts)), worse);
      return { kind: "worse", intent: await step(claimed, intent), fresh: await step(undefined, fresh) };
    });

  /**
   * Writes how an intent ended, unless somebody else did, again and again until that has worked. If that takes long, the person
   * is told meanwhile what is known. If the process ends before that, the intent is UNKNOWN after the next start, which is the
   * truth then.
   */
  const end = (intent: Intent, outcome: IntentOutcome): Promise<Intent> => {
    const moment = momentOf(parts);
    const ended = conclude(intent, outcome, moment);
    const concluded = (now: Intent) => (isUnderWay(now.state) ? conclude(now, outcome, moment) : now);
    const write = () => changeIntent(parts, intent.owner, intent.id, concluded);
    return new Promise((resolve) => {
      const untilWritten = async (): Promise<void> => {
        for (let failures = 0; ; ) {
          try {
            resolve((await write()) ?? ended);
            return;
          } catch (error) {
            log.error({ err: error, intent: intent.id, outcome: outcome.kind }, "The end of an intent was not written");
            failures += 1;
            // Another process may have the store now; it calls this one unknown.
            const isLost = isFault(error, "store-lost");
            if (isLost || failures > FAILURES_UNTOLD) resolve(ended);
            if (isLost) return;
            await clock.sleep(pauseAfter(failures, BACK_OFF));
          }
        }
      };
      void track(untilWritten);
    });
  };

  const leave = async (claimed: Intent, holdings: Promise<Holdings | undefined> | undefined) => {
    await parts.assertOpen();
    if (!(await parts.isConfigured(claimed.call))) throw new Fault("contract-changed", {});
    const before = await holdings;
    const balances = before === undefined ? {} : { balances: { before } };
    const { owner, terms } = claimed;
    assertNoneSent(transactionsUnderWay(await underWayOf(store.db, owner), terms.payout));
    const begun = await gateway.begin(claimed);
    if (begun.state === "SIGNING") return markSigning(claimed, begun.transaction, balances);
    return { kind: "sent", intent: await markSent(claimed, balances), send: begun.send } as const;
  };

  const send = async ({ intent, send }: Sent): Promise<SendOutcome> => {
    try {
      if (clock.now() - (intent.times.SENT ?? 0) > WRITTEN_WITHIN_MILLISECONDS) throw new Fault("store-slow", {});
      await store.assertOwned();
      // Read again, so that nothing leaves after a pause was written: writing SENT may have taken a while.
      await parts.assertOpen();
    } catch (error) {
      if (isFault(error)) return { kind: "not-sent", fault: error };
      throw error;
    }
    try {
      return await send();
    } catch (error) {
      // A gateway never throws. If one does, the call may have left.
      const cause = isFault(error)
        ? error
        : new Fault("answer-unreadable", { reason: "the gateway broke" }, { cause: error });
      return { kind: "unknown", fault: cause };
    }
  };

  const run = async (
    owner: number,
    id: string,
    recheck: (person: Person, intent: Intent) => Promise<Recheck>,
    onClaimed?: (intent: Intent) => void,
  ): Promise<Confirmation> => {
    const claimed = await claim(owner, id);
    if (claimed.kind !== "claimed") return claimed;
    let sent: Sent | Confirmation;
    try {
      onClaimed?.(claimed.intent);
      // Requested alongside the new price, so that it delays nobody.
      const holdings = parts.holdings?.(claimed.intent);
      const checked = await recheck(claimed.person, claimed.intent);
      sent =
        checked.kind === "worse" ? await replace(claimed.intent, checked.draft) : await leave(claimed.intent, holdings);
    } catch (error) {
      const reason = isFault(error) ? reasonOf(error) : ({ code: "interrupted" } as const);
      const intent = await end(claimed.intent, { kind: "not-sent", ...reason });
      if (!isFault(error)) throw error;
      return { kind: "not-sent", intent, fault: error };
    }
    if (sent.kind !== "sent") return sent;

    const outcome = await send(sent);
    if (outcome.kind === "unknown") log.warn({ err: outcome.fault, intent: id }, "The outcome of a call is unknown");
    const intent = await end(sent.intent, recordOf(outcome));
    return outcome.kind === "not-sent"
      ? { kind: "not-sent", intent, fault: outcome.fault }
      : { kind: "settled", intent };
  };

  return {
    /**
     * Claims the intent in one atomic write, asks `recheck`, writes SENT, sends once, writes the outcome. However many confirm
     * at once, and whenever the process dies, at most one call leaves. Where a wallet has to sign, it ends at SIGNING with a
     * transaction on disk that nobody has sent.
     * @param recheck gets the person as they were at the claim, and sends nothing. A Fault that it throws closes the card as not sent.
     * @param onClaimed is called as soon as the claim is on disk.
     * @throws Fault `store-…` when the claim could not be written: nothing was done then. What `recheck` or `onClaimed` throw
     * other than a Fault is thrown on, after the intent was closed as not sent.
     */
    run: (...tap: Parameters<typeof run>) => track(() => run(...tap)),
    /** Resolves when no call is under way and every end that is known is on disk. */
    idle: underWay.settled,
  };
}

/** @throws Fault `wallet-busy`, naming what the one pays that is waited for. */
function assertNoneSent(underWay: readonly Intent[]): void {
  const sent = underWay.find(({ state }) => state === "SENT");
  if (sent === undefined) return;
  const [paid] = paymentsOf(sent.terms);
  throw new Fault("wallet-busy", { paid: paid === undefined ? "" : `${formatAmount(paid)} ${paid.token.id}` });
}

function recordOf(outcome: SendOutcome): IntentOutcome {
  if (!("fault" in outcome)) return outcome;
  const { kind, fault } = outcome;
  return kind === "not-sent" ? { kind, ...reasonOf(fault) } : { kind, code: fault.code };
}
