import type { Clock } from "../../src/clock.js";

/** A clock that stands still until it is moved. */
export interface VirtualClock extends Clock {
  /** Moves on, waking every sleeper in the order of their times. */
  readonly advance: (milliseconds: number) => Promise<void>;
}

export function createVirtualClock(start = 1_000_000): VirtualClock {
  let now = start;
  const sleepers = new Set<{ at: number; wake: () => void }>();

  /** Lets everything run that waits for no timer. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const onAbort = () => {
          if (sleepers.delete(sleeper)) reject(signal?.reason as Error);
        };
        const wake = () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        };
        const sleeper = { at: now + milliseconds, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", onAbort);
      }),
    advance: async (milliseconds) => {
      const end = now + milliseconds;
      await settle();
      for (;;) {
        const [next] = [...sleepers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (next === undefined) break;
        now = Math.max(now, next.at);
        sleepers.delete(next);
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}
