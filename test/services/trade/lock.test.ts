import { beforeAll, describe, expect, test } from "vitest";
import { amountOf, type Amount } from "../../../src/encoding/amount.js";
import { wireBody } from "../../../src/encoding/call.js";
import { Fault } from "../../../src/fault.js";
import type { ChainStatus, ContractGateway } from "../../../src/services/chain/query-gateway.js";
import type { IntentOf } from "../../../src/services/intent/intent.js";
import type { Draft } from "../../../src/services/intent/trade-kind.js";
import type { Lock } from "../../../src/services/trade/lock-record.js";
import type { LockRequest, UnlockRequest } from "../../../src/services/terms/lock-terms.js";
import type { Person } from "../../../src/services/person/person.js";
import { createLockContract } from "../../../src/services/trade/lock-contract.js";
import { draftLock, recheckLock, unlockKind, type LockDraft } from "../../../src/services/trade/lock.js";
import { readLock, readUnlock } from "../../../src/services/trade/lock-request.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import type { PeriodicCheck } from "../../../src/services/chain/checks.js";
import { poolAddress } from "../market/pool-samples.js";
import { alice, dvk, kfi, klv, locked, person, silent, testClock, unchecked } from "../samples.js";
import { storeLocks } from "./stored-locks.js";

const lockContract = poolAddress(5);
const tokens = tokenListOf([klv, kfi, dvk, locked]);
const HOUR = 3_600_000;
const seven: Lock = {
  locked: { tokenId: "LKTOK-1A2B", nonce: 7n },
  amount: amountOf(kfi, 5_000_000n),
  unlockEpoch: 100n,
  lockedAt: 0,
  isAnswered: true,
};
/** The users with locks on record, by their user id; nobody else has any. */
const owner = person({ chatId: 1 });
const emptied = person({ chatId: 2 });
const other = person({ chatId: 3 });
const hoarder = person({ chatId: 4 });
const store = createMemoryDisk().open();

beforeAll(async () => {
  await storeLocks(store, 1, [seven]);
  await storeLocks(store, 2, [{ ...seven, amount: amountOf(kfi, 0n) }]);
  await storeLocks(store, 3, [{ ...seven, amount: amountOf(kfi, 3_999_999n) }]);
  const many = Array.from({ length: 200 }, (_, index) => BigInt(index));
  const lock = (nonce: bigint): Lock => ({
    ...seven,
    locked: { tokenId: "LKTOK-1A2B", nonce: nonce + 1n },
    unlockEpoch: 100n + nonce,
  });
  await storeLocks(store, 4, many.map(lock));
});

/** The service at `status`; a test may change `node` later. */
function serviceAt(status: ChainStatus, epochSeconds?: number, lockCheck: PeriodicCheck = unchecked) {
  const node = { status: status as ChainStatus | Fault, lockedToken: "LKTOK-1A2B" as string | Fault, views: 0 };
  const gateway: Pick<ContractGateway, "chainStatus" | "query"> = {
    chainStatus: async () => {
      if (node.status instanceof Fault) throw node.status;
      return node.status;
    },
    query: async () => {
      node.views += 1;
      if (node.lockedToken instanceof Fault) throw node.lockedToken;
      return [node.lockedToken] as never;
    },
  };
  const clock = testClock();
  const untold = () => Promise.resolve(undefined);
  const balances = { areTold: () => false, known: untold, read: () => Promise.resolve({}) };
  const settings = { callIncludesCaller: false, keptForFees: 0n };
  const lock = createLockContract({ store, gateway, balances, tokens, log: silent, lockContract, epochSeconds });
  const rights = { known: async () => "untold" as const };
  const parts = { store, lock, lockCheck, balances, rights, settings, tokens, clock };
  return {
    epochStatus: lock.epochStatus,
    draftLock: (person: Person, request: LockRequest) => draftLock(parts, person, request),
    draftUnlock: async (person: Person, request: UnlockRequest) =>
      unlockKind.draft(parts, request, { userId: 0, person }),
    recheckLock: (person: Person, draft: LockDraft) => recheckLock(parts, draft.terms, person),
    recheckUnlock: (person: Person, { terms, call }: Draft) =>
      unlockKind.recheck(parts, { terms, call } as IntentOf<"unlock">, person),
    node,
    clock,
  };
}

const lockRequest = (line: string) => readLock(line, tokens) as LockRequest<Amount>;
const unlockRequest = (line: string) => readUnlock(line, tokens, [seven]) as UnlockRequest<Amount>;

describe("a lock", () => {
  test("gets a card for ten minutes, with the documented call", async () => {
    const { draftLock, clock } = serviceAt({ epoch: 50n, epochMilliseconds: HOUR, nextEpochAt: 1_000_000 + HOUR });
    const draft = await draftLock(person(), lockRequest("5 kfi 60"));
    expect({ ...draft, call: wireBody(draft.call) }).toEqual({
      terms: {
        kind: "lock",
        amount: amountOf(kfi, 5_000_000n),
        unlockEpoch: 60n,
        epoch: 50n,
        unlocksAt: 1_000_000 + 10 * HOUR,
        payout: alice,
        request: { kind: "lock", pay: amountOf(kfi, 5_000_000n), token: kfi, until: { epoch: 60n } },
      },
      call: {
        scAddress: lockContract,
        funcName: "lockTokens",
        args: ["u64:60", `address:${alice}`],
        value: "KFI=5000000",
      },
      expiresAt: clock.now() + 600_000,
    });
  });

  test("names the locked token it is added to", async () => {
    const { draftLock } = serviceAt({ epoch: 50n });
    const merged = await draftLock(owner, lockRequest("1 KFI 100"));
    expect(merged.terms).toMatchObject({ mergesInto: seven.locked });
    for (const request of [lockRequest("1 KLV 100"), lockRequest("1 KFI 101")]) {
      expect((await draftLock(owner, request)).terms).not.toHaveProperty("mergesInto");
    }
  });

  test("is refused to a user with the maximum number of locks, unless it is added to one of them", async () => {
    const { draftLock } = serviceAt({ epoch: 50n });
    const lock = (until: string) => draftLock(hoarder, lockRequest(`1 KFI ${until}`));
    await expect(lock("99")).rejects.toMatchObject({ code: "locks-full", parameters: { maximum: 200 } });
    expect((await lock("100")).terms).toHaveProperty("mergesInto");
  });

  test("uses the operator's epoch length only if the node reports none", async () => {
    const byOperator = await serviceAt({ epoch: 50n }, 3600).draftLock(person(), lockRequest("1 KFI 2h"));
    expect(byOperator.terms).toMatchObject({ unlockEpoch: 52n });
    const byNode = serviceAt({ epoch: 50n, epochMilliseconds: 2 * HOUR }, 3600);
    expect(await byNode.epochStatus()).toEqual({ epoch: 50n, epochMilliseconds: 2 * HOUR });
    const nobody = serviceAt({ epoch: 50n }).draftLock(person(), lockRequest("1 KFI 2h"));
    await expect(nobody).rejects.toMatchObject({ code: "epoch-length-unknown" });
  });

  test("is refused without an address before the node is asked", async () => {
    const { wallet: _none, ...homeless } = person();
    const { draftLock, node } = serviceAt({ epoch: 50n });
    node.status = new Fault("service-timeout", { service: "node" });
    await expect(draftLock(homeless, lockRequest("1 KFI 60"))).rejects.toMatchObject({ code: "wallet-missing" });
  });

  test("until a past date is refused", async () => {
    const past = serviceAt({ epoch: 50n }).draftLock(person(), lockRequest("1 KFI 1970-01-01"));
    await expect(past).rejects.toMatchObject({ code: "unlock-time-past", parameters: { text: "1970-01-01" } });
  });

  test("holds at confirm until its epoch begins; then a new card replaces it", async () => {
    const { draftLock, recheckLock, node } = serviceAt({ epoch: 50n });
    const intent = await draftLock(owner, lockRequest("1 KFI 52"));
    node.status = { epoch: 51n };
    expect(await recheckLock(owner, intent)).toBeUndefined();
    node.status = { epoch: 52n };
    expect(await recheckLock(owner, intent)).toMatchObject({ terms: { epoch: 52n } });
  });

  test("until a past epoch, which the user accepted, holds at confirm without a new card", async () => {
    const { draftLock, recheckLock } = serviceAt({ epoch: 50n });
    const past = await draftLock(owner, lockRequest("1 KFI #50"));
    expect(await recheckLock(owner, past)).toBeUndefined();
  });

  test("until a number that could be days, and as an epoch has begun, is asked about", async () => {
    const { draftLock } = serviceAt({ epoch: 5000n });
    const refused = draftLock(owner, lockRequest("1 KFI 30"));
    await expect(refused).rejects.toEqual(new Fault("unlock-epoch-past", { text: "30", epoch: "30" }));
    expect((await draftLock(owner, lockRequest("1 KFI #30"))).terms).toMatchObject({ unlockEpoch: 30n });
    expect((await draftLock(owner, lockRequest("1 KFI 731"))).terms).toMatchObject({ unlockEpoch: 731n });
    expect((await draftLock(owner, lockRequest("1 KFI 5500"))).terms).toMatchObject({ unlockEpoch: 5500n });
  });

  test("until a typed epoch needs no node, and leaves out what is unknown", async () => {
    const service = serviceAt({ epoch: 50n });
    const sure = await service.draftLock(owner, lockRequest("1 KFI 52"));
    service.node.status = new Fault("service-status", { service: "node", status: 404 });
    const blind = await service.draftLock(owner, lockRequest("1 KFI 52"));
    expect(blind.terms).toMatchObject({ unlockEpoch: 52n });
    expect(blind.terms).not.toHaveProperty("epoch");
    expect(await service.recheckLock(owner, blind)).toBeUndefined();
    expect(await service.recheckLock(owner, sure)).toBeUndefined();
    const dated = service.draftLock(owner, lockRequest("1 KFI 2h"));
    await expect(dated).rejects.toMatchObject({ code: "epoch-length-unknown" });
  });
});

describe("a long lock", () => {
  const prepare = (status: ChainStatus, until: string, epochSeconds?: number) =>
    serviceAt(status, epochSeconds).draftLock(person(), lockRequest(`5 KFI ${until}`));
  const dated = { epoch: 50n, epochMilliseconds: 6 * HOUR, nextEpochAt: 1_000_000 + HOUR };

  test.each([
    ["2 years", dated, "2922", undefined],
    ["more than 2 years", dated, "2973", 2n],
    ["20 years", dated, "29270", 20n],
    ["an unknown time", { epoch: 50n }, "60", 0n],
    ["a past epoch", { epoch: 50n }, "#50", undefined],
  ])(
    "of %s asks for an extra confirmation above 2 years, or if the time is unknown",
    async (_, status, until, years) => {
      const { terms } = await prepare(status, until);
      if (years === undefined) expect(terms).not.toHaveProperty("years");
      else expect(terms).toMatchObject({ years });
    },
  );

  test.each([
    ["more than 20 years", dated, "29271"],
    ["a Unix time taken for an epoch", { epoch: 50n }, "99999999999"],
    ["a date in another century", dated, "2126-12-31"],
    ["a duration of centuries", dated, "99999w"],
    ["an epoch that was meant as a date", dated, "#20261231"],
  ])("of %s is refused", async (_, status, until) => {
    await expect(prepare(status, until)).rejects.toMatchObject({ code: "lock-too-long" });
  });

  test("is measured by the operator's epoch length if the node is unreachable", async () => {
    const service = serviceAt({ epoch: 50n }, 60);
    service.node.status = new Fault("service-timeout", { service: "node" });
    const { terms } = await service.draftLock(person(), lockRequest("5 KFI 500000"));
    expect(terms).toMatchObject({ years: 0n });
  });
});

describe("an unlock", () => {
  test("unlocks all that is recorded, in the decimals of the original token", async () => {
    const { draftUnlock, node } = serviceAt({ epoch: 100n });
    const draft = await draftUnlock(owner, unlockRequest("lktok-1a2b/7"));
    expect(draft.terms).toEqual({
      kind: "unlock",
      locked: seven.locked,
      amount: {
        token: { id: "LKTOK-1A2B/7", name: "Locked", precision: 6, kind: "semi-fungible" },
        units: 5_000_000n,
      },
      original: kfi,
      payout: alice,
      request: { kind: "unlock", locked: seven.locked },
    });
    expect(wireBody(draft.call)).toMatchObject({ args: [`address:${alice}`], value: "LKTOK-1A2B/7=5000000" });
    expect(node.views).toBe(0);
  });

  test.each([
    ["of another contract's token", "KFI/7 1", "locked-token-foreign"],
    ["of an unknown lock without an amount", "LKTOK-1A2B/8", "amount-empty"],
  ])("%s is refused", async (_, line, code) => {
    const { draftUnlock } = serviceAt({ epoch: 100n });
    await expect(draftUnlock(owner, unlockRequest(line))).rejects.toMatchObject({ code });
  });

  test("is left to the contract if the node doesn't report the epoch", async () => {
    const { draftUnlock, node } = serviceAt({ epoch: 1n });
    node.status = new Fault("service-timeout", { service: "node" });
    expect(wireBody((await draftUnlock(owner, unlockRequest("LKTOK-1A2B/7"))).call).value).toBe("LKTOK-1A2B/7=5000000");
  });

  test("that contradicts the record warns, and is left to the contract", async () => {
    const { draftUnlock } = serviceAt({ epoch: 98n, epochMilliseconds: HOUR, nextEpochAt: 5 * HOUR });
    const draft = await draftUnlock(owner, unlockRequest("LKTOK-1A2B/7 5.000001"));
    expect(wireBody(draft.call).value).toBe("LKTOK-1A2B/7=5000001");
    expect(draft.terms).toMatchObject({
      doubts: [
        { kind: "too-much", recorded: { units: 5_000_000n } },
        { kind: "too-early", unlockEpoch: 100n, epoch: 98n, beginsAt: 6 * HOUR },
      ],
    });
  });

  test("of more than the record has left is allowed: an answer may have been lost", async () => {
    const { draftUnlock, recheckUnlock } = serviceAt({ epoch: 100n });
    await expect(draftUnlock(emptied, unlockRequest("LKTOK-1A2B/7"))).rejects.toMatchObject({ code: "amount-empty" });
    const draft = await draftUnlock(emptied, unlockRequest("LKTOK-1A2B/7 5"));
    expect(wireBody(draft.call).value).toBe("LKTOK-1A2B/7=5000000");
    expect(draft.terms).toMatchObject({ doubts: [{ kind: "too-much", recorded: { units: 0n } }] });
    expect(await recheckUnlock(emptied, draft)).toBeUndefined();
  });

  test("of a locked token unknown to the bot is left to the contract", async () => {
    const { draftUnlock, recheckUnlock, node } = serviceAt({ epoch: 1n });
    const draft = await draftUnlock(owner, unlockRequest("LKTOK-1A2B/8 2"));
    expect(draft.terms).not.toHaveProperty("original");
    expect(wireBody(draft.call).value).toBe("LKTOK-1A2B/8=2000000");
    await draftUnlock(owner, unlockRequest("LKTOK-1A2B/9 2"));
    expect(node.views).toBe(1);
    expect(await recheckUnlock(owner, draft)).toBeUndefined();
  });

  test("is not refused because the node lacks a view", async () => {
    const { draftUnlock, node } = serviceAt({ epoch: 1n });
    node.lockedToken = new Fault("contract-failed", { text: "function not found" });
    const draft = await draftUnlock(owner, unlockRequest("ABC-12DE/8 2"));
    // Its decimals are unknown, so the amount is in base units.
    expect(wireBody(draft.call).value).toBe("ABC-12DE/8=2");
  });

  test("is checked again at confirm: another card may have unlocked it", async () => {
    const { draftUnlock, recheckUnlock } = serviceAt({ epoch: 100n });
    const intent = await draftUnlock(owner, unlockRequest("LKTOK-1A2B/7 4"));
    expect(await recheckUnlock(owner, intent)).toBeUndefined();
    expect(await recheckUnlock(other, intent)).toMatchObject({
      terms: { doubts: [{ kind: "too-much", recorded: { units: 3_999_999n } }] },
      call: intent.call,
    });
  });
});

describe("a lock contract's address that is another contract's", () => {
  test("stops locks and unlocks, and a tap on their cards", async () => {
    const refuse = () => {
      throw new Fault("lock-mismatch", {});
    };
    const misplaced = { ...unchecked, assertNoMismatch: refuse, assertMatch: async () => refuse() };
    const [before, after] = [serviceAt({ epoch: 50n }), serviceAt({ epoch: 50n }, undefined, misplaced)];
    const [locking, unlocking] = [lockRequest("5 KFI 60"), unlockRequest("LKTOK-1A2B/7")];
    const refused = { code: "lock-mismatch" };
    await expect(after.draftLock(owner, locking)).rejects.toMatchObject(refused);
    await expect(after.recheckLock(owner, await before.draftLock(owner, locking))).rejects.toMatchObject(refused);
    await expect(after.draftUnlock(owner, unlocking)).rejects.toMatchObject(refused);
    const card = await before.draftUnlock(owner, unlocking);
    await expect(after.recheckUnlock(owner, card)).rejects.toMatchObject(refused);
  });
});
