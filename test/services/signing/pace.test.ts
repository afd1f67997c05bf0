import { expect, it } from "vitest";
import { createPace } from "../../../src/services/signing/pace.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

it.each([
  ["at once", 0, 1],
  ["slowly", 3000, 10],
])(
  "makes at most ten requests in any second and ten at once, in order, to a node that answers %s",
  async (_how, takes, burst) => {
    const clock = createVirtualClock();
    const pace = createPace(clock);
    const asked: { at: number; who: number }[] = [];
    let underWay = 0;
    let most = 0;
    const all = Promise.all(
      Array.from({ length: 1000 }, (_, who) =>
        pace(async () => {
          asked.push({ at: clock.monotonic(), who });
          most = Math.max(most, (underWay += 1));
          // Slow enough for more than ten at once without the limit.
          if (takes > 0) await clock.sleep(takes);
          underWay -= 1;
        }),
      ),
    );
    for (let second = 0; second < 400 && asked.length < 1000; second += 1) await clock.advance(1000);
    await clock.advance(3000);
    await all;
    expect(asked.map(({ who }) => who)).toEqual(Array.from({ length: 1000 }, (_, who) => who));
    expect(most).toBe(burst);
    for (const [index, { at }] of asked.entries()) {
      expect((asked[index + 10]?.at ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(1000);
    }
  },
);

it("passes a failure to its caller", async () => {
  const pace = createPace(createVirtualClock());
  await expect(pace(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
});
