import { describe, expect, it } from "vitest";
import type { Transaction } from "../../src/store/store.js";
import { collectionOf } from "../support/documents.js";
import { temporaryStore } from "../support/engine.js";

const row = (id: string) => ({ id, at: 1, operator: 7, action: "pause", about: "" });
const insert = (tx: Transaction, id: string) => tx.insertInto("operator_log").values(row(id)).execute();
const idsIn = async (reader: Pick<Transaction, "selectFrom">) =>
  (await reader.selectFrom("operator_log").select("id").orderBy("id").execute()).map(({ id }) => id);
const counts = collectionOf("counts", () => ({ count: 0 }));

describe("write", () => {
  it("keeps the whole transaction, and shows it to readers once it is committed", async () => {
    const store = await temporaryStore();
    const seen = await store.write(async (tx) => {
      await insert(tx, "a");
      await insert(tx, "b");
      return { inside: await idsIn(tx), outside: await idsIn(store.db) };
    });
    expect(seen).toEqual({ inside: ["a", "b"], outside: [] });
    expect(await idsIn(store.db)).toEqual(["a", "b"]);
  });

  it("keeps nothing if it throws, and continues with the next", async () => {
    const store = await temporaryStore();
    const failed = store.write(async (tx) => {
      await insert(tx, "a");
      throw new RangeError("no");
    });
    const next = store.write((tx) => insert(tx, "b"));
    await expect(failed).rejects.toThrow(RangeError);
    await next;
    expect(await idsIn(store.db)).toEqual(["b"]);
  });

  it("refuses a text with a NUL on either engine, before anything is asked, and continues with the next", async () => {
    const store = await temporaryStore();
    const refused = store.write(async (tx) => {
      await insert(tx, "a");
      await insert(tx, "b\0");
    });
    const next = store.write((tx) => insert(tx, "c"));
    await expect(refused).rejects.toMatchObject({ code: "text-nul" });
    await next;
    const read = store.db.selectFrom("operator_log").select("id").where("about", "=", "\0");
    await expect(read.execute()).rejects.toMatchObject({ code: "text-nul" });
    expect(await idsIn(store.db)).toEqual(["c"]);
  });

  it("refuses a forgotten value on either engine, which would find nothing and change nothing without a word", async () => {
    const store = await temporaryStore();
    const forgotten = undefined as unknown as string;
    const read = store.db.selectFrom("operator_log").select("id").where("about", "=", forgotten);
    await expect(read.execute()).rejects.toThrow("undefined");
    await store.write((tx) => insert(tx, "a"));
    const refused = store.write((tx) => tx.deleteFrom("operator_log").where("id", "=", forgotten).execute());
    await expect(refused).rejects.toThrow("undefined");
    expect(await idsIn(store.db)).toEqual(["a"]);
  });

  it("runs one transaction at a time, in order, and lets other writes in between", async () => {
    const store = await temporaryStore();
    const steps: string[] = [];
    const slowly = (name: string) =>
      store.write(async (tx) => {
        steps.push(`${name} begins`);
        await insert(tx, name);
        await new Promise(setImmediate);
        steps.push(`${name} ends`);
      });
    const changed = store.update(counts, "all", (now) => [{ ...now, count: now.count + 1 }, undefined]);
    await Promise.all([slowly("a"), slowly("b"), changed, slowly("c")]);
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
    expect(await store.read(counts, "all")).toMatchObject({ count: 1 });
  });

  it("never includes another write in a transaction that fails", async () => {
    const store = await temporaryStore();
    let change: Promise<void> | undefined;
    const failed = store.write(async (tx) => {
      await insert(tx, "a");
      change = store.update(counts, "all", (now) => [{ ...now, count: 5 }, undefined]);
      await new Promise(setImmediate);
      throw new RangeError("no");
    });
    await expect(failed).rejects.toThrow(RangeError);
    await change;
    expect(await store.read(counts, "all")).toMatchObject({ count: 5 });
    expect(await idsIn(store.db)).toEqual([]);
  });

  it("ends a transaction that takes over a second, keeps nothing of it, and runs the next", async () => {
    const store = await temporaryStore();
    const stuck = store.write(async (tx) => {
      await insert(tx, "a");
      await new Promise(() => undefined);
    });
    const next = store.write((tx) => insert(tx, "b"));
    await expect(stuck).rejects.toMatchObject({ code: "store-slow" });
    await next;
    expect(await idsIn(store.db)).toEqual(["b"]);
  });

  it("refuses a transaction that is used after its end", async () => {
    const store = await temporaryStore();
    let kept: Transaction | undefined;
    await store.write(async (tx) => {
      kept = tx;
      await insert(tx, "a");
    });
    await expect(insert(kept!, "b")).rejects.toThrow("after its end");
    expect(await idsIn(store.db)).toEqual(["a"]);
  });

  it("finishes what has begun when the store is closed, and accepts nothing new", async () => {
    const store = await temporaryStore();
    const begun = store.write((tx) => insert(tx, "a"));
    const closed = store.close();
    await begun;
    await closed;
    await expect(async () => store.write((tx) => insert(tx, "b"))).rejects.toThrow("closed");
  });
});

describe("db", () => {
  it("can't change anything", async () => {
    const { db } = await temporaryStore();
    await expect(insert(db as never, "a")).rejects.toMatchObject({
      code: "store-read-failed",
      cause: { message: expect.stringMatching(/read/) as string },
    });
  });

  it("can't begin a transaction", async () => {
    const { db } = await temporaryStore();
    await db.selectFrom("operator_log").select("id").execute();
    // @ts-expect-error -- only the store's write begins transactions
    void db.transaction;
    const kysely = db as unknown as { transaction: () => { execute: (work: typeof write) => Promise<void> } };
    const write = (tx: Transaction) => insert(tx, "a");
    await expect(async () => kysely.transaction().execute(write)).rejects.toThrow();
    expect(await db.selectFrom("operator_log").select("id").execute()).toEqual([]);
  });
});
