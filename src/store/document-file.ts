import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { Adapter } from "lowdb";
import type { Clock } from "../clock.js";
import { Fault } from "../fault.js";
import { NewerVersion } from "./defaults.js";
import { type Files, unlessMissing } from "./files.js";
import { documentToJson, fromJson } from "./json.js";

/** What lowdb holds of one file. The box keeps a document that counts as false from being taken for none. */
export interface Held<Document> {
  readonly document?: Document;
}

interface DocumentFile<Document> {
  readonly files: Files;
  readonly clock: Clock;
  readonly path: string;
  /** How faults name it. */
  readonly name: string;
  /** A folder for unfinished files, in the same file system. */
  readonly temporary: string;
  readonly parse: (stored: unknown) => Document;
  /** Asked right before a file is put in place. @throws Fault `store-lost`. */
  readonly assertOwned: () => Promise<void>;
}

/** lowdb's adapter, and how many characters were read last. */
export interface DocumentAdapter<Document> extends Adapter<Held<Document>> {
  readonly size: () => number;
}

/**
 * lowdb's adapter for one document in one file of its own. Its stock adapter neither syncs to disk nor names its
 * temporary file uniquely. A name in a folder lasts once the folder is synced, which is left to the caller.
 */
export function createDocumentFile<Document>(parts: DocumentFile<Document>): DocumentAdapter<Document> {
  const { files, clock, path, name, temporary, parse, assertOwned } = parts;
  let size = 0;

  async function setAside(cause: unknown): Promise<never> {
    const aside = `${path}.unreadable-${new Date(clock.now()).toISOString().replaceAll(":", "-")}`;
    try {
      // Unlike a renaming, a second name cannot replace something that was set aside before.
      await files.link(path, aside);
      await files.remove(path);
      await files.syncFolder(dirname(path));
    } catch (error) {
      const both = new AggregateError([cause, error], "unreadable, and could not be set aside");
      throw new Fault("store-read-failed", { document: name }, { cause: both });
    }
    throw new Fault("store-unreadable", { document: name, setAside: aside }, { cause });
  }

  return {
    read: async () => {
      const bytes = await unlessMissing(files.read(path)).catch((cause: unknown) => {
        throw new Fault("store-read-failed", { document: name }, { cause });
      });
      if (bytes === undefined) return null;
      try {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
        size = text.length;
        return { document: parse(fromJson(text)) };
      } catch (error) {
        if (error instanceof NewerVersion) throw new Fault("store-newer", { document: name }, { cause: error });
        return await setAside(error);
      }
    },
    write: async ({ document }) => {
      const draft = join(temporary, randomUUID());
      try {
        await files.writeNew(draft, documentToJson(document));
        await assertOwned();
        await files.rename(draft, path);
      } catch (error) {
        // The disk may refuse this as well; then the next opening of the store sweeps it away.
        await files.remove(draft).catch(() => undefined);
        throw error;
      }
    },
    size: () => size,
  };
}
