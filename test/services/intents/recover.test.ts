import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import type { Intent } from "../../../src/model/intent.js";
import { people } from "../../../src/model/person.js";
import { arrange, assertLegalHistory, chatId, draft, holds, owner, type Arranged } from "./arrange.js";

const never = () => new Promise<never>(() => undefined);

async function recovered(intents: Arranged, before: number): Promise<Intent[]> {
  const given: Intent[] = [];
  for await (const { owner: whose, intent } of intents.recover(before)) {
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
  return { id, intents: arrange({ store: dead.store, clock: dead.clock }) };
}

describe("recover", () => {
  it.each(["CLAIMED", "SENT"] as const)(
    "calls unknown what was %s before the start, and tells it until it is shown",
    async (state) => {
      const { id, intents } = await left(state);
      for (let starts = 0; starts < 2; starts += 1) {
        expect(await recovered(intents, intents.clock.now())).toMatchObject([
          { id, state: "UNKNOWN", messageId: 77, outcome: { kind: "unknown", code: "interrupted" } },
        ]);
      }
      await intents.markShown(owner, id, "UNKNOWN");
      expect(await recovered(intents, intents.clock.now())).toEqual([]);
      expect(await intents.confirm(owner, id, holds)).toMatchObject({ kind: "not-open" });
      expect(intents.sent).toEqual([]);
      assertLegalHistory(intents.store.saved);
    },
  );

  it.each(["CLAIMED", "SENT"] as const)("leaves alone what the running process has %s", async (state) => {
    const { id, intents } = await left(state);
    expect(await recovered(intents, intents.clock.now() - 1)).toEqual([]);
    expect((await intents.find(owner, id))?.state).toBe(state);
  });

  it("gives every end whose card does not show it, and no open card", async () => {
    const intents = arrange();
    const { open, attachMessage, confirm, cancel, markShown, clock } = intents;
    const opened = await open(owner, chatId, draft);
    await attachMessage(owner, opened.id, 1);
    await open(owner, chatId, draft);
    const ok = await open(owner, chatId, draft);
    await confirm(owner, ok.id, holds);
    const shown = await open(owner, chatId, draft);
    await cancel(owner, shown.id);
    await markShown(owner, shown.id, "CANCELED");
    const elsewhere = await open(1002, 1002, draft);
    await cancel(1002, elsewhere.id);
    clock.advance(1);
    const given = await recovered(intents, clock.now());
    expect(given.map(({ id }) => id).toSorted()).toEqual([ok.id, elsewhere.id].toSorted());
    // An end that came after the start is shown by whoever brought it about.
    expect(await recovered(intents, clock.now() - 1)).toEqual([]);
  });

  it("goes on after a document that cannot be read, and says so at the end", async () => {
    const { id, intents } = await left("SENT");
    await intents.open(1002, 1002, draft);
    const unreadable = new Fault("store-unreadable", { document: "users/1002", setAside: "users/1002.bad" });
    const broken = {
      ...intents.store,
      ids: async () => ["1002", String(owner), "1003"],
      read: ((collection, key) =>
        key === "1002" ? Promise.reject(unreadable) : intents.store.read(collection, key)) as typeof intents.store.read,
    };
    const given: string[] = [];
    const run = async () => {
      const { recover } = arrange({ store: broken, clock: intents.clock });
      for await (const { intent } of recover(intents.clock.now())) given.push(intent.id);
    };
    await expect(run()).rejects.toMatchObject({ name: "AggregateError", errors: [unreadable] });
    expect(given).toEqual([id]);
  });

  it("does not overwrite an end that comes while it reads", async () => {
    const { id, intents } = await left("SENT");
    const slow = {
      ...intents.store,
      read: (async (collection, key) => {
        const document = await intents.store.read(collection, key);
        await intents.settle(owner, id, { kind: "ok", returnData: [] });
        return document;
      }) as typeof intents.store.read,
    };
    const given: Intent[] = [];
    const { recover } = arrange({ store: slow, clock: intents.clock });
    for await (const { intent } of recover(intents.clock.now())) given.push(intent);
    expect(given).toEqual([]);
    expect(await intents.find(owner, id)).toMatchObject({ state: "OK" });
  });

  it("keeps what the rest of the person's document says", async () => {
    const { intents } = await left("SENT");
    await intents.changePerson((person) => ({ ...person, language: "pt" }));
    await recovered(intents, intents.clock.now());
    expect(await intents.store.read(people, String(owner))).toMatchObject({ language: "pt" });
  });
});
