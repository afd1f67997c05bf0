import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Clock } from "../clock.js";
import { Fault, orFault } from "../fault.js";
import { type Files, isSystemError, unlessMissing } from "./files.js";

/** How often a holder shows that it lives, in milliseconds. */
const BEAT_EVERY_MILLISECONDS = 1_000;
/** A holder that looked this recently need not look again. Well below the time that others give it. */
const FRESH_FOR_MILLISECONDS = 4_000;
/** One whose processes can't be seen from here is taken for dead when it has shown nothing for this long. */
const DEAD_AFTER_MILLISECONDS = 10_000;
const LOOK_EVERY_MILLISECONDS = 200;

/**
 * Makes this process the only one that works in a directory. The lock is a file that names its process and where that runs.
 * The holder touches it every second and looks whether it still says the same.
 *
 * Whether a holder lives is seen in the table of processes where it is the same one as ours: one that is gone is replaced at
 * once, one that is there, paused or not, never. Other machines and containers have their own tables, and numbers say
 * nothing there. A holder elsewhere is watched: the first touch means that it lives, and only one that was silent for ten
 * seconds is replaced. Watching compares no clocks. Should that one wake up, it finds its lock gone before it does anything.
 * @throws Fault `store-locked`, or what the file system throws.
 */
export async function lockDirectory(parts: {
  readonly files: Files;
  readonly clock: Clock;
  readonly directory: string;
  /** A folder for short-lived files, in the same file system. */
  readonly temporary: string;
  /** Hears once that another process has taken the directory. */
  readonly onLost: (fault: Fault) => void;
}) {
  const { files, clock, directory, temporary } = parts;
  const path = join(directory, "store.lock");
  const machine = await machineOf(files);
  const started = (await lookUp(files, process.pid))?.started;
  const me = JSON.stringify({ pid: process.pid, started, machine, token: randomUUID() });

  async function acquire(place: string): Promise<() => Promise<void>> {
    while (!(await create(place))) {
      const holder = await readText(files, place);
      if (holder === undefined) continue;
      if (await lives(place, holder)) throw new Fault("store-locked", { directory, pid: parseHolder(holder).pid });
      // Two processes may get here together. Only one at a time may take the dead one's lock away, and only if it is
      // still that one; hence this step has a lock of its own, which is taken over likewise should we die within.
      const release = await acquire(`${place}.takeover`);
      try {
        if ((await readText(files, place)) === holder) await files.remove(place);
      } finally {
        await release();
      }
    }
    return async () => {
      if ((await readText(files, place)) === me) await unlessMissing(files.remove(place));
    };
  }

  /** Linking a finished file puts the lock there with its content at one instant. False when there is one already. */
  async function create(place: string): Promise<boolean> {
    const draft = join(temporary, randomUUID());
    await files.writeNew(draft, me);
    try {
      await files.link(draft, place);
      return true;
    } catch (error) {
      // No such file: a process that has just got the lock swept the draft away as a leftover.
      if (isSystemError(error, "EEXIST", "ENOENT")) return false;
      throw error;
    } finally {
      await unlessMissing(files.remove(draft));
    }
  }

  async function lives(place: string, text: string): Promise<boolean> {
    const holder = parseHolder(text);
    const isSeenFromHere = holder.machine === undefined || holder.machine === machine;
    return isSeenFromHere ? isRunning(files, holder) : isTouched(place, text);
  }

  /** Watches a lock until its holder touches it, or has had time enough to. */
  async function isTouched(place: string, text: string): Promise<boolean> {
    const touchedAt = await unlessMissing(files.touchedAt(place));
    for (let watched = 0; watched < DEAD_AFTER_MILLISECONDS; watched += LOOK_EVERY_MILLISECONDS) {
      await clock.sleep(LOOK_EVERY_MILLISECONDS);
      const now = await unlessMissing(files.touchedAt(place));
      if (now !== touchedAt) return now !== undefined && (await readText(files, place)) === text;
    }
    return false;
  }

  const release = await acquire(path);
  const releasing = new AbortController();
  let seenAt = clock.monotonic();
  let lost: Fault | undefined;

  /** Looks whether it is still ours. @throws Fault `store-lost`, from then on forever. */
  async function assertHeld(): Promise<void> {
    // The look counts from when it began.
    const now = clock.monotonic();
    if (lost !== undefined) throw lost;
    const found = await orFault(readText(files, path), "store-lost", { directory });
    if (found !== me) {
      lost ??= new Fault("store-lost", { directory });
      parts.onLost(lost);
      throw lost;
    }
    seenAt = now;
  }

  async function beat(): Promise<void> {
    while (lost === undefined) {
      await clock.sleep(BEAT_EVERY_MILLISECONDS, releasing.signal);
      // If another process has the lock meanwhile, one touch too many makes it look alive. It is.
      await files.touch(path).catch(() => undefined);
      // What can't be looked at now is looked at again, and before every writing.
      await assertHeld().catch(() => undefined);
    }
  }
  const beating = beat().catch(() => undefined);

  return {
    assertHeld,
    /** As `assertHeld`, but looks only when the last look is so long ago that another process may have taken it since. */
    assertFresh: async (): Promise<void> => {
      if (lost !== undefined || clock.monotonic() - seenAt >= FRESH_FOR_MILLISECONDS) await assertHeld();
    },
    release: async (): Promise<void> => {
      releasing.abort();
      await beating;
      await release();
    },
  };
}

/** Whether the very process that wrote a lock still runs, by the table of processes. */
async function isRunning(files: Files, { pid, started }: ReturnType<typeof parseHolder>): Promise<boolean> {
  if (pid === 0 || !exists(pid)) return false;
  const found = await lookUp(files, pid);
  // Without a table of processes to look in, the number is all there is to go by.
  if (found === undefined) return true;
  const another = typeof started === "string" && started !== found.started;
  return !found.ended && !another;
}

/** Where process numbers mean the same: the host, its boot, and on Linux the namespace (pid_namespaces(7)). */
async function machineOf(files: Files): Promise<string> {
  const namespace = await files.readLink("/proc/self/ns/pid").catch(() => "");
  return `${hostname()} ${await kernelText(files, BOOT)} ${namespace}`;
}

/**
 * What stands in the lock's file; older versions of the program wrote `pid` and `started` only. It is never seen half
 * written, so one that says nothing (`pid` 0) was damaged after its process had ended.
 */
function parseHolder(text: string): { pid: number; started?: unknown; machine?: unknown } {
  try {
    const holder = JSON.parse(text) as { pid: number };
    return { ...holder, pid: Number.isSafeInteger(holder.pid) ? Math.max(0, holder.pid) : 0 };
  } catch {
    return { pid: 0 };
  }
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
 * When a process started (the boot, and the ticks after it) and whether it has ended but still waits to be collected; from
 * Linux's /proc (proc(5): /proc/pid/stat fields 3 and 22). Undefined where there is no such table to look in.
 */
async function lookUp(files: Files, pid: number): Promise<{ started: string; ended: boolean } | undefined> {
  const [stat, boot] = [await kernelText(files, `/proc/${pid}/stat`), await kernelText(files, BOOT)];
  if (stat === "" || boot === "") return undefined;
  // The second field, the program's name in brackets, may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { started: `${boot} ${fields[19] ?? ""}`, ended: fields[0] === "Z" };
}

const BOOT = "/proc/sys/kernel/random/boot_id";

/** Empty where there is none: some machines hide other people's processes (proc(5): hidepid), with one error or another. */
async function kernelText(files: Files, path: string): Promise<string> {
  return ((await readText(files, path).catch(() => undefined)) ?? "").trim();
}

async function readText(files: Files, path: string): Promise<string | undefined> {
  const bytes = await unlessMissing(files.read(path));
  return bytes && new TextDecoder().decode(bytes);
}
