import { existsSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { bundled } from "../support/bundled.js";
import { DatabaseSync } from "@photostructure/sqlite";
import { type Desk, startDesk } from "../support/desk.js";
import { newDatabase } from "../support/engine.js";
import { wholeHistory } from "../support/history.js";
import { startPostgres } from "../support/postgres.js";
import { project, startProgram } from "../support/process.js";
import { seededRandom } from "../support/seed.js";
import { everyRow, everythingStored } from "../support/stored.js";
import type { Person } from "../support/stub-telegram.js";
import { until } from "../support/until.js";

const KILLS = 2;
/** About the duration of a command. */
const MAX_WAIT_MS = 600;

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

/** Starts `npm run store` in the bot's folder. */
async function startStoreCommand(words: string, environment: Readonly<Record<string, string>> = {}) {
  const command = [process.execPath, await bundled("src/commands/store.ts"), ...words.split(" ")] as const;
  return startProgram(command, { environment: { STORE_DIR: "store", ...environment }, folder: desk.folder });
}

/** Runs it. @returns its exit code and output. */
async function storeCommand(words: string, environment?: Readonly<Record<string, string>>) {
  const program = await startStoreCommand(words, environment);
  return [await program.ended, program.output()] as const;
}

/** The commands in the operators' documentation, by their first word. */
const documented = new Map(
  ["docs/upgrade.md", "docs/data-protection.md"].flatMap((page) =>
    [...readFileSync(join(project, page), "utf8").matchAll(/^npm run store -- ((\w+).*?)(?: +#.*)?$/gm)].map(
      ([, command = "", name = ""]) => [name, command] as const,
    ),
  ),
);
const documentedCommand = (name: string) => documented.get(name) ?? expect.unreachable(`${name} is not documented`);

/** Runs a documented command, which has to work. */
async function follow(name: string): Promise<string> {
  const [code, said] = await storeCommand(documentedCommand(name));
  expect(code, said).toBe(0);
  return said;
}

/** Runs a documented command and kills it at a random moment, a few times. */
async function interrupt(name: string): Promise<void> {
  const random = seededRandom(name);
  for (let kills = 0; kills < KILLS; kills += 1) {
    const program = await startStoreCommand(documentedCommand(name));
    await sleep(random() * MAX_WAIT_MS);
    program.kill("SIGKILL");
    await program.ended;
  }
}

/** Swaps repeatedly until the signal is aborted, and records each amount once its card shows the outcome. */
async function keepSwapping(confirmed: Map<Person, string[]>, stop: AbortSignal): Promise<void> {
  const person = await desk.trader();
  const amounts: string[] = [];
  confirmed.set(person, amounts);
  for (let amount = 501; !stop.aborted; amount += 1) {
    const card = await person.asks(`/swap ${amount} KLV KFI`, new RegExp(`You pay: ${amount} KLV`));
    await person.confirms(card, /not yet confirmed/);
    amounts.push(String(amount));
  }
}

it("documented commands back up while users trade, and restore without loss, however often they are killed", async () => {
  const [confirmed, stopping] = [new Map<Person, string[]>(), new AbortController()];
  const working = Promise.all(Array.from({ length: 3 }, () => keepSwapping(confirmed, stopping.signal)));
  await until(() => [...confirmed.values()].filter(({ length }) => length > 2).length === 3);
  const before = [...confirmed].map(([person, amounts]) => [person, [...amounts]] as const);
  await interrupt("backup");
  const replacing = `${documentedCommand("backup")} --replace`;
  expect(await storeCommand(replacing)).toEqual([0, expect.stringMatching(/^\d+ rows are in \S+, which is whole/)]);
  expect(await storeCommand(documentedCommand("backup"))).toEqual([1, expect.stringContaining("exists already")]);
  stopping.abort();
  await working;
  expect(await follow("verify")).toContain("whole");
  // The bot is still using the store.
  expect(await storeCommand(documentedCommand("restore"))).toEqual([1, expect.stringContaining("Another instance")]);
  await desk.crash();
  await rm(join(desk.folder, "store"), { recursive: true });
  await interrupt("restore");
  // The kill came before the store was in place, or after; there is never half of it.
  if (!existsSync(join(desk.folder, "store", "swapdesk.sqlite"))) await follow("restore");
  expect(await storeCommand(documentedCommand("restore"))).toEqual([1, expect.stringContaining("There is a store")]);
  desk.start();
  const [first] = before;
  await first?.[0].asks("/history", /KLV/);
  // What they read may have been sent before the crash.
  await until(() => /"from":\d+,"until":\d+/.test(restoredIn(join(desk.folder, "store", "swapdesk.sqlite"))));
  for (const [person, amounts] of before) {
    const history = (await wholeHistory(person)).join("\n");
    expect(amounts.filter((amount) => !history.includes(`${amount} KLV →`))).toEqual([]);
  }
});

/** The mark of a restore, once a start has taken note of it. */
function restoredIn(file: string): string {
  using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const row = database.prepare("SELECT value FROM settings WHERE name = 'restored'").get() as { value: string };
  return row.value;
}

it("explains its usage, and what it can't use", async () => {
  await writeFile(join(desk.folder, "other"), "something else");
  const [missing, unmade, unknown, database, damaged] = await Promise.all([
    storeCommand("verify no/such/file"),
    storeCommand("backup file", { STORE_DIR: "nowhere" }),
    storeCommand("burn"),
    storeCommand("backup file", { DATABASE_URL: "postgres://127.0.0.1:9/nowhere" }),
    storeCommand("verify other"),
  ]);
  const isMissing = (file: string) =>
    new RegExp(
      `^${file} can't be read \\(no such file, .*Check the path, and STORE_DIR; .*npm run store -- backup FILE`,
    );
  expect(missing).toEqual([1, expect.stringMatching(isMissing("no/such/file"))]);
  expect(unmade).toEqual([1, expect.stringMatching(isMissing("nowhere/swapdesk.sqlite"))]);
  expect(unknown).toEqual([64, expect.stringMatching(/^Usage: npm run store/)]);
  expect(database).toEqual([78, expect.stringContaining("pg_dump")]);
  expect(damaged).toEqual([1, expect.stringContaining("other is damaged")]);
});

it("deletes a user's data for good, but nobody else's, and not during a call without an outcome", async () => {
  const other = await startDesk();
  try {
    const forgets = async (id: number) => {
      const command = [process.execPath, await bundled("src/commands/store.ts"), "forget", String(id)] as const;
      const program = startProgram(command, { environment: { STORE_DIR: "store" }, folder: other.folder });
      return [await program.ended, program.output()] as const;
    };
    const [gone, stays, frozen] = [await other.trader(), await other.trader(), await other.trader()];
    await frozen.asks("/freeze", /^🧊 Frozen/);
    for (const person of [gone, stays]) {
      const card = await person.asks("/swap 100 KLV KFI", /You pay: 100 KLV/);
      await person.confirms(card, /not yet confirmed/);
    }
    const hanging = await stays.asks("/swap 200 KLV KFI", /You pay: 200 KLV/);
    other.services.onCall = () => "hang";
    await stays.confirms(hanging, /Sent|sending/);
    expect(await forgets(gone.id)).toEqual([1, expect.stringContaining("Another instance")]);
    await other.crash();
    const traces = new RegExp(`"(?:id|owner|userId)":${gone.id}\\b`);
    expect(await everythingStored(other)).toMatch(traces);
    expect(await forgets(gone.id)).toEqual([0, expect.stringContaining("Nothing about person")]);
    // Deleted data is overwritten.
    expect(await everythingStored(other)).not.toMatch(traces);
    expect(await forgets(gone.id)).toEqual([0, expect.stringContaining("Nothing is kept")]);
    // A freeze outlasts it, in case the user's phone was stolen.
    expect(await forgets(frozen.id)).toEqual([0, expect.stringContaining("they froze trading")]);
    expect(await forgets(stays.id)).toEqual([1, expect.stringContaining("has no end yet")]);
    other.start();
    await frozen.asks("/swap 100 KLV KFI", /account is frozen/);
    await frozen.asks("/wallet", /Send your klv1/);
    await gone.asks("/history", /Nothing here yet/);
    await stays.asks("/history", /100 KLV/);
  } finally {
    await other.close();
  }
});

it("moves everything to PostgreSQL and back and compares it, but not to a database with data or from a store in use", async () => {
  const other = await startDesk();
  onTestFinished(() => other.close());
  const person = await other.trader();
  await person.asks("/swap 100 KLV KFI", /You pay: 100 KLV/);
  const postgres = await startPostgres();
  onTestFinished(() => postgres.close());
  const DATABASE_URL = await newDatabase(postgres.url);
  const program = await bundled("src/commands/store.ts");
  const move = async (to: string, STORE_DIR = "store") => {
    const command = [process.execPath, program, "move", to] as const;
    const moving = startProgram(command, { environment: { STORE_DIR, DATABASE_URL }, folder: other.folder });
    return [await moving.ended, moving.output()] as const;
  };
  expect(await move("postgres")).toEqual([1, expect.stringContaining("Another instance of this bot")]);
  await other.crash();
  expect(await move("postgres")).toEqual([0, expect.stringMatching(/^\d+ rows were copied and compared/)]);
  expect(await move("postgres")).toEqual([1, expect.stringContaining("PostgreSQL")]);
  const rows = await everyRow(other);
  expect(await move("sqlite", "back/store")).toEqual([0, expect.stringMatching(/^\d+ rows were copied/)]);
  expect(await everyRow({ folder: join(other.folder, "back") })).toBe(rows);
  other.start({ DATABASE_URL });
  await person.asks("/wallet", /klv1usdny/);
  expect(await move("sqlite", "again/store")).toEqual([1, expect.stringContaining("Another instance of this bot")]);
}, 60_000);
