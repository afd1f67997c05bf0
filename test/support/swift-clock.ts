import { systemClock, type Clock } from "../../src/clock.js";

/** The machine's clock, but so many times faster, so that a test need not wait out paces and pauses. It begins at the real time. */
export function createSwiftClock(times: number): Clock {
  const start = Date.now();
  return {
    now: () => Math.floor(start + (Date.now() - start) * times),
    monotonic: () => performance.now() * times,
    timer: (milliseconds, run) => systemClock.timer(Math.ceil(milliseconds / times), run),
    sleep: (milliseconds, signal) => systemClock.sleep(Math.ceil(milliseconds / times), signal),
  };
}
