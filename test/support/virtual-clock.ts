import { createDoubt, type Clock } from "../../src/clock.js";

/** A clock that moves only when told to. */
export interface VirtualClock extends Clock {
  /** Moves the clock ahead, waking sleepers in the order of their times. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Sets the time of day ahead or back, as an operator or a time server does. No time passes. */
  readonly step: (milliseconds: number) => void;
  /** The same, while nothing runs that could see it. */
  readonly setUnseen: (milliseconds: number) => void;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Pending answers of a database, which arrive in real time. */
const awaited = new Set<Promise<unknown>>();

/** Makes `advance` wait for an answer. */
export async function outstanding<Answer>(answer: Promise<Answer>): Promise<Answer> {
  awaited.add(answer);
  try {
    return await answer;
  } finally {
    awaited.delete(answer);
  }
}

/** Longer than the real one, so that a quiet day costs little, and a wake that is lost shows. */
const HEARTBEAT_MS = 600_000;

export function createVirtualClock(start = 1_000_000, heartbeat = HEARTBEAT_MS): VirtualClock {
  /** Time passed, and the difference of the time of day. In milliseconds. */
  let passed = 0;
  let ahead = start;
  const listeners = new Set<(milliseconds: number) => void>();
  const doubt = createDoubt(() => passed);
  const sleepers = new Set<Sleeper>();

  function timer(milliseconds: number, wake: () => void): () => void {
    const sleeper = { at: passed + milliseconds, wake };
    sleepers.add(sleeper);
    return () => void sleepers.delete(sleeper);
  }

  /** Of those at the same time, the one that began to sleep first. */
  function earliest(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers) if (first === undefined || sleeper.at < first.at) first = sleeper;
    return first;
  }

  /** Lets all that doesn't wait for a timer run. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      for (; awaited.size > 0; turn = 0) await Promise.allSettled(awaited);
    }
  }

  return {
    // Whole milliseconds, like real clocks: a PostgreSQL column accepts no others.
    now: () => Math.floor(ahead + passed),
    monotonic: () => passed,
    step: (milliseconds) => {
      ahead += milliseconds;
      doubt.begin();
      for (const listener of listeners) listener(milliseconds);
      doubt.noteStep(milliseconds);
    },
    setUnseen: (milliseconds) => {
      ahead += milliseconds;
    },
    onStep: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    doubt,
    heartbeat,
    timer,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const onAbort = () => {
          cancel();
          reject(signal?.reason as Error);
        };
        const cancel = timer(milliseconds, () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    advance: async (milliseconds) => {
      const end = passed + milliseconds;
      await settle();
      for (;;) {
        const next = earliest();
        if (next === undefined || next.at > end) break;
        passed = Math.max(passed, next.at);
        sleepers.delete(next);
        next.wake();
        await settle();
      }
      passed = end;
    },
  };
}
