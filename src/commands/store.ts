// `npm run store -- backup|verify|restore FILE`, `move postgres|embedded`, `reindex`: see docs/operating.md. Ends with 0 when it is
// done, 1 when it could not be, 64 for a command that it does not know, and 78 for a DATABASE_URL that is wrong or missing.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { config as readDotenv } from "dotenv";
import type pg from "pg";
import { systemClock } from "../clock.js";
import { variables } from "../config.js";
import { isFault } from "../fault.js";
import { messages } from "../locales/messages.js";
import { sentenceOf } from "../locales/sentence.js";
import { readArchive, writeArchive, type StoredText } from "../store/archive.js";
import { compareWith, copyInto } from "../store/copy.js";
import { createEmbeddedStore } from "../store/embedded.js";
import { openPostgres } from "../store/postgres/open.js";
import { forgetOpen, postgresSnapshot } from "../store/postgres/snapshot.js";
import { embeddedSnapshot } from "../store/snapshot.js";
import type { Store } from "../store/store.js";

const USAGE = `Usage: npm run store -- backup FILE             all documents into a file; the bot may run
                        verify FILE             whether a back-up is whole
                        restore FILE            a back-up into an empty store; the bot must not run
                        move postgres|embedded  from STORE_DIR to DATABASE_URL, or back; the bot must not run
                        reindex                 decides at the next start what is open; the bot must not run
`;

readDotenv({ quiet: true });
const directory = variables.STORE_DIR.parse(process.env["STORE_DIR"]?.trim() || undefined);
const url = variables.DATABASE_URL.safeParse(process.env["DATABASE_URL"]?.trim() || undefined);

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!isFault(error)) throw error;
  process.stderr.write(`${sentenceOf(error, messages.en)}\n(${error.message})\n`);
  process.exitCode = 1;
}

async function run([command, argument, ...more]: readonly string[]): Promise<number> {
  if (!url.success) return complain(78, `DATABASE_URL ${url.error.issues[0]?.message ?? "is invalid"}\n`);
  if (command === "reindex" && argument === undefined) return reindex(url.data);
  if (argument === undefined || more.length > 0) return complain(64, USAGE);
  switch (command) {
    case "backup":
      return backUp(argument, url.data);
    case "verify":
      return say(`${await count(readArchive(argument))} documents; the file is whole`);
    case "restore":
      return restore(argument, url.data);
    case "move":
      return url.data === undefined ? complain(78, "DATABASE_URL is missing\n") : move(argument, url.data);
    default:
      return complain(64, USAGE);
  }
}

async function backUp(path: string, databaseUrl: string | undefined): Promise<number> {
  const written = await (databaseUrl === undefined
    ? writeArchive(path, inEmbedded())
    : withPostgres(databaseUrl, (_, pool) => writeArchive(path, postgresSnapshot(pool))));
  await count(readArchive(path));
  return say(`${written} documents are in ${path}, which is whole`);
}

async function restore(path: string, databaseUrl: string | undefined): Promise<number> {
  // Nothing is begun with a file that is damaged.
  const all = await count(readArchive(path));
  const into = async (store: Store) => {
    await copyInto(store, readArchive(path));
    await compareWith(store, readArchive(path));
  };
  await (databaseUrl === undefined ? withEmbedded(into) : withPostgres(databaseUrl, into));
  return say(`${all} documents are restored, and each was compared`);
}

async function move(target: string, databaseUrl: string): Promise<number> {
  if (target !== "postgres" && target !== "embedded") return complain(64, USAGE);
  const moved = await withEmbedded((embedded) =>
    withPostgres(databaseUrl, async (postgres, pool) => {
      const [to, from] = target === "postgres" ? [postgres, inEmbedded] : [embedded, () => postgresSnapshot(pool)];
      await copyInto(to, from());
      return compareWith(to, from());
    }),
  );
  return say(`${moved} documents are there, and each was compared; what they were moved from is as it was`);
}

async function reindex(databaseUrl: string | undefined): Promise<number> {
  if (databaseUrl !== undefined) await withPostgres(databaseUrl, (_, pool) => forgetOpen(pool));
  else await withEmbedded(() => Promise.resolve());
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

async function withPostgres<Result>(
  databaseUrl: string,
  task: (store: Store, pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const { store, pool } = await openPostgres({ url: databaseUrl, clock: systemClock });
  try {
    return await task(store, pool);
  } finally {
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
