import { expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Intent, LockTerms, Terms, UnlockTerms } from "../../../src/model/intent.js";
import { bookLock, lockOf, openLocks } from "../../../src/services/locks/book.js";
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
    typed: "",
    ...fields,
  };
}

function unlockTerms(units: bigint): UnlockTerms {
  const amount = amountOf({ ...lockedToken, id: "LKTOK-1A2B/7" }, units);
  return { kind: "unlock", locked: seven, amount, original: kfi, payout: alice, typed: "" };
}

/** A person with these calls, each answered so; the first is the oldest. */
function after(...calls: readonly (readonly [Terms, readonly string[] | undefined])[]): Person {
  const intents = calls.map(([terms, returnData], index): [string, Intent] => [
    `i${index}`,
    {
      id: `i${index}`,
      owner: 1001,
      chatId: 1001,
      terms,
      call: { contract: "simpleLock", scAddress: alice, funcName: "lockTokens", args: [], value: "" },
      quotedAt: 10 * index,
      expiresAt: 10 * index + 1,
      state: returnData === undefined ? "FAILED" : "OK",
      times: { OK: 10 * index + 5 },
      ...(returnData !== undefined && { outcome: { kind: "ok", returnData } }),
    },
  ]);
  // The document keeps no order.
  return person({ intents: Object.fromEntries(intents.reverse()) });
}

/** The person with the ends of all their intents in the book, each twice, since a second time must change nothing. */
function bookLocks(before: Person): Person {
  const inOrder = Object.values(before.intents).sort((left, right) => left.quotedAt - right.quotedAt);
  return [...inOrder, ...inOrder].reduce((person, intent) => bookLock(person, intent, "hex"), before);
}

test("what was locked is entered once, with what was added and what was taken out", () => {
  const before = after(
    [lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)],
    [lockTerms(3n), returned("LKTOK-1A2B", 7n, 3n)],
    [unlockTerms(2n), returned("KFI", 0n, 2n)],
  );
  const booked = bookLocks(before);
  expect(openLocks(booked)).toEqual([
    { locked: seven, amount: amountOf(kfi, 6n), unlockEpoch: 5500n, lockedAt: 15, intents: ["i0", "i1", "i2"] },
  ]);
  expect(bookLocks(booked)).toBe(booked);
});

test("an intent that is no longer kept goes on counting", () => {
  const booked = bookLocks(after([lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)]));
  const later = { ...booked, intents: after([lockTerms(5n), undefined]).intents };
  expect(openLocks(bookLocks(later))[0]?.amount.units).toBe(5n);
});

test("nothing is entered that failed, came straight back or cannot be believed", () => {
  const nothing = after(
    [lockTerms(5n), undefined],
    [lockTerms(5n, { unlockEpoch: 1n }), returned("KFI", 0n, 5n)],
    [lockTerms(5n), returned("LKTOK-1A2B", 7n, 4n)],
    [unlockTerms(2n), returned("KFI", 0n, 2n)],
  );
  expect(bookLocks(nothing)).toBe(nothing);
});

test("what is empty is no longer listed, and never falls below zero", () => {
  const booked = bookLocks(
    after([lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)], [unlockTerms(6n), returned("KFI", 0n, 6n)]),
  );
  expect(openLocks(booked)).toEqual([]);
  expect(lockOf(booked, seven)?.amount.units).toBe(0n);
});

test("locks of other numbers stand apart, those that unlock first at the front", () => {
  const booked = bookLocks(
    after(
      [lockTerms(5n, { unlockEpoch: 9000n }), returned("LKTOK-1A2B", 8n, 5n)],
      [lockTerms(5n, { amount: amountOf(klv, 5n) }), returned("LKTOK-1A2B", 7n, 5n)],
    ),
  );
  expect(openLocks(booked).map(({ locked }) => locked.nonce)).toEqual([7n, 8n]);
});
