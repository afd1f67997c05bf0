import { dirname, join } from "node:path";
import type { Files } from "../../src/store/files.js";

/** A file, whatever it is called; what is in it changes. */
interface Inode {
  readonly isFolder: boolean;
}

/** One thing done to a disk, or the making sure that it lasts. A name that leads to nothing is gone. */
type Step =
  | { readonly kind: "append"; readonly file: Inode; readonly bytes: Buffer }
  | { readonly kind: "cut"; readonly file: Inode; readonly length: number }
  | { readonly kind: "sync"; readonly file: Inode }
  | { readonly kind: "name"; readonly names: ReadonlyMap<string, Inode | undefined> }
  | { readonly kind: "syncFolder"; readonly folder: string };

/** What is on a disk. */
interface Content {
  readonly names: ReadonlyMap<string, Inode>;
  readonly bytes: ReadonlyMap<Inode, Buffer>;
}

/** A disk in memory that remembers every step, so that it can be looked at as a crash after any of them would have left it. */
export interface Disk {
  readonly files: Files;
  /** How many steps were done. */
  readonly steps: () => number;
  /**
   * The disk as a crash after so many steps left it. What was not made sure of is there, or not, or in part.
   * @param keeps how much of each such step is there, from 0 to 1; only what is appended can be there in part.
   */
  readonly afterCrash: (steps: number, keeps: () => number) => Disk;
}

const systemError = (code: string) => Object.assign(new Error(code), { code });

export function createDisk(before: Content = { names: new Map([["/", { isFolder: true }]]), bytes: new Map() }): Disk {
  /** With the number of the step that made sure of it. */
  const steps: { readonly step: Step; lastsFrom: number }[] = [];
  const names = new Map(before.names);
  const bytes = new Map(before.bytes);

  /** Others get on meanwhile, as they do with a real disk. */
  async function take(step: Step): Promise<void> {
    carryOut({ names, bytes }, step);
    for (const earlier of steps) {
      if (earlier.lastsFrom > steps.length && makesSure(step, earlier.step)) earlier.lastsFrom = steps.length;
    }
    steps.push({ step, lastsFrom: Number.POSITIVE_INFINITY });
    await new Promise(setImmediate);
  }

  function found(path: string): Inode {
    const inode = names.get(path);
    if (inode === undefined) throw systemError("ENOENT");
    return inode;
  }

  const rename = (changed: readonly (readonly [string, Inode | undefined])[]) =>
    take({ kind: "name", names: new Map(changed) });

  async function create(path: string): Promise<Inode> {
    if (names.has(path)) throw systemError("EEXIST");
    found(dirname(path));
    const file = { isFolder: false };
    await rename([[path, file]]);
    return file;
  }

  async function append(file: Inode, text: string): Promise<void> {
    await take({ kind: "append", file, bytes: Buffer.from(text) });
    await take({ kind: "sync", file });
  }

  async function makeFolder(folder: string): Promise<void> {
    if (names.has(folder)) return;
    await makeFolder(dirname(folder));
    await rename([[folder, { isFolder: true }]]);
    await take({ kind: "syncFolder", folder: dirname(folder) });
  }

  const files: Files = {
    read: async (path) => bytes.get(found(path)) ?? Buffer.alloc(0),
    writeNew: async (path, text) => append(await create(path), text),
    create: async (path) => {
      const file = await create(path);
      return {
        append: (text) => append(file, text),
        cutTo: async (length) => {
          await take({ kind: "cut", file, length });
          await take({ kind: "sync", file });
        },
        close: async () => {},
      };
    },
    rename: async (from, to) => {
      found(from);
      const moved = [...names].filter(([path]) => path === from || path.startsWith(`${from}/`));
      await rename(
        moved.flatMap(([path, inode]) => [[path, undefined] as const, [to + path.slice(from.length), inode] as const]),
      );
    },
    link: async (path, secondName) => {
      if (names.has(secondName)) throw systemError("EEXIST");
      await rename([[secondName, found(path)]]);
    },
    remove: async (path) => {
      found(path);
      await rename([[path, undefined]]);
    },
    list: async (folder) => {
      found(folder);
      return [...names.keys()]
        .filter((path) => dirname(path) === folder && path !== folder)
        .map((path) => path.slice(join(folder, "/").length));
    },
    makeFolder,
    readLink: () => Promise.reject(systemError("ENOENT")),
    touch: async () => {},
    touchedAt: async () => 0,
    syncFolder: (folder) => take({ kind: "syncFolder", folder }),
  };

  return {
    files,
    steps: () => steps.length,
    afterCrash: (count, keeps) => {
      const left = { names: new Map(before.names), bytes: new Map(before.bytes) };
      for (const { step, lastsFrom } of steps.slice(0, count)) {
        carryOut(left, lastsFrom < count ? step : partOf(step, keeps()));
      }
      return createDisk(left);
    },
  };
}

function carryOut({ names, bytes }: { names: Map<string, Inode>; bytes: Map<Inode, Buffer> }, step: Step): void {
  const content = "file" in step ? (bytes.get(step.file) ?? Buffer.alloc(0)) : Buffer.alloc(0);
  if (step.kind === "append") bytes.set(step.file, Buffer.concat([content, step.bytes]));
  if (step.kind === "cut") bytes.set(step.file, content.subarray(0, step.length));
  if (step.kind !== "name") return;
  for (const [path, inode] of step.names) {
    if (inode === undefined) names.delete(path);
    else names.set(path, inode);
  }
}

/** Whether a step lasts once another was done after it. */
function makesSure(later: Step, step: Step): boolean {
  if (step.kind === "name")
    return later.kind === "syncFolder" && [...step.names.keys()].some((path) => dirname(path) === later.folder);
  return later.kind === "sync" && "file" in step && later.file === step.file;
}

function partOf(step: Step, part: number): Step {
  if (step.kind === "append") return { ...step, bytes: step.bytes.subarray(0, Math.round(step.bytes.length * part)) };
  return part >= 0.5 ? step : { kind: "name", names: new Map() };
}
