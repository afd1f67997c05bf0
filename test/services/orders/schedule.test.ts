import { describe, expect, it } from "vitest";
import { seededRandom } from "../../support/seed.js";
import {
  afterFailure,
  afterLimit,
  afterSuccess,
  closedBreaker,
  heldUntil,
} from "../../../src/services/orders/breaker.js";
import { afterChange, newPace, secondsToNext } from "../../../src/services/orders/pace.js";
import { createSchedule } from "../../../src/services/orders/schedule.js";
import { createRateLimit } from "../../../src/services/rate-limit.js";

const bounds = { minSeconds: 2, maxSeconds: 60 };
const plain = { isPartlyFilled: false, failures: 0, load: 1 };
const HOUR = 3_600_000;

describe("the pace of one order", () => {
  it("is fast after a change and slower the longer nothing happens, within its bounds", () => {
    const changed = afterChange(newPace(0, 0), 10 * HOUR);
    const after = [0, 2, 10, 60, 600, 6000, 600_000].map((seconds) =>
      secondsToNext(changed, plain, bounds, 10 * HOUR + 1000 * seconds),
    );
    expect(after[0]).toBe(2);
    expect(after).toEqual([...after].sort((left, right) => left - right));
    expect(after.at(-1)).toBeGreaterThan(50);
    expect(after.at(-1)).toBeLessThanOrEqual(60);
  });

  it("is faster for what is partly filled, young, or changes often", () => {
    const old = newPace(0, 0);
    const now = 48 * HOUR;
    const usual = secondsToNext(old, plain, bounds, now);
    expect(secondsToNext(old, { ...plain, isPartlyFilled: true }, bounds, now)).toBeLessThan(usual / 1.9);
    expect(secondsToNext(newPace(now, now - 4000), plain, bounds, now)).toBeLessThan(usual / 2);
    const lively = [40, 42, 44, 46, 47].reduce((pace, hour) => afterChange(pace, hour * HOUR), old);
    expect(secondsToNext(lively, plain, bounds, now)).toBeLessThan(usual / 1.4);
  });

  it("is as eager after a change as the budget has room for", () => {
    const changed = afterChange(newPace(0, 0), 10 * HOUR);
    const paces = [1, 2, 50].map((load) => secondsToNext(changed, { ...plain, load }, bounds, 10 * HOUR));
    expect(paces.slice(0, 2)).toEqual([2, 4]);
    expect(paces[2]).toBeGreaterThan(20);
  });

  it("slows down after failures, and a clock that goes wrong does no harm", () => {
    const pace = newPace(0, 0);
    expect(secondsToNext(pace, { ...plain, failures: 4 }, bounds, 1000)).toBe(32);
    expect(secondsToNext(pace, { ...plain, failures: 999 }, bounds, 1000)).toBe(60);
    expect(newPace(1000, 99_000_000).changedAt).toBe(1000);
    expect(secondsToNext(pace, plain, bounds, -5000)).toBeGreaterThanOrEqual(2);
  });
});

describe("the breaker", () => {
  it("opens after five failures in a row, for longer each time, up to half a minute", () => {
    let breaker = closedBreaker;
    const holds = Array.from({ length: 12 }, () => {
      breaker = afterFailure(breaker, 1000);
      return Math.max(0, heldUntil(breaker) - 1000) / 1000;
    });
    expect(holds).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30]);
    expect(heldUntil(afterSuccess(breaker, 2000))).toBe(0);
  });

  it("obeys a 429, counts refusals of one moment once, and is not talked out of it by an older answer", () => {
    const first = afterLimit(closedBreaker, 3, 0);
    expect(heldUntil(first)).toBe(3000);
    expect(afterLimit(first, 3, 10)).toMatchObject({ limits: 1, limitedUntil: 3010 });
    expect(heldUntil(afterSuccess(first, 100))).toBe(3000);
    expect(heldUntil(afterLimit(afterLimit(first, 1, 3001), 1, 6000))).toBe(10_000);
    expect(heldUntil(afterSuccess(first, 3000))).toBe(0);
  });
});

describe("a rate", () => {
  it.each([0.2, 0.5, 1, 2.5, 5, 25, 28])("of %d is kept in every second and reached over time", (perSecond) => {
    const rate = createRateLimit(perSecond);
    const random = seededRandom("late timers");
    const starts: number[] = [];
    // Timers are late by up to two milliseconds, and clocks tell whole ones.
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

describe("the schedule", () => {
  it("gives turns in the order in which they are due, at their time", () => {
    const schedule = createSchedule();
    schedule.add("late", 0, 3);
    schedule.add("soon", 0, 1);
    schedule.add("gone", 0, 2);
    schedule.remove("gone");
    expect(schedule.nextAt(0)).toBe(1000);
    expect(schedule.take(999)).toBeUndefined();
    expect(schedule.take(1000)).toBe("soon");
    expect(schedule.take(1000)).toBeUndefined();
    expect(schedule.nextAt(1500)).toBe(3000);
    schedule.add("late", 1500, 0.1);
    expect(schedule.nextAt(1500)).toBe(1600);
    expect(schedule.take(1700)).toBe("late");
    expect(schedule.nextAt(1700)).toBeUndefined();
  });

  it("shares what there is in proportion when there is not enough, and nobody starves", () => {
    const schedule = createSchedule();
    const every = (id: string): number => (id.startsWith("eager") ? 2 : 20);
    const ids = Array.from({ length: 100 }, (_, index) => `${index < 10 ? "eager" : "patient"} ${index}`);
    for (const id of ids) schedule.add(id, 0, every(id));
    const turns = new Map<string, number>();
    // One turn a second, where 9.5 would be wanted.
    for (let now = 0; now < 20_000_000; now += 1000) {
      const id = schedule.take(now);
      if (id === undefined) continue;
      turns.set(id, (turns.get(id) ?? 0) + 1);
      schedule.add(id, now, every(id));
    }
    const counts = (prefix: string): number[] =>
      [...turns].filter(([id]) => id.startsWith(prefix)).map(([, count]) => count);
    const [eager, patient] = [counts("eager"), counts("patient")];
    expect(patient).toHaveLength(90);
    // Wanted are 10 in 2 s and 90 in 20 s.
    expect(schedule.wanted()).toBeCloseTo(9.5, 9);
    expect(Math.min(...eager) / Math.max(...patient)).toBeGreaterThan(8);
    expect(Math.max(...eager) / Math.min(...patient)).toBeLessThan(12);
    expect(Math.max(...patient) / Math.min(...patient)).toBeLessThan(1.2);
  });

  it("keeps pace with changes as well as a budget allows", () => {
    const { meanDelay, most } = simulate({ orders: 400, perSecond: 5, hours: 8, changesPerHour: () => 1 });
    expect(most).toBeLessThanOrEqual(5);
    // Asking one after the other would take M / 2R. In so short a time chance can add some percent.
    expect(meanDelay / (400 / 10)).toBeLessThanOrEqual(1.1);
    const uneven = simulate({
      orders: 400,
      perSecond: 5,
      hours: 8,
      changesPerHour: (index) => (index % 20 === 0 ? 20 : 0.2),
    });
    expect(uneven.most).toBeLessThanOrEqual(5);
    expect(400 / 10 / uneven.meanDelay).toBeGreaterThanOrEqual(1.4);
  });
});

/** The scheduler on orders that change by chance, with a virtual clock. The second half of the time counts. */
function simulate(setup: {
  orders: number;
  perSecond: number;
  hours: number;
  changesPerHour: (index: number) => number;
}): { meanDelay: number; most: number } {
  const random = seededRandom("orders that change by chance");
  const schedule = createSchedule();
  const rate = createRateLimit(setup.perSecond);
  const wait = (index: number): number => (-Math.log(1 - random()) * HOUR) / setup.changesPerHour(index);
  const nextChange = Array.from({ length: setup.orders }, (_, index) => wait(index));
  const paces = nextChange.map(() => newPace(0, -24 * HOUR));
  for (const index of paces.keys()) schedule.add(String(index), 0, random() * 60);
  const starts: number[] = [];
  const delays: number[] = [];
  const end = setup.hours * HOUR;
  for (let now = 0; now < end; ) {
    const at = Math.max(schedule.nextAt(now) ?? end, rate.earliest());
    if (at > now) {
      now = at;
      continue;
    }
    const index = Number(schedule.take(now));
    rate.take(now);
    starts.push(now);
    if (nextChange[index]! <= now) {
      if (now > end / 2) delays.push(now - nextChange[index]!);
      paces[index] = afterChange(paces[index]!, now);
      while (nextChange[index]! <= now) nextChange[index]! += wait(index);
    }
    schedule.add(
      String(index),
      now,
      secondsToNext(paces[index]!, { ...plain, load: schedule.wanted() / setup.perSecond }, bounds, now),
    );
  }
  let first = 0;
  let most = 0;
  for (const [last, at] of starts.entries()) {
    while (at - starts[first]! > 1000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return { meanDelay: delays.reduce((sum, delay) => sum + delay, 0) / delays.length / 1000, most };
}
