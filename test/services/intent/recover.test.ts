import { describe, expect, it } from "vitest";
import { people } from "../../support/documents.js";
import { arrange, assertLegalHistory, chatId, draft, fresh, holds, owner, type Arranged } from "./arrange.js";

const never = () => new Promise<never>(() => undefined);

/** Recovers, and returns what is to be told then, in its order. */
async function recovered(intents: Arranged): Promise<string[]> {
  await intents.recover();
  const told = intents.store.db.selectFrom("outbox").select(["topic", "subject", "payload"]).orderBy("due_at");
  return (await told.execute()).map(({ topic, subject, payload }) => `${topic} ${subject} ${payload}`);
}

/** An intent that a dead process left behind: claimed, or sent. */
async function left(state: "CLAIMED" | "SENT") {
  const dead = arrange({ send: never });
  const { id } = await dead.open(owner, chatId, draft);
  await dead.attachMessage(id, 77);
  void dead.confirm(owner, id, state === "SENT" ? holds : never);
  while ((await dead.find(owner, id))?.state !== state) await Promise.resolve();
  dead.clock.advance(1);
  return { id, dead, intents: arrange({ store: dead.store, clock: dead.clock }) };
}

describe("recover", () => {
  it.each(["CLAIMED", "SENT"] as const)(
    "calls unknown what was %s before the start, and has it told once, on its card and in a message",
    async (state) => {
      const { id, intents } = await left(state);
      await intents.store.write((tx) => tx.deleteFrom("outbox").execute());
      expect(await recovered(intents)).toEqual([`call ${id} "interrupted"`, `card ${id} null`]);
      expect(await intents.find(owner, id)).toMatchObject({
        state: "UNKNOWN",
        messageId: 77,
        outcome: { kind: "unknown", code: "interrupted" },
      });
      await intents.store.write((tx) => tx.deleteFrom("outbox").execute());
      expect(await recovered(intents)).toEqual([]);
      expect(await intents.confirm(owner, id, holds)).toMatchObject({ kind: "not-open" });
      expect(intents.sent).toEqual([]);
      assertLegalHistory(intents.store.saved);
    },
  );

  it.each(["CLAIMED", "SENT"] as const)("leaves alone what the running process has %s", async (state) => {
    const { id, dead: running } = await left(state);
    await recovered(running);
    expect((await running.find(owner, id))?.state).toBe(state);
  });

  it("goes by the run, not by the time of day, which may be earlier than before", async () => {
    const { id, intents } = await left("SENT");
    intents.clock.step(-3_600_000);
    await recovered(intents);
    expect(await intents.find(owner, id)).toMatchObject({ state: "UNKNOWN" });
  });

  it("leaves every end to be shown, and no open card", async () => {
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

  it("leaves a card to be shown that took the place of another", async () => {
    const intents = arrange();
    const { id } = await intents.open(owner, chatId, draft);
    await intents.attachMessage(id, 77);
    await intents.confirm(owner, id, async () => fresh);
    const next = arrange({ store: intents.store, clock: intents.clock });
    expect(await recovered(next)).toContain("card intent-2 null");
    expect(await next.find(owner, "intent-2")).toMatchObject({ messageId: 77 });
  });

  it("goes on after a row that cannot be read, and says so at the end", async () => {
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

  it("keeps what the rest of the person's document says", async () => {
    const { intents } = await left("SENT");
    await intents.changePerson((person) => ({ ...person, language: "pt" }));
    await recovered(intents);
    expect(await intents.store.read(people, String(owner))).toMatchObject({ language: "pt" });
  });
});
