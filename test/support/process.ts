import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const project = fileURLToPath(new URL("../../", import.meta.url));

/** A running program and its output. */
export interface Program {
  readonly pid: number;
  /** Standard output and standard error so far. */
  readonly output: () => string;
  readonly kill: (signal: "SIGKILL" | "SIGTERM" | "SIGINT" | "SIGSTOP" | "SIGCONT") => void;
  /** Resolves with the exit code, or the name of the signal that killed the program. */
  readonly ended: Promise<number | string>;
}

/** Starts a program with only `PATH`, `HOME` and `environment` as its environment. */
export function startProgram(
  command: readonly [string, ...string[]],
  { environment, folder }: { readonly environment: Readonly<Record<string, string>>; readonly folder: string },
): Program {
  const [program, ...rest] = command;
  const child = spawn(program, rest, {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return {
    pid: child.pid!,
    output: () => Buffer.concat(chunks).toString("utf8"),
    kill: (signal) => child.kill(signal),
    ended: new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown"))),
  };
}

const STALE_LOCK_MS = 90_000;

/** Builds the bot if needed. Test files running in parallel wait for one another. */
export async function buildWhenNeeded(): Promise<void> {
  const lock = join(project, ".generated/building");
  mkdirSync(join(project, ".generated"), { recursive: true });
  while (!isTaken(lock)) await sleep(50);
  try {
    const built = spawnSync(process.execPath, ["scripts/build-when-needed.mjs"], { cwd: project, encoding: "utf8" });
    if (built.status !== 0) throw new Error(`The build failed:\n${built.stdout}${built.stderr}`);
  } finally {
    rmdirSync(lock);
  }
}

/** Tries to take the lock. On failure, removes one that a killed run left behind, for the next try. */
function isTaken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > STALE_LOCK_MS) rmdirSync(lock);
    return false;
  }
}
