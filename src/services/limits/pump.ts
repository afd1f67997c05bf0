import type { Clock } from "../../clock.js";

/** No timer is set for longer than this; looking again in vain costs nothing. */
const LONGEST_SLEEP_MILLISECONDS = 3_600_000;

/**
 * Runs `step` when it is kicked and at the times that it asks for. `step` begins whatever can be begun now, must not throw,
 * and returns when to look again: a time on the monotonic clock, or undefined to wait for the next kick.
 */
export function createPump(clock: Clock, step: (now: number) => number | undefined) {
  let isRunning = false;
  let isStopped = false;
  let isKicked = false;
  let cancelTimer = () => {};

  function run(): void {
    cancelTimer();
    isRunning = true;
    let wait: number | undefined;
    do {
      isKicked = false;
      const now = clock.monotonic();
      const next = step(now);
      wait = next === undefined ? undefined : Math.min(Math.max(1, next - now), LONGEST_SLEEP_MILLISECONDS);
    } while (wasKicked() && !isStopped);
    isRunning = false;
    if (wait !== undefined && !isStopped) cancelTimer = clock.timer(wait, run);
  }

  // A function, because the compiler can't see that `step` may change it.
  const wasKicked = (): boolean => isKicked;

  return {
    /** There may be something to do: looks at once. */
    kick: (): void => {
      isKicked = true;
      if (!isRunning && !isStopped) run();
    },
    /** Nothing is begun any more. */
    stop: (): void => {
      isStopped = true;
      cancelTimer();
    },
  };
}
