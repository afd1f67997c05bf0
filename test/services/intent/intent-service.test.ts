import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { NotConnected } from "../../../src/services/base/requests.js";
import { createTradingPause } from "../../../src/services/operator/operator.js";
import { alice } from "../samples.js";
import { arrange, assertLegalHistory, chatId, draft, fresh, frozen, holds, notSent, opened, owner } from "./arrange.js";
import { recordedStore } from "./memory-store.js";

const other = 1002;
const unreachable = new Fault("service-unreachable", { service: "node" });

describe("open", () => {
  it("stores the card's intent", async () => {
    const { open, find } = arrange();
    const intent = await open(owner, chatId, draft);
    expect(intent).toEqual({
      ...draft,
      id: "intent-1",
      run: expect.any(String) as string,
      openedAt: 0,
      owner,
      chatId,
      quotedAt: 1_000_000,
      expiresAt: 1_030_000,
      state: "QUOTED",
      times: { QUOTED: 1_000_000 },
    });
    expect(await find(owner, intent.id)).toEqual(intent);
  });

  it("keeps the draft's expiry", async () => {
    expect((await arrange().open(owner, chatId, { ...draft, expiresAt: 7 })).expiresAt).toBe(7);
  });
});

describe("expire", () => {
  it("ends an open card after its expiry, and nothing else", async () => {
    const { open, expire, confirm, find, clock } = arrange();
    const [{ id }, { id: confirmed }] = [await open(owner, chatId, draft), await open(owner, chatId, draft)];
    expect(await expire(owner, id)).toMatchObject({ state: "QUOTED" });
    await confirm(owner, confirmed, holds);
    clock.advance(30_000);
    expect(await expire(owner, id)).toMatchObject({ state: "EXPIRED" });
    expect(await find(owner, id)).toMatchObject({ state: "EXPIRED" });
    expect(await expire(owner, id)).toMatchObject({ state: "EXPIRED" });
    expect(await expire(owner, confirmed)).toMatchObject({ state: "OK" });
    expect(await expire(owner, "nobody's")).toBeUndefined();
  });
});

describe("a card", () => {
  it("remembers its message", async () => {
    const { id, attachMessage, find } = await opened();
    await attachMessage(id, 77);
    expect(await find(owner, id)).toMatchObject({ messageId: 77 });
  });

  it("belongs only to its owner", async () => {
    const { id, confirm, cancel, replace, settle, find, list, sent } = await opened();
    expect(await confirm(other, id, holds)).toEqual({ kind: "not-found" });
    expect(await cancel(other, id)).toBeUndefined();
    expect(await replace(other, id, id)).toBeUndefined();
    expect(await settle(other, id, { kind: "ok", returnData: [] })).toBeUndefined();
    expect(await find(other, id)).toBeUndefined();
    expect(await list(other)).toEqual([]);
    expect((await find(owner, id))?.state).toBe("QUOTED");
    expect(sent).toEqual([]);
  });

  it("is not found by a property name that every object has", async () => {
    const { open, confirm, find } = arrange();
    await open(owner, chatId, draft);
    for (const id of ["constructor", "__proto__", "toString"]) {
      expect(await find(owner, id)).toBeUndefined();
      expect(await confirm(owner, id, holds)).toEqual({ kind: "not-found" });
    }
  });
});

describe("cancel and replace", () => {
  it("close an open card, for good", async () => {
    const intents = arrange();
    const { id } = await intents.open(owner, chatId, draft);
    expect(await intents.cancel(owner, id)).toMatchObject({ state: "CANCELED" });
    expect(await intents.cancel(owner, id)).toMatchObject({ state: "CANCELED" });
    expect(await intents.confirm(owner, id, holds)).toMatchObject({ kind: "not-open", intent: { state: "CANCELED" } });
    expect(intents.sent).toEqual([]);
  });

  it("pass the message of an open or expired card to the new one", async () => {
    const { id, open, attachMessage, replace, confirm, find, clock } = await opened();
    await attachMessage(id, 77);
    const second = await open(owner, chatId, draft);
    expect(await replace(owner, id, second.id)).toMatchObject({ id: second.id, messageId: 77, state: "QUOTED" });
    expect(await find(owner, id)).toMatchObject({ state: "SUPERSEDED", replacedBy: second.id });
    clock.advance(30_000);
    await confirm(owner, second.id, holds);
    const third = await open(owner, chatId, draft);
    expect(await replace(owner, second.id, third.id)).toMatchObject({ messageId: 77 });
    expect(await find(owner, second.id)).toMatchObject({ state: "EXPIRED", replacedBy: third.id });
  });

  it("leave an expired card expired", async () => {
    const { open, cancel, replace, find, clock } = arrange();
    const [first, second] = [await open(owner, chatId, draft), await open(owner, chatId, draft)];
    clock.advance(30_000);
    expect(await cancel(owner, first.id)).toMatchObject({ state: "EXPIRED" });
    expect(await cancel(owner, first.id)).toMatchObject({ state: "EXPIRED" });
    await replace(owner, second.id, (await open(owner, chatId, draft)).id);
    expect(await find(owner, second.id)).toMatchObject({ state: "EXPIRED" });
  });

  it("leave the message of a card that shows a call's outcome", async () => {
    const { id, open, attachMessage, replace, confirm, find } = await opened();
    await attachMessage(id, 77);
    await confirm(owner, id, () => Promise.reject(unreachable));
    const second = await open(owner, chatId, draft);
    expect(await replace(owner, id, second.id)).not.toHaveProperty("messageId");
    expect(await find(owner, id)).not.toHaveProperty("replacedBy");
  });

  it("come too late for a call that was sent", async () => {
    const { id, confirm, cancel } = await opened();
    await confirm(owner, id, holds);
    expect(await cancel(owner, id)).toMatchObject({ state: "OK" });
  });
});

describe("confirm", () => {
  it("sends the card's own call, on behalf of the user", async () => {
    const { id, confirm, sent, find } = await opened();
    const confirmation = await confirm(owner, id, holds);
    expect(confirmation).toMatchObject({
      kind: "ended",
      intent: { state: "OK", outcome: { kind: "ok", returnData: ["01"] } },
    });
    expect(sent).toEqual([{ call: draft.call, intentId: id, caller: alice }]);
    expect(await find(owner, id)).toEqual("intent" in confirmation ? confirmation.intent : undefined);
  });

  it("sends once for fifty taps at once", async () => {
    const { id, confirm, sent } = await opened();
    const kinds = (await Promise.all(Array.from({ length: 50 }, () => confirm(owner, id, holds)))).map(
      ({ kind }) => kind,
    );
    expect(kinds.toSorted()).toEqual(["ended", ...Array.from({ length: 49 }, () => "not-open")]);
    expect(sent).toHaveLength(1);
  });

  it("sends nothing that the account is known not to cover, which would cost a fee all the same", async () => {
    const short = await opened({ holdings: async () => ({ KLV: 0n, KFI: 0n }) });
    expect(await short.confirm(owner, short.id, holds)).toMatchObject({
      kind: "ended",
      intent: {
        state: "FAILED",
        outcome: {
          kind: "not-sent",
          code: "balance-too-small",
          parameters: { held: "0", needed: "0.000001", token: "KLV" },
        },
      },
    });
    expect(short.sent).toEqual([]);
    for (const held of [{ KLV: 1n }, { KFI: 0n }, undefined]) {
      const enough = await opened({ holdings: async () => held });
      expect(await enough.confirm(owner, enough.id, holds)).toMatchObject({ intent: { state: "OK" } });
    }
  });

  it("has CLAIMED on disk before the recheck, and SENT before the call is sent", async () => {
    const states: (string | undefined)[] = [];
    const look = async () => states.push((await intents.find(owner, "intent-1"))?.state);
    const told: string[] = [];
    const intents = arrange({
      onChanged: ({ after }) => void told.push(after.state),
      send: async () => {
        await look();
        return { kind: "ok", returnData: [] };
      },
    });
    const { id } = await intents.open(owner, chatId, draft);
    await intents.confirm(owner, id, async (intent) => {
      expect(intent.state).toBe("CLAIMED");
      expect(told).toEqual(["QUOTED", "CLAIMED"]);
      await look();
      return undefined;
    });
    expect(states).toEqual(["CLAIMED", "SENT"]);
  });

  it.each([
    [
      "a refusal",
      { kind: "failed", text: "Slippage exceeded" },
      "ended",
      "FAILED",
      { kind: "failed", text: "Slippage exceeded" },
    ],
    [
      "no answer",
      { kind: "unknown", fault: unreachable },
      "ended",
      "UNKNOWN",
      { kind: "unknown", code: "service-unreachable" },
    ],
    [
      "no connection",
      { kind: "not-sent", fault: unreachable },
      "ended",
      "FAILED",
      { kind: "not-sent", code: "service-unreachable", parameters: { service: "node" } },
    ],
  ] as const)("reports %s as it is", async (_, answer, kind, state, outcome) => {
    const { id, confirm, find } = await opened({ send: async () => answer });
    expect(await confirm(owner, id, holds)).toMatchObject({ kind, intent: { state } });
    expect((await find(owner, id))?.outcome).toEqual(outcome);
  });

  it.each([
    ["a fault", unreachable, "service-unreachable"],
    ["another error", new Error("broken"), "answer-unreadable"],
  ])("takes the outcome as unknown if the gateway throws %s", async (_, error, code) => {
    const { id, confirm } = await opened({ send: () => Promise.reject(error) });
    expect(await confirm(owner, id, holds)).toMatchObject({
      kind: "ended",
      intent: { state: "UNKNOWN", outcome: { kind: "unknown", code } },
    });
  });

  it("refuses from the moment the card expires", async () => {
    const { id, open, confirm, clock, sent } = await opened();
    const inTime = await open(owner, chatId, draft);
    clock.advance(29_999);
    expect((await confirm(owner, inTime.id, holds)).kind).toBe("ended");
    clock.advance(1);
    for (let count = 0; count < 2; count += 1) {
      expect(await confirm(owner, id, holds)).toMatchObject({ kind: "expired", intent: { state: "EXPIRED" } });
    }
    expect(sent).toHaveLength(1);
  });

  it("does nothing for a user who froze trading", async () => {
    const { id, confirm, find, sent, changePerson } = await opened();
    await changePerson(frozen);
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "refused", fault: { code: "frozen" } });
    expect((await find(owner, id))?.state).toBe("QUOTED");
    expect(sent).toEqual([]);
  });

  it("heeds a freeze that comes during the recheck", async () => {
    const { id, confirm, sent, changePerson } = await opened();
    const confirmation = await confirm(owner, id, async () => {
      await changePerson(frozen);
      return undefined;
    });
    expect(confirmation).toMatchObject(notSent("frozen"));
    expect(sent).toEqual([]);
  });

  it.each([
    ["a freeze", "frozen"],
    ["a pause", "trading-paused"],
    ["a wait of more than ten seconds", "store-slow"],
  ])("heeds %s right after SENT was written", async (what, code) => {
    const { id, confirm, sent, changePerson, store, find, clock } = await opened();
    store.after = async () => {
      if ((await find(owner, id))?.state !== "SENT") return;
      store.after = () => Promise.resolve();
      if (what === "a freeze") await changePerson(frozen);
      else if (what === "a pause") await createTradingPause({ store, clock }).pause("repairs");
      else clock.advance(10_001);
    };
    expect(await confirm(owner, id, holds)).toMatchObject(notSent(code));
    expect(sent).toEqual([]);
  });

  it.each([
    ["a freeze", "frozen"],
    ["a pause", "trading-paused"],
  ])("heeds %s that comes while the lease is looked up", async (what, code) => {
    const { id, confirm, sent, changePerson, store, clock } = await opened();
    store.assertOwned = () =>
      what === "a freeze" ? changePerson(frozen) : createTradingPause({ store, clock }).pause("");
    expect(await confirm(owner, id, holds)).toMatchObject(notSent(code));
    expect(sent).toEqual([]);
  });

  it("opens a new card in the same write if the price fell", async () => {
    const store = recordedStore();
    const { id, confirm, find, list, sent } = await opened({ store });
    const writes = store.saved.length;
    const confirmation = await confirm(owner, id, async () => fresh);
    expect(await find(owner, id)).toMatchObject({ state: "SUPERSEDED" });
    expect(confirmation).toMatchObject({
      kind: "worse",
      fresh: { id: "intent-2", state: "QUOTED", terms: fresh.terms, chatId },
    });
    expect(store.saved).toHaveLength(writes + 2);
    expect((await list(owner)).map(({ state }) => state)).toEqual(["QUOTED", "SUPERSEDED"]);
    expect(sent).toEqual([]);
    expect((await confirm(owner, "intent-2", holds)).kind).toBe("ended");
  });

  it("shows the new card in the same message, with its buttons off for 1.5 s", async () => {
    const { id, attachMessage, confirm, find, clock } = await opened();
    await attachMessage(id, 77);
    await confirm(owner, id, async () => fresh);
    expect(await find(owner, "intent-2")).toMatchObject({
      messageId: 77,
      origin: "recheck",
      actsFrom: clock.now() + 1500,
    });
    expect(await find(owner, id)).toMatchObject({ replacedBy: "intent-2" });
  });

  it("sends nothing to a contract that is no longer configured", async () => {
    const { id, confirm, sent } = await opened({ isConfigured: async () => false });
    expect(await confirm(owner, id, holds)).toMatchObject(notSent("contract-changed"));
    expect(sent).toEqual([]);
  });

  it("sends nothing if there is no fresh quote", async () => {
    const { id, confirm, sent } = await opened();
    expect(await confirm(owner, id, () => Promise.reject(unreachable))).toMatchObject({
      kind: "ended",
      intent: {
        state: "FAILED",
        outcome: { kind: "not-sent", code: "service-unreachable", parameters: unreachable.parameters },
      },
    });
    expect(sent).toEqual([]);
  });

  it("ends what it claimed, even if every announcement of a change throws", async () => {
    const { id, confirm, sent, find } = await opened({
      onChanged: () => {
        throw new TypeError("mistake");
      },
    });
    await confirm(owner, id, holds);
    expect(await find(owner, id)).toMatchObject({ state: "OK" });
    expect(sent).toHaveLength(1);
  });

  it("closes the card as not sent if the recheck throws, and rethrows the error", async () => {
    const { id, confirm, sent, find } = await opened();
    await expect(confirm(owner, id, () => Promise.reject(new TypeError("mistake")))).rejects.toThrow("mistake");
    expect(await find(owner, id)).toMatchObject({
      state: "FAILED",
      outcome: { kind: "not-sent", code: "interrupted" },
    });
    expect(sent).toEqual([]);
  });

  // The connection may have failed after an earlier request was sent.
  it.each([
    ["throws an unexpected error", new RangeError("what")],
    ["throws NotConnected without a fault", new NotConnected("ECONNREFUSED")],
  ])("takes the outcome as unknown if a request %s", async (_, broken) => {
    const { open, confirm } = arrange({ send: () => Promise.reject(broken) });
    const { id } = await open(owner, chatId, draft);
    expect(await confirm(owner, id, holds)).toMatchObject({
      kind: "ended",
      intent: { state: "UNKNOWN", outcome: { kind: "unknown", code: "answer-unreadable" } },
    });
  });
});

describe("settle", () => {
  const unanswered = () => new Promise<never>(() => undefined);

  it("ends a call on its way, once", async () => {
    const { id, confirm, settle, sent } = await opened({ send: unanswered });
    const ok = { kind: "ok", returnData: ["05"] } as const;
    expect(await settle(owner, id, ok)).toMatchObject({ state: "QUOTED" });
    void confirm(owner, id, holds);
    await expect.poll(() => sent).toHaveLength(1);
    expect(await settle(owner, id, ok)).toMatchObject({ state: "OK", outcome: ok });
    expect(await settle(owner, id, { kind: "failed", text: "late" })).toMatchObject({ state: "OK", outcome: ok });
  });

  it("books each end in the same write, and announces it afterwards", async () => {
    const store = recordedStore();
    const intents = arrange({ store, send: unanswered });
    const { id } = await intents.open(owner, chatId, draft);
    void intents.confirm(owner, id, holds);
    await expect.poll(() => intents.sent).toHaveLength(1);
    expect(intents.ended).toEqual([]);
    await intents.settle(owner, id, { kind: "ok", returnData: [] });
    expect(intents.ended).toEqual([id]);
    expect(store.saved.at(-1)).toMatchObject({ booked: [id], intents: [{ id, state: "OK" }] });
    assertLegalHistory(store.saved);
  });

  it("keeps of an answer what a documented one can have, and marks what it leaves out", async () => {
    const returnData = [...Array.from({ length: 16 }, () => "aa"), "bb"];
    const { id, confirm, find } = await opened({ send: async () => ({ kind: "ok", returnData }) });
    await confirm(owner, id, holds);
    const kept = [...returnData.slice(0, 16), "…"];
    expect(await find(owner, id)).toMatchObject({ state: "OK", outcome: { returnData: kept } });
    const entry = "a".repeat(513);
    const long = await opened({ send: async () => ({ kind: "ok", returnData: [entry, entry.slice(1)] }) });
    await long.confirm(owner, long.id, holds);
    const shortened = [`${entry.slice(1)}…`, entry.slice(1)];
    expect(await long.find(owner, long.id)).toMatchObject({ outcome: { returnData: shortened } });
  });

  it("is not overwritten by a later answer", async () => {
    const intents = arrange({
      send: async () => {
        await intents.settle(owner, "intent-1", { kind: "failed", text: "first" });
        return { kind: "ok", returnData: [] };
      },
    });
    const { id } = await intents.open(owner, chatId, draft);
    expect(await intents.confirm(owner, id, holds)).toMatchObject({
      intent: { state: "FAILED", outcome: { text: "first" } },
    });
  });
});
