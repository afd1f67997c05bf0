// How a backup delays users who trade meanwhile: durable changes of one user each, 200 a second from 20 concurrent
// writers, in a store of 100 MB, or of as many as the argument says; alone, and for as long with `npm run store -- backup`
// repeatedly in another process, or until one is done. Each is verified by the command.
// Run from the root of the project: npm run build && npx tsx bench/backup.ts [1000]
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { DATA_FILE } from "../src/store/database.js";
import { openStore } from "../src/store/sqlite.js";
import { fillPeople, PREFERENCES } from "./people.js";

const PEOPLE = Number(process.argv[2] ?? 100) * 1_000;
/** Filled up to make the store 100 MB. */
const PREFERENCES_OF_ALL = JSON.stringify({ ...JSON.parse(PREFERENCES), filling: "x".repeat(700) });
const [SIDES, PAUSE_MS] = [20, 100];
const ROUND_MS = 15_000;
const ROUNDS = 3;

const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
try {
  fillPeople(directory, PEOPLE, PREFERENCES_OF_ALL);
  const store = openStore({ directory });
  console.log(`${((await stat(join(directory, DATA_FILE))).size / 1e6).toFixed(0)} MB`);

  /** Until `end`, and until `task` is done. */
  const trade = async (end: number, task: Promise<unknown> = Promise.resolve()): Promise<number[]> => {
    let isDone = false;
    void task.finally(() => (isDone = true));
    const waits: number[] = [];
    const one = async (side: number) => {
      for (let step = 0; !isDone || performance.now() < end; step += 1) {
        const [id, preferences] = [
          (side * 4_999 + step * 7_919) % PEOPLE,
          `${PREFERENCES_OF_ALL.slice(0, -2)}${step % 10}"}`,
        ];
        const begun = performance.now();
        await store.write((tx) => tx.updateTable("users").set({ preferences }).where("id", "=", id).execute());
        waits.push(performance.now() - begun);
        await sleep(PAUSE_MS);
      }
    };
    await Promise.all(Array.from({ length: SIDES }, (_, side) => one(side)));
    return waits;
  };
  const backUp = async (end: number): Promise<number> => {
    let backUps = 0;
    for (; performance.now() < end; backUps += 1) {
      const environment = { ...process.env, STORE_DIR: directory };
      const begun = performance.now();
      const command = ["dist/commands/store.js", "backup", join(directory, "copy"), "--replace"];
      const { stdout } = await promisify(execFile)(process.execPath, command, { env: environment });
      console.log(`${((performance.now() - begun) / 1e3).toFixed(1)} s: ${stdout.trim()}`);
    }
    return backUps;
  };
  const show = (name: string, waits: readonly number[]) => {
    const sorted = waits.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!.toFixed(1);
    console.log(`${name}: ${waits.length} changes, p50 ${at(0.5)}, p99 ${at(0.99)}, at most ${at(1)} ms`);
  };
  await trade(performance.now() + 3_000);
  for (let round = 0; round < ROUNDS; round += 1) {
    show("alone", await trade(performance.now() + ROUND_MS));
    const end = performance.now() + ROUND_MS;
    const backingUp = backUp(end);
    const [waits, backUps] = await Promise.all([trade(end, backingUp), backingUp]);
    show(`during ${backUps} backups`, waits);
  }
  await store.close();
} finally {
  await rm(directory, { recursive: true });
}
