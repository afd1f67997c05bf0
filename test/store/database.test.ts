import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase, openToRead, queriesOver, statementsOf } from "../../src/store/database.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function openQueries() {
  const data = openDatabase(join(await temporaryFolder(), "swapdesk.sqlite"));
  onTestFinished(() => data.close());
  return queriesOver(statementsOf(data));
}

/** Turns of the queue of promises until the work is done: what waiting costs, on any machine. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isDone) queueMicrotask(turn);
  };
  queueMicrotask(turn);
  await work();
  isDone = true;
  return turns;
}

it("reads don't wait for each other: a hundred at once take about as many turns as one", async () => {
  const db = await openQueries();
  const read = () => db.selectFrom("users").selectAll().execute();
  await read();
  const one = await turnsOf(read);
  const many = await turnsOf(() => Promise.all(Array.from({ length: 100 }, read)));
  expect(many).toBeLessThan(one + 10);
});

it("a query that fails is a rejection, and holds up no other", async () => {
  const db = await openQueries();
  const bad = db.selectFrom("nothing" as "users").select("id");
  const [failed, good] = await Promise.allSettled([bad.execute(), db.selectFrom("users").select("id").execute()]);
  expect(String((failed as PromiseRejectedResult).reason)).toContain("no such table");
  expect(good).toEqual({ status: "fulfilled", value: [] });
});

it.each([
  ["opened", openDatabase],
  ["read", openToRead],
])("a file that another has alone for a moment is %s afterwards", async (_, open) => {
  const path = join(await temporaryFolder(), "swapdesk.sqlite");
  // A copy: a file that was open keeps its locks until its statements are garbage-collected.
  openDatabase(`${path}.made`).exec(`VACUUM INTO '${path}'`);
  const holder = new Worker(
    `const { DatabaseSync } = require("@photostructure/sqlite");
    const held = new DatabaseSync(${JSON.stringify(path)});
    held.exec("PRAGMA journal_mode = WAL; PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT");
    require("node:worker_threads").parentPort.postMessage("held");
    setTimeout(() => held.close(), 200);`,
    { eval: true },
  );
  await new Promise((resolve, reject) => holder.once("message", resolve).once("error", reject));
  open(path).close();
});
