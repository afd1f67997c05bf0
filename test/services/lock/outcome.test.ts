import { expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { LockTerms, UnlockTerms } from "../../../src/services/intent/terms.js";
import { readLockOutcome, readUnlockOutcome } from "../../../src/services/lock/outcome.js";
import { nested } from "../../encoding/nested.js";
import { alice, kfi, locked as lockedToken } from "../samples.js";

const lock: LockTerms = {
  kind: "lock",
  amount: amountOf(kfi, 5_000_000n),
  unlockEpoch: 5500n,
  epoch: 5397n,
  payout: alice,
  request: { kind: "lock", pay: amountOf(kfi, 5_000_000n), token: kfi, until: { epoch: 5500n } },
};
const unlock: UnlockTerms = {
  kind: "unlock",
  locked: { tokenId: "LKTOK-1A2B", nonce: 7n },
  amount: amountOf({ ...lockedToken, id: "LKTOK-1A2B/7" }, 5_000_000n),
  original: kfi,
  payout: alice,
  request: { kind: "unlock", locked: { tokenId: "LKTOK-1A2B", nonce: 7n } },
};
const ok = (returnData: readonly string[]) => ({ kind: "ok", returnData }) as const;
const payment = (tokenId: string, nonce: bigint, units: bigint) => [nested.payment({ tokenId, nonce, units })];

test("a lock is believed when as much of a numbered token came back", () => {
  expect(readLockOutcome({ terms: lock, outcome: ok(payment("LKTOK-1A2B", 7n, 5_000_000n)) }, "hex")).toEqual({
    kind: "locked",
    locked: { tokenId: "LKTOK-1A2B", nonce: 7n },
    amount: lock.amount,
  });
});

test("a lock whose epoch had begun gave the same tokens back", () => {
  expect(readLockOutcome({ terms: lock, outcome: ok(payment("KFI", 0n, 5_000_000n)) }, "hex")).toEqual({
    kind: "returned",
    amount: lock.amount,
  });
});

test.each([
  ["another amount", payment("LKTOK-1A2B", 7n, 4_999_999n)],
  ["another token, not locked", payment("KLV", 0n, 5_000_000n)],
  ["nothing", []],
  ["no payment", ["zz"]],
])("%s is no lock", (_, returnData) => {
  expect(readLockOutcome({ terms: lock, outcome: ok(returnData) }, "hex")).toBeUndefined();
});

test("an unlock is believed when as much of what was locked came back", () => {
  expect(readUnlockOutcome({ terms: unlock, outcome: ok(payment("KFI", 0n, 5_000_000n)) }, "hex")).toEqual({
    tokenId: "KFI",
    units: 5_000_000n,
  });
  const { original: _unknown, ...ofAnything } = unlock;
  expect(
    readUnlockOutcome({ terms: ofAnything, outcome: ok(payment("DVK-34ZH", 0n, 5_000_000n)) }, "hex"),
  ).toBeDefined();
});

test.each([
  ["another amount", payment("KFI", 0n, 1n)],
  ["another token", payment("KLV", 0n, 5_000_000n)],
  ["no payment", ["zz"]],
])("%s is no unlock", (_, returnData) => {
  expect(readUnlockOutcome({ terms: unlock, outcome: ok(returnData) }, "hex")).toBeUndefined();
});
