// What one change of one person costs, with few and with many people stored: the embedded store (synced to disk) beside
// one lowdb file that holds everybody (lowdb's own JSONFile, not synced).
// Run from the root of the project: npx tsx bench/store.ts
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import { type Person, people } from "../src/model/person.js";
import { createEmbeddedStore } from "../src/store/embedded.js";
import { toJson } from "../src/store/json.js";

const COUNTS = [10, 1_000, 100_000];
const UPDATES = 300;
const AT_ONCE = 100;
/** So long at most for the whole file of one count. */
const WHOLE_FILE_MILLISECONDS = 4_000;

const person: Person = {
  ...people.create("1001"),
  chatId: 1001,
  slippageBps: 100,
  recentTokens: ["KLV", "KFI", "DVK-34ZH"],
  handledUpdates: Array.from({ length: 40 }, (_, index) => 900_000_000 + index),
};
const touch = (now: Person) => [{ ...now, chatId: now.chatId + 1 }, undefined] as const;
/** Spread over all ids, the same in each run. */
const idOf = (step: number, count: number) => String((step * 7_919) % count);

async function milliseconds(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

async function each(times: number, task: (step: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let step = 0; step < times; step += 1) took.push(await milliseconds(() => task(step)));
  return took.sort((a, b) => a - b);
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

async function measureEmbedded(directory: string, count: number) {
  // Put there directly: writing 100,000 documents through the store would only measure the disk's syncs.
  await mkdir(join(directory, people.name), { recursive: true });
  const text = toJson(person);
  for (let id = 0; id < count; id += 1) await writeFile(join(directory, people.name, `${id}.json`), text);

  let store = await createEmbeddedStore({ directory });
  await store.close();
  const opening = await milliseconds(async () => (store = await createEmbeddedStore({ directory })));
  // Built once in a folder's life, by looking at every document.
  const index = await milliseconds(() => store.openIds(people));
  const updates = await each(UPDATES, (step) => store.update(people, idOf(step, count), touch));
  const reads = await each(UPDATES, (step) => store.read(people, idOf(step, count)));
  const burst = await milliseconds(() =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, step) => store.update(people, idOf(step, count), touch))),
  );
  await store.close();
  return { opening, index, updates, reads, burst: burst / AT_ONCE };
}

async function measureWholeFile(directory: string, count: number) {
  const everybody = Object.fromEntries(Array.from({ length: count }, (_, id) => [String(id), person]));
  const low = new Low<Record<string, Person>>(new JSONFile(join(directory, "all.json")), everybody);
  await low.write();
  const updates: number[] = [];
  const start = performance.now();
  while (updates.length < UPDATES && performance.now() - start < WHOLE_FILE_MILLISECONDS) {
    const id = idOf(updates.length, count);
    const change = () =>
      low.update((all) => {
        all[id] = touch(all[id] ?? person)[0];
      });
    updates.push(await milliseconds(change));
  }
  return updates.sort((a, b) => a - b);
}

const show = (value: number) => value.toFixed(value < 10 ? 2 : 0);
const rows = [];
for (const count of COUNTS) {
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  try {
    const { opening, index, updates, reads, burst } = await measureEmbedded(join(directory, "store"), count);
    const whole = await measureWholeFile(directory, count);
    rows.push({
      documents: count,
      "update, median": show(quantile(updates, 0.5)),
      "update, p95": show(quantile(updates, 0.95)),
      [`${AT_ONCE} at once, each`]: show(burst),
      "read, median": show(quantile(reads, 0.5)),
      open: show(opening),
      index: show(index),
      "whole file: update, median": show(quantile(whole, 0.5)),
      "whole file / ours": show(quantile(whole, 0.5) / quantile(updates, 0.5)),
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}
process.stdout.write(`A person of ${toJson(person).length} bytes; milliseconds.\n`);
console.table(rows);
