/** How many of the files sent last can still be opened, and how large they may be together. */
const KEPT_FILES = 20;
const KEPT_BYTES = 100 * 1024 * 1024;

/** What is in the files that the bot sent, by file id: the latest of them. */
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
