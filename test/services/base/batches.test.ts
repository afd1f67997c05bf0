import { expect, it } from "vitest";
import { BATCH_SIZE, changeInBatches } from "../../../src/services/base/batches.js";
import type { Transaction } from "../../../src/store/store.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { silent } from "../samples.js";

/** Runs over rows of these names, of which `act` takes away all but those that stay. */
async function run(names: readonly string[], stays: (name: string) => boolean, damaged: readonly string[] = []) {
  const rows = [...names];
  const seen = { batches: [] as number[], acts: [] as string[], aside: [] as string[], errors: 0, wakes: 0 };
  const { write } = createMemoryDisk().open();
  const store = {
    db: {} as Transaction,
    write: <Result>(work: (tx: Transaction) => Promise<Result>) => {
      if (seen.batches.length > names.length) throw new Error("it doesn't end");
      return write(work);
    },
  };
  const takeAway = (name: string) => void rows.splice(rows.indexOf(name), 1);
  await changeInBatches<string>(
    { store, log: silent, wake: () => void (seen.wakes += 1), noteError: () => void (seen.errors += 1) },
    {
      select: async (_tx, limit) => {
        const found = rows.slice(0, limit);
        // As PostgreSQL does, which puts what was changed elsewhere.
        rows.push(...rows.splice(0, limit));
        seen.batches.push(found.length);
        return found;
      },
      documentOf: (name) => name,
      act: async (_tx, name) => {
        seen.acts.push(name);
        if (damaged.includes(name)) throw new TypeError("damage");
        if (!stays(name)) takeAway(name);
      },
      putAside: async (_tx, name) => {
        seen.aside.push(name);
        takeAway(name);
      },
    },
  );
  return seen;
}

const names = Array.from({ length: 4 * BATCH_SIZE }, (_, at) => `row-${at}`);

it("each row has its turn once, a batch in each transaction, and one that is damaged holds up no other", async () => {
  const { batches, acts, aside, errors, wakes } = await run(names, () => false, ["row-7"]);
  expect(batches).toEqual([50, 50, 50, 50, 0]);
  expect(acts.toSorted()).toEqual(names.toSorted());
  expect({ aside, errors, wakes }).toEqual({ aside: ["row-7"], errors: 1, wakes: 4 });
});

it("ends although rows stay selected after their turn, in whatever order they come", async () => {
  const all = await run(names, () => true);
  expect(all.acts.toSorted()).toEqual(names.toSorted());
  expect(all.batches).toHaveLength(5);
  const some = await run(names, (name) => name.endsWith("3"));
  expect(some.acts.toSorted()).toEqual(names.toSorted());
});
