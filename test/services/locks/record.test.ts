import { expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import type { Intent } from "../../../src/model/intent.js";
import type { LockTerms, Terms, UnlockTerms } from "../../../src/model/terms.js";
import type { Lock } from "../../../src/model/lock.js";
import { bookLock, lockOf, openLocks, withLockTold } from "../../../src/services/locks/record.js";
import type { Person } from "../../../src/model/person.js";
import { nested } from "../../encoding/nested.js";
import { alice, kfi, klv, locked as lockedToken, person } from "../samples.js";

const returned = (tokenId: string, nonce: bigint, units: bigint) => [nested.payment({ tokenId, nonce, units })];
const seven = { tokenId: "LKTOK-1A2B", nonce: 7n };

function lockTerms(units: bigint, fields: Partial<LockTerms> = {}): LockTerms {
  return {
    kind: "lock",
    amount: amountOf(kfi, units),
    unlockEpoch: 5500n,
    epoch: 5397n,
    payout: alice,
    request: { kind: "lock", pay: amountOf(kfi, units), token: kfi, until: { epoch: 5500n } },
    ...fields,
  };
}

function unlockTerms(units: bigint): UnlockTerms {
  const amount = amountOf({ ...lockedToken, id: "LKTOK-1A2B/7" }, units);
  const request = { kind: "unlock", locked: seven, pay: amount } as const;
  return { kind: "unlock", locked: seven, amount, original: kfi, payout: alice, request };
}

/** Calls that ended, each answered so; the first is the oldest. */
function ended(...calls: readonly (readonly [Terms, readonly string[] | undefined])[]): readonly Intent[] {
  return calls.map(([terms, returnData], index) => ({
    id: `i${index}`,
    owner: 1001,
    chatId: 1001,
    terms,
    call: {
      contract: "simpleLock",
      address: alice,
      function: "lockTokens",
      inputs: { unlock_epoch: 100n },
      payments: [{ tokenId: "KLV", units: 1n }],
    },
    quotedAt: 10 * index,
    expiresAt: 10 * index + 1,
    state: returnData === undefined ? "FAILED" : "OK",
    run: "run",
    times: { OK: 10 * index + 5 },
    ...(returnData !== undefined && { outcome: { kind: "ok", returnData } }),
  }));
}

const after = (before: Person, intents: readonly Intent[]) =>
  intents.reduce((now, intent) => bookLock(now, intent, "hex"), before);

test("what was locked is entered once, with what was added and what was taken out", () => {
  const calls = ended(
    [lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)],
    [lockTerms(3n), returned("LKTOK-1A2B", 7n, 3n)],
    [unlockTerms(2n), returned("KFI", 0n, 2n)],
  );
  const booked = after(person(), calls);
  expect(openLocks(booked)).toEqual([
    { locked: seven, amount: amountOf(kfi, 6n), unlockEpoch: 5500n, lockedAt: 15, intents: ["i0", "i1", "i2"] },
  ]);
  expect(after(booked, calls)).toBe(booked);
});

test("an answer that says how it is written is read so, whatever the node's are like", () => {
  const calls = ended([lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)], [unlockTerms(2n), returned("KFI", 0n, 2n)]).map(
    ({ outcome, ...intent }) => ({ ...intent, outcome: { ...outcome, encoding: "hex" } }) as Intent,
  );
  const booked = calls.reduce((now, intent) => bookLock(now, intent, "base64"), person());
  expect(lockOf(booked, seven)?.amount).toEqual(amountOf(kfi, 3n));
});

test("a lying answer that names another token under the same number stops nothing", () => {
  const calls = ended(
    [lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)],
    [lockTerms(3n, { amount: amountOf(klv, 3n) }), returned("LKTOK-1A2B", 7n, 3n)],
  );
  expect(lockOf(after(person(), calls), seven)?.amount).toEqual(amountOf(klv, 3n));
});

test("nothing is entered that failed, came straight back or cannot be believed", () => {
  const nothing = person();
  const calls = ended(
    [lockTerms(5n), undefined],
    [lockTerms(5n, { unlockEpoch: 1n }), returned("KFI", 0n, 5n)],
    [lockTerms(5n), returned("LKTOK-1A2B", 7n, 4n)],
    [unlockTerms(2n), returned("KFI", 0n, 2n)],
  );
  expect(after(nothing, calls)).toBe(nothing);
});

test("what is empty is no longer listed, and never falls below zero", () => {
  const booked = after(
    person(),
    ended([lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)], [unlockTerms(6n), returned("KFI", 0n, 6n)]),
  );
  expect(openLocks(booked)).toEqual([]);
  expect(lockOf(booked, seven)?.amount.units).toBe(0n);
});

test("locks of other numbers stand apart, those that unlock first at the front", () => {
  const booked = after(
    person(),
    ended(
      [lockTerms(5n, { unlockEpoch: 9000n }), returned("LKTOK-1A2B", 8n, 5n)],
      [lockTerms(5n, { amount: amountOf(klv, 5n) }), returned("LKTOK-1A2B", 7n, 5n)],
    ),
  );
  expect(openLocks(booked).map(({ locked }) => locked.nonce)).toEqual([7n, 8n]);
});

test("what was emptied long ago is forgotten, and what is locked never", () => {
  const key = (nonce: number) => `LKTOK-1A2B/${nonce}`;
  const lock = (nonce: number, units: bigint): Lock => ({
    locked: { tokenId: "LKTOK-1A2B", nonce: BigInt(nonce) },
    amount: amountOf(kfi, units),
    unlockEpoch: 5500n,
    lockedAt: nonce,
    intents: Array.from({ length: 60 }, (_, index) => `old${index}`),
  });
  const nonces = Array.from({ length: 200 }, (_, index) => index + 100);
  const owner = person({
    locks: Object.fromEntries(nonces.map((nonce) => [key(nonce), lock(nonce, BigInt(nonce % 2))])),
  });
  const { locks = {} } = after(owner, ended([lockTerms(5n), returned("LKTOK-1A2B", 101n, 5n)]));
  expect(Object.keys(locks)).toHaveLength(150);
  expect(locks[key(101)]).toMatchObject({ amount: { units: 6n }, intents: { length: 50 } });
  expect(locks).toHaveProperty([key(298)]);
  expect(locks).not.toHaveProperty([key(100)]);
});

test("so many locks are kept; another one has to wait, and one that is there can be told anew", () => {
  const tell = (before: Person, nonce: number) =>
    withLockTold(
      before,
      {
        locked: { tokenId: "LKTOK-1A2B", nonce: BigInt(nonce) },
        amount: amountOf(kfi, 1_000_000n),
        until: { epoch: 5500n },
      },
      { epoch: 1n },
      0,
    );
  const many = Array.from({ length: 200 }, (_, index) => index + 1).reduce(tell, person());
  expect(openLocks(many)).toHaveLength(200);
  expect(() => tell(many, 201)).toThrow(new Fault("locks-full", { maximum: 200 }));
  expect(openLocks(tell(many, 7))).toHaveLength(200);
  // What a call has locked is entered all the same.
  const booked = after(many, ended([lockTerms(5n), returned("LKTOK-1A2B", 201n, 5n)]));
  expect(openLocks(booked)).toHaveLength(201);
});
