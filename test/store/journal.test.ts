import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { nodeFiles } from "../../src/store/files.js";
import { createJournal, readJournal } from "../../src/store/journal.js";
import { toJson } from "../../src/store/json.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const assertOwned = () => Promise.resolve();
const changeOf = (id: number) => ({
  name: `notes/${id}`,
  text: toJson({ text: "ü€😀\n".repeat(id), units: BigInt(id) }),
});

async function journalIn(folder: string) {
  const changes = await readJournal(nodeFiles, folder);
  return createJournal({ files: nodeFiles, folder, changes, assertOwned });
}

/** A folder whose one file holds a line for each of three changes. */
async function threeLines() {
  const folder = await temporaryFolder();
  const journal = await journalIn(folder);
  for (const id of [1, 2, 3]) await journal.append(changeOf(id));
  const path = join(folder, "1.v1");
  return { folder, path, bytes: await readFile(path) };
}

describe("the journal", () => {
  it("gives back what was appended, also through several openings", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "notes.txt"), "no part of it");
    for (const id of [1, 2, 3]) {
      const journal = await journalIn(folder);
      await Promise.all([journal.append(changeOf(id)), journal.append({ name: `gone/${id}` })]);
      expect(await readdir(folder)).toEqual([`${id}.v1`, "notes.txt"]);
    }
    const three = [1, 2, 3].flatMap((id) => [changeOf(id), { name: `gone/${id}` }]);
    expect(await readJournal(nodeFiles, folder)).toEqual(three);
  });

  it("syncs once what is asked for at once", async () => {
    const folder = await temporaryFolder();
    let syncs = 0;
    const create = async (path: string) => {
      const file = await nodeFiles.create(path);
      return { ...file, append: (text: string) => file.append(text).finally(() => (syncs += 1)) };
    };
    const journal = await createJournal({ files: { ...nodeFiles, create }, folder, changes: [], assertOwned });
    await Promise.all(Array.from({ length: 500 }, (_, id) => journal.append(changeOf(id % 5))));
    expect(syncs).toBe(1);
    expect(await readJournal(nodeFiles, folder)).toHaveLength(500);
  });

  it("leaves out the line that was being written, wherever it broke off", async () => {
    const { folder, path, bytes } = await threeLines();
    const third = bytes.subarray(0, -1).lastIndexOf("\n") + 1;
    for (let end = third; end < bytes.length; end += 1) {
      await writeFile(path, bytes.subarray(0, end));
      expect(await readJournal(nodeFiles, folder)).toEqual([changeOf(1), changeOf(2)]);
    }
    // What the disk had room for and did not write yet may read as zeros.
    await writeFile(path, Buffer.concat([bytes.subarray(0, third + 20), Buffer.alloc(300)]));
    expect(await readJournal(nodeFiles, folder)).toEqual([changeOf(1), changeOf(2)]);
  });

  it("that is damaged further up is refused by name and stays as it is; nobody opens the store meanwhile", async () => {
    const { path, bytes } = await threeLines();
    const damaged = Buffer.from(bytes);
    damaged[40] = damaged[40]! ^ 1;
    const directory = await temporaryFolder();
    await (await createEmbeddedStore({ directory })).close();
    const place = join(directory, ".journal", "1.v1");
    await writeFile(place, damaged);
    await expect(createEmbeddedStore({ directory })).rejects.toMatchObject({
      code: "store-read-failed",
      parameters: { document: ".journal/1.v1" },
    });
    expect(await readFile(place)).toEqual(damaged);
    // It let go of the lock.
    await writeFile(place, await readFile(path));
    await (await createEmbeddedStore({ directory })).close();
  });

  it("of a later version of the program is refused by name", async () => {
    const { folder } = await threeLines();
    await writeFile(join(folder, "2.v2"), "");
    await expect(readJournal(nodeFiles, folder)).rejects.toMatchObject({
      code: "store-newer",
      parameters: { document: ".journal/2.v2" },
    });
  });
});
