import { createDoubt, systemClock, type Clock } from "../../src/clock.js";

/** A clock that starts at the real time and runs `times` as fast, so that tests needn't wait out pauses. */
export function createSwiftClock(times: number): Clock {
  const start = Date.now();
  return {
    now: () => Math.floor(start + (Date.now() - start) * times),
    monotonic: () => performance.now() * times,
    onStep: systemClock.onStep,
    doubt: { ...createDoubt(() => 0), begin: () => undefined, compare: () => undefined },
    heartbeat: systemClock.heartbeat,
    timer: (milliseconds, run) => systemClock.timer(Math.ceil(milliseconds / times), run),
    sleep: (milliseconds, signal) => systemClock.sleep(Math.ceil(milliseconds / times), signal),
  };
}
