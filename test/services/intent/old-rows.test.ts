import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../../src/clock.js";
import { insertIntent, intentOf, type IntentRow } from "../../../src/services/intent/intent-row.js";
import { rewriteOldRows } from "../../../src/services/intent/old-rows.js";
import { DATA_FILE } from "../../../src/store/database.js";
import { openStore } from "../../../src/store/sqlite.js";
import type { Database } from "../../../src/store/store.js";
import { temporaryStore } from "../../support/engine.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { alice, silent, testClock } from "../samples.js";
import { arrange, owner } from "./arrange.js";
import { memoryStore } from "./memory-store.js";

/**
 * What version 1.0.0 wrote before a transaction had a phase: an intent for each station of machine.test.ts, and packed
 * ones where it packs them. Their ids say how they got there.
 */
const OLD_STORE = gunzipSync(readFileSync(join(import.meta.dirname, "stores/before-phases.sqlite.gz")));

const rowsIn = ({ db }: Pick<Database, "db">): Promise<IntentRow[]> =>
  db.selectFrom("intents").selectAll().orderBy("id").execute();

/** The rows of the old store, opened by this version. */
async function oldRows(): Promise<IntentRow[]> {
  const directory = await temporaryFolder();
  await writeFile(join(directory, DATA_FILE), OLD_STORE);
  const store = openStore({ directory, onLost: () => undefined });
  onTestFinished(() => store.close());
  return rowsIn(store);
}

async function insert(store: Database, rows: readonly IntentRow[]): Promise<void> {
  for (const row of rows) await store.write((tx) => tx.insertInto("intents").values(row).execute());
}

/** Rewrites the rows of a store. @returns what couldn't be read. */
async function rewritten(store: Database, clock: Clock = testClock(), signal = new AbortController().signal) {
  const unreadable: unknown[] = [];
  const onUnreadable = (error: unknown) => void unreadable.push(error);
  await rewriteOldRows({ store, clock, log: silent, onUnreadable }, signal);
  return unreadable;
}

/** The phase that a row's JSON begins with. */
const phaseIn = ({ tx }: IntentRow): string | undefined =>
  /^\{"phase":"(?<phase>[a-z-]+)"/.exec(tx ?? "")?.groups?.["phase"];
const isOld = (row: IntentRow): boolean => row.tx !== null && phaseIn(row) === undefined;
const FLAGS = /"(?:givenAt|closing|isOver)":/;

it("a store of version 1.0.0 is read as it was, before and after its rows are rewritten", async () => {
  const store = await temporaryStore();
  await insert(store, await oldRows());
  const before = await rowsIn(store);
  const read = before.map(intentOf);
  expect(before.filter(({ tx }) => FLAGS.test(tx ?? "")).length).toBeGreaterThan(10);
  expect(read.map(({ id, state, transaction }) => `${id}: ${state}/${transaction?.phase ?? "none"}`)).toMatchSnapshot();

  expect(await rewritten(store)).toEqual([]);
  const after = await rowsIn(store);
  expect(after.map(intentOf)).toEqual(read);
  for (const [index, row] of after.entries()) {
    // Nothing else changes: neither when it is looked at next, nor what is packed.
    expect({ ...row, tx: null }).toEqual({ ...before[index], tx: null });
    if (row.tx !== null) expect(phaseIn(row)).toBe(read[index]?.transaction?.phase);
    expect(row.tx ?? "").not.toMatch(FLAGS);
  }
  expect(after.filter(({ packed }) => packed !== null).length).toBeGreaterThan(4);
});

it("what can't be read is reported and left as it is, and holds up nothing else", async () => {
  const store = await temporaryStore();
  const damage: Readonly<Record<string, (tx: string) => string>> = {
    // A request that closed never has a signature.
    "wallet: a broadcast": (tx) => tx.replace('"givenAt"', '"closing":{"state":"CANCELED"},"givenAt"'),
    "wallet: cancelled with its request": (tx) => tx.replace("CANCELED", "EXPIRED"),
    "wallet: declined": (tx) => tx.replace('"closing"', '"signature":"aa","closing"'),
    "wallet: expired with its request": () => "{",
  };
  const rows = (await oldRows()).map((row) => ({ ...row, tx: row.tx && (damage[row.id]?.(row.tx) ?? row.tx) }));
  await insert(store, rows);
  const told = await rewritten(store);
  expect(told.map(String).toSorted()).toEqual(
    Object.keys(damage)
      .map((id) => expect.stringContaining(`intents/${owner}/${id}`) as string)
      .toSorted(),
  );
  const after = await rowsIn(store);
  for (const id of Object.keys(damage)) {
    expect(after.find((row) => row.id === id)).toEqual(rows.find((row) => row.id === id));
  }
  expect(after.filter(isOld)).toHaveLength(Object.keys(damage).length);
});

it("rewrites in lots with pauses, lets others write in between, and goes on in the next run", async () => {
  const [old] = (await oldRows()).filter(({ id }) => id === "wallet: given up after its end");
  const clock = createVirtualClock();
  const store = memoryStore();
  const COUNT = 205;
  for (let n = 0; n < COUNT; n += 1) {
    const own = { id: `id-${String(n).padStart(4, "0")}`, sign_token: `token-${n}`, tx_hash: `hash-${n}` };
    await insert(store, [{ ...old!, ...own }]);
  }
  const leftIn = async () => (await rowsIn(store)).filter(isOld).length;
  const stopping = new AbortController();
  const first = rewritten(store, clock, stopping.signal);
  await clock.advance(0);
  expect(await leftIn()).toBe(COUNT - 20);
  const { transaction: _transaction, ...another } = intentOf(old!);
  await store.write((tx) => insertIntent(tx, { ...another, id: "another" }));
  await clock.advance(250);
  expect(await leftIn()).toBe(COUNT - 60);
  stopping.abort();
  await expect(first).rejects.toThrow();
  const second = rewritten(store, clock);
  await clock.advance(60_000);
  expect(await second).toEqual([]);
  expect(await leftIn()).toBe(0);
});

it("the life of what was under way goes on, whether or not its row is rewritten", async () => {
  for (const isFirst of [true, false]) {
    const intents = arrange({ prepare: () => Promise.reject(new Error("nobody asks for another")) });
    await intents.changePerson((person) => ({ ...person, wallet: { address: alice, since: 1 } }));
    await insert(intents.store, await oldRows());
    if (isFirst) await rewritten(intents.store);
    const { requests, cancel, settle } = intents;
    const seen = async (id: string, work: (id: string) => Promise<unknown>) => {
      await work(`wallet: ${id}`);
      const { state, transaction } = (await intents.find(owner, `wallet: ${id}`))!;
      return `${state}/${transaction?.phase}`;
    };
    expect(await seen("a request", (id) => requests.sign(owner, id, "aa"))).toBe("SENT/signed");
    expect(await seen("a request that was cancelled", (id) => requests.sign(owner, id, "aa"))).toBe(
      "SIGNING/withdrawn",
    );
    expect(await seen("a request that was cancelled", (id) => settle(owner, id))).toBe("CANCELED/withdrawn");
    expect(await seen("a signature that no node takes", (id) => cancel(owner, id))).toBe("CANCELED/signed");
    expect(await seen("a broadcast", (id) => cancel(owner, id))).toBe("SENT/broadcast");
    const answer = { kind: "ok", returnData: [], encoding: "hex" } as const;
    expect(await seen("a broadcast", (id) => settle(owner, id, answer))).toBe("OK/on-chain");
    expect(await seen("declined", (id) => requests.sentByWallet(owner, id, "aa"))).toBe("SENT/broadcast");
    expect(await seen("replaced, or not", (id) => requests.giveUp(owner, id))).toBe("UNKNOWN/abandoned");
    expect(await seen("given up unknown", (id) => requests.sentByWallet(owner, id, "aa"))).toBe("UNKNOWN/abandoned");
    expect(await seen("done, packed", (id) => settle(owner, id))).toBe("OK/on-chain");
  }
});
