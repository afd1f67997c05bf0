import { close, fdatasync, fsync, ftruncate, open, readFile, writeFile, writeFileSync } from "node:fs";
import { link, mkdir, readdir, readlink, rename, stat, unlink, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";

// With callbacks a file costs well under half of the time that it costs with promises (Node 20).
const [openFile, syncFile, closeFile] = [promisify(open), promisify(fsync), promisify(close)];
const [readAll, writeAll] = [promisify(readFile), promisify(writeFile)];
const [syncContent, truncateFile] = [promisify(fdatasync), promisify(ftruncate)];

/** What the embedded store does with a file system. Passed in, so that a full or failing disk can be played in tests. */
export interface Files {
  readonly read: (path: string) => Promise<Uint8Array>;
  /** Writes a file that must not be there yet, and resolves when its content is on disk. */
  readonly writeNew: (path: string, text: string) => Promise<void>;
  /** Makes a file that must not be there yet, to be written bit by bit. */
  readonly create: (path: string) => Promise<GrowingFile>;
  /** Puts a file in the place of another, at one instant. */
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Gives a file a second name, which must not be there yet, at one instant. */
  readonly link: (path: string, secondName: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** The names of what is in a folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Makes a folder and those above it, and resolves when they are on disk; there already is no error. */
  readonly makeFolder: (folder: string) => Promise<void>;
  /** Where a symbolic link leads. */
  readonly readLink: (path: string) => Promise<string>;
  /** Dates a file now. */
  readonly touch: (path: string) => Promise<void>;
  /** How a file is dated, in milliseconds. */
  readonly touchedAt: (path: string) => Promise<number>;
  /** Resolves when the names in a folder (new, changed, removed) are on disk. */
  readonly syncFolder: (folder: string) => Promise<void>;
}

/** An open file that is written at its end. */
export interface GrowingFile {
  /** Resolves when the text is on disk. */
  readonly append: (text: string) => Promise<void>;
  /** Truncates it to this many bytes, and resolves when that is on disk. */
  readonly cutTo: (bytes: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function withFile(path: string, flags: string, task: (file: number) => Promise<void>): Promise<void> {
  const file = await openFile(path, flags, 0o600);
  try {
    await task(file);
  } finally {
    await closeFile(file);
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder; NTFS keeps a journal of names by itself.
  if (process.platform === "win32") return;
  await withFile(folder, "r", syncFile);
}

/** The machine's own file system. What is written can be read by the bot's own user only. */
export const nodeFiles: Files = {
  read: (path) => readAll(path),
  writeNew: (path, text) =>
    withFile(path, "wx", async (file) => {
      await writeAll(file, text);
      await syncFile(file);
    }),
  create: async (path) => {
    const file = await openFile(path, "ax", 0o600);
    return {
      append: async (text) => {
        // Into the system's memory, which takes less than a thread's answer would; the disk is waited for by another thread.
        writeFileSync(file, text);
        await syncContent(file);
      },
      cutTo: async (bytes) => {
        await truncateFile(file, bytes);
        await syncContent(file);
      },
      close: () => closeFile(file),
    };
  },
  rename,
  link,
  remove: unlink,
  list: (folder) => readdir(folder),
  makeFolder: async (folder) => {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
  },
  readLink: (path) => readlink(path),
  touch: (path) => utimes(path, new Date(), new Date()),
  touchedAt: async (path) => {
    // A network file system may answer by what it remembers unless the file is opened first.
    await withFile(path, "r", () => Promise.resolve());
    return (await stat(path)).mtimeMs;
  },
  syncFolder,
};

/** Whether `error` is the operating system's with one of these codes (`ENOENT`, …). */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** Waits for `task`; undefined when the file or folder that it is about is not there. */
export async function unlessMissing<Result>(task: Promise<Result>): Promise<Result | undefined> {
  try {
    return await task;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}
