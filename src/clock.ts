import { setTimeout as sleep } from "node:timers/promises";

/** Time as a dependency, so that schedules can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since an arbitrary moment, for intervals: unlike `now`, it never jumps. */
  readonly monotonic: () => number;
  /** Runs a function after a number of milliseconds. @returns a function that cancels it. */
  readonly timer: (milliseconds: number, run: () => void) => () => void;
  /** Resolves after a number of milliseconds; rejects if the signal is aborted first. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer: (milliseconds, run) => {
    const timeout = setTimeout(run, milliseconds);
    return () => clearTimeout(timeout);
  },
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }),
};

/** Milliseconds to wait after a number of consecutive failures: doubles with each, from `first` to `longest`. */
export function pauseAfter(failures: number, { first, longest }: { first: number; longest: number }): number {
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 30));
}

/** Resolves like the promise, or to undefined if that takes longer than a number of milliseconds. */
export async function within<Value>(clock: Clock, milliseconds: number, promise: Promise<Value>) {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.timer(milliseconds, () => resolve(undefined));
  });
  return Promise.race([promise, late]).finally(cancel);
}

/** Runs a task immediately, and again after each pause, until the signal is aborted. Errors are passed to `onError`. */
export async function repeat(
  clock: Pick<Clock, "sleep">,
  pauseMilliseconds: number,
  signal: AbortSignal,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await task().catch(onError);
    await clock.sleep(pauseMilliseconds, signal).catch(() => undefined);
  }
}
