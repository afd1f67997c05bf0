import { appendFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Fault } from "../../src/fault.js";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { type Files, type GrowingFile, nodeFiles } from "../../src/store/files.js";
import { until } from "../support/until.js";
import { createVirtualClock } from "../support/virtual-clock.js";
import { notes, write } from "./place.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const systemError = (code: string) => Object.assign(new Error(`${code}: played`), { code });

/** The machine's files, and those that grow, of which some do what a test wants, from the moment that it says so. */
function brokenFiles(broken: Partial<Files & GrowingFile>) {
  let on = false;
  const breakable = <Things extends object>(things: Things) =>
    Object.fromEntries(
      Object.entries(things).map(([name, real]: [string, (...args: never[]) => unknown]) => [
        name,
        (...args: never[]) => ((on && (broken as Record<string, typeof real>)[name]) || real)(...args),
      ]),
    ) as unknown as Things;
  const create: Files["create"] = async (path) => breakable(await nodeFiles.create(path));
  const files = breakable<Files>({ ...nodeFiles, create });
  return { files, breakNow: () => (on = true), repair: () => (on = false) };
}

/** A store with one document "before", which it knows, on files that break from then on. */
async function storeThatBreaks(broken: Partial<Files & GrowingFile>) {
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

const failingFor = (part: string, real: (path: string) => Promise<void>) => (path: string) =>
  path.includes(part) && !path.endsWith(".lock") ? Promise.reject(systemError("EROFS")) : real(path);
const failing = (code: string) => () => Promise.reject(systemError(code));

/** What another process would find, were this one killed now. */
async function afterKill(directory: string) {
  await rm(join(directory, "store.lock"));
  const store = await createEmbeddedStore({ directory });
  const found = { 1: await store.read(notes, "1"), 2: await store.read(notes, "2") };
  await store.close();
  return found;
}

it("a lock that cannot be looked at is not known to be held, until it can be", async () => {
  const read: Files["read"] = (path) =>
    path.endsWith("store.lock") ? Promise.reject(systemError("EIO")) : nodeFiles.read(path);
  const { store, repair } = await storeThatBreaks({ read });
  expect(await fault(store.assertOwned())).toMatchObject({ code: "store-lost", cause: { code: "EIO" } });
  repair();
  await store.assertOwned();
  await store.close();
});

describe("a change that fails", () => {
  it.each(["ENOSPC", "EIO"])("with %s leaves everything as it was, also for who comes after a kill", async (code) => {
    const { files, breakNow, repair } = brokenFiles({ append: failing(code) });
    const create: Files["create"] = async (path) => {
      const file = await files.create(path);
      // Half of it is there when the disk complains.
      return { ...file, append: (text) => file.append(text).catch((error: unknown) => halfWritten(path, text, error)) };
    };
    const halfWritten = async (path: string, text: string, error: unknown) => {
      await appendFile(path, text.slice(0, -5));
      throw error;
    };
    const directory = await temporaryFolder();
    const store = await createEmbeddedStore({ directory, files: { ...files, create } });
    await store.update(notes, "1", write("before"));
    breakNow();
    for (const id of ["1", "2"]) {
      expect(await fault(store.update(notes, id, write("after")))).toMatchObject({
        code: "store-write-failed",
        parameters: { document: `notes/${id}` },
        cause: { code },
      });
    }
    expect(await fault(store.remove(notes, "1"))).toMatchObject({ code: "store-write-failed" });
    const before = { version: 1, text: "before" };
    expect(await store.read(notes, "1")).toEqual(before);
    expect(await store.read(notes, "2")).toBeUndefined();
    repair();
    expect(await store.update(notes, "2", write("after"))).toBe("");
    expect(await afterKill(directory)).toEqual({ 1: before, 2: { version: 1, text: "after" } });
    await store.close();
  });

  it("and can't be taken back tells both reasons, and nothing is appended behind it", async () => {
    const { directory, store, repair } = await storeThatBreaks({ append: failing("EIO"), cutTo: failing("EROFS") });
    expect(await fault(store.update(notes, "1", write("after")))).toMatchObject({
      code: "store-write-failed",
      cause: { errors: [{ code: "EIO" }, { code: "EROFS" }] },
    });
    expect(await fault(store.update(notes, "1", write("after")))).toMatchObject({ cause: { code: "EROFS" } });
    repair();
    await store.update(notes, "2", write("at last"));
    expect(await afterKill(directory)).toMatchObject({ 1: { text: "before" }, 2: { text: "at last" } });
    await store.close();
  });

  it("does not stand in the way of changes that wait behind it", async () => {
    let failures = 1;
    const { store } = await storeThatBreaks({
      append: () => (failures-- > 0 ? Promise.reject(systemError("ENOSPC")) : Promise.resolve()),
    });
    const [first, second] = await Promise.allSettled(
      ["first", "second"].map((text) => store.update(notes, "1", write(text))),
    );
    expect(first).toMatchObject({ status: "rejected", reason: { code: "store-write-failed" } });
    expect(second).toMatchObject({ status: "fulfilled", value: "before" });
    await store.close();
  });
});

describe("documents that can't be written", () => {
  const failures: [string, Partial<Files>][] = [
    ["the disk is full", { writeNew: failing("ENOSPC") }],
    ["a draft can't be put in place", { rename: failing("EIO") }],
    ["a draft can't even be removed", { rename: failing("EIO"), remove: failingFor(".temporary", nodeFiles.remove) }],
    ["the folder can't be made", { makeFolder: failing("ENOSPC") }],
    ["the folder can't be synced", { syncFolder: failing("EIO") }],
  ];

  it.each(failures)("because %s are safe in the journal, and the operator hears of it", async (_why, broken) => {
    const directory = await temporaryFolder();
    const { files, breakNow } = brokenFiles(broken);
    const error = vi.fn();
    const store = await createEmbeddedStore({ directory, files, log: { error } });
    await store.update(notes, "2", write("gone"));
    breakNow();
    await store.update(notes, "1", write("after"));
    await store.remove(notes, "2");
    expect(await store.read(notes, "1")).toEqual({ version: 1, text: "after" });
    await store.close();
    expect(error).toHaveBeenCalledOnce();
    const again = await createEmbeddedStore({ directory });
    expect(await again.read(notes, "1")).toEqual({ version: 1, text: "after" });
    expect(await again.read(notes, "2")).toBeUndefined();
    expect(await again.ids(notes)).toEqual(["1"]);
    await again.close();
  });
});

describe("documents that could not be written", () => {
  it("are written at the next attempt, and the journal is short again", async () => {
    const clock = createVirtualClock();
    const directory = await temporaryFolder();
    const { files, breakNow, repair } = brokenFiles({ rename: failing("EIO") });
    const error = vi.fn();
    const store = await createEmbeddedStore({ directory, files, clock, log: { error } });
    breakNow();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await store.update(notes, `${attempt}`, write("kept"));
      await clock.advance(5_000);
      await until(() => error.mock.calls.length === attempt);
      // However often it is tried.
      expect(await readdir(join(directory, ".journal"))).toHaveLength(2);
    }
    repair();
    await clock.advance(5_000);
    await until(async () => (await readdir(join(directory, ".journal"))).length === 1);
    expect((await readdir(join(directory, "notes"))).toSorted()).toEqual(["1.json", "2.json", "3.json"]);
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
  it("loses nothing that was acknowledged: first the journal, then the documents, are on disk before either goes", async () => {
    const steps: string[] = [];
    const create: Files["create"] = async (path) => {
      const file = await nodeFiles.create(path);
      steps.push(`journal ${basename(path)}`);
      return { ...file, append: (text) => file.append(text).then(() => void steps.push("appended")) };
    };
    const files: Files = {
      ...nodeFiles,
      create,
      writeNew: (path, text) => nodeFiles.writeNew(path, text).then(() => void steps.push("content")),
      rename: (from, to) => nodeFiles.rename(from, to).then(() => void steps.push(`name ${basename(to)}`)),
      remove: (path) => nodeFiles.remove(path).then(() => void steps.push(`no name ${basename(path)}`)),
      syncFolder: (folder) => nodeFiles.syncFolder(folder).then(() => void steps.push(`folder ${basename(folder)}`)),
    };
    const store = await createEmbeddedStore({ directory: await temporaryFolder(), files });
    expect(steps).toContain("journal 1.v1");
    steps.length = 0;
    await store.update(notes, "1", write("hello"));
    steps.push("acknowledged");
    await store.close();
    expect(steps.slice(0, -1)).toEqual([
      "appended",
      "acknowledged",
      "journal 2.v1",
      "folder .journal",
      "content",
      "name 1.json",
      "folder notes",
      "no name 1.v1",
      "folder .journal",
      "no name 2.v1",
      "folder .journal",
    ]);
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
    await store.close();
    expect(most).toBeGreaterThan(1);
    // One more for the lock, which is looked at meanwhile.
    expect(most).toBeLessThanOrEqual(17);
  });
});
