import { join } from "node:path";
import { crc32 } from "node:zlib";
import { Fault, orFault } from "../fault.js";
import { type Files, unlessMissing } from "./files.js";
import { fromJson, toJson } from "./json.js";
import { createTurns } from "./turns.js";

/** A document as it is from now on; without a text it is gone. */
export interface Change {
  /** Its collection and its id: `users/1001`. */
  readonly name: string;
  /** The document, in JSON (json.ts). */
  readonly text?: string;
  /** The index that knows whether it is open, where its collection has one. */
  readonly index?: string;
  readonly isOpen?: boolean;
}

export function idOf({ name }: Change): string {
  return name.slice(name.indexOf("/") + 1);
}

export type Journal = Awaited<ReturnType<typeof createJournal>>;

const FILE = /^(\d+)\.v(\d+)$/;
const VERSION = 1;
/** With the space behind it. */
const CHECKSUM_LENGTH = 9;

/**
 * The changes in the journal's files, in their order. What was being appended when the process or the machine died is left
 * out: nobody was told of it.
 * @throws Fault `store-newer` for a file of a later version, `store-read-failed` for one that is damaged further up.
 */
export async function readJournal(files: Files, folder: string): Promise<readonly Change[]> {
  const changes: Change[][] = [];
  for (const { name, version } of await filesOf(files, folder)) {
    const document = `.journal/${name}`;
    if (version !== VERSION) throw new Fault("store-newer", { document });
    const read = files.read(join(folder, name)).then((bytes) => changesIn(new TextDecoder().decode(bytes)));
    changes.push(await orFault(read, "store-read-failed", { document }));
  }
  return changes.flat();
}

/**
 * A file that only grows, in which changes are durable before their documents are written. All that are asked for at about
 * the same time share one append and one sync to disk. A line holds what was appended together, behind its checksum.
 * It takes the place of all earlier ones, with the changes in them that still matter.
 * @param assertOwned asked before anything is written, and after each append. @throws Fault `store-lost`.
 */
export async function createJournal(parts: {
  readonly files: Files;
  readonly folder: string;
  readonly changes: readonly Change[];
  readonly assertOwned: () => Promise<void>;
}) {
  const { files, folder, changes, assertOwned } = parts;
  const earlier = await filesOf(files, folder);
  let number = Math.max(0, ...earlier.map((file) => file.number));
  let current = await begin();
  if (changes.length > 0) await current.append(lineOf(changes));
  if (earlier.length > 0) await remove(earlier.map(({ name }) => join(folder, name)));

  /** The one before, until its documents are written. */
  let older: Part | undefined;
  const turns = createTurns();
  /** What changes its files, one after the other. */
  const inTurn = <Result>(task: () => Promise<Result>) => turns.take("files", task);
  /** What goes with the next write, and when that is done. */
  let gathering: ReturnType<typeof gather> | undefined;

  async function begin(): Promise<Part> {
    await assertOwned();
    number += 1;
    const part = await createPart(files, join(folder, `${number}.v${VERSION}`));
    await files.syncFolder(folder);
    return part;
  }

  async function remove(paths: readonly string[]): Promise<void> {
    await assertOwned();
    for (const path of paths) await unlessMissing(files.remove(path));
    // Were one to come back after a power failure when a later one is gone, its changes would be made again.
    await files.syncFolder(folder);
  }

  function gather() {
    const changes: Change[] = [];
    return { changes, written: inTurn(() => write(changes)) };
  }

  async function write(changes: readonly Change[]): Promise<void> {
    // Whatever else is asked for in this round of the event loop goes along.
    await new Promise(setImmediate);
    gathering = undefined;
    await assertOwned();
    await current.append(lineOf(changes));
    // A process that was paused since may have written where nobody reads any more.
    await assertOwned();
  }

  return {
    /** Resolves when the change is durable. @throws Fault `store-lost`, or what the disk says; then nothing changed. */
    append: (change: Change): Promise<void> => {
      gathering ??= gather();
      gathering.changes.push(change);
      return gathering.written;
    },
    /** How much is in its files, in bytes. */
    size: (): number => current.size() + (older?.size() ?? 0),
    /** Goes on in a new file, unless the one before is still there. */
    turnOver: (): Promise<void> =>
      inTurn(async () => {
        if (older !== undefined) return;
        const next = await begin();
        [older, current] = [current, next];
        await older.close();
      }),
    /** Removes the file before: the documents of its changes must be written. */
    removeOlder: async (): Promise<void> => {
      if (older !== undefined) await remove([older.path]);
      older = undefined;
    },
    /** Removes the file: all documents must be written. */
    end: (): Promise<void> =>
      inTurn(async () => {
        await current.close();
        await remove([current.path]);
      }),
  };
}

type Part = Awaited<ReturnType<typeof createPart>>;

/** One file of the journal, open. */
async function createPart(files: Files, path: string) {
  const file = await files.create(path);
  let size = 0;
  let isWhole = true;

  /** Whoever is told that nothing changed must find it so, also after a crash. */
  async function takeBack(): Promise<void> {
    await file.cutTo(size);
    isWhole = true;
  }

  return {
    path,
    size: () => size,
    append: async (line: string): Promise<void> => {
      if (!isWhole) await takeBack();
      isWhole = false;
      try {
        await file.append(line);
      } catch (cause) {
        await takeBack().catch((error: unknown) => {
          throw new AggregateError([cause, error], "not known to last, and could not be taken back");
        });
        throw cause;
      }
      isWhole = true;
      size += Buffer.byteLength(line);
    },
    close: file.close,
  };
}

/** In the order in which they were begun. */
async function filesOf(files: Files, folder: string) {
  const names = await files.list(folder);
  return names
    .flatMap((name) => {
      const found = FILE.exec(name);
      return found === null ? [] : [{ name, number: Number(found[1]), version: Number(found[2]) }];
    })
    .sort((one, other) => one.number - other.number);
}

/** A change as it is in the journal. */
function changeToJson({ text, ...change }: Change): string {
  const about = toJson(change);
  return text === undefined ? about : `${about.slice(0, -1)},"document":${text}}`;
}

function changeFromJson({ document, ...change }: Omit<Change, "text"> & { readonly document?: unknown }): Change {
  return document === undefined ? change : { ...change, text: toJson(document) };
}

function lineOf(changes: readonly Change[]): string {
  const text = `[${changes.map(changeToJson).join(",")}]`;
  return `${checksumOf(text)} ${text}\n`;
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** @throws SyntaxError when there is a whole line behind one that is not. */
function changesIn(text: string): Change[] {
  // What follows the last line's end was never written to its own.
  const lines = text.split("\n").slice(0, -1);
  const whole = lines.filter(isWhole);
  if (whole.some((line, index) => line !== lines[index])) throw new SyntaxError("a line is damaged");
  return whole.flatMap((line) => (fromJson(line.slice(CHECKSUM_LENGTH)) as Change[]).map(changeFromJson));
}

function isWhole(line: string): boolean {
  return line.startsWith(`${checksumOf(line.slice(CHECKSUM_LENGTH))} `);
}
