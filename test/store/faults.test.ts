import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/fault.js";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { type Files, nodeFiles } from "../../src/store/files.js";
import { notes, temporaryFolder, write } from "./place.js";

const systemError = (code: string) => Object.assign(new Error(`${code}: played`), { code });

/** The machine's files, of which some do what a test wants, from the moment that it says so. */
function brokenFiles(broken: Partial<Files>) {
  let on = false;
  const files = Object.fromEntries(
    Object.entries(nodeFiles).map(([name, real]: [string, (...args: never[]) => unknown]) => [
      name,
      (...args: never[]) => ((on && (broken as Record<string, typeof real>)[name]) || real)(...args),
    ]),
  ) as unknown as Files;
  return { files, breakNow: () => (on = true), repair: () => (on = false) };
}

/** A store with one document "before", which it knows, on files that break from then on. */
async function storeThatBreaks(broken: Partial<Files>) {
  const directory = await temporaryFolder();
  const { files, breakNow, repair } = brokenFiles(broken);
  const store = await createEmbeddedStore({ directory, files });
  await store.update(notes, "1", write("before"));
  breakNow();
  return { directory, store, repair };
}

/** The same, opened anew: it knows no document yet. */
async function freshStoreThatBreaks(broken: Partial<Files>) {
  const { directory, store: first } = await storeThatBreaks({});
  await first.close();
  const { files, breakNow, repair } = brokenFiles(broken);
  const store = await createEmbeddedStore({ directory, files });
  breakNow();
  return { directory, store, repair };
}

const fault = async (task: Promise<unknown>) =>
  task.then(
    () => expect.unreachable("nothing was thrown"),
    (error: unknown) => error as Fault,
  );

/** Writes half, then finds the disk full. */
const fullDisk: Partial<Files> = {
  writeNew: async (path, text) => {
    await writeFile(path, text.slice(0, text.length / 2), { flag: "wx" });
    throw systemError("ENOSPC");
  },
};

describe("a write that fails", () => {
  const failures: [string, string, Partial<Files>][] = [
    ["the disk is full", "ENOSPC", fullDisk],
    ["the file can't be made", "EACCES", { writeNew: () => Promise.reject(systemError("EACCES")) }],
    ["the file can't be put in place", "EIO", { rename: () => Promise.reject(systemError("EIO")) }],
  ];

  it.each(failures)("because %s leaves everything as it was", async (_why, code, broken) => {
    const { directory, store, repair } = await storeThatBreaks(broken);
    for (const [id, name] of [
      ["1", "notes/1"],
      ["2", "notes/2"],
    ] as const) {
      const error = await fault(store.update(notes, id, write("after")));
      expect(error).toMatchObject({ code: "store-write-failed", parameters: { document: name }, cause: { code } });
    }
    expect(await store.read(notes, "1")).toEqual({ version: 1, text: "before" });
    expect(await store.read(notes, "2")).toBeUndefined();
    expect(await readFile(join(directory, "notes", "1.json"), "utf8")).toBe('{"version":1,"text":"before"}');
    expect(await readdir(join(directory, "notes"))).toEqual(["1.json"]);
    expect(await readdir(join(directory, ".temporary"))).toEqual([]);

    repair();
    expect(await store.update(notes, "1", write("after"))).toBe("before");
    await store.close();
  });

  it("does not stand in the way of changes that wait behind it", async () => {
    let failures = 1;
    const { store } = await storeThatBreaks({
      writeNew: (path, text) =>
        failures-- > 0 ? Promise.reject(systemError("ENOSPC")) : nodeFiles.writeNew(path, text),
    });
    const [first, second] = await Promise.allSettled(
      ["first", "second"].map((text) => store.update(notes, "1", write(text))),
    );
    expect(first).toMatchObject({ status: "rejected", reason: { code: "store-write-failed" } });
    expect(second).toMatchObject({ status: "fulfilled", value: "before" });
    await store.close();
  });

  it("after the new document was in place puts the old one back", async () => {
    const { directory, store } = await storeThatBreaks({ syncFolder: () => Promise.reject(systemError("EIO")) });
    for (const id of ["1", "2"]) {
      expect(await fault(store.update(notes, id, write("after")))).toMatchObject({
        code: "store-write-failed",
        cause: { code: "EIO" },
      });
    }
    expect(await store.read(notes, "1")).toEqual({ version: 1, text: "before" });
    expect(await store.read(notes, "2")).toBeUndefined();
    expect(await readdir(join(directory, ".temporary"))).toEqual([]);
    await store.close();
  });

  it("and can't be undone tells both reasons", async () => {
    const { store } = await storeThatBreaks({
      syncFolder: () => Promise.reject(systemError("EIO")),
      remove: () => Promise.reject(systemError("EROFS")),
    });
    expect(await fault(store.update(notes, "2", write("after")))).toMatchObject({
      code: "store-write-failed",
      cause: { errors: [{ code: "EIO" }, { code: "EROFS" }] },
    });
  });

  it("and leaves a file that can't be removed tells the first reason", async () => {
    const { store } = await storeThatBreaks({ ...fullDisk, remove: () => Promise.reject(systemError("EROFS")) });
    expect(await fault(store.update(notes, "1", write("after")))).toMatchObject({ cause: { code: "ENOSPC" } });
  });

  it("for want of its collection's folder is made good at the next one", async () => {
    const { files, breakNow, repair } = brokenFiles({ makeFolder: () => Promise.reject(systemError("ENOSPC")) });
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files });
    breakNow();
    expect(await fault(store.update(notes, "1", write("after")))).toMatchObject({
      code: "store-write-failed",
      parameters: { document: "notes/1" },
      cause: { code: "ENOSPC" },
    });
    repair();
    expect(await store.update(notes, "1", write("after"))).toBe("");
    await store.close();
  });
});

describe("a removal that fails", () => {
  it("is told, and can be made again", async () => {
    const { store, repair } = await storeThatBreaks({ remove: () => Promise.reject(systemError("EROFS")) });
    expect(await fault(store.remove(notes, "1"))).toMatchObject({
      code: "store-write-failed",
      parameters: { document: "notes/1" },
      cause: { code: "EROFS" },
    });
    repair();
    await store.remove(notes, "1");
    expect(await store.read(notes, "1")).toBeUndefined();
    await store.close();
  });
});

describe("a reading that fails", () => {
  it("sets nothing aside, changes nothing, and can be made again", async () => {
    const { directory, store, repair } = await freshStoreThatBreaks({ read: () => Promise.reject(systemError("EIO")) });
    const expected = { code: "store-read-failed", parameters: { document: "notes/1" }, cause: { code: "EIO" } };
    expect(await fault(store.read(notes, "1"))).toMatchObject(expected);
    expect(await fault(store.update(notes, "1", write("after")))).toMatchObject(expected);
    expect(await readdir(join(directory, "notes"))).toEqual(["1.json"]);
    repair();
    expect(await store.read(notes, "1")).toEqual({ version: 1, text: "before" });
    await store.close();
  });

  it("of a folder is told", async () => {
    const { store } = await storeThatBreaks({ list: () => Promise.reject(systemError("EACCES")) });
    expect(await fault(store.ids(notes))).toMatchObject({
      code: "store-read-failed",
      parameters: { document: "notes" },
      cause: { code: "EACCES" },
    });
  });

  it("finds a file where a collection's folder should be", async () => {
    const directory = await temporaryFolder();
    await writeFile(join(directory, "notes"), "");
    const store = await createEmbeddedStore({ directory });
    expect(await fault(store.read(notes, "1"))).toMatchObject({ code: "store-read-failed" });
    expect(await fault(store.ids(notes))).toMatchObject({ code: "store-read-failed" });
    await store.close();
  });

  it("leaves a document that can neither be read nor set aside where it is", async () => {
    const { directory, store } = await freshStoreThatBreaks({ link: () => Promise.reject(systemError("EROFS")) });
    const path = join(directory, "notes", "1.json");
    await writeFile(path, "{");
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const error = await fault(store.update(notes, "1", write("after")));
      expect(error).toMatchObject({ code: "store-read-failed", parameters: { document: "notes/1" } });
      expect(error.cause).toMatchObject({ errors: [{ name: "SyntaxError" }, { code: "EROFS" }] });
    }
    expect(await readFile(path, "utf8")).toBe("{");
    await store.close();
  });
});

describe("an opening that fails", () => {
  it("because there is a file where the directory should be is told", async () => {
    const directory = join(await temporaryFolder(), "store");
    await writeFile(directory, "");
    expect(await fault(createEmbeddedStore({ directory }))).toMatchObject({
      code: "store-write-failed",
      parameters: { document: directory },
      cause: { code: "ENOTDIR" },
    });
  });

  it("because the leftovers can't be listed lets go of the lock", async () => {
    const directory = await temporaryFolder();
    const { files, breakNow } = brokenFiles({ list: () => Promise.reject(systemError("EIO")) });
    breakNow();
    expect(await fault(createEmbeddedStore({ directory, files }))).toMatchObject({
      code: "store-write-failed",
      cause: { code: "EIO" },
    });
    expect(await readdir(directory)).toEqual([".temporary"]);
  });
});

describe("a power failure", () => {
  it("loses nothing that was acknowledged: content first, then its name, then the folder, are on disk", async () => {
    const steps: string[] = [];
    const files: Files = {
      ...nodeFiles,
      writeNew: (path, text) => nodeFiles.writeNew(path, text).then(() => void steps.push("content")),
      rename: (from, to) => nodeFiles.rename(from, to).then(() => void steps.push(`name ${basename(to)}`)),
      remove: (path) => nodeFiles.remove(path).then(() => void steps.push(`no name ${basename(path)}`)),
      syncFolder: (folder) => nodeFiles.syncFolder(folder).then(() => void steps.push(`folder ${basename(folder)}`)),
    };
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files });
    steps.length = 0;
    await store.update(notes, "1", write("hello"));
    steps.push("acknowledged");
    await store.remove(notes, "1");
    steps.push("acknowledged");
    expect(steps).toEqual([
      "content",
      "name 1.json",
      "folder notes",
      "acknowledged",
      "no name 1.json",
      "folder notes",
      "acknowledged",
    ]);
    await store.close();
  });
});

describe("many changes at once", () => {
  it("keep few files open", async () => {
    let open = 0;
    let most = 0;
    const counted =
      <Args extends unknown[], Result>(real: (...args: Args) => Promise<Result>) =>
      async (...args: Args) => {
        open += 1;
        most = Math.max(most, open);
        return real(...args).finally(() => (open -= 1));
      };
    const files: Files = {
      ...nodeFiles,
      read: counted(nodeFiles.read),
      writeNew: counted(nodeFiles.writeNew),
      syncFolder: counted(nodeFiles.syncFolder),
    };
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files });
    await Promise.all(Array.from({ length: 300 }, (_, id) => store.update(notes, `${id}`, write("x"))));
    expect(most).toBeGreaterThan(1);
    // One more for the lock, which is looked at meanwhile.
    expect(most).toBeLessThanOrEqual(17);
    await store.close();
  });
});
