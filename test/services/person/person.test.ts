import { describe, expect, it } from "vitest";
import { findPerson, newPerson, putPerson, type Person } from "../../../src/services/person/person.js";
import { temporaryStore } from "../../support/engine.js";

const fresh = newPerson(1001);

/** A store with one person, some of whose columns are overwritten with `damage`. */
async function storeWith(person: Person, damage: Readonly<Record<string, string>> = {}) {
  const store = await temporaryStore();
  await store.write(async (tx) => {
    await putPerson(tx, 1001, person);
    if (Object.keys(damage).length > 0) await tx.updateTable("users").set(damage).where("id", "=", 1001).execute();
  });
  return store;
}

describe("a stored person", () => {
  it("comes back as it was stored, optional fields included", async () => {
    const person: Person = {
      ...fresh,
      language: "pt",
      slippageBps: 50,
      recentTokens: ["KLV"],
      frozenSince: 1_700_000_000_000,
    };
    const store = await storeWith(person);
    expect(await findPerson(store.db, 1001)).toEqual(person);
    expect(await findPerson(store.db, 1002)).toBeUndefined();
  });

  it("has the defaults of fields that weren't stored", async () => {
    const store = await storeWith(fresh, { preferences: '{"chatId":1001}' });
    expect(await findPerson(store.db, 1001)).toEqual(fresh);
  });

  it.each([
    { preferences: "null" },
    { preferences: "text" },
    { preferences: "[]" },
    { preferences: "{}" },
    { preferences: '{"chatId":"1001"}' },
    { preferences: '{"chatId":1001,"presets":"10"}' },
    { preferences: '{"chatId":1001,"recentTokens":{}}' },
    { limits: '{"KLV":{"most":7}}' },
    { guard_log: '[{"at":"now","guard":"freeze"}]' },
    { payout: "klv1nobody" },
  ])("is unreadable with %j", async (damage) => {
    const store = await storeWith(fresh, damage);
    await expect(findPerson(store.db, 1001)).rejects.toMatchObject({ code: "store-unreadable" });
  });
});
