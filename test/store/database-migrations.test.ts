import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { alertsOf } from "../../src/services/alerts/price-alert-queries.js";
import { DATA_FILE, openDatabase } from "../../src/store/database.js";
import { migrations } from "../../src/store/schema.js";
import { openStore } from "../../src/store/sqlite.js";
import { seededRandom } from "../support/seed.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startChild } from "./child.js";
import { everythingIn, makeFirstStore, makeStoreOf, withMigrations } from "./older-stores.js";

const dataIn = async () => join(await temporaryFolder(), DATA_FILE);

const faultOf = (task: () => unknown): unknown => {
  try {
    task();
    return undefined;
  } catch (error) {
    return error;
  }
};

/** Tables whose rows are in others now; see schema-news.test.ts. */
const MOVED = new Set(["arrival_watches", "pair_news", "pair_watchers", "pair_trades", "trade_watches"]);

describe("a store that an older program made", () => {
  it("of 7066914e is opened with every row as it was", async () => {
    const directory = await temporaryFolder();
    makeStoreOf("7066914e", join(directory, DATA_FILE));
    const { rows } = everythingIn(join(directory, DATA_FILE));
    const store = openStore({ directory });
    expect((await alertsOf(store.db, 1002)).length + (await alertsOf(store.db, 1001)).length).toBe(2);
    await store.close();
    const after = everythingIn(join(directory, DATA_FILE)).rows;
    for (const [table, each] of Object.entries(rows)) if (!MOVED.has(table)) expect(after[table]).toMatchObject(each);
  });

  it("of 8ea39aa8, a development version, is refused in words, and its file stays as it was", async () => {
    const path = await dataIn();
    makeStoreOf("8ea39aa8", path);
    const before = readFileSync(path);
    const reason = expect.stringMatching(
      /^a development version made it, since its table \w+ has no column \w+$/,
    ) as string;
    for (let time = 0; time < 2; time += 1)
      expect(faultOf(() => openDatabase(path))).toMatchObject({
        code: "store-unmigrated",
        parameters: { document: path, reason },
      });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe("migrations", () => {
  it("of which one doesn't fit leave every row and the version as they were, and the older program opens the store", async () => {
    const path = await dataIn();
    makeFirstStore(path);
    const before = everythingIn(path);
    const others = [...migrations.slice(1), "CREATE TABLE next (id); INSERT INTO next SELECT gone FROM intents;"];
    await withMigrations(1, others, () => {
      const reason = "no such column: gone";
      expect(faultOf(() => openDatabase(path))).toMatchObject({ code: "store-unmigrated", parameters: { reason } });
    });
    expect(everythingIn(path)).toEqual(before);
    await withMigrations(1, [], () => openDatabase(path).close());
    expect(everythingIn(path)).toEqual(before);
  });

  it("for which the disk is full after any statement are all done, or none is", async () => {
    const path = await dataIn();
    const missing = migrations.slice(1).flatMap((text) => text.split(";").filter((each) => each.trim() !== ""));
    let refused = 0;
    for (let count = 0; count <= missing.length; count += 1) {
      const one = `${path}-${count}`;
      makeFirstStore(one);
      const before = everythingIn(one);
      // The file may not grow any more, as SQLite then says of a full disk.
      const full = [...missing.slice(0, count), "PRAGMA max_page_count = 1", ...missing.slice(count)].join(";");
      const others = [full, ...Array.from({ length: migrations.length - 2 }, () => "")];
      const fault = await withMigrations(1, others, () => faultOf(() => openDatabase(one).close()));
      if (fault !== undefined) {
        refused += 1;
        expect(fault).toMatchObject({ code: "store-write-failed", parameters: { document: one } });
        expect(everythingIn(one)).toEqual(before);
        await withMigrations(1, [], () => openDatabase(one).close());
        openDatabase(one).close();
      }
      expect(everythingIn(one).version).toEqual({ user_version: migrations.length });
    }
    // The last ones take no more space.
    expect(refused).toBeGreaterThan(missing.length / 2);
  });

  it("that are killed between any two statements are all done, or none is", async () => {
    const path = await dataIn();
    const random = seededRandom("kills of migrations");
    const whole = await dataIn();
    makeFirstStore(whole);
    const count = Number(await (await startChild("migrate", whole, "9999")).line());
    expect(count).toBeGreaterThan(migrations.length * 2);
    const all = Array.from({ length: count }, (_, index) => index);
    const chosen = process.env["FULL"] === undefined ? all.filter(() => random() < 6 / count) : all;
    for (const at of chosen) {
      const one = `${path}-${at}`;
      makeFirstStore(one);
      const before = everythingIn(one);
      const child = await startChild("migrate", one, String(at));
      await expect(child.line()).rejects.toThrow("the child ended");
      expect(everythingIn(one)).toEqual(before);
      await withMigrations(1, [], () => openDatabase(one).close());
      openDatabase(one).close();
      expect(everythingIn(one).rows).toEqual(everythingIn(whole).rows);
    }
  }, 600_000);
});
