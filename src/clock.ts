import { setTimeout as sleep } from "node:timers/promises";

/** Time as a part that is passed in, so that schedules can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since some moment, for intervals: unlike `now` it never steps back or ahead. */
  readonly monotonic: () => number;
  /** Runs something after a number of milliseconds, unless the function that it returns is called before. */
  readonly timer: (milliseconds: number, run: () => void) => () => void;
  /** Resolves after a number of milliseconds; rejects when the signal is aborted first. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer: (milliseconds, run) => {
    const timeout = setTimeout(run, milliseconds);
    return () => clearTimeout(timeout);
  },
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }),
};

/** How long to wait after so many failures in a row, in milliseconds: twice as long with each. */
export function pauseAfter(failures: number, { first, longest }: { first: number; longest: number }): number {
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 30));
}

/** What a promise gives, or undefined where that takes longer than a number of milliseconds. */
export async function within<Value>(clock: Clock, milliseconds: number, promise: Promise<Value>) {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.timer(milliseconds, () => resolve(undefined));
  });
  return Promise.race([promise, late]).finally(cancel);
}

/** Does something at once and again after each pause, until the signal is aborted. `onError` receives what it throws. */
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
