import { expect, it, onTestFinished } from "vitest";
import { createFigures } from "../../../src/services/operator/figures.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";

it("whichever instance is asked shows what the leading one knows", async () => {
  const disk = createMemoryDisk();
  const clock = createVirtualClock();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const updates = () => ({ count: 5, oldestMilliseconds: 10 });
  const start = (isLeading: boolean, waiting: number) => {
    const figures = createFigures({
      store: disk.open(),
      lead: { isLeading: () => isLeading },
      clock,
      log: silent,
      updates,
      alerts: () => ({ count: waiting, oldestMilliseconds: 1_000 * waiting }),
      services: () => [{ service: "node", failures: waiting }],
    });
    void figures.tellOthers(stopping.signal);
    return figures;
  };
  const other = start(false, 0);
  const leader = start(true, 7);
  await clock.advance(2_000);
  expect(await other.read()).toEqual({
    updates: updates(),
    alerts: { count: 7, oldestMilliseconds: 7_000 },
    services: [{ service: "node", failures: 7 }],
  });
  expect(await other.read()).toEqual(await leader.read());
});
