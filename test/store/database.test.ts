import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase, queriesOver, statementsOf } from "../../src/store/database.js";
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
