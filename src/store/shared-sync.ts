import type { Files } from "./files.js";

/**
 * Syncs folders. Whoever asks while a sync of the same folder is under way shares the one after it with all others who do:
 * the names that they have changed may be too late for the first.
 */
export function shareSyncs(syncFolder: Files["syncFolder"]): Files["syncFolder"] {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();

  function begin(folder: string): Promise<void> {
    const sync = syncFolder(folder).finally(() => {
      if (running.get(folder) === sync) running.delete(folder);
    });
    running.set(folder, sync);
    return sync;
  }

  return (folder) => {
    const before = running.get(folder);
    if (before === undefined) return begin(folder);
    const waiting =
      next.get(folder) ??
      before
        .catch(() => undefined)
        .then(() => {
          next.delete(folder);
          return begin(folder);
        });
    next.set(folder, waiting);
    return waiting;
  };
}
