// `npm run store -- backup|verify|restore FILE`, `forget ID`, `move postgres|sqlite`: see docs/upgrade.md. Exits with 0
// on success, 1 on failure, 64 for wrong usage, and 78 if DATABASE_URL is set but must not be, or is missing.
import { config as readDotenv } from "dotenv";
import { systemClock } from "../clock.js";
import { variables } from "../config.js";
import { isFault } from "../fault.js";
import { operatorSentence } from "../operator-sentence.js";
import { forget } from "../services/operator/forget.js";
import { userIdOf } from "../services/person/person.js";
import { LEASE_MS } from "../store/lease.js";
import { move, backUp, restore, verify } from "../store/copies.js";
import { openPostgres } from "../store/postgres.js";
import { forgetSeen } from "../store/seen-server.js";
import { openStore } from "../store/sqlite.js";

const USAGE = `Usage: npm run store -- backup FILE    everything into a new file; the bot may run
                        backup FILE --replace    the same, in place of that file
                        verify FILE    whether a backup is whole
                        restore FILE   a backup into an empty store; the bot must not run
                        forget ID      all that is kept about a person; the bot must not run
                        move postgres  everything from STORE_DIR to an empty DATABASE_URL; no bot may run
                        move sqlite    everything from DATABASE_URL to an empty STORE_DIR; no bot may run
`;

/** Nothing else overwrites a file. */
const REPLACE = "--replace";

readDotenv({ quiet: true });
const directory = variables.STORE_DIR.parse(process.env["STORE_DIR"]?.trim() || undefined);

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!isFault(error)) throw error;
  process.stderr.write(`${operatorSentence(error)}\n`);
  process.exitCode = 1;
}

async function run([command, path, ...more]: readonly string[]): Promise<number> {
  const url = process.env["DATABASE_URL"]?.trim() || undefined;
  const replaces = command === "backup" && more[0] === REPLACE;
  if (path === undefined || path === REPLACE || more.length > (replaces ? 1 : 0)) return complain(64, USAGE);
  switch (command) {
    case "backup":
      if (url !== undefined) return complain(78, "PostgreSQL is backed up by pg_dump; see docs/upgrade.md.\n");
      return print(`${await backUp(directory, path, replaces)} rows are in ${path}, which is whole`);
    case "verify":
      return print(`${verify(path)} rows; the file is whole, and this version can start with it`);
    case "restore":
      if (url !== undefined) return complain(78, "PostgreSQL is restored by pg_restore; see docs/upgrade.md.\n");
      return print(`${await restore(path, directory)} rows are restored`);
    case "forget":
      return forgetPerson(path, url);
    case "move":
      if (path !== "postgres" && path !== "sqlite") return complain(64, USAGE);
      if (url === undefined) return complain(78, "DATABASE_URL is missing.\n");
      return print(
        `${await moveStore(url, path)} rows were copied and compared; what they were copied from is still there`,
      );
    default:
      return complain(64, USAGE);
  }
}

async function moveStore(url: string, to: "postgres" | "sqlite"): Promise<number> {
  const rows = await move(directory, url, to);
  if (to === "postgres") forgetSeen(directory);
  return rows;
}

async function forgetPerson(id: string, url: string | undefined): Promise<number> {
  const inBackUps = "backups still have what they had";
  const tryLater = "Start the bot, and try again later.";
  if (!/^[0-9]{1,15}$/.test(id)) return complain(64, USAGE);
  // A running bot keeps its lease, so this has to give up.
  const signal = AbortSignal.timeout(LEASE_MS * 2);
  const store = url === undefined ? openStore({ directory }) : await openPostgres({ url, directory, signal });
  try {
    switch (await forget(store, userIdOf(id), systemClock.now())) {
      case "forgotten":
        return print(`Nothing about person ${id} is kept any more; ${inBackUps}`);
      case "unknown":
        return print(`Nothing is kept about person ${id}`);
      case "frozen":
        return print(`All that is kept about person ${id} now is that they froze trading; ${inBackUps}`);
      case "waits":
        return complain(1, `A call of person ${id} has no end yet, so nothing was removed. ${tryLater}\n`);
    }
  } finally {
    await store.close();
  }
}

function print(sentence: string): number {
  process.stdout.write(`${sentence}.\n`);
  return 0;
}

function complain(exitCode: number, text: string): number {
  process.stderr.write(text);
  return exitCode;
}
