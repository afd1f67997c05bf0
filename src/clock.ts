import { setTimeout as sleep } from "node:timers/promises";

export const DAY_MS = 86_400_000;

/** Formats a UTC date: `2026-12-31`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Time as a dependency, so that schedules can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since an arbitrary moment, for intervals: unlike `now`, it never jumps. */
  readonly monotonic: () => number;
  /**
   * Calls a function whenever `now` is set ahead or back, with the difference in milliseconds, before anything learns
   * the new time. @returns a function that ends this.
   */
  readonly onStep: (listener: StepListener) => () => void;
  /** Runs a function after a number of milliseconds. @returns a function that cancels it. */
  readonly timer: (milliseconds: number, run: () => void) => () => void;
  /** Resolves after a number of milliseconds; rejects if the signal is aborted first. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

type StepListener = (milliseconds: number) => void;

export const systemClock: Clock = {
  ...noticingSteps({ now: () => Date.now(), monotonic: () => performance.now(), timer: startTimer }),
  timer: startTimer,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }),
};

function startTimer(milliseconds: number, run: () => void): () => void {
  const timeout = setTimeout(run, milliseconds);
  return () => clearTimeout(timeout);
}

/** Smaller differences between the two clocks are no step: a machine that was paused for a moment, or slow corrections. */
const STEP_MS = 5_000;
/** How often the clocks are compared if nobody asks for the time. */
const COMPARE_MS = 1_000;

/** Returns clocks that compare themselves each time they are read, and each second while anybody listens. */
export function noticingSteps(
  clocks: Pick<Clock, "monotonic" | "now" | "timer">,
): Pick<Clock, "monotonic" | "now" | "onStep"> {
  const listeners = new Set<StepListener>();
  let difference = clocks.now() - clocks.monotonic();
  let cancel = () => {};

  function now(): number {
    const read = clocks.now();
    const step = read - clocks.monotonic() - difference;
    if (Math.abs(step) < STEP_MS) return read;
    difference += step;
    for (const listener of listeners) listener(Math.round(step));
    return read;
  }

  function compare(): void {
    now();
    cancel = clocks.timer(COMPARE_MS, compare);
  }

  return {
    now,
    monotonic: clocks.monotonic,
    onStep: (listener) => {
      if (listeners.size === 0) compare();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) cancel();
      };
    },
  };
}

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
