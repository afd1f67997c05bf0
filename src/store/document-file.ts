import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { Adapter } from "lowdb";
import type { Clock } from "../clock.js";
import { Fault } from "../fault.js";
import type { Held } from "./adapter.js";
import { NewerVersion } from "./defaults.js";
import { type Files, unlessMissing } from "./files.js";
import { documentToJson, fromJson, textOf } from "./json.js";

/** Where documents are files, `<directory>/<collection>/<id>.json`. */
export interface DocumentFolder {
  readonly files: Files;
  readonly clock: Clock;
  readonly directory: string;
  /** A folder for unfinished files, in the same file system. */
  readonly temporary: string;
  /** Asked before anything is written, and right before a file is put in place. @throws Fault `store-lost`. */
  readonly assertOwned: () => Promise<void>;
}

/** @param name the document's: `users/1001`. */
export function pathIn({ directory }: Pick<DocumentFolder, "directory">, name: string): string {
  return join(directory, `${name}.json`);
}

/**
 * lowdb's adapter for one document in one file of its own. Its stock adapter neither syncs to disk nor names its
 * temporary file uniquely. A name in a folder lasts once the folder is synced, which is left to the caller.
 */
export function createDocumentFile<Document>(
  folder: DocumentFolder,
  name: string,
  parse: (stored: unknown) => Document,
): Adapter<Held<Document>> {
  const { files, clock, temporary, assertOwned } = folder;
  const path = pathIn(folder, name);

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
        const text = textOf(bytes);
        return { document: parse(fromJson(text)), size: text.length };
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
  };
}
