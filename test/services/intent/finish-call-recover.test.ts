import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { people } from "../../support/documents.js";
import { arrange, assertLegalHistory, chatId, draft, fresh, holds, owner, type Arranged } from "./arrange.js";
import { recordedStore } from "./memory-store.js";

const never = () => new Promise<never>(() => undefined);

/** Recovers. @returns the outbox's messages in order. */
async function recovered(intents: Arranged): Promise<string[]> {
  await intents.recover();
  const told = intents.store.db.selectFrom("outbox").select(["topic", "subject", "payload"]).orderBy("due_at");
  return (await told.execute()).map(({ topic, subject, payload }) => `${topic} ${subject} ${payload}`);
}

/** An intent that a dead process left in this state. */
async function left(state: "CLAIMED" | "SENT") {
  const store = recordedStore();
  const dead = arrange({ store, send: never });
  const { id } = await dead.open(owner, chatId, draft);
  await dead.attachMessage(id, 77);
  void dead.confirm(owner, id, state === "SENT" ? holds : never);
  while ((await dead.find(owner, id))?.state !== state) await Promise.resolve();
  dead.clock.advance(1);
  return { id, dead, store, intents: arrange({ store, clock: dead.clock }) };
}

it("a call that is being sent changes nothing on its card until its answer is there", async () => {
  const store = recordedStore();
  const queued = () => store.db.selectFrom("outbox").select("subject").execute();
  const during: unknown[] = [];
  const send = async () => {
    during.push(await queued());
    return { kind: "ok", returnData: ["01"] } as const;
  };
  const { open, attachMessage, confirm } = arrange({ store, send });
  const { id } = await open(owner, chatId, draft);
  await attachMessage(id, 77);
  await confirm(owner, id, async () => {
    // What the claim has queued.
    await store.write((tx) => tx.deleteFrom("outbox").execute());
    return undefined;
  });
  expect(during).toEqual([[]]);
  expect(await queued()).toEqual([{ subject: id }]);
});

describe("recover", () => {
  it.each(["CLAIMED", "SENT"] as const)(
    "ends what was %s before the start as unknown, and reports it once, on its card and in a message",
    async (state) => {
      const { id, intents, store } = await left(state);
      await store.write((tx) => tx.deleteFrom("outbox").execute());
      expect(await recovered(intents)).toEqual([`call ${id} "interrupted"`, `card ${id} null`]);
      expect(await intents.find(owner, id)).toMatchObject({
        state: "UNKNOWN",
        messageId: 77,
        outcome: { kind: "unknown", code: "interrupted" },
      });
      await store.write((tx) => tx.deleteFrom("outbox").execute());
      expect(await recovered(intents)).toEqual([]);
      expect(await intents.confirm(owner, id, holds)).toMatchObject({ kind: "not-open" });
      expect(intents.sent).toEqual([]);
      assertLegalHistory(store.saved);
    },
  );

  it("calls a call that was sent unknown, although the gateway of now sends nothing before a signature", async () => {
    const { store, dead } = await left("SENT");
    const intents = arrange({ store, clock: dead.clock, prepare: never });
    await recovered(intents);
    expect(await intents.list(owner)).toMatchObject([{ state: "UNKNOWN", outcome: { kind: "unknown" } }]);
  });

  it.each(["CLAIMED", "SENT"] as const)("leaves alone what the running process has in state %s", async (state) => {
    const { id, dead: running } = await left(state);
    await recovered(running);
    expect((await running.find(owner, id))?.state).toBe(state);
  });

  it("goes by the run, not by the time of day, which may have stepped back", async () => {
    const { id, intents } = await left("SENT");
    intents.clock.step(-3_600_000);
    await recovered(intents);
    expect(await intents.find(owner, id)).toMatchObject({ state: "UNKNOWN" });
  });

  it("queues every ended card to be shown, and no open one", async () => {
    const intents = arrange();
    const { open, attachMessage, confirm, cancel } = intents;
    const opened = await open(owner, chatId, draft);
    await attachMessage(opened.id, 1);
    const ok = await open(owner, chatId, draft);
    await confirm(owner, ok.id, holds);
    const elsewhere = await open(1002, 1002, draft);
    await attachMessage(elsewhere.id, 3);
    await cancel(1002, elsewhere.id);
    const next = arrange({ store: intents.store, clock: intents.clock });
    expect((await recovered(next)).toSorted()).toEqual([`card ${ok.id} null`, `card ${elsewhere.id} null`].toSorted());
  });

  it("queues a card to be shown that replaced another", async () => {
    const intents = arrange();
    const { id } = await intents.open(owner, chatId, draft);
    await intents.attachMessage(id, 77);
    await intents.confirm(owner, id, async () => fresh);
    const next = arrange({ store: intents.store, clock: intents.clock });
    expect(await recovered(next)).toContain("card intent-2 null");
    expect(await next.find(owner, "intent-2")).toMatchObject({ messageId: 77 });
  });

  it("goes on after a row that can't be read, and throws at the end", async () => {
    const { id, intents } = await left("SENT");
    await arrange({ ...intents, send: never, prefix: "damaged" }).open(1002, 1002, draft);
    await intents.store.write((tx) =>
      tx.updateTable("intents").set({ state: "SENT", terms: "{" }).where("owner", "=", 1002).execute(),
    );
    const fault = { code: "store-unreadable", parameters: { document: "intents/1002/damaged-1" } };
    await expect(recovered(intents)).rejects.toMatchObject({ name: "AggregateError", errors: [fault] });
    expect(await intents.find(owner, id)).toMatchObject({ state: "UNKNOWN" });
    expect(intents.unreadable).toMatchObject([fault]);
  });

  it("retries while the store can't be written, so that nothing stays without an end", async () => {
    const { id, intents } = await left("CLAIMED");
    const before = intents.clock.now();
    let failures = 2;
    intents.store.before = async () => {
      if (failures-- > 0) throw new Fault("store-write-failed", { document: "PostgreSQL" });
    };
    await intents.recover();
    expect(await intents.find(owner, id)).toMatchObject({ state: "UNKNOWN" });
    expect(intents.clock.now()).toBe(before + 200 + 400);
  });

  it("retries while the store can't be read", async () => {
    const { id, intents } = await left("SENT");
    const { db } = intents.store;
    let failures = 0;
    const reading = {
      ...intents.store,
      get db() {
        if (failures-- > 0) throw new Fault("store-read-failed", { document: "PostgreSQL" });
        return db;
      },
    };
    const next = arrange({ store: reading, clock: intents.clock });
    failures = 2;
    await next.recover();
    expect(await intents.find(owner, id)).toMatchObject({ state: "UNKNOWN" });
  });

  it("leaves the rest to the process that has taken over the store", async () => {
    const { intents } = await left("CLAIMED");
    const lost = new Fault("store-lost", { directory: "PostgreSQL" });
    intents.store.before = () => Promise.reject(lost);
    await expect(intents.recover()).rejects.toMatchObject({ errors: [lost] });
  });

  it("keeps the rest of the person's record", async () => {
    const { intents } = await left("SENT");
    await intents.changePerson((person) => ({ ...person, language: "pt" }));
    await recovered(intents);
    expect(await intents.store.read(people, String(owner))).toMatchObject({ language: "pt" });
  });
});
