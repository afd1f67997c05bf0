import { close, fdatasync, fsync, ftruncate, open, readFile, rename, unlink, writeFileSync } from "node:fs";
import { link, mkdir, readdir, readlink, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";

// With callbacks a file costs well under half of the time that it costs with promises (Node 20).
const [openFile, syncFile, closeFile] = [promisify(open), promisify(fsync), promisify(close)];
const [readAll, renameFile, removeFile] = [promisify(readFile), promisify(rename), promisify(unlink)];
const [syncContent, truncateFile] = [promisify(fdatasync), promisify(ftruncate)];

async function withFile(path: string, flags: string, task: (file: number) => Promise<void>): Promise<void> {
  const file = await openFile(path, flags, 0o600);
  try {
    await task(file);
  } finally {
    await closeFile(file);
  }
}

/** Into the system's memory, which takes less than a thread's answer would; the disk is then waited for by another thread. */
function writeToMemory(file: number, text: string): void {
  writeFileSync(file, text);
}

/** Resolves when the names in a folder (new, changed, removed) are on disk. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder; NTFS keeps a journal of names by itself.
  if (process.platform === "win32") return;
  await withFile(folder, "r", syncFile);
}

/** What the embedded store does with a file system. Passed in, so that a full or failing disk can be played in tests. */
export type Files = typeof nodeFiles;
/** An open file that is written at its end. */
export type GrowingFile = Awaited<ReturnType<Files["create"]>>;

/** The machine's own file system. What is written can be read by the bot's own user only. */
export const nodeFiles = {
  read: (path: string): Promise<Uint8Array> => readAll(path),
  /** Writes a file that must not be there yet, and resolves when its content is on disk. */
  writeNew: (path: string, text: string): Promise<void> =>
    withFile(path, "wx", async (file) => {
      writeToMemory(file, text);
      await syncFile(file);
    }),
  /** Makes a file that must not be there yet, to be written bit by bit. */
  create: async (path: string) => {
    const file = await openFile(path, "ax", 0o600);
    return {
      /** Resolves when the text is on disk. */
      append: async (text: string): Promise<void> => {
        writeToMemory(file, text);
        await syncContent(file);
      },
      /** Truncates it to this many bytes, and resolves when that is on disk. */
      cutTo: async (bytes: number): Promise<void> => {
        await truncateFile(file, bytes);
        await syncContent(file);
      },
      close: (): Promise<void> => closeFile(file),
    };
  },
  /** Puts a file in the place of another, at one instant. */
  rename: (from: string, to: string): Promise<void> => renameFile(from, to),
  /** Gives a file a second name, which must not be there yet, at one instant. */
  link: (path: string, secondName: string): Promise<void> => link(path, secondName),
  remove: (path: string): Promise<void> => removeFile(path),
  /** The names of what is in a folder. */
  list: (folder: string): Promise<readonly string[]> => readdir(folder),
  /** Makes a folder and those above it, and resolves when they are on disk. One that is there already is no error. */
  makeFolder: async (folder: string): Promise<void> => {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
  },
  /** Where a symbolic link leads. */
  readLink: (path: string): Promise<string> => readlink(path),
  /** Dates a file now. */
  touch: (path: string): Promise<void> => utimes(path, new Date(), new Date()),
  /** How a file is dated, in milliseconds. */
  touchedAt: async (path: string): Promise<number> => {
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
