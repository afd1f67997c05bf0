import { Fault } from "../../../src/fault.js";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Incident, OperatorEvent } from "../../../src/services/telegram/outbox.js";
import { createHealth } from "../../../src/services/base/health.js";
import { watchForIncidents } from "../../../src/services/operator/incidents.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { checksOf, closedOutbox } from "../telegram/noticed.js";
import { silent } from "../samples.js";

/** A disk for one process after the other, with everything that can cause an incident. */
function arrange() {
  const store = createMemoryDisk();
  const clock = createVirtualClock();
  const health = createHealth(clock);
  const told: OperatorEvent[] = [];
  const reported = new Map<Incident, boolean>();
  const disk = { bavail: 500, blocks: 1_000, bsize: 1_000_000 };
  const alerts = { count: 0, oldestMilliseconds: 0 };
  const overdue = { prices: 0, orders: 0, news: 0 };
  const taken = { orders: 0 };
  const sent: unknown[] = [];
  const kept = store.open();
  const failWrites = (isOn: boolean) => {
    kept.beforeWrite = () => {
      if (isOn) throw new Fault("store-write-failed", { document: "disk" });
    };
  };
  const start = () => {
    const stopping = new AbortController();
    const watching = watchForIncidents(
      {
        store: kept,
        operators: [7, 8],
        services: health.read,
        outbox: {
          ...closedOutbox,
          waiting: async () => alerts,
          flush: async (...one) => void sent.push(one),
          stuckMilliseconds: () => overdue.news,
        },
        disk: async () => disk,
        checks: checksOf(reported),
        overdue: {
          "late-prices": async () => overdue.prices,
          "late-orders": async () => overdue.orders,
          "late-blocks": async () => 0,
        },
        taken: { "full-orders": async () => taken.orders },
        clock,
        log: silent,
      },
      async (_tx, _id, event) => void told.push(event),
      stopping.signal,
    );
    const stop = async () => {
      stopping.abort();
      await watching;
    };
    onTestFinished(stop);
    return stop;
  };
  const names = () => told.map((event) => (event.about === "incident" ? event.incident : event.about));
  /** Fails a request each second. */
  const failing = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      health.note({ service: "node", status: "timeout", seconds: 1 });
      await clock.advance(1_000);
    }
  };
  return { failWrites, sent, clock, health, told, names, reported, alerts, overdue, taken, disk, start, failing };
}

describe("an outage", () => {
  it("is reported once within ten seconds, and its end once, however long both last", async () => {
    const { clock, health, told, names, start, failing } = arrange();
    start();
    health.note({ service: "node", status: 200, seconds: 0.01 });
    await clock.advance(4_000);
    const since = clock.now();
    await failing(9);
    expect(told).toEqual([{ about: "incident", incident: "node-outage", since: expect.any(Number) as number }]);
    await failing(120);
    expect(names()).toEqual(["node-outage"]);
    health.note({ service: "node", status: 200, seconds: 0.01 });
    await clock.advance(60_000);
    expect(names()).toEqual(["node-outage", "return"]);
    expect(clock.now()).toBeGreaterThan(since);
  });

  it("is not a single failed request", async () => {
    const { clock, health, names, start } = arrange();
    start();
    health.note({ service: "quotation", status: 503, seconds: 0.01 });
    await clock.advance(60_000);
    expect(names()).toEqual([]);
  });

  it("continues across a restart without another report, and its end is reported", async () => {
    const { clock, health, names, start, failing } = arrange();
    const stop = start();
    await failing(9);
    await stop();
    start();
    await failing(9);
    expect(names()).toEqual(["node-outage"]);
    health.note({ service: "node", status: 200, seconds: 0.01 });
    await clock.advance(4_000);
    expect(names()).toEqual(["node-outage", "return"]);
  });

  it.each([
    ["Telegram's answer for a user who blocked the bot", "telegram", 403],
    ["a conflict that another service reports", "exchange", 409],
  ] as const)("is not %s", async (_, service, status) => {
    const { clock, health, names, start } = arrange();
    start();
    for (let second = 0; second < 20; second += 1) {
      health.note({ service, status, seconds: 0.01 });
      await clock.advance(1_000);
    }
    expect(names()).toEqual([]);
  });
});

it.each<[Incident, (world: ReturnType<typeof arrange>) => void]>([
  ["late-alerts", ({ alerts }) => Object.assign(alerts, { count: 1, oldestMilliseconds: 61_000 })],
  ["late-prices", ({ overdue }) => Object.assign(overdue, { prices: 61_000 })],
  ["stuck-news", ({ overdue }) => Object.assign(overdue, { news: 300_000 })],
  ["late-orders", ({ overdue }) => Object.assign(overdue, { orders: 61_000 })],
  ["full-disk", ({ disk }) => Object.assign(disk, { bavail: 49 })],
  ["router-mismatch", ({ reported }) => reported.set("router-mismatch", true)],
  ["chain-mismatch", ({ reported }) => reported.set("chain-mismatch", true)],
])("%s is reported once within ten seconds, and again when it comes back", async (incident, plant) => {
  const world = arrange();
  world.start();
  await world.clock.advance(4_000);
  plant(world);
  await world.clock.advance(9_000);
  expect(world.names()).toEqual([incident]);
  await world.clock.advance(60_000);
  expect(world.names()).toEqual([incident]);
  // Nor is slightly less late on time.
  if (incident === "late-alerts") world.alerts.oldestMilliseconds = 40_000;
  for (const name of ["prices", "orders"] as const) if (world.overdue[name] > 0) world.overdue[name] = 40_000;
  await world.clock.advance(9_000);
  if (incident.startsWith("late")) plant(world);
  await world.clock.advance(9_000);
  expect(world.names()).toEqual([incident]);
  Object.assign(world.alerts, { count: 0, oldestMilliseconds: 0 });
  Object.assign(world.overdue, { prices: 0, orders: 0, news: 0 });
  // Slightly above the limit isn't enough to end a full disk.
  world.disk.bavail = 60;
  await world.clock.advance(4_000);
  if (incident === "full-disk") plant(world);
  await world.clock.advance(4_000);
  world.disk.bavail = 500;
  for (const name of world.reported.keys()) world.reported.set(name, false);
  await world.clock.advance(300_000);
  plant(world);
  await world.clock.advance(9_000);
  expect(world.names()).toEqual([incident, incident]);
});

it("another instance is what takes polls for a minute, not what a restart leaves behind; told once until it was quiet for five", async () => {
  const { clock, health, told, names, start } = arrange();
  start();
  /** As two that poll do to each other, with the others' answers in between. */
  const conflicts = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 5) {
      health.note({ service: "telegram", status: 409 });
      await clock.advance(2_000);
      health.note({ service: "telegram", status: 200 });
      await clock.advance(3_000);
    }
  };
  await conflicts(55);
  expect(names()).toEqual([]);
  // Those of another restart are counted from there.
  await clock.advance(60_000);
  await conflicts(55);
  expect(names()).toEqual([]);
  await clock.advance(60_000);
  const began = clock.now();
  await conflicts(70);
  expect(names()).toEqual(["second-poller"]);
  expect(told).toMatchObject([{ since: expect.closeTo(began + 62_000, -4) as number }]);
  // While they go on, and for less than five minutes without.
  await conflicts(600);
  await clock.advance(280_000);
  await conflicts(70);
  expect(names()).toEqual(["second-poller"]);
  await clock.advance(310_000);
  await conflicts(5);
  expect(names()).toEqual(["second-poller"]);
  await conflicts(70);
  expect(names()).toEqual(["second-poller", "second-poller"]);
});

it("orders that fill 90% of their limit are reported once, and again only after they filled less than 80%", async () => {
  const { clock, names, start, taken } = arrange();
  start();
  const seen: number[] = [];
  for (const percent of [89, 90, 100, 85, 90, 79, 90]) {
    taken.orders = percent;
    await clock.advance(61_000);
    seen.push(names().length);
  }
  expect(seen).toEqual([0, 1, 1, 1, 1, 1, 2]);
  expect(new Set(names())).toEqual(new Set(["full-orders"]));
});

it("a disk that is full at once is told without it, once, and anew once it has had space", async () => {
  const { clock, disk, failWrites, names, sent, start } = arrange();
  start();
  await clock.advance(4_000);
  disk.bavail = 0;
  failWrites(true);
  await clock.advance(60_000);
  const what = {
    kind: "operator",
    event: { about: "incident", incident: "full-disk", since: expect.any(Number) as number },
  };
  const keyOf = (id: number) => ({ user_id: id, topic: "notice", subject: "full-disk" });
  expect(sent).toEqual([
    [keyOf(7), what],
    [keyOf(8), what],
  ]);
  expect(names()).toEqual([]);
  disk.bavail = 500;
  failWrites(false);
  await clock.advance(10_000);
  disk.bavail = 0;
  failWrites(true);
  await clock.advance(10_000);
  expect(sent).toHaveLength(4);
});
