import { addAmounts, amountOf, compareAmounts, isZero, subtractAmounts, type Amount } from "../../encoding/amount.js";
import { formatAssetId, type AssetId } from "../../encoding/asset.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Until } from "../../encoding/until.js";
import { Fault } from "../../fault.js";
import type { Intent } from "../../model/intent.js";
import type { Lock } from "../../model/lock.js";
import type { Person } from "../../model/person.js";
import { unlockTimeAt } from "../chain/epochs.js";
import type { ChainStatus } from "../clients/gateway.js";
import { readLockOutcome, readUnlockOutcome } from "./outcome.js";

/** How many locks a person can have at once: they all stand in the person's document. */
const MAX_OPEN = 200;
/** How many emptied locks are remembered: something may still be locked that the bot never heard of. */
const MAX_EMPTY = 50;
/** An end is recorded when it is written, and at most once again after a crash: remembering the last few is enough to recognise it. */
const MAX_INTENTS = 50;

/** The locks of which something is left, those that unlock first leading. */
export function openLocks(person: Person): readonly Lock[] {
  return Object.values(person.locks ?? {})
    .filter((lock) => !isZero(lock.amount))
    .sort((left, right) => (left.unlockEpoch < right.unlockEpoch ? -1 : left.unlockEpoch > right.unlockEpoch ? 1 : 0));
}

/** @throws Fault `locks-full` for a person who has as many as are kept. */
export function assertRoomForLock(person: Person): void {
  if (openLocks(person).length >= MAX_OPEN) throw new Fault("locks-full", { maximum: MAX_OPEN });
}

/** The lock of a locked token and nonce, also when nothing is left of it. */
export function lockOf(person: Person, locked: AssetId): Lock | undefined {
  return person.locks?.[formatAssetId(locked)];
}

/**
 * Records a lock as the person describes it: one whose call had no clear answer, or that was made in a wallet.
 * @param told the locked token with its number, how much of what was locked, and until when.
 * @throws Fault `epoch-length-unknown`, `locks-full`.
 */
export function withLockTold(
  person: Person,
  { locked, amount, until }: { readonly locked: AssetId; readonly amount: Amount; readonly until: Until },
  status: ChainStatus,
  now: number,
): Person {
  const { epoch: unlockEpoch } = unlockTimeAt(until, status, now);
  const before = lockOf(person, locked);
  if (before === undefined || isZero(before.amount)) assertRoomForLock(person);
  return withLock(person, { locked, amount, unlockEpoch, lockedAt: now, intents: before?.intents ?? [] });
}

/** Enters the end of a lock or unlock call that the node answered with ok, once. */
export function bookLock(person: Person, intent: Intent, encoding: ReturnDataEncoding): Person {
  const entry = entryOf(person, intent, encoding);
  if (entry === undefined) return person;
  const { intents = [] } = lockOf(person, entry.locked) ?? {};
  if (intents.includes(intent.id)) return person;
  return withLock(person, { ...entry, intents: [...intents, intent.id] });
}

/** What an end makes of a lock; undefined where it changes none. */
function entryOf(person: Person, intent: Intent, encoding: ReturnDataEncoding): Omit<Lock, "intents"> | undefined {
  const { terms, outcome } = intent;
  if (terms.kind === "lock") {
    const read = readLockOutcome({ terms, outcome }, encoding);
    if (read?.kind !== "locked") return undefined;
    const before = lockOf(person, read.locked)?.amount;
    return {
      locked: read.locked,
      amount: before?.token.id === read.amount.token.id ? addAmounts(read.amount, before) : read.amount,
      unlockEpoch: terms.unlockEpoch,
      lockedAt: intent.times.OK ?? intent.quotedAt,
    };
  }
  if (terms.kind !== "unlock") return undefined;
  const before = lockOf(person, terms.locked);
  if (before === undefined || readUnlockOutcome({ terms, outcome }, encoding) === undefined) return undefined;
  const { token } = before.amount;
  const unlocked = amountOf(token, terms.amount.units);
  const isLeft = compareAmounts(before.amount, unlocked) > 0;
  return { ...before, amount: isLeft ? subtractAmounts(before.amount, unlocked) : amountOf(token, 0n) };
}

function withLock(person: Person, lock: Lock): Person {
  const remembered = { ...lock, intents: lock.intents.slice(-MAX_INTENTS) };
  const locks = Object.values({ ...person.locks, [formatAssetId(lock.locked)]: remembered });
  const empty = locks.filter(({ amount }) => isZero(amount)).sort((left, right) => right.lockedAt - left.lockedAt);
  const forgotten = empty.slice(MAX_EMPTY);
  const kept = locks.filter((each) => !forgotten.includes(each));
  return { ...person, locks: Object.fromEntries(kept.map((each) => [formatAssetId(each.locked), each])) };
}
