import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import { pauseAfter, type Clock } from "./clock.js";
import { unlessFault } from "./fault.js";

/** What most parts are built on: time, and the log. */
export interface Basics {
  readonly clock: Clock;
  readonly log: Logger;
}

/** What `read` gives, or undefined where it throws a fault, which is logged as nothing unusual. */
export function readOrLog<Value>({ log }: Pick<Basics, "log">, message: string, read: () => Promise<Value>) {
  return unlessFault(read, (err) => log.info({ err }, message));
}

/** What happens by itself: rows with a due time, each of which is run when that has come. */
export interface Loop<Row, Key> {
  readonly name: string;
  /** So many rows are run at a time. */
  readonly width: number;
  /** Of rows with the same key one is run at a time. */
  readonly keyOf: (row: Row) => Key;
  /** At most `limit` rows that are due, the longest overdue first, without those of keys that are being run. */
  readonly due: (now: number, limit: number, running: readonly Key[]) => Promise<readonly Row[]>;
  /** Does what is due, and writes when it is due next. What it throws is logged, and the key left alone for a while. */
  readonly run: (row: Row, signal: AbortSignal) => Promise<unknown>;
  /** When the first row is due that is not due yet, in milliseconds since 1970. */
  readonly nextAt: (now: number) => Promise<number | undefined>;
}

/** A wake that got lost costs no more than this. */
const MAX_PAUSE_MS = 30_000;
const BACK_OFF = { first: 1000, longest: MAX_PAUSE_MS };

export function createLoop<Row, Key>({ clock, log }: Basics, loop: Loop<Row, Key>) {
  const running = new Map<Key, Promise<void>>();
  /** How many times in a row a key has failed. */
  const failures = new Map<Key, number>();
  /** Ends the pause after the present look, also before it begins. */
  let woken = new AbortController();
  const wake = (): void => woken.abort();

  async function run(row: Row, signal: AbortSignal): Promise<void> {
    const key = loop.keyOf(row);
    try {
      await loop.run(row, signal);
      failures.delete(key);
    } catch (err) {
      if (signal.aborted) return;
      log.error({ loop: loop.name, key, err }, "Due task failed; retrying");
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      await clock.sleep(pauseAfter(count, BACK_OFF), signal).catch(() => undefined);
    } finally {
      running.delete(key);
      wake();
    }
  }

  /** Begins what is due. @returns for how many milliseconds nothing else will be. */
  async function look(signal: AbortSignal): Promise<number> {
    const room = loop.width - running.size;
    if (room === 0) return MAX_PAUSE_MS;
    const now = clock.now();
    const rows = await loop.due(now, room, [...running.keys()]);
    for (const row of signal.aborted ? [] : rows) {
      const key = loop.keyOf(row);
      if (running.has(key)) continue;
      running.set(key, run(row, signal));
    }
    if (rows.length > 0) return 0;
    const nextAt = await loop.nextAt(now);
    return nextAt === undefined ? MAX_PAUSE_MS : Math.min(MAX_PAUSE_MS, nextAt - now);
  }

  return {
    /** To be called after a row was written that may be due, once that is committed. */
    wake,
    /** Runs what is due until the signal is aborted, and ends when nothing is being run. */
    run: async (signal: AbortSignal): Promise<void> => {
      // Each row that pauses listens to it.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", wake);
      while (!signal.aborted) {
        woken = new AbortController();
        const milliseconds = await look(signal).catch((err: unknown) => {
          log.error({ loop: loop.name, err }, "Due tasks unreadable; retrying");
          return 5 * BACK_OFF.first;
        });
        if (milliseconds > 0) await clock.sleep(milliseconds, woken.signal).catch(() => undefined);
      }
      await Promise.all(running.values());
    },
  };
}
