import { expect, it, onTestFinished } from "vitest";
import { type Notice, type Incident, noticeTopic } from "../../../src/services/telegram/outbox.js";
import { createHealth } from "../../../src/services/base/health.js";
import { insertIntent } from "../../../src/services/intent/intent-row.js";
import { createOperator } from "../../../src/services/operator/operator.js";
import { createOperatorNotifications } from "../../../src/services/operator/incidents.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { checksOf, noticesOf, outboxTo, quiet } from "../telegram/noticed.js";
import { silent } from "../samples.js";

it("every event reaches every operator once, within ten seconds", async () => {
  const clock = createVirtualClock();
  const store = createMemoryDisk().open();
  const health = createHealth(clock);
  const reported = new Map<Incident, boolean>();
  const disk = { bavail: 500, blocks: 1_000, bsize: 1_000_000 };
  const arrived: { readonly userId: number; readonly about: string; readonly at: number }[] = [];
  const deliver = async (userId: number, what: Notice["what"]) => {
    if (what.kind !== "operator") return 0;
    const { event } = what;
    return arrived.push({ userId, about: event.about === "incident" ? event.incident : event.about, at: clock.now() });
  };
  let late = 0;
  const overdue = { prices: 0, orders: 0, news: 0, blocks: 0 };
  const { outbox } = outboxTo({ store, deliver, clock });
  outbox.use([noticeTopic]);
  outbox.start();
  const operator = createOperator({
    ...quiet,
    operators: [1, 2, 3],
    allowed: [],
    store,
    clock,
    services: health.read,
    outbox: {
      ...outbox,
      waiting: async () => ({ count: 0, oldestMilliseconds: late }),
      stuckMilliseconds: () => overdue.news,
    },
    checks: checksOf(reported),
    overdue: {
      "late-prices": async () => overdue.prices,
      "late-orders": async () => overdue.orders,
      "late-blocks": async () => overdue.blocks,
    },
    disk: async () => disk,
  });
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  void operator.run(stopping.signal);
  health.note({ service: "node", status: 200, seconds: 0.01 });
  await clock.advance(10_000);

  const unknown = intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" });
  const poll = () => health.note({ service: "telegram", status: 409 });
  const plants: Record<string, () => void | Promise<void>> = {
    unknown: () =>
      store.write((tx) => insertIntent(tx, { ...unknown, times: { CLAIMED: clock.now(), UNKNOWN: clock.now() } })),
    "router-mismatch": () => void reported.set("router-mismatch", true),
    "chain-mismatch": () => {
      reported.set("chain-mismatch", true);
      // The first, a minute before the next.
      poll();
    },
    "second-poller": poll,
    "late-alerts": () => void (late = 61_000),
    "late-prices": () => void (overdue.prices = 61_000),
    "late-orders": () => void (overdue.orders = 61_000),
    "stuck-news": () => void (overdue.news = 300_000),
    "chain-begun-again": () => void reported.set("chain-begun-again", true),
    "wrong-clock": () => void reported.set("wrong-clock", true),
    "late-blocks": () => void (overdue.blocks = 61_000),
    "full-disk": () => void (disk.bavail = 1),
    "node-outage": async () => {
      for (let second = 0; second < 8; second += 1) {
        health.note({ service: "node", status: "unreachable", seconds: 0.01 });
        await clock.advance(1_000);
      }
    },
    return: () => health.note({ service: "node", status: 200, seconds: 0.01 }),
    newcomer: async () => void (await operator.requestAccess(99, "Ann")),
    listing: async () => {
      const sign = { tokenId: "GEM-5D0X", readAt: 0, powers: [] };
      await operator.requestListing(99, { sign, canMint: false });
    },
  };
  for (const [about, plant] of Object.entries(plants)) {
    const plantedAt = clock.now();
    await plant();
    await clock.advance(60_000);
    const own = arrived.filter((one) => one.about === about);
    expect(own.map(({ userId }) => userId).sort(), about).toEqual([1, 2, 3]);
    for (const { at } of own) expect(at - plantedAt, about).toBeLessThan(10_000);
  }
  expect(arrived).toHaveLength(3 * Object.keys(plants).length);
});

it("an event reported again while its message waits stays one message", async () => {
  const [store, clock] = [createMemoryDisk().open(), createVirtualClock()];
  const tell = createOperatorNotifications({ clock, log: silent }, [1]);
  for (let time = 0; time < 2; time += 1)
    await store.write((tx) => tell(tx, "return-0", { about: "return", service: "node", since: 0 }));
  expect(await noticesOf(store.db, 1)).toHaveLength(1);
});
