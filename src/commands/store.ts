// `npm run store -- backup|verify|restore FILE`, `forget ID`: see docs/upgrade.md and docs/data-protection.md. Ends with 0 when it is done, 1 when it could not be, 64 for a
// command that it does not know, and 78 where DATABASE_URL is set.
import { config as readDotenv } from "dotenv";
import { systemClock } from "../clock.js";
import { databaseFaults, variables } from "../config.js";
import { isFault } from "../fault.js";
import { messages } from "../locales/messages.js";
import { sentenceOf } from "../locales/sentence.js";
import { forget } from "../services/operator/forget.js";
import { userIdOf } from "../services/people.js";
import { openStore } from "../store/sqlite.js";
import { backUp, restore, verify } from "../store/backup.js";

const USAGE = `Usage: npm run store -- backup FILE    everything into a file; the bot may run
                        verify FILE    whether a back-up is whole
                        restore FILE   a back-up into an empty store; the bot must not run
                        forget ID      all that is kept about a person; the bot must not run
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

async function run([command, path, ...more]: readonly string[]): Promise<number> {
  const [fault] = databaseFaults(process.env);
  if (fault !== undefined) return complain(78, `${fault}\n`);
  if (path === undefined || more.length > 0) return complain(64, USAGE);
  switch (command) {
    case "backup":
      await backUp(directory, path);
      return say(`${verify(path)} rows are in ${path}, which is whole`);
    case "verify":
      return say(`${verify(path)} rows; the file is whole`);
    case "restore":
      await restore(path, directory);
      return say(`${verify(path)} rows are restored`);
    case "forget":
      return forgetPerson(path);
    default:
      return complain(64, USAGE);
  }
}

async function forgetPerson(id: string): Promise<number> {
  const inBackUps = "back-ups still have what they had";
  const tryLater = "Start the bot, and try again later.";
  if (!/^[0-9]{1,15}$/.test(id)) return complain(64, USAGE);
  const store = openStore({ directory });
  try {
    switch (await forget(store, userIdOf(id), systemClock.now())) {
      case "forgotten":
        return say(`Nothing about person ${id} is kept any more; ${inBackUps}`);
      case "unknown":
        return say(`Nothing is kept about person ${id}`);
      case "frozen":
        return say(`All that is kept about person ${id} now is that they froze trading; ${inBackUps}`);
      case "waits":
        return complain(1, `A call of person ${id} has no end yet, so nothing was removed. ${tryLater}\n`);
    }
  } finally {
    await store.close();
  }
}

function say(sentence: string): number {
  process.stdout.write(`${sentence}.\n`);
  return 0;
}

function complain(exitCode: number, text: string): number {
  process.stderr.write(text);
  return exitCode;
}
