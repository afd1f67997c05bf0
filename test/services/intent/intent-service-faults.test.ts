import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import type { Confirmation } from "../../../src/services/intent/confirm.js";
import { memoryStore, recordedStore } from "./memory-store.js";
import { arrange, assertLegalHistory, chatId, draft, fresh, holds, notSent, opened, owner } from "./arrange.js";

const full = () => new Fault("store-write-failed", { document: "users/1001" });

/** Intents with an open card whose disk is full for some of the next writes, counted from 1. */
async function withFailing(writes: (count: number) => boolean, when: "before" | "after" = "before") {
  const store = recordedStore();
  const intents = arrange({ store });
  const { id } = await intents.open(owner, chatId, draft);
  let count = 0;
  store[when] = async () => {
    if (writes((count += 1))) throw full();
  };
  return { ...intents, store, id };
}

describe("a write that fails", () => {
  it("at the claim sends nothing, and the card can be confirmed again", async () => {
    const { confirm, id, sent } = await withFailing((count) => count === 1);
    await expect(confirm(owner, id, holds)).rejects.toMatchObject({ code: "store-write-failed" });
    expect(sent).toEqual([]);
    expect((await confirm(owner, id, holds)).kind).toBe("ended");
    expect(sent).toHaveLength(1);
  });

  it("before the call is sent keeps it from being sent", async () => {
    const { confirm, find, id, sent } = await withFailing((count) => count === 2);
    expect(await confirm(owner, id, holds)).toMatchObject(notSent("store-write-failed"));
    expect(await find(owner, id)).toMatchObject({
      state: "FAILED",
      outcome: { kind: "not-sent", code: "store-write-failed" },
    });
    expect(sent).toEqual([]);
  });

  it("of a new card opens none", async () => {
    const { confirm, list, id, sent } = await withFailing((count) => count === 2);
    const confirmation = await confirm(owner, id, async () => fresh);
    expect(confirmation).toMatchObject({ kind: "ended", intent: { state: "FAILED", outcome: { kind: "not-sent" } } });
    expect(await list(owner)).toHaveLength(1);
    expect(sent).toEqual([]);
  });

  it("of an outcome is repeated", async () => {
    const { confirm, find, id, clock } = await withFailing((count) => count === 3 || count === 4);
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "ended", intent: { state: "OK" } });
    expect(await find(owner, id)).toMatchObject({ state: "OK" });
    expect(clock.now()).toBe(1_000_000 + 200 + 400);
  });

  it("of an outcome for good still tells the user the outcome, which is unknown after a restart", async () => {
    const { confirm, find, id, clock, store } = await withFailing((count) => count >= 3);
    let sleeps = 0;
    // It dies before it can write the outcome after all.
    clock.sleep = () => (++sleeps > 3 ? new Promise(() => undefined) : Promise.resolve());
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "ended", intent: { state: "OK" } });
    expect(await find(owner, id)).toMatchObject({ state: "SENT" });
    store.before = () => Promise.resolve();
    await arrange({ store, clock }).recover();
    expect(await find(owner, id)).toMatchObject({ state: "UNKNOWN" });
    assertLegalHistory(store.saved);
  });

  it("of an outcome is repeated until it works, and `idle` waits for that", async () => {
    const { confirm, find, idle, id, store } = await withFailing((count) => count >= 3 && count < 60);
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "ended", intent: { state: "OK" } });
    expect(await find(owner, id)).toMatchObject({ state: "SENT" });
    await idle();
    expect(await find(owner, id)).toMatchObject({ state: "OK" });
    assertLegalHistory(store.saved);
  });

  it("for good after the claim leaves the card claimed, and sends nothing", async () => {
    const { confirm, find, id, sent, clock, store } = await withFailing((count) => count >= 2);
    let sleeps = 0;
    clock.sleep = () => (++sleeps > 3 ? new Promise(() => undefined) : Promise.resolve());
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "ended", intent: { outcome: { kind: "not-sent" } } });
    expect(await find(owner, id)).toMatchObject({ state: "CLAIMED" });
    store.before = () => Promise.resolve();
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "not-open" });
    expect(sent).toEqual([]);
  });

  // A disk can fail after it has stored the change.
  it.each([1, 2, 3, 4])("after it has stored the change, at write %i, sends at most once", async (failing) => {
    const { confirm, id, sent, store } = await withFailing((count) => count === failing, "after");
    const outcomes: (Confirmation | undefined)[] = [];
    for (let taps = 0; taps < 3; taps += 1) outcomes.push(await confirm(owner, id, holds).catch(() => undefined));
    expect(sent.length).toBeLessThanOrEqual(1);
    assertLegalHistory(store.saved);
  });
});

describe("a store taken over by another process", () => {
  it("lets no call be sent", async () => {
    const store = memoryStore();
    store.assertOwned = () => Promise.reject(new Fault("store-lost", { directory: "store" }));
    const { id, confirm, sent } = await opened({ store });
    expect(await confirm(owner, id, holds)).toMatchObject(notSent("store-lost"));
    expect(sent).toEqual([]);
  });

  it("tells the outcome of a call already sent, without retrying its write", async () => {
    const lost = new Fault("store-lost", { directory: "store" });
    const store = memoryStore();
    const { id, confirm, clock, idle } = await opened({
      store,
      send: async () => {
        store.before = () => Promise.reject(lost);
        return { kind: "ok", returnData: ["01"] };
      },
    });
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "ended", intent: { state: "OK" } });
    await idle();
    expect(clock.monotonic()).toBe(0);
  });
});

it("sends nothing if the lease can't be looked up after SENT was written", async () => {
  const mistake = new TypeError("played");
  const store = memoryStore();
  store.assertOwned = () => Promise.reject(mistake);
  const { id, confirm, find, sent } = await opened({ store });
  await expect(confirm(owner, id, holds)).rejects.toBe(mistake);
  expect(sent).toEqual([]);
  expect(await find(owner, id)).toMatchObject({ state: "FAILED", outcome: { kind: "not-sent", code: "interrupted" } });
});
