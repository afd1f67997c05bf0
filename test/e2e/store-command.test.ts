import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundled } from "../support/bundled.js";
import { startDesk, type Desk } from "../support/desk.js";
import { embedded, startPostgres, type PostgresServer } from "../support/postgres.js";
import { startProgram } from "../support/process.js";

let server: PostgresServer;
let desk: Desk;
beforeAll(async () => {
  [server, desk] = await Promise.all([startPostgres(), startDesk(embedded)]);
});
afterAll(async () => {
  await desk.close();
  await server.close();
});

/** Runs `npm run store` where the bot runs, and gives its exit code and words. */
async function storeCommand(words: string, environment: Readonly<Record<string, string>> = {}) {
  const command = [process.execPath, await bundled("src/commands/store.ts"), ...words.split(" ")] as const;
  const program = startProgram(command, {
    environment: { STORE_DIR: "store", ...environment },
    folder: desk.folder,
  });
  return [await program.ended, program.output()] as const;
}

it("backs up while the bot runs, restores, moves to PostgreSQL and back, and nothing is missing", async () => {
  const person = await desk.trader();
  person.says("/swap 7 KLV KFI");
  const card = await person.reads(/KLV → KFI/);
  person.taps(card, "✅ Confirm");
  await person.sees(card, /node accepted it/);
  expect(await storeCommand("backup backup.jsonl")).toEqual([0, expect.stringMatching(/^\d+ documents are in backup/)]);
  expect(await storeCommand("verify backup.jsonl")).toEqual([0, expect.stringContaining("whole")]);
  // The bot has the store.
  expect(await storeCommand("restore backup.jsonl")).toEqual([1, expect.stringContaining("Another copy")]);
  await desk.crash();
  await rm(join(desk.folder, "store"), { recursive: true });
  expect(await storeCommand("restore backup.jsonl")).toEqual([0, expect.stringContaining("restored")]);

  const database = { DATABASE_URL: await server.newDatabase() };
  expect(await storeCommand("move postgres", database)).toEqual([0, expect.stringContaining("compared")]);
  await rm(join(desk.folder, "store"), { recursive: true });
  expect(await storeCommand("move embedded", database)).toEqual([0, expect.stringContaining("compared")]);
  expect(await storeCommand("reindex", database)).toEqual([0, expect.any(String)]);
  desk.start(database);
  person.says("/history");
  await person.reads(/7 KLV/);
}, 60_000);

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
