import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import type { PreparedTransaction } from "../../../src/services/intent/intent.js";
import { signatureOf } from "../../../src/services/intent/machine.js";
import { alice, operator } from "../samples.js";
import { preparedTransaction } from "../../support/wallet-transaction.js";
import type { Draft } from "../../../src/services/intent/trade-kind.js";
import { createTradingPause } from "../../../src/services/operator/operator.js";
import {
  arrange,
  assertLegalHistory,
  chatId,
  draft,
  frozen,
  holds,
  notSent,
  opened,
  owner,
  unfrozen,
} from "./arrange.js";
import { recordedStore } from "./memory-store.js";

const MINUTE = 60_000;

/** Intents whose calls a wallet signs, of a user with an address; hashes and tokens are numbered in order. */
async function arrangeSigning(prepare?: () => Promise<PreparedTransaction>, isConfigured = async () => true) {
  let count = 0;
  const store = recordedStore();
  const arranged = arrange({
    store,
    isConfigured,
    prepare:
      prepare ??
      (async () =>
        preparedTransaction({
          hash: `hash-${(count += 1)}`,
          token: `token-${count}`,
          signUntil: arranged.clock.now() + 5 * MINUTE,
          sendUntil: arranged.clock.now() + 10 * MINUTE,
        })),
  });
  await arranged.changePerson((person) => ({ ...person, wallet: { address: alice, since: 1 } }));
  const request = async () => {
    const { id } = await arranged.open(owner, chatId, draft);
    const confirmation = await arranged.confirm(owner, id, holds);
    expect(confirmation.kind).toBe("pending");
    return id;
  };
  const states = async () => (await arranged.list(owner)).map(({ id, state }) => `${id} ${state}`).sort();
  return { ...arranged, store, request, states };
}

describe("a call that a wallet signs", () => {
  it("waits at SIGNING with its transaction on disk, and nothing is sent", async () => {
    const { request, find, sent, store } = await arrangeSigning();
    const id = await request();
    expect(await find(owner, id)).toMatchObject({ state: "SIGNING", transaction: { hash: "hash-1", nonce: 7n } });
    expect(sent).toEqual([]);
    assertLegalHistory(store.saved);
  });

  it("is claimed once, and keeps one signature, however many confirm and sign", async () => {
    const { open, confirm, requests } = await arrangeSigning();
    const { id } = await open(owner, chatId, draft);
    const kinds = (await Promise.all(Array.from({ length: 30 }, () => confirm(owner, id, holds)))).map(
      ({ kind }) => kind,
    );
    expect(kinds.filter((kind) => kind === "pending")).toHaveLength(1);
    const signed = await Promise.all(Array.from({ length: 30 }, (_, n) => requests.sign(owner, id, `signature-${n}`)));
    expect(new Set(signed.map((intent) => intent && signatureOf(intent))).size).toBe(1);
  });

  it("fails as not sent if it can't be prepared", async () => {
    const { open, confirm, find, store } = await arrangeSigning(async () => {
      throw new Fault("transaction-altered", { field: "Data" });
    });
    const { id } = await open(owner, chatId, draft);
    expect(await confirm(owner, id, holds)).toMatchObject(notSent("transaction-altered"));
    expect(await find(owner, id)).toMatchObject({ state: "FAILED", outcome: { kind: "not-sent" } });
    assertLegalHistory(store.saved);
  });

  it.each([
    ["frozen", "frozen", frozen],
    ["another address", "wallet-changed", (person: object) => ({ ...person, wallet: { address: operator, since: 2 } })],
  ] as const)("is not offered if its preparation ends with %s", async (_what, code, change) => {
    const arranged = await arrangeSigning();
    const { id } = await arranged.open(owner, chatId, draft);
    const confirmation = await arranged.confirm(owner, id, async () => {
      await arranged.changePerson(change as typeof frozen);
      return undefined;
    });
    expect(confirmation).toMatchObject(notSent(code));
    expect((await arranged.find(owner, id))?.transaction).toBeUndefined();
  });

  it("replaces the previous request, and is refused while a sent transaction is pending", async () => {
    const { request, requests, settle, open, confirm, find, requested } = await arrangeSigning();
    const first = await request();
    const second = await request();
    expect(requested).toEqual([`${first} open`, `${first} SUPERSEDED`, `${second} open`]);
    expect((await find(owner, first))?.transaction).toMatchObject({ phase: "withdrawn", end: "SUPERSEDED" });
    expect((await requests.sign(owner, first, "late"))?.state).toBe("SIGNING");
    expect((await settle(owner, first))?.state).toBe("SUPERSEDED");
    expect((await requests.sign(owner, second, "signature"))?.state).toBe("SENT");
    const { id } = await open(owner, chatId, draft);
    expect(await confirm(owner, id, holds)).toMatchObject(notSent("wallet-busy"));
  });
});

it("a transaction from an address of before neither holds up one from the new address nor is replaced by it", async () => {
  const { request, requests, open, confirm, find, changePerson } = await arrangeSigning();
  const [sent, waiting] = [await request(), await request()];
  await requests.sentByWallet(owner, sent, "aa");
  expect((await find(owner, sent))?.state).toBe("SENT");
  await changePerson((person) => ({ ...person, wallet: { address: operator, since: 2 } }));
  const { id } = await open(owner, chatId, { ...draft, terms: { ...draft.terms, payout: operator } });
  expect(await confirm(owner, id, holds)).toMatchObject({ kind: "pending" });
  expect((await find(owner, waiting))?.transaction?.phase).toBe("to-sign");
});

it("a call with the bytes of another request is not offered: the chain would execute one for both", async () => {
  const transaction = preparedTransaction({ signUntil: 1e15, sendUntil: 1e15 });
  const { request, cancel, settle, open, confirm } = await arrangeSigning(async () => transaction);
  const first = await request();
  await cancel(owner, first);
  expect((await settle(owner, first))?.state).toBe("CANCELED");
  const { id } = await open(owner, chatId, draft);
  expect(await confirm(owner, id, holds)).toMatchObject(notSent("wallet-busy"));
});

describe("a signature", () => {
  it("is stored with SENT, once", async () => {
    const { request, requests, find, store } = await arrangeSigning();
    const id = await request();
    expect((await requests.sign(owner, id, "aa"))?.state).toBe("SENT");
    expect((await requests.sign(owner, id, "bb"))?.transaction).toMatchObject({ phase: "signed", signature: "aa" });
    expect(await find(owner, id)).toMatchObject({ state: "SENT", transaction: { signature: "aa" } });
    assertLegalHistory(store.saved);
  });

  it("no longer counts after a cancel, a freeze, a change of address or its expiry", async () => {
    const { request, requests, cancel, changePerson, clock } = await arrangeSigning();
    const cancelled = await request();
    expect((await cancel(owner, cancelled))?.transaction).toMatchObject({ phase: "withdrawn", end: "CANCELED" });
    expect((await requests.sign(owner, cancelled, "aa"))?.state).toBe("SIGNING");
    const id = await request();
    await changePerson(frozen);
    expect((await requests.sign(owner, id, "aa"))?.state).toBe("SIGNING");
    await changePerson((person) => ({ ...unfrozen(person), wallet: { address: operator, since: 2 } }));
    expect((await requests.sign(owner, id, "aa"))?.state).toBe("SIGNING");
    await changePerson((person) => ({ ...person, wallet: { address: alice, since: 3 } }));
    clock.advance(5 * MINUTE);
    expect((await requests.sign(owner, id, "aa"))?.state).toBe("SIGNING");
    expect(await requests.sign(owner, "nobody's", "aa")).toBeUndefined();
  });
});

it("a signature comes too late if the clock was set back: that never extends the time to sign", async () => {
  const { request, requests, clock } = await arrangeSigning();
  const id = await request();
  clock.step(-5_001);
  expect((await requests.sign(owner, id, "aa"))?.state).toBe("SIGNING");
  // A correction of the time in passing does no harm.
  clock.step(1);
  expect((await requests.sign(owner, id, "aa"))?.state).toBe("SENT");
});

it("a signature for a contract or pair that is no longer configured or listed is refused", async () => {
  let isConfigured = true;
  const { request, requests, settle } = await arrangeSigning(undefined, async () => isConfigured);
  const id = await request();
  isConfigured = false;
  expect((await requests.sign(owner, id, "aa"))?.state).toBe("SIGNING");
  const outcome = { kind: "not-sent", code: "contract-changed" };
  expect(await settle(owner, id)).toMatchObject({ state: "FAILED", outcome });
});

describe("a signed transaction", () => {
  /** A signed transaction that is about to be broadcast. */
  async function signed() {
    const arranged = await arrangeSigning();
    const tradingPause = createTradingPause(arranged);
    const id = await arranged.request();
    await arranged.requests.sign(owner, id, "signature");
    const now = async () => {
      const intent = (await arranged.find(owner, id))!;
      return { ...intent, transaction: intent.transaction! };
    };
    const mayLeave = async (recheck: () => Promise<Draft | undefined> = holds) => {
      arranged.rechecks.set(id, recheck);
      return arranged.requests.mayLeave(await now(), false);
    };
    return { ...arranged, id, tradingPause, now, mayLeave };
  }
  const worse = async () => draft;

  it("may be broadcast once that is on disk, and again", async () => {
    const { mayLeave, now, clock } = await signed();
    expect(await mayLeave()).toBeUndefined();
    const broadcast = { phase: "broadcast", broadcastAt: clock.now() };
    expect((await now()).transaction).toMatchObject(broadcast);
    clock.advance(MINUTE);
    // A moved price holds back only the first broadcast.
    expect(await mayLeave(worse)).toBeUndefined();
    expect((await now()).transaction).toMatchObject(broadcast);
  });

  it("is held back by a pause, and counts as never broadcast only if it never was", async () => {
    const { mayLeave, now, tradingPause } = await signed();
    await tradingPause.pause("repairs");
    expect(await mayLeave()).toMatchObject({ code: "trading-paused" });
    expect((await now()).transaction.phase).toBe("signed");
    await tradingPause.resume();
    await mayLeave();
    await tradingPause.pause("repairs");
    expect(await mayLeave()).toMatchObject({ code: "trading-paused" });
    expect((await now()).transaction.phase).toBe("broadcast");
  });

  it.each(["a freeze", "a pause"])("is held back by %s that comes while the lease is looked up", async (what) => {
    const { mayLeave, changePerson, store, tradingPause, now } = await signed();
    store.assertOwned = () => (what === "a freeze" ? changePerson(frozen) : tradingPause.pause("repairs"));
    expect(await mayLeave()).toMatchObject({ code: what === "a freeze" ? "frozen" : "trading-paused" });
    expect((await now()).transaction.phase).toBe("signed");
  });

  it("is held back after a freeze, a change of address, its expiry, a worse price or a cancel", async () => {
    const { mayLeave, changePerson, clock, cancel, id } = await signed();
    expect(await mayLeave(worse)).toMatchObject({ code: "price-moved" });
    await changePerson(frozen);
    expect(await mayLeave()).toMatchObject({ code: "frozen" });
    await changePerson((person) => ({ ...unfrozen(person), wallet: { address: operator, since: 2 } }));
    expect(await mayLeave()).toMatchObject({ code: "wallet-changed" });
    await changePerson((person) => ({ ...person, wallet: { address: alice, since: 3 } }));
    expect(await mayLeave()).toBeUndefined();
    clock.advance(20 * MINUTE);
    expect(await mayLeave()).toMatchObject({ code: "sent-too-late" });
    const other = await signed();
    await other.cancel(owner, other.id);
    expect(await other.mayLeave()).toMatchObject({ code: "sent-too-late" });
    expect(await cancel(owner, id)).toMatchObject({ state: "SENT" });
  });

  it("that is cancelled during the recheck is held back, and never counts as broadcast", async () => {
    const { mayLeave, now, cancel, id } = await signed();
    const cancelled = mayLeave(async () => {
      await cancel(owner, id);
      return undefined;
    });
    expect(await cancelled).toMatchObject({ code: "sent-too-late" });
    expect(await now()).toMatchObject({ state: "CANCELED", transaction: { phase: "signed" } });
  });

  it("that ended while it may have left never counts as unsent again", async () => {
    const { mayLeave, settle, now, requests, id } = await signed();
    await mayLeave();
    await settle(owner, id, { kind: "unknown", code: "service-timeout" });
    await requests.clearBroadcast(await now());
    expect(await now()).toMatchObject({ state: "UNKNOWN", transaction: { phase: "broadcast" } });
  });

  it.each([
    ["executed", { kind: "ok", returnData: [] }, "on-chain"],
    ["charged for", { kind: "failed", text: "no", costsFee: true }, "on-chain"],
    ["only refused", { kind: "failed", text: "no" }, "signed"],
  ] as const)("that was %s is final only if the chain has it", async (_, outcome, phase) => {
    const { settle, now, id } = await signed();
    await settle(owner, id, outcome);
    expect((await now()).transaction.phase).toBe(phase);
  });

  it.each([
    new Fault("service-timeout", { service: "node" }),
    new Fault("store-write-failed", { document: "intents" }),
    new TypeError("a mistake"),
  ])("throws if the recheck can't be done now, and stays unbroadcast: %s", async (away) => {
    const { mayLeave, now } = await signed();
    await expect(mayLeave(() => Promise.reject(away))).rejects.toBe(away);
    expect((await now()).transaction.phase).toBe("signed");
  });
});

describe("a request that closes", () => {
  it.each([
    ["EXPIRED", "EXPIRED", undefined],
    [{ code: "signing-declined" }, "FAILED", { kind: "not-sent", code: "signing-declined" }],
  ] as const)("ends as %j", async (end, state, outcome) => {
    const { request, requests, settle, ended, store } = await arrangeSigning();
    const id = await request();
    // It doesn't end before it closes.
    expect((await settle(owner, id))?.state).toBe("SIGNING");
    await requests.close(owner, id, end);
    await requests.close(owner, id, "CANCELED");
    expect(await settle(owner, id)).toMatchObject({ state });
    expect((await settle(owner, id))?.outcome).toEqual(outcome);
    expect(ended.includes(id)).toBe(outcome !== undefined);
    assertLegalHistory(store.saved);
  });

  it("is news, and on its card, if the chain has it after all, and so is what the network says of it then", async () => {
    const { request, requests, cancel, settle, store, find } = await arrangeSigning();
    const queued = () => store.db.selectFrom("outbox").select(["topic", "payload"]).orderBy("topic").execute();
    const clear = () => store.write((tx) => tx.deleteFrom("outbox").execute());
    const id = await request();
    await cancel(owner, id);
    await settle(owner, id);
    await clear();
    await requests.sentByWallet(owner, id, "aa");
    const card = { topic: "card", payload: "null" };
    expect(await queued()).toEqual([{ topic: "call", payload: '"found"' }, card]);
    for (const news of [[card], []]) {
      await clear();
      await requests.markRefused((await find(owner, id))!, "no");
      expect(await queued()).toEqual(news);
    }
  });

  it("is shown in its own message if the wallet sent it, unless another card has that by then", async () => {
    const { request, requests, attachMessage, settle, replace, find } = await arrangeSigning();
    const [first, second] = [await request(), await request()];
    await attachMessage(first, 77);
    await settle(owner, first);
    await replace(owner, first, second);
    const found = await requests.sentByWallet(owner, first, "aa");
    expect(found).toMatchObject({ state: "SENT" });
    expect(found).not.toHaveProperty("messageId");
    expect(found).not.toHaveProperty("replacedBy");
    expect(await find(owner, second)).toMatchObject({ messageId: 77 });
    await requests.close(owner, second, "CANCELED");
    await settle(owner, second);
    expect(await requests.sentByWallet(owner, second, "bb")).toMatchObject({ state: "SENT", messageId: 77 });
  });

  it("shows on its card at once that it can't be signed any more, and only once", async () => {
    const { request, cancel, store } = await arrangeSigning();
    const id = await request();
    const queued = () => store.db.selectFrom("outbox").select(["topic", "subject"]).execute();
    const clear = () => store.write((tx) => tx.deleteFrom("outbox").execute());
    await clear();
    await cancel(owner, id);
    expect(await queued()).toEqual([{ topic: "card", subject: id }]);
    await clear();
    await cancel(owner, id);
    expect(await queued()).toEqual([]);
  });

  it("becomes SENT if the wallet sent it all the same", async () => {
    const { request, requests, cancel, settle, store } = await arrangeSigning();
    const id = await request();
    await cancel(owner, id);
    expect((await requests.sentByWallet(owner, id, "aa"))?.state).toBe("SENT");
    expect((await settle(owner, id))?.state).toBe("SENT");
    expect((await settle(owner, id, { kind: "ok", returnData: [], encoding: "hex" }))?.state).toBe("OK");
    assertLegalHistory(store.saved);
  });
});

it("an intent that is no signing request is neither sent by a wallet nor closed as one", async () => {
  const { id, requests, find } = await opened();
  expect(await requests.sentByWallet(owner, id, "aa")).toMatchObject({ state: "QUOTED" });
  expect(await requests.close(owner, id, "CANCELED")).toMatchObject({ state: "QUOTED" });
  expect(await requests.close(owner, "none", "CANCELED")).toBeUndefined();
  expect(await find(owner, id)).toMatchObject({ state: "QUOTED" });
});

describe("after a crash", () => {
  it("a signed call goes on, and one that was only claimed ends as not sent", async () => {
    const { request, requests, open, confirm, clock, store, states } = await arrangeSigning();
    const sent = await request();
    await requests.sign(owner, sent, "aa");
    const { id: claimed } = await open(owner, chatId, draft);
    void confirm(owner, claimed, () => new Promise(() => undefined));
    await expect.poll(states).toContain(`${claimed} CLAIMED`);
    const next = arrange({ store, clock, prepare: () => Promise.reject(new Error("unused")) });
    await next.recover();
    expect(await states()).toEqual(expect.arrayContaining([`${sent} SENT`, `${claimed} FAILED`]));
    assertLegalHistory(store.saved);
  });
});
