import { withDocuments } from "../support/documents.js";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { backUp, restore, verify } from "../../src/store/copies.js";
import { openStore } from "../../src/store/sqlite.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";
import { startChild } from "./child.js";
import { notes, write } from "./place.js";
import { series } from "./series.js";

it("a backup of a running bot has everything confirmed before it began, and is readable only by its owner", async () => {
  const [directory, target] = [await temporaryFolder(), await temporaryFolder()];
  const file = join(await temporaryFolder(), "backup");
  const child = await startChild("write", directory);
  await until(() => child.lines().filter((line) => line.startsWith("ok")).length > 30);
  const confirmed = child.lines().filter((line) => line.startsWith("ok"));
  await backUp(directory, file);
  expect(verify(file)).toBe(3);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(restore(file, directory)).rejects.toMatchObject({ code: "store-locked" });
  await child.kill();
  await restore(file, target);
  const store = withDocuments(openStore({ directory: target }));
  for (const id of ["a", "b", "c"]) {
    const told = Number(confirmed.findLast((line) => line.startsWith(`ok ${id} `))?.split(" ")[2] ?? 0);
    expect((await store.read(series, id))?.number).toBeGreaterThanOrEqual(told);
  }
  await store.close();
});

async function filled() {
  const directory = await temporaryFolder();
  const store = withDocuments(openStore({ directory }));
  await Promise.all(Array.from({ length: 100 }, (_, id) => store.update(notes, String(id), write("x".repeat(900)))));
  await store.close();
  return directory;
}

it("a backup overwrites no file unless it is told to", async () => {
  const [directory, folder] = [await filled(), await temporaryFolder()];
  const file = join(folder, "backup");
  writeFileSync(file, "older");
  await expect(backUp(directory, file)).rejects.toMatchObject({ code: "file-exists" });
  expect(readFileSync(file, "utf8")).toBe("older");
  expect(readdirSync(folder)).toEqual(["backup"]);
});

it("a backup that is told to replaces an older one once it is complete, and leaves no other file", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "backup");
  writeFileSync(file, "older");
  writeFileSync(`${file}.unfinished`, "left by a kill");
  await backUp(await filled(), file, true);
  expect(verify(file)).toBe(100);
  expect(readdirSync(folder)).toEqual(["backup"]);
});

it("a backup of a damaged store fails, and keeps the older one", async () => {
  const directory = await filled();
  const data = join(directory, "swapdesk.sqlite");
  const bytes = readFileSync(data);
  writeFileSync(data, bytes.fill(0xff, 20_000, 60_000));
  const file = join(await temporaryFolder(), "backup");
  writeFileSync(file, "older");
  await expect(backUp(directory, file, true)).rejects.toMatchObject({ code: "store-damaged" });
  expect(readFileSync(file, "utf8")).toBe("older");
});

it("a restore never overwrites a store, and refuses a file that is not a whole backup", async () => {
  const directory = await filled();
  const file = join(await temporaryFolder(), "backup");
  await backUp(directory, file);
  await expect(restore(file, directory)).rejects.toMatchObject({ code: "store-not-empty" });
  const target = await temporaryFolder();
  const bytes = readFileSync(file);
  for (const [damaged, code] of [
    [Buffer.from("something else"), "store-damaged"],
    [Buffer.alloc(0), "store-damaged"],
    [bytes.subarray(0, bytes.length / 2), "store-damaged"],
    [Buffer.from(bytes).fill(0xff, 20_000, 60_000), "store-damaged"],
  ] as const) {
    writeFileSync(file, damaged);
    await expect(restore(file, target)).rejects.toMatchObject({ code });
    expect(() => verify(file)).toThrow(expect.objectContaining({ code }));
  }
  await expect(restore(join(target, "missing"), target)).rejects.toMatchObject({ code: "store-read-failed" });
  await expect(backUp(join(target, "missing"), file, true)).rejects.toMatchObject({ code: "store-read-failed" });
  expect(existsSync(join(target, "swapdesk.sqlite"))).toBe(false);
});
