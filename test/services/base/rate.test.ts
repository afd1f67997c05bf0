import { expect, it } from "vitest";
import { createUserRateLimit } from "../../../src/services/base/rate.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

it("allows each user a burst of their own, and says when to try again", async () => {
  const clock = createVirtualClock();
  const { take } = createUserRateLimit({ clock, burst: 3, refillSeconds: 10 });
  for (let count = 0; count < 3; count++) take(1);
  expect(() => take(1)).toThrow(expect.objectContaining({ code: "too-often", parameters: { retryAfterSeconds: 10 } }));
  take(2);
  await clock.advance(4_000);
  expect(() => take(1)).toThrow(expect.objectContaining({ parameters: { retryAfterSeconds: 6 } }));
  clock.step(-3_600_000);
  await clock.advance(6_000);
  take(1);
  expect(() => take(1)).toThrow(expect.objectContaining({ parameters: { retryAfterSeconds: 10 } }));
});

it("still limits a user after 100,000 users", async () => {
  const clock = createVirtualClock();
  const { take } = createUserRateLimit({ clock, burst: 1, refillSeconds: 1 });
  for (let userId = 0; userId < 100_000; userId++) {
    if (userId % 10_000 === 0) await clock.advance(2_000);
    take(userId);
  }
  expect(() => take(99_999)).toThrow();
});
