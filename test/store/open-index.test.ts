import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { type Files, nodeFiles } from "../../src/store/files.js";
import type { Collection } from "../../src/store/store.js";
import { until } from "../support/until.js";
import { notes, type Note, write } from "./place.js";
import { temporaryFolder } from "../support/temporary-folder.js";

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
    expect((await first.openIds(tasks)).toSorted()).toEqual(["1", "2"]);
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
    await store.update(tasks, "1", write("done"));
    await store.update(tasks, "5", write("open"));
    expect((await store.openIds(tasks)).toSorted()).toEqual(["2", "5"]);
    await store.close();
    expect((await readdir(join(directory, ".open", "tasks-1"))).toSorted()).toEqual(["2", "5"]);
  });

  it("are looked for again after that failed", async () => {
    let isFull = true;
    const rename: Files["rename"] = (from, to) =>
      isFull ? Promise.reject(new Error("full")) : nodeFiles.rename(from, to);
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files: { ...nodeFiles, rename } });
    await store.update(tasks, "1", write("open"));
    await expect(store.openIds(tasks)).rejects.toMatchObject({ code: "store-write-failed" });
    isFull = false;
    expect(await Promise.all([store.openIds(tasks), store.openIds(tasks)])).toEqual([["1"], ["1"]]);
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
    await first.openIds(tasks);
    await first.close();
    if (collection === tasks) await rm(join(directory, ".open"), { recursive: true });
    await mkdir(join(directory, ".open", `tasks-${collection.open!.rule}.unfinished`), { recursive: true });
    await writeFile(join(directory, "tasks", "3.json"), "{");

    const store = await createEmbeddedStore({ directory });
    // One that cannot be read may be open.
    expect((await store.openIds(collection)).toSorted()).toEqual(["1", "3"]);
    await store.close();
  });

  it("are looked for no further once the store is closed, as another process may do that then", async () => {
    const directory = await temporaryFolder();
    const first = await createEmbeddedStore({ directory });
    for (const id of ["1", "2"]) await first.update(tasks, id, write("open"));
    await first.close();
    let closing: Promise<void> | undefined;
    const read: Files["read"] = (path) => {
      if (path.includes("tasks")) closing ??= store.close();
      return nodeFiles.read(path);
    };
    const store = await createEmbeddedStore({ directory, files: { ...nodeFiles, read } });
    await expect(store.openIds(tasks)).rejects.toMatchObject({ cause: { message: "the store is closed" } });
    await closing;
    expect(await readdir(join(directory, ".open"))).not.toContain("tasks-1");
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
      await opening.openIds(tasks);
      await opening.close();

      let left = Number.POSITIVE_INFINITY;
      /** From some step on nothing happens any more. */
      const dying = <Things extends object>(things: Things) =>
        Object.fromEntries(
          Object.entries(things).map(([name, real]: [string, (...args: never[]) => Promise<unknown>]) => [
            name,
            (...args: never[]) => (left-- > 0 ? real(...args) : Promise.reject(new Error("dead"))),
          ]),
        ) as unknown as Things;
      const create: Files["create"] = async (path) => dying(await nodeFiles.create(path));
      const store = await createEmbeddedStore({ directory, files: dying<Files>({ ...nodeFiles, create }) });
      left = steps;
      isOver = true;
      for (const text of texts) {
        await store.update(tasks, "1", write(text)).catch(() => {
          isOver = false;
        });
      }
      await store.close().catch(() => undefined);
      if (left <= 0) isOver = false;
      await rm(join(directory, "store.lock"), { force: true });
      const after = await createEmbeddedStore({ directory });
      const isOpen = (await after.read(tasks, "1"))?.text.startsWith("open") === true;
      const found = await after.openIds(tasks);
      expect(found).toContain("2");
      expect(found.includes("1"), `after ${steps} steps`).toBe(isOpen);
      await after.close();
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
    const create: Files["create"] = async (path) => {
      const file = await nodeFiles.create(path);
      const append = async (text: string) => {
        if (isHeld) {
          arrive();
          await gate;
        }
        return file.append(text);
      };
      return { ...file, append };
    };
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files: { ...nodeFiles, create } });
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

  it("is read anew when there are too many to keep, and from the journal while it is not in its file", async () => {
    const { read, files } = counting();
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files });
    await store.update(notes, "1", write("one"));
    const others = Array.from({ length: 11 }, (_, index) => `${index + 2}`);
    for (const id of others) await store.update(notes, id, write("x".repeat(1_000_000)));
    read.length = 0;
    // By now the journal is so long that its documents are being written.
    expect(await store.read(notes, "1")).toEqual({ version: 1, text: "one" });
    await until(async () => {
      for (const id of ["2", "1"]) expect((await store.read(notes, id))?.version).toBe(1);
      for (const id of others) await store.read(notes, id);
      return read.some((path) => path.endsWith("/1.json"));
    });
    await store.close();
  });

  it("is known to be none as well", async () => {
    const { read, files } = counting();
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files });
    for (let time = 0; time < 3; time += 1) expect(await store.read(notes, "1")).toBeUndefined();
    expect(read).toHaveLength(1);
    await store.close();
  });
});
