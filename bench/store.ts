// The cost of a durable change of one user, one at a time and 500 at once, with 1,000, 10,000 and 100,000 users stored:
// the store compared with SQLite with the same flags and one transaction per change, and with the disk's syncs. All in
// one run.
// Run from the root of the project: npx tsx bench/store.ts
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATA_FILE, openDatabase } from "../src/store/database.js";
import { openStore } from "../src/store/sqlite.js";
import { fillPeople, PREFERENCES } from "./people.js";

const COUNTS = [1_000, 10_000, 100_000];
const UPDATES = 300;
const WARM_UP = 1_500;
const BATCH = 500;
/** Maximum time for one measurement of one store. */
const MAX_MS = 4_000;
const ROUNDS = 3;

/** Changes the preferences, but not their length. */
const touch = (preferences: string) =>
  preferences.replace(/\d+/, (number) => String(((Number(number) + 1) % 9000) + 1000));
/** Ids spread over all users, the same in each run. */
const idOf = (step: number, count: number) => (step * 7_919) % count;

/** A store under test. */
interface Subject {
  readonly name: string;
  readonly change: (id: number) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function ours(directory: string, count: number): Promise<Subject> {
  fillPeople(directory, count);
  const store = openStore({ directory });
  return {
    name: "store",
    change: (id) =>
      store.write(async (tx) => {
        const row = await tx.selectFrom("users").select("preferences").where("id", "=", id).executeTakeFirstOrThrow();
        await tx
          .updateTable("users")
          .set({ preferences: touch(row.preferences!) })
          .where("id", "=", id)
          .execute();
      }),
    close: store.close,
  };
}

/** The same database without the store: one transaction per change. */
async function plain(directory: string, count: number): Promise<Subject> {
  fillPeople(directory, count);
  const database = openDatabase(join(directory, DATA_FILE));
  const read = database.prepare("SELECT preferences FROM users WHERE id = ?");
  const write = database.prepare("UPDATE users SET preferences = ? WHERE id = ?");
  return {
    name: "SQLite, a transaction each",
    change: async (id) => {
      database.exec("BEGIN IMMEDIATE");
      const { preferences } = read.get(id) as { readonly preferences: string };
      write.run(touch(preferences), id);
      database.exec("COMMIT");
    },
    close: async () => database.close(),
  };
}

/** The disk alone with the same bytes: an append and an fdatasync. */
async function disk(directory: string): Promise<Subject> {
  const file = await open(join(directory, "log"), "a");
  const text = PREFERENCES;
  return {
    name: "append and fdatasync",
    change: async () => {
      await file.appendFile(text);
      await file.datasync();
    },
    close: () => file.close(),
  };
}

const subjects = [ours, plain, disk];

async function milliseconds(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

/** Median time of single changes, one after another. */
async function single({ change }: Subject, count: number): Promise<number> {
  const took: number[] = [];
  const end = performance.now() + MAX_MS;
  while (took.length < UPDATES && performance.now() < end) {
    took.push(await milliseconds(() => change(idOf(took.length, count))));
  }
  return took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? Number.NaN;
}

/** Time per change of many at once; fewer of them if a single one is slow. */
async function together({ change }: Subject, count: number, one: number): Promise<number> {
  const changes = Math.max(1, Math.min(BATCH, Math.floor(MAX_MS / one)));
  const all = () => Promise.all(Array.from({ length: changes }, (_, step) => change(idOf(step, count))));
  return (await milliseconds(all)) / changes;
}

const show = (value: number) => value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 0);
const rows = [];
for (const count of COUNTS) {
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  try {
    const opened: Subject[] = [];
    for (const [index, open] of subjects.entries()) {
      const folder = join(directory, String(index));
      await mkdir(folder);
      opened.push(await open(folder, count));
    }
    // As after some hours: SQLite's WAL has reached its full size, and is then overwritten.
    for (const { change } of opened) for (let step = 0; step < WARM_UP; step += 1) await change(idOf(step, count));
    const best = new Map(opened.map(({ name }) => [name, { one: Infinity, many: Infinity }]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const subject of opened) {
        const figures = best.get(subject.name)!;
        figures.one = Math.min(figures.one, await single(subject, count));
        figures.many = Math.min(figures.many, await together(subject, count, figures.one));
      }
    }
    for (const [name, { one, many }] of best) {
      rows.push({ people: count, store: name, "one at a time": show(one), [`${BATCH} at once, each`]: show(many) });
    }
    for (const { close } of opened) await close();
  } finally {
    await rm(directory, { recursive: true });
  }
}
process.stdout.write(
  `A person of ${PREFERENCES.length} bytes; milliseconds for a durable change, the best of ${ROUNDS} rounds.\n`,
);
console.table(rows);
