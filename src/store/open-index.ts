import { dirname, join } from "node:path";
import { type Files, isSystemError, unlessMissing } from "./files.js";

/**
 * Which documents of a collection are open: an empty file for each, in a folder of its own. A mark is on disk before its
 * document becomes open, and goes after the document is not open any more. So one may be left over, but none is missing.
 */
export function createOpenIndex(files: Files, folder: string) {
  const unfinished = `${folder}.unfinished`;
  /** What is in the folder, once it was looked at. */
  let known: Promise<Set<string> | undefined> | undefined;

  function remember<Marks extends Set<string> | undefined>(marks: Promise<Marks>): Promise<Marks> {
    const remembered = marks.catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    known = remembered;
    return remembered;
  }

  const look = () => known ?? remember(unlessMissing(files.list(folder)).then((found) => found && new Set(found)));

  async function put(path: string): Promise<void> {
    await files.writeNew(path, "").catch((error: unknown) => {
      if (!isSystemError(error, "EEXIST")) throw error;
    });
  }

  async function build(openIds: AsyncIterable<string>): Promise<Set<string>> {
    const marked = new Set<string>();
    await files.makeFolder(unfinished);
    for await (const id of openIds) {
      await put(join(unfinished, id));
      marked.add(id);
    }
    await files.syncFolder(unfinished);
    await files.rename(unfinished, folder);
    await files.syncFolder(dirname(folder));
    return marked;
  }

  return {
    /** Whose marks there are. Where there is no index yet it is built first, completely or not at all. */
    ids: (openIds: AsyncIterable<string>): Promise<Set<string>> =>
      remember(look().then((marks) => marks ?? build(openIds))),
    /** Resolves when the marks are on disk. Like `unmark` it waits while the index is built, and before that does nothing. */
    mark: async (ids: readonly string[]): Promise<void> => {
      const marked = await look();
      if (marked === undefined) return;
      const fresh = ids.filter((id) => !marked.has(id));
      if (fresh.length === 0) return;
      for (const id of fresh) await put(join(folder, id));
      await files.syncFolder(folder);
      for (const id of fresh) marked.add(id);
    },
    unmark: async (ids: readonly string[]): Promise<void> => {
      const marked = await look();
      for (const id of ids.filter((each) => marked?.has(each))) {
        await unlessMissing(files.remove(join(folder, id)));
        marked?.delete(id);
      }
    },
  };
}
