import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startApp } from "../src/app/app.js";
import { systemClock } from "../src/clock.js";
import { readConfig } from "../src/config.js";
import { botEnvironment } from "./bot-environment.js";
import { withIssuers } from "./issuers.js";
import { keepWorldIn } from "./world-state.js";
import { defaultWorld, startSandbox, type Sandbox } from "./sandbox.js";
import type { WorldJson } from "./world.js";

const usage = "Usage: npm run sandbox [-- --world FILE] [--port N] [--wallet] [--fresh] [--no-bot]";

/** Where worlds are stored, one for each port, since two sandboxes never share a port. */
const KEPT = "data/sandbox";

process.exitCode = await run();

/** Runs until a signal. Prints only the page's URL to stdout; the bot logs to stderr. @returns the exit code. */
async function run(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return complain(usage);
  const world = await readWorld(options.world);
  if (world instanceof Error) return complain(world.message);

  const { port, wallet } = options;
  // A custom world, a real node's chain and a random port start afresh each time.
  const isKept = options.world === undefined && !wallet && port !== 0;
  let sandbox: Sandbox;
  try {
    sandbox = await startSandbox({ port, wallet, isKept, world });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return complain((error as Error).message);
    return complain(
      `Port ${port} is taken by another program. Choose another one: npm run sandbox -- --port ${port + 1}`,
    );
  }

  // The wallet asks the visitor before it signs, like an extension.
  sandbox.real?.wallet.set({ mode: "asks" });
  const run = options["no-bot"] ? withoutBot : runBot;
  if (!isKept) return runOnce(sandbox, run);
  const folder = join(KEPT, String(port));
  if (options.fresh) await rm(folder, { recursive: true, force: true });
  try {
    return await runKept(sandbox, folder, run);
  } finally {
    await sandbox.close();
  }
}

async function runKept(sandbox: Sandbox, folder: string, run: typeof runBot): Promise<number> {
  let writeLast: () => Promise<void>;
  try {
    writeLast = await keepWorldIn(join(folder, "world"), sandbox);
  } catch (error) {
    const reason = `The world in ${folder} cannot be used: ${(error as Error).message}`;
    return complain(`${reason}\nBegin a new one: npm run sandbox -- --fresh`);
  }
  const code = await run(sandbox, folder);
  await writeLast();
  return code;
}

async function runOnce(sandbox: Sandbox, run: typeof runBot): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "swapdesk-sandbox-"));
  try {
    return await run(sandbox, folder);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the world alone, for a bot of one's own, until a signal. Prints what that bot needs in its `.env`. */
async function withoutBot(sandbox: Sandbox): Promise<number> {
  const {
    STORE_DIR: _folder,
    LOG_LEVEL: _level,
    ...ours
  } = botEnvironment(sandbox, { storeDir: "", tokensFile: "tokens.json" }, true);
  const lines = Object.entries({ ...ours, ...operatorOf(sandbox) }).map(([name, value]) => `${name}=${value}\n`);
  sandbox.market.start();
  const note =
    "# CALL_INCLUDES_CALLER is for this node, which checks callers; the bot warns of it, since others may not.";
  process.stdout.write(`Swapdesk sandbox, without its bot: ${sandbox.url}\n\n${lines.join("")}${note}\n`);
  await Promise.race(["SIGINT", "SIGTERM"].map((signal) => once(process, signal)));
  return 0;
}

/** The last person is the operator, who can use /admin. */
function operatorOf({ world }: Sandbox): Record<string, string> {
  const operator = world.accounts.findLast(({ telegramId }) => telegramId !== undefined)?.telegramId;
  return operator === undefined ? {} : { ADMIN_USER_IDS: String(operator) };
}

async function runBot(sandbox: Sandbox, folder: string): Promise<number> {
  const tokensFile = join(folder, "tokens.json");
  const storeDir = process.env["STORE_DIR"] ?? join(folder, "store");
  await writeFile(tokensFile, JSON.stringify(sandbox.world.tokens));
  await mkdir(storeDir, { recursive: true });
  const read = readConfig({
    ...botEnvironment(sandbox, { storeDir, tokensFile }, true),
    ...operatorOf(sandbox),
    ...(process.env["LOG_LEVEL"] && { LOG_LEVEL: process.env["LOG_LEVEL"] }),
  });
  if (!read.ok) return complain(`The bot cannot work in this world:\n${read.faults.join("\n")}`);

  // For the bot, too, the time that a visitor skips has passed.
  const monotonic = () => systemClock.monotonic() + sandbox.time.ahead();
  const clock = { ...systemClock, now: sandbox.time.clock.now, monotonic };
  const app = await startApp(read.config, { clock, logTo: process.stderr, nodeProvesCallers: true });
  sandbox.market.start();
  // A signal can come twice: the terminal sends it to this process and to npm, which forwards it.
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= app.stop());
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
  process.stdout.write(`Swapdesk sandbox: ${sandbox.url}\n`);
  await app.done;
  // Wait for the last writes to the store before cleaning up.
  await stop();
  return 0;
}

/**
 * `wallet`: a real node, and a wallet that signs for it; `fresh`: a new world instead of the stored one; `no-bot`: a bot of
 * one's own works in it.
 */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        world: { type: "string" },
        port: { type: "string", default: "8080" },
        wallet: { type: "boolean", default: false },
        fresh: { type: "boolean", default: false },
        "no-bot": { type: "boolean", default: false },
      },
    });
    const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : NaN;
    return port <= 65_535 ? { ...values, port } : undefined;
  } catch {
    return undefined;
  }
}

/** The default world has some more tokens here, to see what their issuers can do. */
async function readWorld(file: string | undefined): Promise<WorldJson | Error> {
  if (file === undefined) return withIssuers(defaultWorld());
  try {
    return JSON.parse((await readFile(file, "utf8")).replace(/^\uFEFF/, "")) as WorldJson;
  } catch (cause) {
    return new Error(`The world in ${file} cannot be read: ${(cause as Error).message}`);
  }
}

function complain(text: string): number {
  process.stderr.write(`${text}\n`);
  return 1;
}
