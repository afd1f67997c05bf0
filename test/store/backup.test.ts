import { appendFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readArchive, writeArchive, type StoredText } from "../../src/store/archive.js";
import { compareWith, copyInto } from "../../src/store/copy.js";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { embeddedSnapshot } from "../../src/store/snapshot.js";
import type { Collection, Store } from "../../src/store/store.js";
import { until } from "../support/until.js";
import { temporaryFolder } from "../support/temporary-folder.js";

interface Confirmed {
  readonly numbers: readonly bigint[];
}
const collection = (name: string): Collection<Confirmed> => ({
  name,
  create: () => ({ numbers: [] }),
  parse: (stored) => stored as Confirmed,
});
const [people, ledger] = [collection("people"), collection("ledger")];
const PEOPLE = Array.from({ length: 20 }, (_, index) => String(index));
const inOrder = (names: readonly string[]) => names.toSorted((one) => (one === "ledger" ? 1 : -1));

/** Confirms again and again until it is told to stop; what is no longer new moves to the ledger, which has it first. */
async function confirming(store: Store, id: string, confirmed: Set<string>, stop: AbortSignal): Promise<void> {
  for (let number = 0n; !stop.aborted; number += 1n) {
    const numbers = await store.update(people, id, (now) => {
      const next = { numbers: [...now.numbers, number] };
      return [next, next.numbers];
    });
    confirmed.add(`${id}: ${number}`);
    if (numbers.length < 4) continue;
    await store.update(ledger, id, (now) => [{ numbers: [...now.numbers, ...numbers] }, undefined]);
    await store.update(people, id, () => [{ numbers: [] }, undefined]);
  }
}

async function numbersIn(store: Store): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const id of PEOPLE) {
    for (const part of [people, ledger]) {
      for (const number of (await store.read(part, id))?.numbers ?? []) found.add(`${id}: ${number}`);
    }
  }
  return found;
}

async function* few(): AsyncGenerator<StoredText> {
  yield { collection: "people", id: "1", text: '{"numbers":[{"$bigint":"7"}],"text":"ü\\n\u2028"}' };
  yield { collection: "ledger", id: "1-1", text: "null" };
}

async function collected(documents: AsyncIterable<StoredText>): Promise<readonly StoredText[]> {
  const all: StoredText[] = [];
  for await (const document of documents) all.push(document);
  return all;
}

async function openEmbedded() {
  const directory = await temporaryFolder();
  return {
    store: await createEmbeddedStore({ directory }),
    snapshot: () => embeddedSnapshot(directory, inOrder),
  };
}

describe("a back-up of the store", () => {
  it("taken under load has all that was confirmed before it began, and can be put into another store", async () => {
    const [{ store, snapshot }, target] = await Promise.all([openEmbedded(), openEmbedded()]);
    const path = join(await temporaryFolder(), "backup.jsonl");
    const [confirmed, stopping] = [new Set<string>(), new AbortController()];
    const work = Promise.all(PEOPLE.map((id) => confirming(store, id, confirmed, stopping.signal)));
    await until(() => confirmed.size > 100);
    const before = new Set(confirmed);
    await writeArchive(path, snapshot());
    stopping.abort();
    await work;
    await store.close();

    await copyInto(target.store, readArchive(path));
    expect(await compareWith(target.store, readArchive(path))).toBeGreaterThanOrEqual(PEOPLE.length);
    const found = await numbersIn(target.store);
    expect([...before].filter((one) => !found.has(one))).toEqual([]);
    await target.store.close();
  });
});

describe("a back-up", () => {
  it("gives back each document to the letter", async () => {
    const path = join(await temporaryFolder(), "backup.jsonl");
    expect(await writeArchive(path, few())).toBe(2);
    expect(await collected(readArchive(path))).toEqual(await collected(few()));
  });

  it.each([
    ["cut off", (text: string) => text.slice(0, -20)],
    ["without its last line", (text: string) => text.slice(0, text.trimEnd().lastIndexOf("\n") + 1)],
    ["with another figure", (text: string) => text.replace("7", "8")],
    ["without a document", (text: string) => text.replace(/^.*ledger.*\n/m, "")],
    ["of another kind", () => "[]\n"],
    ["that is empty", () => ""],
    ["with a line that is no document", (text: string) => text.replace('"id"', '"ID"')],
    ["with something behind its end", (text: string) => `${text}{}\n`],
  ])("%s is refused", async (_, damage) => {
    const path = join(await temporaryFolder(), "backup.jsonl");
    await writeArchive(path, few());
    await writeFile(path, damage(await readFile(path, "utf8")));
    await expect(collected(readArchive(path))).rejects.toMatchObject({ code: "archive-damaged" });
  });

  it("put into a store is safe to repeat, and changes nothing that is there and says something else", async () => {
    const { store } = await openEmbedded();
    expect(await copyInto(store, few())).toBe(2);
    expect(await copyInto(store, few())).toBe(0);
    await store.update(people, "1", () => [{ numbers: [8n] }, undefined]);
    await expect(copyInto(store, few())).rejects.toMatchObject({ code: "store-holds-other" });
    await expect(compareWith(store, few())).rejects.toMatchObject({ code: "store-holds-other" });
    expect(await store.read(people, "1")).toEqual({ numbers: [8n] });
    await store.close();
  });

  it("of a folder that is not there, or has no journal, holds what is there", async () => {
    const folder = await temporaryFolder();
    expect(await collected(embeddedSnapshot(join(folder, "none"), inOrder))).toEqual([]);
    await mkdir(join(folder, "people"));
    await writeFile(join(folder, "people", "1.json"), "{}");
    await writeFile(join(folder, "people", "notes of the operator.txt"), "{}");
    // Its file goes in the middle.
    await symlink(join(folder, "gone"), join(folder, "people", "2.json"));
    const found = [{ collection: "people", id: "1", text: "{}" }];
    expect(await collected(embeddedSnapshot(folder, inOrder))).toEqual(found);
  });

  it("has what is only in the journal, and what is in it and in a file once, as the journal has it", async () => {
    const directory = await temporaryFolder();
    const first = await createEmbeddedStore({ directory });
    await first.update(people, "1", () => [{ numbers: [1n] }, undefined]);
    await first.close();
    const store = await createEmbeddedStore({ directory });
    await store.update(people, "1", () => [{ numbers: [2n] }, undefined]);
    await store.update(people, "2", () => [{ numbers: [] }, undefined]);
    await store.remove(ledger, "1");
    const texts = (await collected(embeddedSnapshot(directory, inOrder))).map(({ id, text }) => `${id} ${text}`);
    expect(texts.toSorted()).toEqual(['1 {"numbers":[{"$bigint":"2"}]}', '2 {"numbers":[]}']);
    await store.close();
  });

  it("has what leaves a document meanwhile, even where it is the first of its collection", async () => {
    const directory = await temporaryFolder();
    const first = await createEmbeddedStore({ directory });
    for (const id of ["1", "2"]) await first.update(people, id, () => [{ numbers: [BigInt(id)] }, undefined]);
    await first.close();
    const snapshot = embeddedSnapshot(directory, inOrder)[Symbol.asyncIterator]();
    const { value } = (await snapshot.next()) as { value: StoredText };
    const other = value.id === "1" ? "2" : "1";
    const store = await createEmbeddedStore({ directory });
    await store.update(ledger, `${other}-1`, () => [{ numbers: [BigInt(other)] }, undefined]);
    await store.update(people, other, () => [{ numbers: [] }, undefined]);
    await store.close();
    const rest = await collected({ [Symbol.asyncIterator]: () => snapshot });
    expect(rest).toContainEqual({
      collection: "ledger",
      id: `${other}-1`,
      text: `{"numbers":[{"$bigint":"${other}"}]}`,
    });
  });

  it("fails where the journal cannot be read, and where it goes on for ever while it is read", async () => {
    const directory = await temporaryFolder();
    await mkdir(join(directory, ".journal"));
    await symlink(join(directory, "gone"), join(directory, ".journal", "1.v1"));
    const fault = { code: "store-read-failed", cause: { code: "ENOENT" } };
    await expect(collected(embeddedSnapshot(directory, inOrder))).rejects.toMatchObject(fault);
  });

  it("of an embedded store with a damaged document fails and names it", async () => {
    const directory = await temporaryFolder();
    const store = await createEmbeddedStore({ directory });
    await store.update(people, "1", () => [{ numbers: [8n] }, undefined]);
    await store.close();
    await appendFile(join(directory, "people", "1.json"), "}");
    await expect(collected(embeddedSnapshot(directory, inOrder))).rejects.toMatchObject({
      code: "store-read-failed",
      parameters: { document: "people/1" },
    });
  });
});
