import { Fault, isFault } from "../../fault.js";
import { assertNotFrozen, personIn } from "../person/people.js";
import { changeIntent, type IntentParts } from "./change.js";
import { reasonOf, type Intent, type Reason, type SignedIntent } from "./intent.js";
import type { Recheck } from "./kind.js";
import { findIntent } from "./queries.js";

/** What was checked before the last write ahead of a call does not hold for longer than this. */
const WRITTEN_WITHIN_MS = 10_000;

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

/**
 * Whether a signed transaction may be given to the network. Once it may, it is on disk that the network may have it.
 * @param recheck the price before a first time; absent where that was asked a moment ago.
 * @returns why it stays; undefined where it may leave.
 * @throws Fault `service-…` and `store-…`, where it can't be said now.
 */
export async function mayLeave(
  parts: IntentParts,
  sent: SignedIntent,
  recheck?: (intent: Intent) => Promise<Recheck>,
): Promise<Reason | undefined> {
  const { owner, id } = sent;
  const isFirst = sent.transaction.givenAt === undefined;
  try {
    await assertMayLeave(parts, sent);
    if (!isFirst) return undefined;
    if (recheck !== undefined && (await recheck(sent)).kind !== "holds") throw new Fault("price-moved", {});
    const givenAt = parts.clock.now();
    await changeIntent(parts, owner, id, (intent) =>
      intent.state !== "SENT" || intent.transaction === undefined
        ? intent
        : { ...intent, transaction: { ...intent.transaction, givenAt } },
    );
    await assertMayLeave(parts, sent).catch(async (error: unknown) => {
      await markNotGiven(parts, owner, id);
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
