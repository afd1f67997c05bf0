import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { people } from "../../src/model/person.js";
import { ledger } from "../../src/services/intents/ledger.js";
import { bundled } from "../support/bundled.js";
import { startDesk, type Desk } from "../support/desk.js";
import { embedded, startPostgres, type PostgresServer } from "../support/postgres.js";
import { project, startProgram } from "../support/process.js";
import { seededRandom } from "../support/seed.js";
import { storedDocument } from "../support/stored.js";
import { until } from "../support/until.js";

const KILLS = 2;
/** About as long as a command takes. */
const LONGEST_WAIT_MILLISECONDS = 600;

let server: PostgresServer;
let desk: Desk;
beforeAll(async () => {
  [server, desk] = await Promise.all([startPostgres(), startDesk(embedded)]);
});
afterAll(async () => {
  await desk.close();
  await server.close();
});

/** Starts `npm run store` where the bot runs. */
async function startStoreCommand(words: string, environment: Readonly<Record<string, string>> = {}) {
  const command = [process.execPath, await bundled("src/commands/store.ts"), ...words.split(" ")] as const;
  return startProgram(command, { environment: { STORE_DIR: "store", ...environment }, folder: desk.folder });
}

/** Runs it to its end, and gives its exit code and words. */
async function storeCommand(words: string, environment?: Readonly<Record<string, string>>) {
  const program = await startStoreCommand(words, environment);
  return [await program.ended, program.output()] as const;
}

/** The commands of docs/operating.md, by their first word. */
const documented = new Map(
  [
    ...readFileSync(join(project, "docs/operating.md"), "utf8").matchAll(
      /^ {4}npm run store -- ((\w+).*?)(?: +#.*)?$/gm,
    ),
  ].map(([, command = "", name = ""]) => [name, command]),
);
const documentedCommand = (name: string) => documented.get(name) ?? expect.unreachable(`${name} is not documented`);

/** Follows the document: what it says has to work. */
async function follow(name: string, environment?: Readonly<Record<string, string>>): Promise<string> {
  const [code, said] = await storeCommand(documentedCommand(name), environment);
  expect(code, said).toBe(0);
  return said;
}

/** The same, after it was killed a few times at moments of chance. */
async function followAtLast(name: string, environment?: Readonly<Record<string, string>>): Promise<string> {
  const random = seededRandom(name);
  for (let kills = 0; kills < KILLS; kills += 1) {
    const program = await startStoreCommand(documentedCommand(name), environment);
    await sleep(random() * LONGEST_WAIT_MILLISECONDS);
    program.kill("SIGKILL");
    await program.ended;
  }
  return follow(name, environment);
}

/** One swap after the other, until the signal says so. What was confirmed is noted as soon as its card says it. */
async function keepSwapping(confirmed: Map<number, string[]>, stop: AbortSignal): Promise<void> {
  const person = await desk.trader();
  const amounts: string[] = [];
  confirmed.set(person.id, amounts);
  for (let amount = 501; !stop.aborted; amount += 1) {
    person.says(`/swap ${amount} KLV KFI`);
    const card = await person.reads(new RegExp(`You pay: ${amount} KLV`));
    person.taps(card, "✅ Confirm");
    await person.sees(card, /node accepted it/);
    amounts.push(String(amount));
  }
}

/** What the store at an environment has of confirmed swaps. */
async function swapsIn(environment: Readonly<Record<string, string>>, owner: number): Promise<readonly string[]> {
  const place = { folder: desk.folder, environment };
  const person = await storedDocument(place, people, String(owner));
  // Those that ended a while ago.
  const left = await storedDocument(place, ledger, `${owner}-1`);
  return [...Object.values(person?.intents ?? {}), ...(left?.intents ?? [])].flatMap(({ state, terms }) =>
    state === "OK" && terms.kind === "swap" ? terms.amountInText : [],
  );
}

it("what the operator's notes say backs up while people trade, restores, moves to PostgreSQL and back, however often it is killed, and nothing is missing", async () => {
  const [confirmed, stopping] = [new Map<number, string[]>(), new AbortController()];
  const working = Promise.all(Array.from({ length: 3 }, () => keepSwapping(confirmed, stopping.signal)));
  await until(() => [...confirmed.values()].filter(({ length }) => length > 2).length === 3);
  const before = [...confirmed].map(([owner, amounts]) => [owner, [...amounts]] as const);
  expect(await followAtLast("backup")).toMatch(/^\d+ documents are in backup/);
  stopping.abort();
  await working;
  const expectAll = async (environment: Readonly<Record<string, string>>) => {
    for (const [owner, amounts] of before) {
      const found = await swapsIn(environment, owner);
      expect(amounts.filter((amount) => !found.includes(amount))).toEqual([]);
    }
  };

  expect(await follow("verify")).toContain("whole");
  // The bot has the store.
  expect(await storeCommand(documentedCommand("restore"))).toEqual([1, expect.stringContaining("Another copy")]);
  await desk.crash();
  await rm(join(desk.folder, "store"), { recursive: true });
  expect(await followAtLast("restore")).toContain("restored");
  await expectAll({});

  const database = { DATABASE_URL: await server.newDatabase() };
  expect(await followAtLast("move", database)).toContain("compared");
  await expectAll(database);
  await rm(join(desk.folder, "store"), { recursive: true });
  expect(await storeCommand("move embedded", database)).toEqual([0, expect.stringContaining("compared")]);
  await expectAll({});
  await follow("reindex", database);
  desk.start(database);
  const person = desk.telegram.person(before[0]![0]);
  person.says("/history");
  await person.reads(/503 KLV/);
});

it("says how it is used, and what it can't use", async () => {
  await writeFile(join(desk.folder, "other.jsonl"), "something else");
  const [one, other, wrong, missing, damaged] = await Promise.all([
    storeCommand("burn"),
    storeCommand("move elsewhere", { DATABASE_URL: "postgres://127.0.0.1:9/nowhere" }),
    storeCommand("reindex", { DATABASE_URL: "mysql://127.0.0.1" }),
    storeCommand("move postgres"),
    storeCommand("verify other.jsonl"),
  ]);
  for (const said of [one, other]) expect(said).toEqual([64, expect.stringMatching(/^Usage: npm run store/)]);
  expect(wrong).toEqual([78, expect.stringContaining("DATABASE_URL must")]);
  expect(missing).toEqual([78, "DATABASE_URL is missing\n"]);
  expect(damaged).toEqual([1, expect.stringContaining("other.jsonl is damaged")]);
});
