import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isFault } from "../../src/fault.js";
import type { Collection, Store } from "../../src/store/store.js";
import { anyText, fc } from "../support/property.js";

/** A place of its own for one test, empty at first. */
export interface Place {
  /** Opens the store that lives there; asked again after a close, the same documents are there. */
  readonly open: () => Promise<Store>;
  readonly dispose: () => Promise<void>;
}

interface Counter {
  readonly count: bigint;
  readonly id: string;
}

const counters: Collection<Counter> = {
  name: "counters",
  create: (id) => ({ count: 0n, id }),
  parse: (stored) => stored as Counter,
};
/** The same documents to a program that counts in another form. */
const strictCounters: Collection<Counter> = {
  ...counters,
  parse: (stored) => {
    if ((stored as Counter).count < 0n) throw new TypeError("a count below zero");
    return { ...(stored as Counter) };
  },
};
const anything: Collection<unknown> = {
  name: "anything",
  create: () => null,
  parse: (stored) => stored,
};

const increment = (counter: Counter) => [{ ...counter, count: counter.count + 1n }, counter.count] as const;
const set =
  <Document>(next: Document) =>
  () =>
    [next, undefined] as const;

/** What every store must do, whatever it is made of. */
export function describeStore(name: string, openPlace: () => Promise<Place>): void {
  describe(`${name} as a store`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await openPlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store.close();
      await place.dispose();
    });

    it("removes a document only where it is over at that moment", async () => {
      await store.update(counters, "1", increment);
      const isOver = ({ count }: Counter) => count > 1n;
      await store.remove(counters, "1", isOver);
      expect(await store.read(counters, "1")).toEqual({ count: 1n, id: "1" });
      await Promise.all([store.update(counters, "1", increment), store.remove(counters, "1", isOver)]);
      expect(await store.read(counters, "1")).toBeUndefined();
      await store.remove(counters, "2", () => expect.unreachable("there is none to ask about"));
    });

    it("has no document that was never written", async () => {
      expect(await store.read(counters, "1")).toBeUndefined();
      expect(await store.ids(counters)).toEqual([]);
    });

    it("changes a new document from what its collection creates, and tells the change's result", async () => {
      expect(await store.update(counters, "1", increment)).toBe(0n);
      expect(await store.read(counters, "1")).toEqual({ count: 1n, id: "1" });
    });

    it("keeps documents as they are", async () => {
      const key = fc.oneof(fc.string(), fc.constantFrom("$bigint", "$$bigint", "__proto__"));
      // A zero byte is the one character that some databases can't keep in JSON.
      const text = anyText.filter((value) => !value.includes("\0"));
      const values = [fc.bigInt(), text, fc.boolean(), fc.constant(null), fc.integer()];
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.object({ key, values }), fc.array(fc.object({ key, values })), ...values),
          async (value) => {
            // A change to what the document is already writes nothing, and a new one is null.
            await store.update(anything, "1", set("something else"));
            await store.update(anything, "1", set(value));
            expect(await store.read(anything, "1")).toEqual(value);
          },
        ),
        { numRuns: 40 },
      );
    });

    it("keeps a large document", async () => {
      const large = { text: "ü€😀".repeat(100_000), units: Array.from({ length: 1000 }, (_, index) => BigInt(index)) };
      await store.update(anything, "1", set(large));
      expect(await store.read(anything, "1")).toEqual(large);
    });

    it.each([[0], [""], [false]])("keeps a document that counts as false: %j", async (value) => {
      await store.update(anything, "1", set<unknown>(value));
      expect(await store.read(anything, "1")).toBe(value);
      expect(await store.update(anything, "1", (now) => [now, now])).toBe(value);
    });

    it("writes nothing when the change returns the same document", async () => {
      expect(await store.update(counters, "1", (counter) => [counter, "seen"])).toBe("seen");
      expect(await store.read(counters, "1")).toBeUndefined();
      expect(await store.ids(counters)).toEqual([]);
    });

    it("changes nothing when the change throws, and throws the same", async () => {
      await store.update(counters, "1", increment);
      const error = new Error("refused");
      const refuse = () => {
        throw error;
      };
      await expect(store.update(counters, "1", refuse)).rejects.toBe(error);
      await expect(store.update(counters, "2", refuse)).rejects.toBe(error);
      expect(await store.read(counters, "1")).toEqual({ count: 1n, id: "1" });
      expect(await store.read(counters, "2")).toBeUndefined();
    });

    it("makes changes of one document that are asked at once one after the other, none lost", async () => {
      const results = await Promise.all(Array.from({ length: 100 }, () => store.update(counters, "1", increment)));
      expect(results.toSorted((a, b) => Number(a - b))).toEqual(
        Array.from({ length: 100 }, (_, index) => BigInt(index)),
      );
      expect(await store.read(counters, "1")).toEqual({ count: 100n, id: "1" });
    });

    it("lets exactly one of many who claim at once win", async () => {
      const claim = (now: unknown) => (now === null ? ([{ claimed: true }, true] as const) : ([now, false] as const));
      const claims = await Promise.all(Array.from({ length: 50 }, () => store.update(anything, "1", claim)));
      expect(claims.filter(Boolean)).toHaveLength(1);
    });

    it("changes many documents at once", async () => {
      const ids = Array.from({ length: 200 }, (_, index) => `id-${index}`);
      await Promise.all(
        ids.flatMap((id) => [store.update(counters, id, increment), store.update(counters, id, increment)]),
      );
      expect((await store.ids(counters)).toSorted()).toEqual(ids.toSorted());
      for (const id of ids) expect(await store.read(counters, id)).toEqual({ count: 2n, id });
    });

    it("keeps collections apart", async () => {
      await store.update(counters, "1", increment);
      expect(await store.read(anything, "1")).toBeUndefined();
      expect(await store.ids(anything)).toEqual([]);
      await store.remove(anything, "1");
      expect(await store.read(counters, "1")).toEqual({ count: 1n, id: "1" });
    });

    it("removes a document, also one that is not there", async () => {
      await store.remove(counters, "1");
      await store.update(counters, "1", increment);
      await store.remove(counters, "1");
      expect(await store.read(counters, "1")).toBeUndefined();
      expect(await store.ids(counters)).toEqual([]);
      expect(await store.update(counters, "1", increment)).toBe(0n);
    });

    it("still has everything after it was closed and opened again", async () => {
      await Promise.all(["1", "2"].map((id) => store.update(counters, id, increment)));
      await store.remove(counters, "2");
      await store.close();
      store = await place.open();
      expect(await store.read(counters, "1")).toEqual({ count: 1n, id: "1" });
      expect(await store.ids(counters)).toEqual(["1"]);
    });

    it("finishes changes under way before it is closed, and refuses everything afterwards", async () => {
      const changes = Array.from({ length: 20 }, () => store.update(counters, "1", increment));
      await store.close();
      await Promise.all(changes);
      await store.close();
      await expect(store.read(counters, "1")).rejects.toThrow("closed");
      await expect(store.update(counters, "1", increment)).rejects.toThrow("closed");
      await expect(store.remove(counters, "1")).rejects.toThrow("closed");
      await expect(store.ids(counters)).rejects.toThrow("closed");
      store = await place.open();
      expect(await store.read(counters, "1")).toEqual({ count: 20n, id: "1" });
    });

    it("brings a document of an older form to today's", async () => {
      const older: Collection<number> = { name: "counters", create: () => 0, parse: Number };
      await store.update(older, "1", set(7));
      const today: Collection<Counter> = {
        name: "counters",
        create: counters.create,
        parse: (stored) => ({ count: BigInt(stored as number), id: "1" }),
      };
      expect(await store.read(today, "1")).toEqual({ count: 7n, id: "1" });
      expect(await store.update(today, "1", increment)).toBe(7n);
      expect(await store.read(counters, "1")).toEqual({ count: 8n, id: "1" });
    });

    it.each(["read", "update"] as const)(
      "refuses a document that can't be one and leaves it as it is, at %s",
      async (verb) => {
        const negative = { count: -1n, id: "1" };
        await store.update(counters, "1", set(negative));
        await store.update(counters, "2", increment);
        let changed = false;
        const change = (counter: Counter) => {
          changed = true;
          return increment(counter);
        };
        const attempt =
          verb === "read"
            ? store.read(strictCounters, "1")
            : store.update(strictCounters, "1", change).then(() => undefined);
        const fault = await attempt.then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(isFault(fault, "store-unreadable") && fault.parameters.document).toBe("counters/1");
        expect((fault as Error).cause).toBeInstanceOf(TypeError);
        expect(changed).toBe(false);
        // It is never taken for none, and others are not touched.
        await expect(store.read(strictCounters, "1")).rejects.toMatchObject({ code: "store-unreadable" });
        await expect(store.update(strictCounters, "1", increment)).rejects.toMatchObject({ code: "store-unreadable" });
        expect(await store.read(counters, "1")).toEqual(negative);
        expect(await store.read(strictCounters, "2")).toEqual({ count: 1n, id: "2" });
        await store.remove(strictCounters, "1");
        expect(await store.update(strictCounters, "1", increment)).toBe(0n);
      },
    );

    it.each(["A-z_09", "x".repeat(64), "1989652f-be77-4179-924e-b71c03a4198a"])("takes the id %s", async (id) => {
      await store.update(counters, id, increment);
      expect(await store.read(counters, id)).toEqual({ count: 1n, id });
      expect(await store.ids(counters)).toEqual([id]);
    });

    it.each(["", ".", "..", "../1", "a/b", "a\\b", "a.json", "a\0", "a b", "é", "x".repeat(65), "1\n"])(
      "refuses the id %j",
      async (id) => {
        await expect(store.read(counters, id)).rejects.toThrow(RangeError);
        await expect(store.update(counters, id, increment)).rejects.toThrow(RangeError);
        await expect(store.remove(counters, id)).rejects.toThrow(RangeError);
      },
    );

    it.each(["", "..", "a/b", "Users", "lock.file"])("refuses a collection named %j", async (collection) => {
      const misnamed = { ...counters, name: collection };
      await expect(store.update(misnamed, "1", increment)).rejects.toThrow(RangeError);
      await expect(store.ids(misnamed)).rejects.toThrow(RangeError);
    });
  });
}
