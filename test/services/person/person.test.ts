import { describe, expect, it } from "vitest";
import {
  changePerson,
  findPerson,
  newPerson,
  putPerson,
  setColumns,
  withChange,
  type Person,
} from "../../../src/services/person/person.js";
import type { Database, Tables, Transaction } from "../../../src/store/store.js";
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

describe("a person's row", () => {
  /** Changes the person of {@link storeWith}. @returns the columns that were written. */
  async function columnsWrittenBy({ write }: Database, change: (person: Person) => Person): Promise<string[]> {
    const written: string[] = [];
    const noting = (tx: Transaction) => ({
      selectFrom: tx.selectFrom.bind(tx),
      insertInto: () => {
        throw new Error("the row is there");
      },
      updateTable: () => ({
        set: (columns: Partial<Tables["users"]>) => {
          written.push(...Object.keys(columns));
          return tx.updateTable("users").set(columns);
        },
      }),
    });
    await write((tx) => changePerson(noting(tx) as never, 1001, change));
    return written.toSorted();
  }

  it("is changed in what differs, and nowhere else", async () => {
    const store = await storeWith({ ...fresh, slippageBps: 50 });
    const freeze = (person: Person) => withChange({ ...person, frozenSince: 7 }, "freeze", 7);
    expect(await columnsWrittenBy(store, freeze)).toEqual(["frozen_since", "guard_log"]);
    expect(await columnsWrittenBy(store, (person) => ({ ...person }))).toEqual([]);
    const plain = ({ slippageBps: _own, ...person }: Person): Person => person;
    expect(await columnsWrittenBy(store, plain)).toEqual(["slippage_bps"]);
    const later = (person: Person): Person => ({ ...person, later: [{ guard: "unfreeze", from: 9 }] });
    expect(await columnsWrittenBy(store, later)).toEqual(["later_at", "preferences"]);
    expect(await findPerson(store.db, 1001)).toEqual(later(freeze(fresh)));
  });

  it("is added whole by the first change, beside what operators decided", async () => {
    const store = await temporaryStore();
    await store.write(async (tx) => {
      await setColumns(tx, 1001, { access: "member" });
      await changePerson(tx, 1001, (person) => ({ ...person, language: "pt" }));
    });
    expect(await findPerson(store.db, 1001)).toEqual({ ...fresh, language: "pt" });
    const row = await store.db.selectFrom("users").select("access").executeTakeFirst();
    expect(row).toEqual({ access: "member" });
  });

  it("is parsed again only when it differs", async () => {
    const store = await storeWith({ ...fresh, slippageBps: 50 });
    const read = await findPerson(store.db, 1001);
    expect(await findPerson(store.db, 1001)).toBe(read);
    const failed = store.write(async (tx) => {
      await changePerson(tx, 1001, (person) => ({ ...person, slippageBps: 70 }));
      expect(await findPerson(tx, 1001)).toEqual({ ...fresh, slippageBps: 70 });
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    expect(await findPerson(store.db, 1001)).toEqual({ ...fresh, slippageBps: 50 });
    await store.write((tx) => tx.updateTable("users").set({ slippage_bps: 90 }).execute());
    expect(await findPerson(store.db, 1001)).toEqual({ ...fresh, slippageBps: 90 });
    const another = await storeWith({ ...fresh, language: "pt" });
    expect(await findPerson(another.db, 1001)).toEqual({ ...fresh, language: "pt" });
    await store.write((tx) => tx.updateTable("users").set({ damage_told: 1 }).execute());
    await expect(findPerson(store.db, 1001)).rejects.toMatchObject({ code: "store-unreadable" });
  });

  it("is forgotten once a thousand others were read", async () => {
    const store = await temporaryStore();
    const preferences = '{"chatId":1}';
    const rows = Array.from({ length: 1_001 }, (_, at) => ({ id: at, language: "en", time_zone: "UTC", preferences }));
    await store.write((tx) => tx.insertInto("users").values(rows).execute());
    const first = await findPerson(store.db, 0);
    for (const { id } of rows.slice(1, -1)) await findPerson(store.db, id);
    expect(await findPerson(store.db, 0)).toBe(first);
    await findPerson(store.db, 1_000);
    expect(await findPerson(store.db, 0)).not.toBe(first);
  });
});
