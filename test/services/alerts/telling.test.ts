import { expect, it } from "vitest";
import { createTelling } from "../../../src/services/alerts/telling.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";

it("tells people while there is always more to look for", async () => {
  const [clock, stopping, taken] = [createVirtualClock(1_700_000_000_000), new AbortController(), [] as number[]];
  let lots = 0;
  const telling = createTelling(
    {
      store: createMemoryDisk().open(),
      clock,
      log: silent,
      outbox: { wake: () => undefined, waiting: async () => ({ count: 0, oldestMilliseconds: 0 }) },
    },
    {
      name: "news",
      topic: "news",
      gap: 1000,
      hear: async () => {
        lots += 1;
        if (lots === 100) stopping.abort();
        return true;
      },
      dueAt: async () => 0,
      due: async (_tx, _now, limit) => [{ user_id: 7, subject: "pair" }].slice(0, limit),
      take: async (_tx, { user_id }) => ({ count: taken.push(user_id) }),
      tellAt: async () => undefined,
    },
  );
  await telling.run(stopping.signal);
  expect(taken[0]).toBe(7);
});
