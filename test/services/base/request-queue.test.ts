import { describe, expect, it } from "vitest";
import { createBudget } from "../../../src/services/base/budget.js";
import { createRequestQueue } from "../../../src/services/base/request-queue.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

const crowd = (people: number, each: number) =>
  Array.from({ length: people * each }, (_, index) => 1 + (index % people));
const BYSTANDER = 999_999;

describe("people who wait for a request", () => {
  const setup = ({ most = 1000 } = {}) => {
    const clock = createVirtualClock();
    const queue = createRequestQueue({ clock, requestsPerSecond: 1, most });
    const served: number[] = [];
    const refused: number[] = [];
    const looks = (userId: number) =>
      void queue
        .look(userId, () => new Error("too many"))
        .then(
          () => served.push(userId),
          () => refused.push(userId),
        );
    return { clock, queue, served, refused, looks };
  };

  it("take turns, however many requests one of them makes", async () => {
    const { clock, served, looks } = setup();
    for (const userId of crowd(1, 50)) looks(userId);
    looks(2);
    looks(3);
    looks(2);
    await clock.advance(5_100);
    expect(served).toEqual([1, 2, 3, 1, 2, 1]);
  });

  it("come first if they haven't asked for long, whoever is waiting already", async () => {
    const { clock, served, looks } = setup();
    for (const userId of crowd(30, 1)) looks(userId);
    await clock.advance(29_000);
    for (const userId of crowd(30, 1)) looks(userId);
    looks(BYSTANDER);
    await clock.advance(2_000);
    expect(served.slice(30)).toContain(BYSTANDER);
  });

  it("are refused only if they wait for more than others do", async () => {
    const { clock, served, refused, looks } = setup({ most: 12 });
    for (const userId of crowd(4, 4)) looks(userId);
    await clock.advance(0);
    looks(BYSTANDER);
    await clock.advance(20_000);
    expect(refused).not.toContain(BYSTANDER);
    expect(refused.length).toBeGreaterThan(2);
    expect(served).toContain(BYSTANDER);
    for (const userId of [1, 2, 3, 4]) expect(served).toContain(userId);
  });

  it("are remembered up to a limit", async () => {
    const { clock, served, looks } = setup();
    for (let userId = 1; userId <= 20_000; userId += 1) {
      looks(userId);
      if (userId % 500 === 0) await clock.advance(501_000);
    }
    expect(served).toHaveLength(20_000);
    looks(20_000);
    looks(1);
    await clock.advance(2_000);
    // The first is forgotten, and so takes the turn of somebody new.
    expect(served.slice(-2)).toEqual([1, 20_000]);
  });
});

describe("a budget", () => {
  it("isn't used up by strangers who look things up without a pause", async () => {
    const clock = createVirtualClock();
    const budget = createBudget({ service: "exchange", clock, requestsPerSecond: 5 });
    const look = (userId: number) => budget.look(userId, () => clock.sleep(50));
    const waits: number[] = [];
    for (let tenth = 0; tenth < 600; tenth += 1) {
      for (const stranger of crowd(30, 1)) look(stranger).catch(() => undefined);
      if (tenth % 100 === 50) {
        const from = clock.now();
        const seen = look(BYSTANDER).then(
          () => waits.push(clock.now() - from),
          () => waits.push(Number.POSITIVE_INFINITY),
        );
        void seen;
      }
      await clock.advance(100);
    }
    expect(waits).toHaveLength(6);
    expect(Math.max(...waits)).toBeLessThan(2_000);
  });
});

it("requests of which there are many a second leave a few at a time, others one by one; the rate is the same", async () => {
  const begun = async (requestsPerSecond: number) => {
    const clock = createVirtualClock();
    const queue = createRequestQueue({ clock, requestsPerSecond, most: 1 });
    const times: number[] = [];
    for (let number = 0; number < 3 * requestsPerSecond; number += 1)
      void queue.poll().then(
        () => times.push(clock.monotonic()),
        () => undefined,
      );
    await clock.advance(1_000);
    queue.stop();
    return { count: times.length, moments: new Set(times).size };
  };
  const [some, many] = [await begun(100), await begun(1_000)];
  expect(some.count).toBeCloseTo(100, -1);
  expect(some.moments).toBe(some.count);
  expect(many.count).toBeGreaterThan(980);
  expect(many.count).toBeLessThanOrEqual(1_000);
  expect(many.moments).toBeLessThanOrEqual(201);
});
