import { expect, it } from "vitest";
import { createGiveWays } from "../../../src/services/telegram/give-way.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

function arrange() {
  const clock = createVirtualClock();
  const world = { due: 0, counts: 0, isAway: false };
  const due = async () => {
    world.counts += 1;
    return world.due;
  };
  const ways = createGiveWays({ clock, away: { isAway: () => world.isAway }, due });
  return { clock, world, ...ways };
}

it("news give way to what is due for a minute at most: then one person a second is told, and none once it is quiet", async () => {
  const { clock, world, giveWay } = arrange();
  const way = giveWay();
  world.due = 3;
  expect(await way.room()).toBe(17);
  world.due = 20;
  // It is counted again after a quarter of a second.
  expect(await way.room()).toBe(17);
  await clock.advance(250);
  const told: number[] = [];
  const begun = clock.monotonic();
  for (let quarter = 0; quarter < 4 * 70; quarter += 1) {
    if ((await way.room()) > 0) {
      told.push(clock.monotonic() - begun);
      way.moved(1);
    }
    await clock.advance(250);
  }
  expect(told).toEqual([60, 61, 62, 63, 64, 65, 66, 67, 68, 69].map((seconds) => 1000 * seconds));
  world.due = 19;
  await clock.advance(250);
  expect(await way.room()).toBe(1);
  // Those who were just told are waited for, too. Busy again, they give way for another minute.
  way.moved(1);
  expect(await way.room()).toBe(0);
  world.due = 20;
  await clock.advance(1000);
  expect(await way.room()).toBe(0);
});

it("what doesn't move although somebody is to be told is noticed, and what has nothing to tell isn't", async () => {
  const { clock, world, giveWay, stuckMilliseconds } = arrange();
  const [one, other] = [giveWay(), giveWay()];
  world.due = 20;
  for (let seconds = 0; seconds < 300; seconds += 1) {
    await one.room();
    if ((await other.room()) > 0) other.moved(1);
    await clock.advance(1000);
  }
  expect(stuckMilliseconds()).toBe(300_000);
  one.moved(1);
  expect(stuckMilliseconds()).toBeLessThanOrEqual(1000);
  await one.room();
  await clock.advance(61_000);
  expect(stuckMilliseconds()).toBe(0);
});

it("those who wait are counted four times a second at most, however many want to know", async () => {
  const { clock, world, giveWay } = arrange();
  const ways = Array.from({ length: 4 }, giveWay);
  world.due = 20;
  for (let step = 0; step < 100; step += 1) {
    for (const { room } of ways) await room();
    await clock.advance(100);
  }
  expect(world.counts).toBeLessThanOrEqual(40);
});

it("nobody is told while Telegram takes nothing, for a minute after the last try at most, and that isn't stuck", async () => {
  const { clock, giveWay, noteTaken, stuckMilliseconds } = arrange();
  const way = giveWay();
  noteTaken(false);
  for (let seconds = 0; seconds < 600; seconds += 1) {
    noteTaken(false);
    expect(await way.room()).toBe(0);
    await clock.advance(1000);
  }
  expect(stuckMilliseconds()).toBe(0);
  await clock.advance(60_000);
  expect(await way.room()).toBe(20);
  noteTaken(false);
  noteTaken(true);
  expect(await way.room()).toBe(20);
});

it("nobody is told while Telegram is away, although nothing is tried, and that isn't stuck", async () => {
  const { clock, world, giveWay, stuckMilliseconds } = arrange();
  const way = giveWay();
  world.isAway = true;
  for (let seconds = 0; seconds < 600; seconds += 1) {
    expect(await way.room()).toBe(0);
    await clock.advance(1000);
  }
  expect(stuckMilliseconds()).toBe(0);
  world.isAway = false;
  expect(await way.room()).toBe(20);
});
