import type { Clock } from "../clock.js";

export interface Pump {
  /** There may be something to do: looks at once. */
  readonly kick: () => void;
  /** Nothing is begun any more. */
  readonly stop: () => void;
}

/** No timer is set for longer than this; looking again in vain costs nothing. */
const LONGEST_SLEEP_MILLISECONDS = 3_600_000;

/**
 * Runs `step` when it is kicked and at the times that it asks for. `step` begins whatever can be begun now, must not throw,
 * and returns when to look again: a time on the monotonic clock, or undefined to wait for the next kick.
 */
export function createPump(clock: Clock, step: (now: number) => number | undefined): Pump {
  let isRunning = false;
  let isStopped = false;
  let isKicked = false;
  let sleeping: AbortController | undefined;

  async function run(): Promise<void> {
    isRunning = true;
    while (isGoing()) {
      isKicked = false;
      const now = clock.monotonic();
      const next = step(now);
      if (wasKicked()) continue;
      if (next === undefined) break;
      sleeping = new AbortController();
      await clock
        .sleep(Math.min(Math.max(1, next - now), LONGEST_SLEEP_MILLISECONDS), sleeping.signal)
        .catch(() => undefined);
      sleeping = undefined;
    }
    isRunning = false;
  }

  // As functions, because the compiler can't see that `step` and the awaited sleep may change these.
  const isGoing = (): boolean => !isStopped;
  const wasKicked = (): boolean => isKicked;

  return {
    kick: () => {
      isKicked = true;
      // With a reason of its own: the error that it would otherwise make costs more than many a step.
      sleeping?.abort("kicked");
      if (!isRunning && !isStopped) void run();
    },
    stop: () => {
      isStopped = true;
      sleeping?.abort();
    },
  };
}
