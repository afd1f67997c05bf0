import { AsyncResource } from "node:async_hooks";
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
  /** When the time of day isn't believed yet. */
  readonly doubt: Doubt;
  /** So late loops look at what nobody woke them for, in milliseconds: what a lost wake costs. */
  readonly heartbeat: number;
  /** Resolves after a number of milliseconds; rejects if the signal is aborted first. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

type StepListener = (milliseconds: number) => void;

/** What else knows the time. The chain's may be behind: its node may have stopped, or not have all blocks yet. */
export type OtherClock = "chain" | "telegram";

/** A clock that was just set may be set right soon: meanwhile nothing ends or is missed by it. */
export interface Doubt {
  /** Call it when the clock was set, and with the time when a run begins: another clock may say more soon. */
  readonly begin: (runFrom?: number) => void;
  /** Call it with how far ahead of another clock this one is, in milliseconds. */
  readonly compare: (ahead: number, than?: OtherClock) => void;
  /** Call it once all know that the clock was set. */
  readonly noteStep: (step: number) => void;
  /** In milliseconds; 0 while the clock is believed. */
  readonly left: () => number;
  /** From when on this run's times are wrong, if it began with a wrong clock: what was reckoned before is right. */
  readonly wrongFrom: () => number | undefined;
  /** Whether it is believed although another clock says something else. */
  readonly isWrong: () => boolean;
}

/** How long it lasts. A clock that is set again and again is believed after an hour. */
const UNBELIEVED_MS = 600_000;
const MAX_UNBELIEVED_MS = 3_600_000;
/** Clocks that differ by less agree. */
export const AGREED_MS = 300_000;

export function createDoubt(monotonic: () => number): Doubt {
  let [since, last] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  /** When the run began, by both clocks, how far this one was set since, and which others haven't been compared. */
  let run: { readonly from: number; readonly at: number; set: number; readonly unheard: Set<OtherClock> } | undefined;
  /** How far ahead of each this one is, and when it was compared; from when on that was so. */
  const others = new Map<OtherClock, { ahead: number; readonly at: number }>();
  let wrongFrom: number | undefined;
  /** Where Telegram agrees, a chain that is behind is a node that is. */
  const isOff = (set = 0): boolean => {
    const [telegram, chain] = [others.get("telegram"), others.get("chain")];
    if (telegram !== undefined && Math.abs(telegram.ahead - set) > AGREED_MS) return true;
    if (chain === undefined || monotonic() - chain.at > UNBELIEVED_MS) return false;
    const ahead = chain.ahead - set;
    return ahead < -AGREED_MS || (ahead > AGREED_MS && telegram === undefined);
  };
  const left = (): number => Math.max(0, Math.min(last + UNBELIEVED_MS, since + MAX_UNBELIEVED_MS) - monotonic());
  return {
    begin: (from) => {
      const now = monotonic();
      if (now - last > UNBELIEVED_MS) since = now;
      last = now;
      if (from !== undefined) run = { from, at: now, set: 0, unheard: new Set(["telegram", "chain"]) };
    },
    compare: (ahead, than = "telegram") => {
      others.set(than, { ahead, at: monotonic() });
      if (run?.unheard.delete(than) !== true) return;
      // What it was set by since isn't what this run began with.
      const wasOff = isOff(run.set);
      wrongFrom = wasOff && isOff() ? run.from : undefined;
      if (wasOff) last = Math.max(last, run.at);
      else if (run.set === 0) last = Number.NEGATIVE_INFINITY;
    },
    noteStep: (step) => {
      if (run !== undefined) run.set += step;
      for (const other of others.values()) other.ahead += step;
      if (!isOff()) wrongFrom = undefined;
    },
    left,
    wrongFrom: () => wrongFrom,
    isWrong: () => isOff() && left() === 0,
  };
}

/** How often is looked at what is over by a clock that isn't believed yet. */
const LOOKED_AT_MS = 15_000;

/** When to look again at what is over, in milliseconds since 1970; undefined if the clock is believed. */
export function doubtedUntil({ now, doubt }: Pick<Clock, "doubt" | "now">): number | undefined {
  const left = doubt.left();
  return left > 0 ? now() + Math.ceil(Math.min(left, LOOKED_AT_MS)) : undefined;
}

export const systemClock: Clock = {
  ...noticingSteps({ now: () => Date.now(), monotonic: () => performance.now(), timer: startTimer }),
  heartbeat: 30_000,
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

/**
 * Returns clocks that compare themselves each time they are read, and each second while anybody listens. One that runs
 * fast is set once a second.
 */
export function noticingSteps(
  clocks: Pick<Clock, "monotonic" | "now" | "timer">,
): Pick<Clock, "doubt" | "monotonic" | "now" | "onStep"> {
  const listeners = new Set<StepListener>();
  const doubt = createDoubt(clocks.monotonic);
  let steppedAt = Number.NEGATIVE_INFINITY;
  let difference = clocks.now() - clocks.monotonic();
  let cancel = () => {};

  function now(): number {
    const read = clocks.now();
    const step = read - clocks.monotonic() - difference;
    if (Math.abs(step) < STEP_MS || clocks.monotonic() - steppedAt < COMPARE_MS) return read;
    steppedAt = clocks.monotonic();
    difference += step;
    doubt.begin();
    for (const listener of listeners) listener(Math.round(step));
    doubt.noteStep(step);
    return read;
  }

  function compare(): void {
    now();
    cancel = clocks.timer(COMPARE_MS, compare);
  }

  return {
    now,
    monotonic: clocks.monotonic,
    doubt,
    onStep: (listener) => {
      if (listeners.size === 0) compare();
      // Not in the context of the update that happens to read the time then.
      const bound = AsyncResource.bind(listener);
      listeners.add(bound);
      return () => {
        listeners.delete(bound);
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
