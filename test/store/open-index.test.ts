import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { type Files, nodeFiles } from "../../src/store/files.js";
import type { Collection } from "../../src/store/store.js";
import { notes, type Note, temporaryFolder, write } from "./place.js";

/** Open is a note that says so. */
const tasks: Collection<Note> = {
  ...notes,
  name: "tasks",
  open: { isOpen: ({ text }) => text.startsWith("open"), rule: 1 },
};

describe("open documents", () => {
  it("are found without a look at any document", async () => {
    const directory = await temporaryFolder();
    const first = await createEmbeddedStore({ directory });
    for (const [id, text] of Object.entries({ 1: "open", 2: "done", 3: "open", 4: "open" })) {
      await first.update(tasks, id, write(text));
    }
    await first.update(tasks, "3", write("done"));
    await first.remove(tasks, "4");
    await first.update(tasks, "2", write("open at last"));
    await first.close();

    const read: string[] = [];
    const files: Files = {
      ...nodeFiles,
      read: (path) => {
        if (path.includes("tasks")) read.push(path);
        return nodeFiles.read(path);
      },
    };
    const store = await createEmbeddedStore({ directory, files });
    expect((await store.openIds(tasks)).toSorted()).toEqual(["1", "2"]);
    expect(read).toEqual([]);
    await store.close();
  });

  it.each([
    ["the index is lost", tasks],
    ["another rule says what is open", { ...tasks, open: { isOpen: ({ text }: Note) => text !== "", rule: 2 } }],
  ])("are looked for in all documents when %s", async (_why, collection) => {
    const directory = await temporaryFolder();
    const first = await createEmbeddedStore({ directory });
    await first.update(tasks, "1", write("open"));
    await first.update(tasks, "2", write(""));
    await first.close();
    if (collection === tasks) await rm(join(directory, ".open"), { recursive: true });
    await mkdir(join(directory, ".open", `tasks-${collection.open!.rule}.unfinished`), { recursive: true });
    await writeFile(join(directory, "tasks", "3.json"), "{");

    const store = await createEmbeddedStore({ directory });
    // One that cannot be read may be open.
    expect((await store.openIds(collection)).toSorted()).toEqual(["1", "3"]);
    await store.close();
  });

  it("are none in a collection that knows none", async () => {
    const store = await createEmbeddedStore({ directory: await temporaryFolder() });
    await store.update(notes, "1", write("open"));
    expect(await store.openIds(notes)).toEqual([]);
    await store.close();
  });

  it("are never missing, wherever the process dies", async () => {
    const texts = ["open", "open still", "done", "open again", "done"];
    let isOver = false;
    for (let steps = 0; !isOver; steps += 1) {
      const directory = await temporaryFolder();
      const opening = await createEmbeddedStore({ directory });
      await opening.update(tasks, "2", write("open"));
      await opening.close();

      let left = Number.POSITIVE_INFINITY;
      /** From some step on nothing happens any more. */
      const dying = Object.fromEntries(
        Object.entries(nodeFiles).map(([name, real]: [string, (...args: never[]) => Promise<unknown>]) => [
          name,
          (...args: never[]) => (left-- > 0 ? real(...args) : Promise.reject(new Error("dead"))),
        ]),
      ) as unknown as Files;
      const store = await createEmbeddedStore({ directory, files: dying });
      await store.read(tasks, "1");
      left = steps;
      isOver = true;
      for (const text of texts) {
        await store.update(tasks, "1", write(text)).catch(() => {
          isOver = false;
        });
      }
      await rm(join(directory, "store.lock"), { force: true });
      const after = await createEmbeddedStore({ directory });
      const isOpen = (await after.read(tasks, "1"))?.text.startsWith("open") === true;
      const found = await after.openIds(tasks);
      expect(found).toContain("2");
      if (isOpen) expect(found, `after ${steps} steps`).toContain("1");
      // The last step of all, taking a mark away, may fail without harm.
      if (left > 0) expect(found).toEqual(["2"]);
      await after.close();
      left = Number.POSITIVE_INFINITY;
      await store.close();
    }
  });
});

describe("a document that is known", () => {
  const counting = () => {
    const read: string[] = [];
    const files: Files = {
      ...nodeFiles,
      read: (path) => {
        if (path.endsWith(".json")) read.push(path);
        return nodeFiles.read(path);
      },
    };
    return { read, files };
  };

  it("is not read from its file again", async () => {
    const { read, files } = counting();
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files });
    await store.update(notes, "1", write("one"));
    expect(read).toHaveLength(1);
    for (const text of ["two", "three"]) await store.update(notes, "1", write(text));
    expect(await store.read(notes, "1")).toEqual({ version: 1, text: "three" });
    expect(read).toHaveLength(1);
    await store.close();
  });

  it("is not seen changed before the change is on disk", async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    let isHeld = false;
    const rename: Files["rename"] = async (from, to) => {
      if (isHeld) {
        arrive();
        await gate;
      }
      return nodeFiles.rename(from, to);
    };
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files: { ...nodeFiles, rename } });
    await store.update(notes, "1", write("one"));
    isHeld = true;
    const change = store.update(notes, "1", write("two"));
    await arrived;
    let seen: Note | undefined;
    const reading = store.read(notes, "1").then((note) => (seen = note));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toBeUndefined();
    letGo();
    await change;
    expect(await reading).toEqual({ version: 1, text: "two" });
    await store.close();
  });

  it("is read anew after a change that failed, and when there are too many to keep", async () => {
    const { read, files } = counting();
    let isFull = false;
    const writeNew: Files["writeNew"] = (path, text) =>
      isFull ? Promise.reject(new Error("full")) : nodeFiles.writeNew(path, text);
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files: { ...files, writeNew } });
    await store.update(notes, "1", write("one"));
    isFull = true;
    await expect(store.update(notes, "1", write("two"))).rejects.toMatchObject({ code: "store-write-failed" });
    expect(await store.read(notes, "1")).toEqual({ version: 1, text: "one" });
    expect(read).toHaveLength(2);
    isFull = false;
    for (let id = 2; id < 13; id += 1) await store.update(notes, `${id}`, write("x".repeat(1_000_000)));
    read.length = 0;
    await store.read(notes, "1");
    expect(read).toHaveLength(1);
    await store.close();
  });
});
