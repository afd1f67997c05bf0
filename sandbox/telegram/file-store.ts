/** Maximum number and total size of the recent files that can be opened. */
const KEPT_FILES = 20;
const KEPT_BYTES = 100 * 1024 * 1024;

/** The contents of the bot's most recent files, by file id. */
export function createFileStore() {
  const files = new Map<string, File>();

  return {
    put(id: string, file: File): void {
      files.set(id, file);
      for (const oldest of files.keys()) {
        const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
        if (files.size <= KEPT_FILES && bytes <= KEPT_BYTES) return;
        files.delete(oldest);
      }
    },
    find: (id: string): File | undefined => files.get(id),
  };
}
