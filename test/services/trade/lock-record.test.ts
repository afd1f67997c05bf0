import { expect, test } from "vitest";
import { amountOf, unlistedToken } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import type { Database, Transaction } from "../../../src/store/store.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import type { LockTerms, UnlockTerms } from "../../../src/services/terms/lock-terms.js";
import type { Terms } from "../../../src/services/terms/terms.js";
import type { Lock } from "../../../src/services/trade/lock-record.js";
import { nested } from "../../encoding/nested.js";
import * as record from "../../../src/services/trade/lock-record.js";
import { toJson } from "../../../src/store/store.js";
import { assertNoScans } from "../../support/plans.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import * as sample from "../../cards/arrange.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { kfi, klv, silent } from "../samples.js";
import { storeLocks } from "./stored-locks.js";

const returned = (tokenId: string, nonce: bigint, units: bigint) => [nested.payment({ tokenId, nonce, units })];
const ok = (returnData: readonly string[]) => ({ kind: "ok", returnData }) as const;
const seven = { tokenId: "LKTOK-1A2B", nonce: 7n };

const lockTerms = (units: bigint, fields: Partial<LockTerms> = {}): LockTerms => ({
  ...sample.lockTerms,
  amount: amountOf(kfi, units),
  ...fields,
});

function unlockTerms(units: bigint): UnlockTerms {
  const amount = { ...sample.unlockTerms.amount, units };
  return { ...sample.unlockTerms, amount };
}

/** Ended calls with these answers, oldest first; a call without one failed. */
function ended(...calls: readonly (readonly [Terms, readonly string[] | undefined])[]): readonly Intent[] {
  return calls.map(([terms, returnData], index) => ({
    ...sample.intent(terms, returnData === undefined ? "FAILED" : "OK", returnData && ok(returnData)),
    times: { OK: 10 * index + 5 },
  }));
}

const OWNER = 1001;
const { recordLock, enterLock, findLock, locksOf, openLocks, readLockOutcome, readUnlockOutcome } = record;

/** A store after these calls of `OWNER` ended, one after the other. */
async function after(intents: readonly Intent[], encoding: "hex" | "base64" = "hex") {
  const store = createMemoryDisk().open();
  const end = async (intent: Intent) => store.write((tx) => recordLock(tx, intent, encoding));
  for (const intent of intents) await end(intent);
  return {
    ...store,
    end,
    open: () => openLocks(store.db, OWNER),
    find: (locked = seven) => findLock(store.db, OWNER, locked),
  };
}

test.each([
  ["the same amount of a numbered token is a lock", returned("LKTOK-1A2B", 7n, 5n), { kind: "locked", locked: seven }],
  ["the same tokens coming back mean that the epoch had begun", returned("KFI", 0n, 5n), { kind: "returned" }],
  ["another amount is no lock", returned("LKTOK-1A2B", 7n, 4n), undefined],
  ["another unnumbered token is no lock", returned("KLV", 0n, 5n), undefined],
  ["an empty answer is no lock", [], undefined],
  ["an answer without a payment is no lock", ["zz"], undefined],
])("after a lock, %s", (_, returnData, outcome) => {
  expect(readLockOutcome({ terms: lockTerms(5n), outcome: ok(returnData) }, "hex")).toEqual(outcome);
});

const { original: _unknown, ...ofAnything } = unlockTerms(5n);
test.each([
  ["the same amount of the original token is believed", unlockTerms(5n), returned("KFI", 0n, 5n), amountOf(kfi, 5n)],
  [
    "any token is believed if the original is unknown",
    ofAnything,
    returned("DVK-34ZH", 0n, 5n),
    amountOf(unlistedToken("DVK-34ZH"), 5n),
  ],
  ["another amount is not", unlockTerms(5n), returned("KFI", 0n, 1n), undefined],
  ["another token is not", unlockTerms(5n), returned("KLV", 0n, 5n), undefined],
  ["an answer without a payment is not", unlockTerms(5n), ["zz"], undefined],
])("after an unlock, %s", (_, terms, returnData, outcome) => {
  expect(readUnlockOutcome({ terms, outcome: ok(returnData) }, "hex")).toEqual(outcome);
});

test("a lock is recorded, with what was added to it and what was unlocked", async () => {
  const { open } = await after(
    ended(
      [lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)],
      [lockTerms(3n), returned("LKTOK-1A2B", 7n, 3n)],
      [unlockTerms(2n), returned("KFI", 0n, 2n)],
    ),
  );
  expect(await open()).toEqual([
    { locked: seven, amount: amountOf(kfi, 6n), unlockEpoch: 5500n, lockedAt: 15, isAnswered: true },
  ]);
});

test("an answer that states its encoding is read in that one, whatever the node's encoding is", async () => {
  const calls = ended([lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)], [unlockTerms(2n), returned("KFI", 0n, 2n)]).map(
    ({ outcome, ...intent }) => ({ ...intent, outcome: { ...outcome, encoding: "hex" } }) as Intent,
  );
  const { find } = await after(calls, "base64");
  expect((await find())?.amount).toEqual(amountOf(kfi, 3n));
});

test("a false answer with another token under the same number replaces the lock, and stops nothing", async () => {
  const { find } = await after(
    ended(
      [lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)],
      [lockTerms(3n, { amount: amountOf(klv, 3n) }), returned("LKTOK-1A2B", 7n, 3n)],
    ),
  );
  expect((await find())?.amount).toEqual(amountOf(klv, 3n));
});

test("nothing is recorded of a call that failed, returned the tokens or has an implausible answer", async () => {
  const { db } = await after(
    ended(
      [lockTerms(5n), undefined],
      [lockTerms(5n, { unlockEpoch: 1n }), returned("KFI", 0n, 5n)],
      [lockTerms(5n), returned("LKTOK-1A2B", 7n, 4n)],
      [unlockTerms(2n), returned("KFI", 0n, 2n)],
    ),
  );
  expect(await locksOf(db, OWNER)).toEqual([]);
});

test("an emptied lock is no longer listed, and never falls below zero", async () => {
  const { open, find } = await after(
    ended([lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)], [unlockTerms(6n), returned("KFI", 0n, 6n)]),
  );
  expect(await open()).toEqual([]);
  expect((await find())?.amount.units).toBe(0n);
});

test("locks with different numbers are kept apart, ordered by unlock epoch whatever their numbers", async () => {
  const { open } = await after(
    ended(
      [lockTerms(5n, { unlockEpoch: 1n << 63n }), returned("LKTOK-1A2B", 9n, 5n)],
      [lockTerms(5n, { unlockEpoch: 10_000n }), returned("LKTOK-1A2B", 8n, 5n)],
      [lockTerms(5n, { amount: amountOf(klv, 5n) }), returned("LKTOK-1A2B", 7n, 5n)],
    ),
  );
  expect((await open()).map(({ locked }) => locked.nonce)).toEqual([7n, 8n, 9n]);
});

test("locks emptied long ago are forgotten, and locks that hold tokens never are", async () => {
  const { write, db, end } = await after([]);
  const lock = (nonce: number): Lock => ({
    locked: { tokenId: "LKTOK-1A2B", nonce: BigInt(nonce) },
    amount: amountOf(kfi, BigInt(nonce % 2)),
    unlockEpoch: 5500n,
    lockedAt: nonce,
    isAnswered: true,
  });
  await storeLocks(
    { write },
    OWNER,
    Array.from({ length: 200 }, (_, index) => lock(index + 100)),
  );
  const asset = { tokenId: "LKTOK-1A2B", nonce: 101n };
  const request = { kind: "unlock", locked: asset, pay: amountOf(kfi, 1n) } as const;
  const terms = { ...unlockTerms(1n), locked: asset, request };
  const [intent] = ended([terms, returned("KFI", 0n, 1n)]);
  await end(intent!);
  const left = (await locksOf(db, OWNER)).map(({ locked }) => Number(locked.nonce));
  expect(left.filter((nonce) => nonce % 2 === 1)).toHaveLength(99 + (left.includes(101) ? 1 : 0));
  expect(left.filter((nonce) => nonce % 2 === 0 || nonce === 101)).toHaveLength(50);
  expect(left).toContain(298);
  expect(left).not.toContain(100);
});

test("at most 200 locks can be entered, and one that is on record can be entered again", async () => {
  const { write, open, end } = await after([]);
  const tell = (nonce: number) =>
    write((tx) =>
      enterLock(tx, OWNER, {
        locked: { tokenId: "LKTOK-1A2B", nonce: BigInt(nonce) },
        amount: amountOf(kfi, 1_000_000n),
        unlockEpoch: 5500n,
        lockedAt: 0,
      }),
    );
  for (let nonce = 1; nonce <= 200; nonce += 1) await tell(nonce);
  expect(await open()).toHaveLength(200);
  await expect(tell(201)).rejects.toThrow(new Fault("locks-full", { maximum: 200 }));
  await tell(7);
  expect(await open()).toHaveLength(200);
  // What a call has locked is recorded all the same.
  const [intent] = ended([lockTerms(5n), returned("LKTOK-1A2B", 201n, 5n)]);
  await end(intent!);
  expect((await open()).filter(({ isAnswered }) => isAnswered)).toHaveLength(1);
  expect(await open()).toHaveLength(201);
});

test("a lock that can't be read is a fault, and never taken for none", async () => {
  const { write, db } = await after(ended([lockTerms(5n), returned("LKTOK-1A2B", 7n, 5n)]));
  for (const damage of [{ units: "" }, { units: "-5" }, { unlock_epoch: "x" }, { token: "{}" }, { token: "{" }]) {
    const before = await db.selectFrom("locks").selectAll().executeTakeFirstOrThrow();
    await write((tx) => tx.updateTable("locks").set(damage).execute());
    await expect(openLocks(db, OWNER)).rejects.toMatchObject({ code: "store-unreadable" });
    await write((tx) => tx.updateTable("locks").set(before).execute());
  }
  expect(await openLocks(db, OWNER)).toHaveLength(1);
});

/** Exports without a query. */
const pure = ["assertRoomForLock", "readLockOutcome", "readUnlockOutcome", "sortable", "lockTopic"] as const;

let epoch = 0n;
/** Reminds of the locks due by now, one more at each call, and stops. */
async function remindOnce(tx: Transaction): Promise<void> {
  const stopping = new AbortController();
  const store: Database = { db: tx, write: (work) => work(tx) };
  const lock = { epochStatus: () => Promise.resolve({ epoch: (epoch += 100n) }) };
  const outbox = { wake: () => stopping.abort() };
  await record.remindOfLocks({ store, clock: createVirtualClock(), log: silent, lock, outbox }, stopping.signal);
  const reminded = tx.selectFrom("locks").select("asset").where("owner", "=", Number(epoch));
  expect(await reminded.where("remind", "is", null).execute()).toContainEqual({ asset: `LKTOK-1A2B/${epoch}` });
}

test("no query of locks reads a whole table", async () => {
  const [end] = ended([unlockTerms(5n), returned("KFI", 0n, 5n)]);
  const told = { locked: seven, amount: amountOf(kfi, 5n), unlockEpoch: 9n, lockedAt: 1 };
  const queries: Readonly<
    Record<Exclude<keyof typeof record, (typeof pure)[number]>, Parameters<typeof assertNoScans>[1][string]>
  > = {
    locksOf: (tx) => record.locksOf(tx, OWNER),
    openLocks: (tx) => record.openLocks(tx, OWNER + 1),
    findLock: (tx) => record.findLock(tx, OWNER, seven),
    remindOfLocks: remindOnce,
    enterLock: (tx) => record.enterLock(tx, OWNER, told),
    recordLock: (tx) => record.recordLock(tx, end!, "hex"),
  };
  await assertNoScans((data) => {
    const row = data.prepare("INSERT INTO locks VALUES (?, ?, ?, '5', ?, 1, 1, ?)");
    for (let number = 1; number <= 60_000; number += 1) {
      const epoch = String(number).padStart(20, "0");
      row.run(number % 5000, `LKTOK-1A2B/${number}`, toJson(kfi), epoch, number % 100 === 0 ? 1 : null);
    }
    // A reminder takes its user's turn, too: of a table with a row or two the statistics say that a scan is cheapest.
    data.exec("INSERT INTO outbox_turns SELECT DISTINCT owner, 0, NULL, 0 FROM locks");
  }, queries);
});
