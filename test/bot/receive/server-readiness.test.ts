import { expect, it } from "vitest";
import { createReadiness } from "../../../src/bot/receive/server.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

it("checks at most once a second, and counts a failure or a long silence as not ready", async () => {
  const clock = createVirtualClock();
  let asked = 0;
  let answer: () => Promise<boolean> = async () => true;
  const ready = createReadiness(() => {
    asked += 1;
    return answer();
  }, clock);
  expect(await Promise.all([ready(), ready(), ready()])).toEqual([true, true, true]);
  expect(asked).toBe(1);
  answer = () => Promise.reject(new Error("the store is away"));
  expect(await ready()).toBe(true);
  await clock.advance(1_000);
  expect(await ready()).toBe(false);
  await clock.advance(1_000);
  answer = () => new Promise(() => undefined);
  const silent = ready();
  await clock.advance(2_000);
  expect(await silent).toBe(false);
  expect(asked).toBe(3);
});

it("lets a slow store stay active, asks it once at a time, and gives up on one that stays silent", async () => {
  const clock = createVirtualClock();
  const answers: (() => void)[] = [];
  const readiness = createReadiness(() => new Promise((resolve) => answers.push(() => resolve(true))), clock);
  /** What somebody who keeps the last answer for five seconds is told two seconds later, and somebody who doesn't. */
  const toldLater = async () => {
    const asked = Promise.all([readiness(5_000), readiness()]);
    await clock.advance(2_000);
    return asked;
  };
  const first = readiness();
  answers[0]!();
  expect(await first).toBe(true);
  await clock.advance(1_000);
  expect(await toldLater()).toEqual([true, false]);
  expect(answers).toHaveLength(2);
  answers[1]!();
  await clock.advance(0);
  expect(await toldLater()).toEqual([true, false]);
  expect(await toldLater()).toEqual([true, false]);
  expect(await toldLater()).toEqual([false, false]);
  expect(answers).toHaveLength(3);
});

it("tells at once of a store that fails, whatever it said before", async () => {
  const clock = createVirtualClock();
  let check: () => Promise<boolean> = async () => true;
  const readiness = createReadiness(() => check(), clock);
  expect(await readiness(5_000)).toBe(true);
  check = () => Promise.reject(new Error("another process owns the store"));
  await clock.advance(1_000);
  expect(await readiness(5_000)).toBe(false);
});
