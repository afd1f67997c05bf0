import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Fault } from "../fault.js";
import { type Files, isSystemError, unlessMissing } from "./files.js";

/**
 * Makes this process the only one that works in a directory, until the returned function is called. The lock is a file
 * that names its process; that of a process which is gone is taken over, also when another has got its number since.
 * It goes by this machine's table of processes: it cannot tell apart machines or containers that share a directory.
 * @param temporary a folder for short-lived files, in the same file system.
 * @throws Fault `store-locked`, or what the file system throws.
 */
export async function lockDirectory(files: Files, directory: string, temporary: string): Promise<() => Promise<void>> {
  const me = JSON.stringify({ pid: process.pid, started: (await lookUp(files, process.pid))?.started });

  async function acquire(path: string): Promise<() => Promise<void>> {
    while (!(await create(path))) {
      const holder = await readText(files, path);
      if (holder === undefined) continue;
      const pid = await livingPid(files, holder);
      if (pid !== undefined) throw new Fault("store-locked", { directory, pid });
      // Two processes may get here together. Only one at a time may take the dead one's lock away, and only if it is
      // still that one; hence this step has a lock of its own, which is taken over likewise should we die within.
      const release = await acquire(`${path}.takeover`);
      try {
        if ((await readText(files, path)) === holder) await files.remove(path);
      } finally {
        await release();
      }
    }
    return async () => unlessMissing(files.remove(path));
  }

  /** Linking a finished file puts the lock there with its content at one instant. False when there is one already. */
  async function create(path: string): Promise<boolean> {
    const draft = join(temporary, randomUUID());
    await files.writeNew(draft, me);
    try {
      await files.link(draft, path);
      return true;
    } catch (error) {
      // No such file: a process that has just got the lock swept the draft away as a leftover.
      if (isSystemError(error, "EEXIST", "ENOENT")) return false;
      throw error;
    } finally {
      await unlessMissing(files.remove(draft));
    }
  }

  return acquire(join(directory, "store.lock"));
}

/** The pid of the process that wrote a lock, if that very process still runs. */
async function livingPid(files: Files, holder: string): Promise<number | undefined> {
  const { pid, started } = parseHolder(holder);
  if (!isPid(pid) || !exists(pid)) return undefined;
  const found = await lookUp(files, pid);
  // Without a table of processes to look in, the number is all there is to go by.
  if (found === undefined) return pid;
  const another = typeof started === "string" && started !== found.started;
  return found.ended || another ? undefined : pid;
}

/** A lock is never seen half written, so one that says nothing was damaged after its process had ended. */
function parseHolder(holder: string): { pid?: unknown; started?: unknown } {
  try {
    return (JSON.parse(holder) ?? {}) as { pid?: unknown; started?: unknown };
  } catch {
    return {};
  }
}

function isPid(pid: unknown): pid is number {
  return Number.isSafeInteger(pid) && (pid as number) > 0;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any other refusal means that it is there but belongs to someone else.
    return !isSystemError(error, "ESRCH");
  }
}

/**
 * When a process started (the boot, and the ticks since) and whether it has ended but still waits to be collected; from
 * Linux's /proc (proc(5): /proc/pid/stat fields 3 and 22). Undefined where there is no such table to look in.
 */
async function lookUp(files: Files, pid: number): Promise<{ started: string; ended: boolean } | undefined> {
  // Some machines hide other people's processes (proc(5): hidepid), with one error or another.
  const stat = await readText(files, `/proc/${pid}/stat`).catch(() => undefined);
  const boot = await readText(files, "/proc/sys/kernel/random/boot_id").catch(() => undefined);
  if (stat === undefined || boot === undefined) return undefined;
  // The second field, the program's name in brackets, may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { started: `${boot.trim()} ${fields[19] ?? ""}`, ended: fields[0] === "Z" };
}

async function readText(files: Files, path: string): Promise<string | undefined> {
  const bytes = await unlessMissing(files.read(path));
  return bytes && new TextDecoder().decode(bytes);
}
