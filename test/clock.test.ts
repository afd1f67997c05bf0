import { describe, expect, it } from "vitest";
import { noticingSteps } from "../src/clock.js";
import { createVirtualClock } from "./support/virtual-clock.js";

const HOUR = 3_600_000;

function noticing() {
  const real = createVirtualClock();
  let timers = 0;
  const timer = (milliseconds: number, run: () => void) => {
    timers += 1;
    return real.timer(milliseconds, run);
  };
  const clock = noticingSteps({ now: real.now, monotonic: real.monotonic, timer });
  const steps: number[] = [];
  const listen = () => clock.onStep((step) => steps.push(step));
  return { real, clock, steps, listen, timers: () => timers };
}

describe("a clock", () => {
  it.each([HOUR, -HOUR, 24 * HOUR, -24 * HOUR])("that is set by %d ms says so within a second, once", async (step) => {
    const { real, steps, listen } = noticing();
    listen();
    await real.advance(600_000);
    expect(steps).toEqual([]);
    real.step(step);
    await real.advance(1000);
    expect(steps).toEqual([step]);
    await real.advance(600_000);
    expect(steps).toEqual([step]);
  });

  it("says so before anybody learns the new time", () => {
    const { real, clock, steps, listen } = noticing();
    listen();
    real.step(HOUR);
    const seen = steps.length;
    expect(clock.now()).toBe(real.now());
    expect([seen, steps]).toEqual([0, [HOUR]]);
  });

  it("corrected in passing has not been set, and many small corrections add up to one step", async () => {
    const { real, steps, listen } = noticing();
    listen();
    for (let corrections = 0; corrections < 4; corrections += 1) {
      real.step(1000);
      await real.advance(1000);
    }
    expect(steps).toEqual([]);
    real.step(1000);
    await real.advance(1000);
    expect(steps).toEqual([5000]);
  });

  it("that runs fast is set once a second, however often it is read, and by all in the end", async () => {
    const { real, clock, steps, listen } = noticing();
    listen();
    for (let reads = 0; reads < 2000; reads += 1) {
      real.step(10_000);
      await real.advance(10);
      clock.now();
    }
    expect(steps.length).toBeLessThanOrEqual(21);
    await real.advance(1000);
    expect(steps.reduce((sum, step) => sum + step, 0)).toBe(2000 * 10_000);
  });

  it("tells only those who still listen, and is compared only while somebody does", async () => {
    const { real, steps, listen, timers } = noticing();
    const [ignore, ignoreToo] = [listen(), listen()];
    ignore();
    real.step(HOUR);
    await real.advance(1000);
    expect(steps).toEqual([HOUR]);
    ignoreToo();
    const before = timers();
    real.step(HOUR);
    await real.advance(10_000);
    expect(steps).toEqual([HOUR]);
    expect(timers()).toBe(before);
  });
});
