import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { nodeFiles } from "../../src/store/files.js";
import { until } from "../support/until.js";
import { createVirtualClock } from "../support/virtual-clock.js";
import { describeStore } from "./contract.js";
import { notes, write } from "./place.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describeStore("the embedded store", async () => {
  const folder = await mkdtemp(join(tmpdir(), "swapdesk-store-"));
  return {
    open: () => createEmbeddedStore({ directory: join(folder, "deep", "store") }),
    dispose: () => rm(folder, { recursive: true }),
  };
});

const ended = async (task: Promise<unknown>) =>
  task.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("the embedded store's files", () => {
  it("are compact JSON, one for each document, which only their owner can read", async () => {
    const directory = await temporaryFolder();
    const store = await createEmbeddedStore({ directory });
    await store.update(notes, "1001", write("hello"));
    await store.close();
    const path = join(directory, "notes", "1001.json");
    expect(await readFile(path, "utf8")).toBe('{"version":1,"text":"hello"}');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    for (const folder of [".temporary", ".journal"]) expect(await readdir(join(directory, folder))).toEqual([]);
    expect((await readdir(directory)).toSorted()).toEqual([".journal", ".temporary", "notes"]);
  });

  it("are written once for many changes, and not when nothing changes", async () => {
    const writeNew = vi.fn(nodeFiles.writeNew);
    const documents = () => writeNew.mock.calls.filter(([, text]) => text.includes('"text"'));
    const directory = await temporaryFolder();
    const store = await createEmbeddedStore({ directory, files: { ...nodeFiles, writeNew } });
    for (const text of ["one", "two", "three"]) await store.update(notes, "1", write(text));
    await store.update(notes, "1", (note) => [note, undefined]);
    await store.close();
    const again = await createEmbeddedStore({ directory, files: { ...nodeFiles, writeNew } });
    await again.update(notes, "1", (note) => [note, undefined]);
    await again.close();
    expect(documents().map(([, text]) => text)).toEqual(['{"version":1,"text":"three"}']);
  });

  it("are read once, except those that are seldom read", async () => {
    const read = vi.fn(nodeFiles.read);
    const seldom = { ...notes, name: "seldom", isSeldomRead: true } as const;
    const directory = await temporaryFolder();
    const first = await createEmbeddedStore({ directory });
    for (const collection of [notes, seldom]) await first.update(collection, "1", write("hello"));
    await first.close();
    const store = await createEmbeddedStore({ directory, files: { ...nodeFiles, read } });
    for (const collection of [notes, seldom, notes, seldom]) await store.read(collection, "1");
    await store.close();
    const reads = (name: string) => read.mock.calls.filter(([path]) => path === join(directory, name, "1.json")).length;
    expect([reads("notes"), reads("seldom")]).toEqual([1, 2]);
  });

  it("are written five seconds after the first change, whoever goes on changing them", async () => {
    const clock = createVirtualClock();
    const directory = await temporaryFolder();
    const store = await createEmbeddedStore({ directory, clock });
    for (const text of ["one", "two"]) await store.update(notes, "1", write(text));
    expect(await readdir(directory)).not.toContain("notes");
    await clock.advance(5_000);
    const path = join(directory, "notes", "1.json");
    await until(() => existsSync(path) && readFileSync(path, "utf8").includes("two"));
    await store.close();
  });

  it("left unfinished by a killed process are swept away; others in the folders are no documents", async () => {
    const directory = await temporaryFolder();
    const first = await createEmbeddedStore({ directory });
    await first.update(notes, "1", write("hello"));
    await first.close();
    await writeFile(join(directory, ".temporary", "unfinished"), '{"versi');
    await writeFile(join(directory, "notes", "README.txt"), "");
    await writeFile(join(directory, "notes", "2.json.unreadable-2026"), "");
    const store = await createEmbeddedStore({ directory });
    expect(await readdir(join(directory, ".temporary"))).toEqual([]);
    expect(await store.ids(notes)).toEqual(["1"]);
    await store.close();
  });

  it.each([
    ["truncated", '{"version":1,"te'],
    ["empty", ""],
    ["of no known version", '{"version":0}'],
    ["not text", Uint8Array.from([0x22, 0xff, 0x22])],
  ])("when %s are refused and stay where they are", async (_what, content) => {
    const directory = await temporaryFolder();
    const store = await createEmbeddedStore({ directory });
    // What was read once is not read again, so it has to be there before.
    await mkdir(join(directory, "notes"));
    await writeFile(join(directory, "notes", "1.json"), content);
    const expected = { code: "store-unreadable", parameters: { document: "notes/1" } };
    expect(await ended(store.read(notes, "1"))).toMatchObject(expected);
    expect(await ended(store.update(notes, "1", write("mine")))).toMatchObject(expected);
    expect(await readFile(join(directory, "notes", "1.json"))).toEqual(Buffer.from(content as string));
    await store.remove(notes, "1");
    expect(await store.update(notes, "1", write("anew"))).toBe("");
    await store.close();
  });

  it("of a later version of the program are refused by name, and stay where they are", async () => {
    const directory = await temporaryFolder();
    await mkdir(join(directory, "notes"));
    await writeFile(join(directory, "notes", "1.json"), '{"version":2}');
    const store = await createEmbeddedStore({ directory });
    const expected = { code: "store-newer", parameters: { document: "notes/1" } };
    expect(await ended(store.read(notes, "1"))).toMatchObject(expected);
    expect(await ended(store.update(notes, "1", write("mine")))).toMatchObject(expected);
    expect(await readdir(join(directory, "notes"))).toEqual(["1.json"]);
    expect(await readFile(join(directory, "notes", "1.json"), "utf8")).toBe('{"version":2}');
    await store.close();
  });

  it("are read after a change of the same document that was asked before", async () => {
    const store = await createEmbeddedStore({ directory: await temporaryFolder() });
    void store.update(notes, "1", write("hello"));
    expect(await store.read(notes, "1")).toEqual({ version: 1, text: "hello" });
    await store.close();
  });
});
