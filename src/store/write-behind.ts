import type { Clock } from "../clock.js";
import type { Change, Journal } from "./journal.js";

/** After the first change that is only in the journal, documents are written this much later. */
const WRITE_AFTER_MILLISECONDS = 5_000;
/** When the journal is this long, they are written at once. */
const WRITE_AT_BYTES = 6_000_000;
/** When it is this long, changes wait for them. */
const WAIT_AT_BYTES = 12_000_000;

/**
 * Changes that are durable in the journal, and not yet in the files of their documents. Written a few seconds later, a
 * document costs one write however often it has changed by then.
 */
export function createWriteBehind(parts: {
  readonly journal: Journal;
  /** What an earlier run left in the journal. */
  readonly left: readonly Change[];
  /** Resolves when these changes are on disk, in the files of their documents. */
  readonly write: (changes: readonly Change[]) => Promise<void>;
  readonly clock: Clock;
  /** Hears why documents can't be written. It is tried again: meanwhile they are safe in the journal. */
  readonly onFailure: (error: unknown) => void;
}) {
  const { journal, left, write, clock, onFailure } = parts;
  const unwritten = new Map(left.map((change) => [change.name, change]));
  let running: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  if (left.length > 0) schedule();

  async function writeAll(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    if (unwritten.size === 0) return;
    try {
      await journal.turnOver();
      const changes = [...unwritten.values()];
      await write(changes);
      await journal.removeOlder();
      for (const change of changes) if (unwritten.get(change.name) === change) unwritten.delete(change.name);
    } finally {
      if (unwritten.size > 0) schedule();
    }
  }

  function flush(): Promise<void> {
    running ??= writeAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  function flushBehind(): void {
    flush().catch(onFailure);
  }

  function schedule(): void {
    cancelTimer ??= clock.timer(WRITE_AFTER_MILLISECONDS, flushBehind);
  }

  /** Resolves when all changes so far are in the files, and no longer in the journal. @throws what the disk says. */
  async function flushAll(): Promise<void> {
    // One that runs already may have begun too early.
    await running?.catch(() => undefined);
    await flush();
  }

  return {
    flush: flushAll,
    /** Resolves when the change is durable. @throws what the disk says. */
    change: async (change: Change): Promise<void> => {
      while (journal.size() >= WAIT_AT_BYTES) await flush();
      await journal.append(change);
      unwritten.set(change.name, change);
      if (journal.size() < WRITE_AT_BYTES) schedule();
      else if (running === undefined) flushBehind();
    },
    /** By a document's name its last change, for as long as its file does not say the same. */
    unwritten: unwritten as ReadonlyMap<string, Change>,
    /** Flushes, and removes the journal. */
    close: async (): Promise<void> => {
      try {
        await flushAll();
        await journal.end();
      } finally {
        cancelTimer?.();
      }
    },
  };
}
