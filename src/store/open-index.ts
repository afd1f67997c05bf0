import { dirname, join } from "node:path";
import { type Files, isSystemError, unlessMissing } from "./files.js";

/**
 * Which documents of a collection are open: an empty file for each, in a folder of its own. A mark is on disk before its
 * document becomes open, and goes after the document is not open any more. So one may be left over, but none is missing.
 */
export interface OpenIndex {
  /** Whether it was ever built; if not, it knows nothing. */
  readonly exists: () => Promise<boolean>;
  /** Rebuilds it, completely or not at all. */
  readonly build: (openIds: AsyncIterable<string>) => Promise<void>;
  /** Resolves when the mark is on disk. */
  readonly mark: (id: string) => Promise<void>;
  /** Never fails: a mark that is left over does no harm. */
  readonly unmark: (id: string) => Promise<void>;
  readonly ids: () => Promise<readonly string[]>;
}

export function createOpenIndex(files: Files, folder: string, syncFolder: Files["syncFolder"]): OpenIndex {
  const unfinished = `${folder}.unfinished`;

  async function put(path: string): Promise<void> {
    await files.writeNew(path, "").catch((error: unknown) => {
      if (!isSystemError(error, "EEXIST")) throw error;
    });
  }

  return {
    exists: async () => (await unlessMissing(files.list(folder))) !== undefined,
    build: async (openIds) => {
      await files.makeFolder(unfinished);
      for await (const id of openIds) await put(join(unfinished, id));
      await files.syncFolder(unfinished);
      await files.rename(unfinished, folder);
      await files.syncFolder(dirname(folder));
    },
    mark: async (id) => {
      await put(join(folder, id));
      await syncFolder(folder);
    },
    unmark: (id) => files.remove(join(folder, id)).catch(() => undefined),
    ids: () => files.list(folder),
  };
}
