import { config as readDotenv } from "dotenv";
import { startApp } from "./app/app.js";
import { systemClock } from "./clock.js";
import { readConfig, variables } from "./config.js";
import { type Fault, isFault, unlessFault } from "./fault.js";
import { operatorSentence } from "./operator-sentence.js";
import { tokenFile } from "./services/market/token-list.js";
import { isLasting } from "./store/database.js";
import { unknownSentence, unknownVariables } from "./unknown-variables.js";
import { notifySystemd } from "./watchdog.js";

/** sysexits.h: configuration error. */
const EX_CONFIG = 78;

const { parsed: file = {} } = readDotenv({ quiet: true });
process.exitCode = await run();

async function run(): Promise<number> {
  const read = readConfig(process.env);
  const unknown = unknownVariables(file, process.env);
  // A misspelt ALLOWED_USER_IDS would let everybody in.
  const misspelt = unknown.filter(({ isFault }) => isFault).map(unknownSentence);
  if (!read.ok) return refuseConfig([...read.faults, ...(await tokenListFaults()), ...unknown.map(unknownSentence)]);
  if (misspelt.length > 0) return refuseConfig(misspelt);
  for (const each of unknown) process.stderr.write(`${unknownSentence(each)}\n`);
  try {
    const standingBy = new AbortController();
    const starting = startApp(read.config, { signal: standingBy.signal });
    let stopped: Promise<void> | undefined;
    // A stop during startup waits until the bot has started, since updates may already be in progress.
    const stop = () => (stopped ??= starting.then((app) => app.stop()));
    // Terminals and systemd signal the whole process group, and npm forwards its signal, so two may mean one request.
    let signals = 0;
    const onSignal = () => {
      standingBy.abort();
      signals += 1;
      if (signals > 2) process.exit(1);
      // Errors are reported below.
      stop().catch(() => undefined);
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
    const app = await starting;
    notifySystemd(process.env, systemClock);
    try {
      await app.done;
      return 0;
    } finally {
      // Even if the bot ends on its own, remaining background work would keep the process alive.
      await stop();
    }
  } catch (error) {
    // Stopped while standing by.
    if (error instanceof Error && error.name === "AbortError") return 0;
    const fault = configurationFault(error, read.config.store.kind === "postgres" ? "DATABASE_URL" : "STORE_DIR");
    if (fault !== undefined) return refuseConfig([fault]);
    if (!isFault(error)) throw error;
    process.stderr.write(`${operatorSentence(error)}\n`);
    return 1;
  }
}

function refuseConfig(faults: readonly string[]): number {
  process.stderr.write(`The configuration has faults:\n${faults.map((fault) => `  ${fault}\n`).join("")}`);
  process.stderr.write("Set them in .env; docs/deployment.md says where each comes from.\n");
  return EX_CONFIG;
}

/** A fault that shows only when a variable's value is used, in the same form: the variable and a sentence. */
function configurationFault(error: unknown, stored = "STORE_DIR"): string | undefined {
  if (isFault(error, "token-list-invalid", "pools-file-invalid", "database-unusable")) return operatorSentence(error);
  const isStores = isFault(error, "store-damaged", "store-newer", "store-unmigrated");
  if (isStores || (isFault(error, "store-write-failed") && isLasting(error))) {
    return `${stored} can't be used: ${operatorSentence(error)}`;
  }
  if (isFault(error, "service-unauthorized") && error.parameters.service === "telegram") {
    return "BOT_TOKEN is refused by Telegram";
  }
  if (error instanceof Error && "syscall" in error) {
    if (error.syscall === "listen") return `PORT can't be used: ${error.message}`;
    if (error.syscall === "getaddrinfo") return `HOST can't be used: ${error.message}`;
  }
  return undefined;
}

/** Faults of the token list, to report them together with those of other variables. */
async function tokenListFaults(): Promise<string[]> {
  const list = tokenFile(variables.TOKENS_FILE.parse(process.env["TOKENS_FILE"]?.trim() || undefined));
  const faults: Fault[] = [];
  await unlessFault(list.read, (fault) => faults.push(fault));
  return faults.flatMap((fault) => configurationFault(fault) ?? []);
}
