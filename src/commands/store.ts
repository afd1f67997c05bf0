// `npm run store -- backup|verify|restore FILE`, `reindex`: see docs/operating.md. Ends with 0 when it is
// done, 1 when it could not be, 64 for a command that it does not know, and 78 where DATABASE_URL is set.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { config as readDotenv } from "dotenv";
import { databaseFaults, variables } from "../config.js";
import { isFault } from "../fault.js";
import { messages } from "../locales/messages.js";
import { sentenceOf } from "../locales/sentence.js";
import { readArchive, writeArchive, type StoredText } from "../store/archive.js";
import { compareWith, copyInto } from "../store/copy.js";
import { createEmbeddedStore } from "../store/embedded.js";
import { embeddedSnapshot } from "../store/snapshot.js";
import type { Store } from "../store/store.js";

const USAGE = `Usage: npm run store -- backup FILE             all documents into a file; the bot may run
                        verify FILE             whether a back-up is whole
                        restore FILE            a back-up into an empty store; the bot must not run
                        reindex                 decides at the next start what is open; the bot must not run
`;

readDotenv({ quiet: true });
const directory = variables.STORE_DIR.parse(process.env["STORE_DIR"]?.trim() || undefined);

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!isFault(error)) throw error;
  process.stderr.write(`${sentenceOf(error, messages.en)}\n(${error.message})\n`);
  process.exitCode = 1;
}

async function run([command, argument, ...more]: readonly string[]): Promise<number> {
  const [fault] = databaseFaults(process.env);
  if (fault !== undefined) return complain(78, `${fault}\n`);
  if (command === "reindex" && argument === undefined) return reindex();
  if (argument === undefined || more.length > 0) return complain(64, USAGE);
  switch (command) {
    case "backup":
      return backUp(argument);
    case "verify":
      return say(`${await count(readArchive(argument))} documents; the file is whole`);
    case "restore":
      return restore(argument);
    default:
      return complain(64, USAGE);
  }
}

async function backUp(path: string): Promise<number> {
  const written = await writeArchive(path, inEmbedded());
  await count(readArchive(path));
  return say(`${written} documents are in ${path}, which is whole`);
}

async function restore(path: string): Promise<number> {
  // Nothing is begun with a file that is damaged.
  const all = await count(readArchive(path));
  await withEmbedded(async (store) => {
    await copyInto(store, readArchive(path));
    await compareWith(store, readArchive(path));
  });
  return say(`${all} documents are restored, and each was compared`);
}

async function reindex(): Promise<number> {
  await withEmbedded(() => Promise.resolve());
  return say("The next start will decide again what is open");
}

/** The embedded store, which nobody else has meanwhile. What is open is decided again at the next start. */
async function withEmbedded<Result>(task: (store: Store) => Promise<Result>): Promise<Result> {
  // Opened and closed once, so that what a crash left is in its documents.
  await (await createEmbeddedStore({ directory })).close();
  const store = await createEmbeddedStore({ directory });
  try {
    return await task(store);
  } finally {
    await rm(join(directory, ".open"), { recursive: true, force: true });
    await store.close();
  }
}

/** An update changes its person before it is forgotten, and what leaves a person is in the ledger before. */
function inEmbedded(): AsyncIterable<StoredText> {
  const rank = (name: string) => (name === "updates" ? 0 : name === "ledger" ? 2 : 1);
  return embeddedSnapshot(directory, (names) => names.toSorted((one, other) => rank(one) - rank(other)));
}

async function count(documents: AsyncIterable<StoredText>): Promise<number> {
  let all = 0;
  for await (const _ of documents) all += 1;
  return all;
}

function say(sentence: string): number {
  process.stdout.write(`${sentence}.\n`);
  return 0;
}

function complain(exitCode: number, text: string): number {
  process.stderr.write(text);
  return exitCode;
}
