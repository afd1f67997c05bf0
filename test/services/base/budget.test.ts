import { describe, expect, it } from "vitest";
import { seededRandom } from "../../support/seed.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { createBudget } from "../../../src/services/base/budget.js";
import { secondsToNext } from "../../../src/services/alerts/orders.js";
import { createRateLimit } from "../../../src/services/base/rate.js";

const bounds = { minSeconds: 2, maxSeconds: 60 };
const HOUR = 3_600_000;
const after = (secondsSinceChange: number, failures = 0) => secondsToNext(secondsSinceChange, failures, bounds);

describe("the time between polls of one order", () => {
  it("is short after a change and grows while nothing happens, within its bounds", () => {
    const paces = [0, 2, 10, 60, 600, 6000, 600_000].map((seconds) => after(seconds));
    expect(paces[0]).toBe(2);
    expect(paces).toEqual([...paces].sort((left, right) => left - right));
    expect(paces.at(-1)).toBe(60);
  });

  it("grows after failures, and stays within its bounds if the clock goes back", () => {
    expect(after(0, 4)).toBe(32);
    expect(after(0, 999)).toBe(60);
    expect(after(-5000)).toBe(2);
  });
});

describe("an exchange in trouble", () => {
  const setup = () => {
    const clock = createVirtualClock();
    const budget = createBudget({ service: "exchange", clock, requestsPerSecond: 5 });
    return { clock, budget, pause: () => Math.max(0, budget.pause()) };
  };

  it("is left alone after five failures in a row, for longer each time, up to 10 seconds", () => {
    const { budget, pause } = setup();
    const pauses = Array.from({ length: 12 }, () => {
      budget.failed();
      return pause() / 1000;
    });
    expect(pauses).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 10, 10, 10, 10]);
    expect(budget.isProbing()).toBe(true);
    budget.answered();
    expect([pause(), budget.isProbing()]).toEqual([0, false]);
  });

  it("gets no more requests once the poller has stopped", async () => {
    const { budget } = setup();
    budget.stop();
    await expect(budget.poll()).rejects.toThrow("the poller has stopped");
    await expect(budget.look(1, () => Promise.resolve())).rejects.toThrow("the poller has stopped");
  });

  it("gets the pause its 429 asks for; 429s in one pause count once, and older answers change nothing", async () => {
    const { clock, budget, pause } = setup();
    expect(budget.limited(3)).toBe(3000);
    await clock.advance(10);
    expect(budget.limited(3)).toBe(3000);
    budget.answered();
    expect(pause()).toBe(3000);
    await clock.advance(3000);
    expect(budget.limited(1)).toBe(2000);
    await clock.advance(2000);
    expect(budget.limited(1)).toBe(4000);
    await clock.advance(4000);
    budget.answered();
    expect([pause(), budget.limited(1)]).toEqual([0, 1000]);
  });
});

describe("a rate limit", () => {
  it.each([0.2, 0.5, 1, 2.5, 5, 25, 28])("of %d a second is never exceeded, and reached over time", (perSecond) => {
    const rate = createRateLimit(perSecond);
    const random = seededRandom("late timers");
    const starts: number[] = [];
    // Timers fire up to two milliseconds late, and clocks count whole milliseconds.
    for (let now = 0; now < 60_000; ) {
      if (rate.earliest() > now) now = Math.ceil(rate.earliest() + 2 * random());
      rate.take(now);
      starts.push(now);
    }
    const span = Math.max(1000, 1000 / perSecond);
    const most = Math.max(1, Math.floor(perSecond));
    for (const [index, at] of starts.entries()) {
      expect(starts.slice(index).filter((later) => later - at <= span).length).toBeLessThanOrEqual(most);
    }
    const reached = most * (60_000 / span);
    expect(starts.length).toBeGreaterThan(0.97 * reached);
  });
});

describe("polling the most overdue order first", () => {
  it("finds changes as soon as the budget allows", () => {
    const { meanDelay, most } = simulate({ orders: 400, perSecond: 5, hours: 8, changesPerHour: 1 });
    expect(most).toBeLessThanOrEqual(5);
    // Polling in turn takes M / 2R on average; in so short a run, chance can add a few percent.
    expect(meanDelay / (400 / 10)).toBeLessThanOrEqual(1.1);
  });
});

/** Orders that change at random, on a virtual clock. Only the second half of the run is measured. */
function simulate(setup: { orders: number; perSecond: number; hours: number; changesPerHour: number }) {
  const random = seededRandom("orders that change by chance");
  const rate = createRateLimit(setup.perSecond);
  const wait = (): number => (-Math.log(1 - random()) * HOUR) / setup.changesPerHour;
  const orders = Array.from({ length: setup.orders }, () => ({ due: random() * 60_000, changes: wait(), seen: 0 }));
  const starts: number[] = [];
  const delays: number[] = [];
  const end = setup.hours * HOUR;
  for (let now = 0; now < end; ) {
    const order = orders.reduce((first, next) => (next.due < first.due ? next : first));
    const at = Math.max(order.due, rate.earliest());
    if (at > now) {
      now = at;
      continue;
    }
    rate.take(now);
    starts.push(now);
    if (order.changes <= now) {
      if (now > end / 2) delays.push(now - order.changes);
      order.seen = now;
      while (order.changes <= now) order.changes += wait();
    }
    order.due = now + 1000 * after((now - order.seen) / 1000);
  }
  let first = 0;
  let most = 0;
  for (const [last, at] of starts.entries()) {
    while (at - starts[first]! > 1000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return { meanDelay: delays.reduce((sum, delay) => sum + delay, 0) / delays.length / 1000, most };
}
