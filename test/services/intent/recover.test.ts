import { describe, expect, it } from "vitest";
import type { Intent } from "../../../src/services/intent/intent.js";
import { people } from "../../support/documents.js";
import { arrange, assertLegalHistory, chatId, draft, fresh, holds, owner, type Arranged } from "./arrange.js";

const never = () => new Promise<never>(() => undefined);

async function recovered(intents: Arranged): Promise<Intent[]> {
  const given: Intent[] = [];
  for await (const { owner: whose, intent } of intents.recover()) {
    expect(whose).toBe(intent.owner);
    given.push(intent);
  }
  return given;
}

/** An intent that a dead process left behind: claimed, or sent. */
async function left(state: "CLAIMED" | "SENT") {
  const dead = arrange({ send: never });
  const { id } = await dead.open(owner, chatId, draft);
  await dead.attachMessage(owner, id, 77);
  void dead.confirm(owner, id, state === "SENT" ? holds : never);
  while ((await dead.find(owner, id))?.state !== state) await Promise.resolve();
  dead.clock.advance(1);
  return { id, dead, intents: arrange({ store: dead.store, clock: dead.clock }) };
}

describe("recover", () => {
  it.each(["CLAIMED", "SENT"] as const)(
    "calls unknown what was %s before the start, and tells it until it is shown",
    async (state) => {
      const { id, intents } = await left(state);
      for (let starts = 0; starts < 2; starts += 1) {
        expect(await recovered(intents)).toMatchObject([
          { id, state: "UNKNOWN", messageId: 77, outcome: { kind: "unknown", code: "interrupted" } },
        ]);
      }
      await intents.markShown(owner, id, "UNKNOWN", 77);
      expect(await recovered(intents)).toEqual([]);
      expect(await intents.confirm(owner, id, holds)).toMatchObject({ kind: "not-open" });
      expect(intents.sent).toEqual([]);
      assertLegalHistory(intents.store.saved);
    },
  );

  it.each(["CLAIMED", "SENT"] as const)("leaves alone what the running process has %s", async (state) => {
    const { id, dead: running } = await left(state);
    expect(await recovered(running)).toEqual([]);
    expect((await running.find(owner, id))?.state).toBe(state);
  });

  it("goes by the run, not by the time of day, which may be earlier than before", async () => {
    const { id, intents } = await left("SENT");
    intents.clock.step(-3_600_000);
    expect(await recovered(intents)).toMatchObject([{ id, state: "UNKNOWN" }]);
  });

  it("gives every end whose card does not show it, and no open card", async () => {
    const intents = arrange();
    const { open, attachMessage, confirm, cancel, markShown } = intents;
    const opened = await open(owner, chatId, draft);
    await attachMessage(owner, opened.id, 1);
    await open(owner, chatId, draft);
    const ok = await open(owner, chatId, draft);
    await confirm(owner, ok.id, holds);
    const shown = await open(owner, chatId, draft);
    await cancel(owner, shown.id);
    await markShown(owner, shown.id, "CANCELED", 2);
    // It never reached its chat: there is nothing to correct.
    const unsent = await open(owner, chatId, draft);
    await cancel(owner, unsent.id);
    const elsewhere = await open(1002, 1002, draft);
    await attachMessage(1002, elsewhere.id, 3);
    await cancel(1002, elsewhere.id);
    // An end that this run brought about is shown by whoever did.
    expect(await recovered(intents)).toEqual([]);
    const given = await recovered(arrange({ store: intents.store, clock: intents.clock }));
    expect(given.map(({ id }) => id).toSorted()).toEqual([ok.id, elsewhere.id].toSorted());
  });

  it("gives a card that took the place of another and could not be shown", async () => {
    const intents = arrange();
    const { id } = await intents.open(owner, chatId, draft);
    await intents.attachMessage(owner, id, 77);
    await intents.confirm(owner, id, async () => ({ kind: "worse", draft: fresh }));
    const next = arrange({ store: intents.store, clock: intents.clock });
    expect(await recovered(next)).toMatchObject([{ id: "intent-2", messageId: 77 }]);
    await next.markShown(owner, "intent-2", "QUOTED", 77);
    expect(await recovered(next)).toEqual([]);
  });

  it("goes on after a row that cannot be read, and says so at the end", async () => {
    const { id, intents } = await left("SENT");
    await arrange({ ...intents, send: never, prefix: "damaged" }).open(1002, 1002, draft);
    await intents.store.write((tx) =>
      tx.updateTable("intents").set({ state: "SENT", terms: "{" }).where("owner", "=", 1002).execute(),
    );
    const given: string[] = [];
    const run = async () => {
      for await (const { intent } of intents.recover()) given.push(intent.id);
    };
    const fault = { code: "store-unreadable", parameters: { document: "intents/1002/damaged-1" } };
    await expect(run()).rejects.toMatchObject({ name: "AggregateError", errors: [fault] });
    expect(given).toEqual([id]);
    expect(intents.unreadable).toMatchObject([fault]);
  });

  it("keeps what the rest of the person's document says", async () => {
    const { intents } = await left("SENT");
    await intents.changePerson((person) => ({ ...person, language: "pt" }));
    await recovered(intents);
    expect(await intents.store.read(people, String(owner))).toMatchObject({ language: "pt" });
  });
});
