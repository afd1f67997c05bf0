import { expect, it } from "vitest";
import { createNotify } from "../../../src/services/alerts/notices.js";
import { createOutage } from "../../../src/services/orders/outage.js";
import { personOf } from "../../../src/services/people.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";

it("an outage is told of only after it has lasted", async () => {
  const [clock, store] = [createVirtualClock(), createMemoryDisk().open()];
  const outage = createOutage({
    store,
    clock,
    log: silent,
    outageSeconds: 60,
    audience: async () => [1001],
    notify: createNotify(store, () => undefined),
  });
  const told = async () => {
    await outage.settled();
    return (await personOf(store, 1001)).outbox?.map(({ what }) => what.kind);
  };
  outage.failed();
  await clock.advance(7_200_000);
  outage.succeeded();
  outage.failed();
  expect(await told()).toBeUndefined();
  await clock.advance(60_000);
  outage.failed();
  expect(await told()).toEqual(["outage"]);
});
