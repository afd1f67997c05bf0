import { setMaxListeners } from "node:events";
import { setImmediate as rest } from "node:timers/promises";
import type { Logger } from "pino";
import { pauseAfter, type Clock } from "./clock.js";
import { unlessFault } from "./fault.js";

/** Dependencies of most services. */
export interface Basics {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Returns the value of `read`, or undefined if it throws a Fault, which is logged as info. */
export function readOrLog<Value>({ log }: Pick<Basics, "log">, message: string, read: () => Promise<Value>) {
  return unlessFault(read, (err) => log.info({ err }, message));
}

/** Due times: up to and including `until`, or later than `after`. */
export type DueTimes = { readonly until: number } | { readonly after: number };

/** Background work: rows with a due time, each of which runs once that is reached. */
export interface Loop<Row, Key> {
  readonly name: string;
  /** Maximum number of rows that run at a time. */
  readonly width: number;
  /**
   * The furthest ahead that a row is ever scheduled, in milliseconds. One that is due later was scheduled before the
   * clock was set back: it runs at once, since its time may never come, and `run` schedules it again.
   */
  readonly horizon: number;
  /** Rows with the same key run one at a time. */
  readonly keyOf: (row: Row) => Key;
  /** Returns at most `limit` rows due then, the longest overdue first, without those whose keys are `running`. */
  readonly due: (then: DueTimes, limit: number, running: readonly Key[]) => Promise<readonly Row[]>;
  /** Does a due row's work and writes when it is next due. Errors are logged, and delay the key's next run. */
  readonly run: (row: Row, signal: AbortSignal) => Promise<unknown>;
  /**
   * When rows are due, running ones included, in milliseconds since 1970: if there are any, at least the earliest time,
   * the earliest later than `now`, and the latest. Most looks ask nothing else.
   */
  readonly times: (now: number) => Promise<readonly number[]>;
}

const BACK_OFF = { first: 1000, longest: 30_000 };
/** While more is due than there is room for, times are asked for so often. When the clock is set, they are at once. */
const FULL_MS = 1000;

/** A loop that can be run, and woken. */
export interface LoopRunner {
  /** Call it after committing a row that may be due. */
  readonly wake: () => void;
  /** Call it after committing a row that is due at a time, in milliseconds since 1970: until then it costs no look. */
  readonly wakeBy: (at: number) => void;
  /** Runs due rows until the signal is aborted; resolves once none is running. Errors are logged, and tried again. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export function createLoop<Row, Key>({ clock, log }: Basics, loop: Loop<Row, Key>): LoopRunner {
  const running = new Map<Key, Promise<void>>();
  /** Consecutive failures of each key. */
  const failures = new Map<Key, number>();
  /** Keys that have run since the event loop last came round. */
  const recent = new Set<Key>();
  /** When the times were asked for last, if more was due than there was room for. */
  let fullSince = Number.POSITIVE_INFINITY;
  const next = createAppointment(clock);
  const wake = (): void => next.hurry(Number.NEGATIVE_INFINITY);

  async function run(row: Row, signal: AbortSignal): Promise<void> {
    const key = loop.keyOf(row);
    try {
      // A row that is due again at once would otherwise keep everything else in the process from running: neither reads
      // nor clocks need wait for anything.
      if (recent.has(key)) await rest();
      if (recent.size === 0) setImmediate(() => recent.clear());
      recent.add(key);
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

  /** Starts due rows. @returns Milliseconds until the next look. */
  async function look(signal: AbortSignal): Promise<number> {
    const room = loop.width - running.size;
    if (room === 0) return clock.heartbeat;
    const now = clock.now();
    const isFull = fullSince <= now && now < fullSince + FULL_MS;
    const times = isFull ? [now] : await loop.times(now);
    const rows = await rowsToRun(loop, { now, times, room, running: [...running.keys()] });
    for (const row of signal.aborted ? [] : rows) {
      const key = loop.keyOf(row);
      if (running.has(key)) continue;
      running.set(key, run(row, signal));
    }
    if (rows.length < room) fullSince = Number.POSITIVE_INFINITY;
    else if (!isFull) fullSince = now;
    if (isFull || rows.length === room) return 0;
    const next = Math.min(...times.filter((at) => at > now)) - clock.now();
    return Math.min(clock.heartbeat, Math.max(0, next));
  }

  return {
    wake,
    wakeBy: (at) => next.hurry(clock.monotonic() + Math.max(0, at - clock.now())),
    run: async (signal) => {
      // Each pausing row adds a listener.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", wake);
      const ignoreSteps = clock.onStep(wake);
      // Also if it ran before.
      wake();
      for (;;) {
        await next.come();
        if (signal.aborted) break;
        const milliseconds = await look(signal).catch((err: unknown) => {
          if (!signal.aborted) log.error({ loop: loop.name, err }, "Due tasks unreadable; retrying");
          return 5 * BACK_OFF.first;
        });
        next.hurry(clock.monotonic() + milliseconds);
      }
      ignoreSteps();
      await Promise.all(running.values());
    },
  };
}

/** A loop with one thing to do. @param horizon how far ahead it can be due, in milliseconds. */
export function alone(dueAt: () => Promise<number | undefined>, horizon: number) {
  const times = async () => [(await dueAt()) ?? []].flat();
  const isDue = (at: number, then: DueTimes) => ("until" in then ? at <= then.until : at > then.after);
  const due = async (then: DueTimes) => (await times()).filter((at) => isDue(at, then));
  return { width: 1, horizon, keyOf: () => "alone", due, times };
}

interface Look<Key> {
  readonly now: number;
  readonly times: readonly number[];
  readonly room: number;
  readonly running: readonly Key[];
}

/** Rows beyond the horizon go first, so that they come to run however many others are always due. */
async function rowsToRun<Row, Key>(loop: Loop<Row, Key>, { now, times, room, running }: Look<Key>) {
  const after = now + loop.horizon;
  const beyond = times.some((at) => at > after) ? await loop.due({ after }, room, running) : [];
  if (beyond.length === room || !times.some((at) => at <= now)) return beyond;
  const taken = [...running, ...beyond.map(loop.keyOf)];
  return [...beyond, ...(await loop.due({ until: now }, room - beyond.length, taken))];
}

/** When something is done next, by the monotonic clock: at first at once, then as early as anybody asks for. */
function createAppointment(clock: Clock) {
  let next = Number.NEGATIVE_INFINITY;
  let pause = new AbortController();
  return {
    hurry: (moment: number): void => {
      if (moment >= next) return;
      next = moment;
      pause.abort("hurried");
    },
    /** Resolves when it is time. What is asked for from then on is about the time after. */
    come: async (): Promise<void> => {
      for (let left = next - clock.monotonic(); left > 0; left = next - clock.monotonic()) {
        pause = new AbortController();
        await clock.sleep(left, pause.signal).catch(() => undefined);
      }
      next = Number.POSITIVE_INFINITY;
    },
  };
}
