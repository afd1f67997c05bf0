import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { examineData } from "../../src/commands/doctor/data.js";
import { backUp, restore, verify } from "../../src/store/copies.js";
import { DATA_FILE, openDatabase } from "../../src/store/database.js";
import { migrations } from "../../src/store/schema.js";
import { tryFile } from "../../src/store/trial.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { everythingIn, makeFirstStore, makeStoreOf, withMigrations } from "./older-stores.js";

const failing = [...migrations.slice(1), "INSERT INTO settings SELECT gone FROM intents;"];

it("a trial tells whether a start could use an older store, and leaves it and its folder as they were", async () => {
  const directory = await temporaryFolder();
  const path = join(directory, DATA_FILE);
  const store = { kind: "sqlite", directory } as const;
  expect(tryFile(path)).toBeUndefined();
  expect(await examineData(store)).toEqual({ verdict: "ok", text: "There is no data yet" });
  makeFirstStore(path);
  const [bytes, before, files] = [readFileSync(path), everythingIn(path), readdirSync(directory)];
  expect(verify(path)).toBe(Object.values(before.rows).flat().length);
  expect(await examineData(store)).toEqual({
    verdict: "ok",
    text: `A start changes the tables from version 1 to ${migrations.length}; on a copy that worked`,
  });
  await withMigrations(1, failing, async () => {
    const refused = { code: "store-unmigrated", parameters: { document: path, reason: "no such column: gone" } };
    expect(() => verify(path)).toThrow(expect.objectContaining(refused));
    await expect(examineData(store)).rejects.toMatchObject(refused);
  });
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(readdirSync(directory)).toEqual(files);
  openDatabase(path).close();
  expect(await examineData(store)).toEqual({ verdict: "ok", text: "The tables are this version's" });
});

it("a development version's store is told by verify and doctor, backed up, and not restored", async () => {
  const [directory, target] = [await temporaryFolder(), await temporaryFolder()];
  const path = join(directory, DATA_FILE);
  makeStoreOf("8ea39aa8", path);
  const reason = expect.stringMatching(
    /^a development version made it, since its table \w+ has no column \w+$/,
  ) as string;
  const refused = { code: "store-unmigrated", parameters: { document: path, reason } };
  expect(() => verify(path)).toThrow(expect.objectContaining(refused));
  await expect(examineData({ kind: "sqlite", directory })).rejects.toMatchObject(refused);
  const backup = join(target, "backup");
  await backUp(directory, backup);
  expect(everythingIn(backup)).toEqual(everythingIn(path));
  await expect(restore(backup, join(target, "store"))).rejects.toMatchObject({ code: "store-unmigrated" });
  expect(readdirSync(target)).toEqual(["backup"]);
});
