import { Fault, isFault } from "../../fault.js";
import { reasonOf, type Intent, type Reason, type SignedIntent } from "./intent.js";
import type { Person } from "../person/person.js";
import { assertNotFrozen, personIn } from "../person/people.js";
import { changeIntent } from "./change.js";
import type { Recheck } from "./draft.js";
import type { IntentParts } from "./parts.js";
import { findIntent } from "./queries.js";

/**
 * The one question before each time that a signed transaction is given to the network, the first time or another: whether its
 * owner and the operator still let it, whether it is still of today, and before a first time whether its price still holds.
 * Once it may, it is on disk that the network may have it.
 * @param recheck the price before a first time; absent where that was asked a moment ago.
 * @returns why it stays; undefined where it may leave.
 * @throws Fault `service-…` and `store-…`, where it can't be said now.
 */
export async function mayLeave(
  parts: IntentParts,
  { owner, id, transaction }: SignedIntent,
  recheck?: (intent: Intent) => Promise<Recheck>,
): Promise<Reason | undefined> {
  const isFirst = transaction.givenAt === undefined;
  const assertLeaving = (intent: Intent | undefined, person: Person): SignedIntent => {
    // Cancelled in the meantime: it has an end already, which this one does not replace.
    if (intent?.transaction === undefined || intent.state !== "SENT") throw new Fault("sent-too-late", {});
    assertNotFrozen(person);
    if (person.wallet?.address !== intent.terms.payout) throw new Fault("wallet-changed", {});
    if (parts.clock.now() >= intent.transaction.sendUntil) throw new Fault("sent-too-late", {});
    return { ...intent, transaction: intent.transaction };
  };
  try {
    const { db } = parts.store;
    const sent = assertLeaving(await findIntent(db, owner, id), await personIn(db, owner));
    if (isFirst && recheck !== undefined && (await recheck(sent)).kind !== "holds") throw new Fault("price-moved", {});
    const givenAt = parts.clock.now();
    await changeIntent(parts, owner, id, (intent, person) => {
      const leaving = assertLeaving(intent, person);
      return isFirst ? { ...leaving, transaction: { ...leaving.transaction, givenAt } } : intent;
    });
    // Last, so that nothing leaves after a pause was written: the write may have taken a while.
    await parts.assertOpen().catch(async (error: unknown) => {
      if (isFirst) await markNotGiven(parts, owner, id);
      throw error;
    });
    return undefined;
  } catch (error) {
    return reasonAgainst(error);
  }
}

/** Takes back what {@link mayLeave} wrote, where it is certain that nothing reached the network. */
export async function markNotGiven(parts: IntentParts, owner: number, id: string): Promise<void> {
  await changeIntent(parts, owner, id, (intent) => {
    if (intent.transaction?.givenAt === undefined || intent.state !== "SENT") return intent;
    const { givenAt: _givenAt, ...transaction } = intent.transaction;
    return { ...intent, transaction };
  });
}

/** What a fault says against sending. @throws what is only away, or no fault at all: it says nothing yet. */
export function reasonAgainst(error: unknown): Reason {
  if (!isFault(error) || error.code.startsWith("service-") || error.code.startsWith("store-")) throw error;
  return reasonOf(error);
}
