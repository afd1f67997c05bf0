import { formatAssetId, type AssetId } from "../../encoding/asset.js";
import type { Lock, Locks } from "../../model/lock.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Intent } from "../../model/intent.js";
import type { Person } from "../../model/person.js";
import { readLockOutcome, readUnlockOutcome } from "./outcome.js";

/** Enters a lock or unlock call that the node answered with ok, unless it is in the book already. */
export function bookLock(person: Person, intent: Intent, encoding: ReturnDataEncoding): Person {
  const before = person.locks ?? {};
  const locks = entered(before, intent, encoding);
  return locks === before ? person : { ...person, locks };
}

/** The locks of which something is left, those that unlock first at the front. */
export function openLocks(person: Person): readonly Lock[] {
  return Object.values(person.locks ?? {})
    .filter((lock) => lock.amount.units > 0n)
    .sort((left, right) => (left.unlockEpoch < right.unlockEpoch ? -1 : left.unlockEpoch > right.unlockEpoch ? 1 : 0));
}

/** The lock of a locked token and nonce, also when nothing is left of it. */
export function lockOf(person: Person, locked: AssetId): Lock | undefined {
  return person.locks?.[formatAssetId(locked)];
}

/** Enters a lock as the person tells it: so much is locked now under this locked token and nonce. */
export function withLockByWord(person: Person, told: Omit<Lock, "intents">): Person {
  const key = formatAssetId(told.locked);
  const intents = person.locks?.[key]?.intents ?? [];
  return { ...person, locks: { ...person.locks, [key]: { ...told, intents } } };
}

function entered(locks: Locks, intent: Intent, encoding: ReturnDataEncoding): Locks {
  const { terms, outcome } = intent;
  if (outcome?.kind !== "ok") return locks;
  if (terms.kind === "lock") {
    const read = readLockOutcome(terms, outcome.returnData, encoding);
    if (read.kind !== "locked") return locks;
    const key = formatAssetId(read.locked);
    const before = locks[key];
    if (before?.intents.includes(intent.id)) return locks;
    const lock: Lock = {
      locked: read.locked,
      amount: { token: terms.amount.token, units: (before?.amount.units ?? 0n) + read.amount.units },
      unlockEpoch: terms.unlockEpoch,
      lockedAt: intent.times.OK ?? intent.quotedAt,
      intents: [...(before?.intents ?? []), intent.id],
    };
    return { ...locks, [key]: lock };
  }
  if (terms.kind === "unlock") {
    const key = formatAssetId(terms.locked);
    const before = locks[key];
    if (before === undefined || before.intents.includes(intent.id)) return locks;
    const read = readUnlockOutcome(terms, outcome.returnData, encoding);
    if (read.kind !== "unlocked") return locks;
    const units = before.amount.units > terms.amount.units ? before.amount.units - terms.amount.units : 0n;
    const lock: Lock = {
      ...before,
      amount: { ...before.amount, units },
      intents: [...before.intents, intent.id],
    };
    return { ...locks, [key]: lock };
  }
  return locks;
}
