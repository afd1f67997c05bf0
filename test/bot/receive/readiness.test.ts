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
