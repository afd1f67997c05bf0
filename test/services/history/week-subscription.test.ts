import { HttpError } from "grammy";
import { describe, expect, it } from "vitest";
import { localTime, zoneOf } from "../../../src/services/person/zone.js";
import { dueFrom } from "../../../src/store/store.js";
import { telegramError } from "../alerts/orders-world.js";
import { assertNoScans } from "../../support/plans.js";
import { seededRandom } from "../../support/seed.js";
import { createWeeklyWorld, DAY, FRIDAY, HOUR, MINUTE, type Told, type WeeklyProcess } from "./weekly-world.js";

const sundayOf = (timeZone: string, { span }: Told) => localTime(zoneOf({ timeZone }), span.to);
const atUtc = (time: string) => Date.parse(`${time}Z`);

/** A person who chose to be told. */
async function arrange(timeZone = "UTC", fields: Parameters<WeeklyProcess["put"]>[1] = {}, start = FRIDAY) {
  const world = createWeeklyWorld(start);
  let [runs, process] = [0, world.start("run 0")];
  await process.put(1, { timeZone, ...fields });
  await process.weekly.choose(1, true);
  return {
    ...world,
    world,
    process: () => process,
    times: () => world.told.map(({ at }) => new Date(at - (at % MINUTE)).toISOString().slice(0, 16)),
    /** Starts the bot again five minutes before a time, and lets it run until ten after. */
    comesTo: async (time: string) => {
      await process.stop();
      await world.clock.advance(atUtc(time) - 5 * MINUTE - world.clock.now());
      process = world.start(`run ${(runs += 1)}`);
      await world.clock.advance(15 * MINUTE);
    },
  };
}

describe("a person's week", () => {
  it("is told on Sunday at 19:00 in their zone, with the seven days until then", async () => {
    const { told, times, process, comesTo } = await arrange("America/Sao_Paulo");
    await comesTo("2026-12-06T22:00");
    await comesTo("2026-12-13T22:00");
    expect(times()).toEqual(["2026-12-06T22:00", "2026-12-13T22:00"]);
    const [from, to] = [atUtc("2026-11-29T22:00"), atUtc("2026-12-06T22:00")];
    expect(told[0]).toMatchObject({ userId: 1, span: { from, to }, isSilent: false });
    expect(told[1]?.span.from).toBe(to);
    // Chosen no more, it doesn't come.
    await process().weekly.choose(1, false);
    await comesTo("2026-12-20T22:00");
    expect(told).toHaveLength(2);
  });

  it("has an hour less or more when clocks change, and is told at 19:00 all the same", async () => {
    const { told, comesTo } = await arrange("Europe/Lisbon", {}, atUtc("2026-10-23T12:00"));
    await comesTo("2026-10-25T19:00");
    await comesTo("2026-11-01T19:00");
    expect(told.map(({ span }) => (span.to - span.from) / HOUR)).toEqual([169, 168]);
    expect(told.map((each) => sundayOf("Europe/Lisbon", each).time)).toEqual(["19:00:00", "19:00:00"]);
  });

  it("isn't sent without trades, nor to somebody who can't be reached, then or later", async () => {
    const { clock, told, process, world, comesTo } = await arrange();
    const some = world.readWeek;
    world.readWeek = async () => undefined;
    await comesTo("2026-12-06T19:00");
    world.readWeek = some;
    await process().change(1, { restingSince: clock.now() });
    await comesTo("2026-12-13T19:00");
    await process().outbox.onUserReturned(1, await process().person(1));
    await clock.advance(HOUR);
    expect(told).toEqual([]);
    await comesTo("2026-12-20T19:00");
    expect(told).toHaveLength(1);
  });

  it("stops at somebody who has blocked the bot, and goes on with the next Sunday once they are back", async () => {
    const { times, process, world, comesTo } = await arrange();
    let refusals = 0;
    world.telegram = async () => {
      refusals += 1;
      throw telegramError(403, "Forbidden: bot was blocked by the user");
    };
    await comesTo("2026-12-06T19:00");
    expect((await process().person(1)).restingSince).toBeDefined();
    const before = refusals;
    await comesTo("2026-12-13T19:00");
    expect(refusals).toBe(before);
    world.telegram = async () => undefined;
    await process().outbox.onUserReturned(1, await process().person(1));
    await comesTo("2026-12-20T19:00");
    // The week that waited is too old by then.
    expect(times()).toEqual(["2026-12-20T19:00"]);
  });

  it("waits for the end of quiet hours, also if they change meanwhile", async () => {
    const quiet = { from: "18:30", to: "07:15" };
    const { times, process, comesTo } = await arrange("UTC", { alerts: { modes: {}, quiet } });
    await comesTo("2026-12-06T19:00");
    await comesTo("2026-12-07T07:15");
    expect(times()).toEqual(["2026-12-07T07:15"]);
    await comesTo("2026-12-13T19:00");
    await process().change(1, { alerts: { modes: {}, quiet: { from: "18:30", to: "09:00" } } });
    await comesTo("2026-12-14T07:15");
    await comesTo("2026-12-14T09:00");
    expect(times()).toEqual(["2026-12-07T07:15", "2026-12-14T09:00"]);
  });

  it("comes within a day of its end if the bot was down, and not at all after that", async () => {
    const { times, comesTo } = await arrange();
    await comesTo("2026-12-07T18:30");
    expect(times()).toEqual(["2026-12-07T18:25"]);
    await comesTo("2026-12-14T19:30");
    expect(times()).toHaveLength(1);
    // Three more Sundays and a day.
    await comesTo("2027-01-05T00:00");
    expect(times()).toHaveLength(1);
    await comesTo("2027-01-10T19:00");
    // Of two Sundays that it was down, the second is told.
    await comesTo("2027-01-24T20:00");
    expect(times().slice(1)).toEqual(["2027-01-10T19:00", "2027-01-24T19:55"]);
  });

  it("isn't told again in another zone, nor after the choice was taken back and made again", async () => {
    const { told, process, comesTo } = await arrange("Pacific/Auckland");
    await comesTo("2026-12-06T06:00");
    expect(told).toHaveLength(1);
    await process().weekly.choose(1, false);
    // It is Saturday evening there.
    await process().change(1, { timeZone: "America/Los_Angeles" });
    await process().weekly.choose(1, true);
    await comesTo("2026-12-07T03:00");
    expect(told).toHaveLength(1);
    await comesTo("2026-12-14T03:00");
    expect(told.map((each) => sundayOf("America/Los_Angeles", each).date)).toEqual(["2026-12-05", "2026-12-13"]);
    // On Sunday at noon they fly to where that evening is over: it comes at once.
    await comesTo("2026-12-20T20:00");
    expect(told).toHaveLength(2);
    await process().change(1, { timeZone: "Pacific/Auckland" });
    await comesTo("2026-12-20T20:20");
    expect(told).toHaveLength(3);
    await comesTo("2026-12-21T06:00");
    expect(told).toHaveLength(3);
  });
});

it("people whose records can't be read hold up nobody, and operators are told", async () => {
  const { clock, told, unread, process, comesTo } = await arrange();
  for (let id = 2; id <= 12; id += 1) {
    await process().put(id);
    await process().weekly.choose(id, true);
  }
  const damaged = [1, 2, 3, 4, 5, 6];
  for (const id of damaged)
    await process().store.write((tx) =>
      tx.updateTable("users").set({ preferences: "{" }).where("id", "=", id).execute(),
    );
  await comesTo("2026-12-06T19:00");
  expect(told.map(({ userId }) => userId).toSorted((one, other) => one - other)).toEqual([7, 8, 9, 10, 11, 12]);
  expect(unread).toHaveLength(6);
  // Each of them is looked at once a day.
  await clock.advance(HOUR);
  expect(unread).toHaveLength(6);
  await comesTo("2026-12-07T19:05");
  expect(unread).toHaveLength(12);
});

it("a week whose figures can't be read holds up no other", async () => {
  const { told, process, world, comesTo } = await arrange();
  await process().put(2);
  await process().weekly.choose(2, true);
  const read = world.readWeek;
  world.readWeek = (userId, span) => {
    if (userId === 1) throw new TypeError("damaged");
    return read(userId, span);
  };
  await comesTo("2026-12-06T19:00");
  expect(told.map(({ userId }) => userId)).toEqual([2]);
});

it("goes out at four people a second at most, and not at all while alerts wait", async () => {
  const { clock, told, process, world, comesTo } = await arrange();
  for (let id = 2; id <= 400; id += 1) {
    await process().put(id);
    await process().weekly.choose(id, true);
  }
  await comesTo("2026-12-06T18:49");
  const from = clock.now();
  await clock.advance(110_000);
  expect(told.length).toBeGreaterThan(150);
  expect(told.length).toBeLessThanOrEqual(4 * ((clock.now() - from) / 1000) + 1);
  // Telegram takes nothing more for a while: no more wait than a few.
  world.telegram = async () => {
    throw new HttpError("refused", Object.assign(new Error(), { code: "ECONNREFUSED", syscall: "connect" }));
  };
  await clock.advance(10 * MINUTE);
  expect((await process().outbox.waiting()).count).toBeLessThanOrEqual(21);
  world.telegram = async () => undefined;
  await clock.advance(10 * MINUTE);
  expect(new Set(told.map(({ userId }) => userId)).size).toBe(400);
  expect(told).toHaveLength(400);
});

it("who is due is found by an index, however many chose it", async () => {
  const fill: Parameters<typeof assertNoScans>[0] = (data) => {
    const user = data.prepare(
      "INSERT INTO users (id, language, time_zone, preferences, week_at) VALUES (?, 'en', 'UTC', '{}', ?)",
    );
    for (let id = 1; id <= 6_000; id += 1) user.run(id, id % 3 === 0 ? id : null);
  };
  const rowsIn = (tx: Parameters<Parameters<WeeklyProcess["store"]["write"]>[0]>[0]) =>
    dueFrom(tx.selectFrom("users").select("id").orderBy("week_at"), "id", { column: "week_at", horizon: 15 * DAY });
  await assertNoScans(fill, {
    due: (tx) => rowsIn(tx).due({ until: 5_000 }, 1, []),
    others: (tx) => rowsIn(tx).due({ until: 5_000 }, 1, [3]),
    beyond: (tx) => rowsIn(tx).due({ after: 5_000 }, 1, []),
    times: (tx) => rowsIn(tx).times(5_000),
  });
});

const ZONES = [
  "America/Los_Angeles",
  "America/New_York",
  "America/Sao_Paulo",
  "Europe/Lisbon",
  "Africa/Maputo",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
];

it("a year of Sundays is told each once, through kills, downtimes, moves to other zones and clock changes", async () => {
  const random = seededRandom("weeks");
  const below = (limit: number) => Math.floor(random() * limit);
  const world = createWeeklyWorld();
  const { clock, told } = world;
  world.telegram = () => clock.sleep(300);
  let runs = 0;
  let process = world.start(`run ${runs}`);
  for (let id = 1; id <= 8; id += 1) {
    const timeZone = ZONES[id - 1]!;
    await process.put(id, { timeZone });
    await process.weekly.choose(id, true);
  }
  const weeks = 52;
  for (let week = 0; week < weeks; week += 1) {
    const sunday = atUtc("2026-12-06T00:00") + week * 7 * DAY;
    // From the first Sunday evening of the world, and all of the last, the bot is up for moments only.
    const end = sunday + DAY + 5 * HOUR;
    process.kill();
    await clock.advance(sunday + 5 * HOUR - clock.now());
    for (let left = end - clock.now(); left > 0; left = end - clock.now()) {
      process = world.start(`run ${(runs += 1)}`);
      if (below(3) === 0) {
        const timeZone = ZONES[below(ZONES.length)]!;
        await process.change(1 + below(8), { timeZone });
      }
      await clock.advance(below(2) === 0 ? below(1500) : below(MINUTE));
      if (below(3) === 0) {
        const stopped = process.stop();
        await clock.advance(400);
        await stopped;
      } else process.kill();
      if (below(10) === 0) clock.step(below(2) === 0 ? -HOUR : HOUR);
      await clock.advance(below(3 * HOUR));
    }
    process = world.start(`run ${(runs += 1)}`);
    await clock.advance(MINUTE);
    // Everybody's Sunday is over, wherever they have gone.
    const own = told.filter(({ at }) => at >= sunday - HOUR);
    expect(own.map(({ userId }) => userId).toSorted(), new Date(sunday).toISOString()).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
  }
  expect(told).toHaveLength(8 * weeks);
  expect(told.every(({ at, span }) => at >= span.to - HOUR && at < span.to + DAY)).toBe(true);
}, 120_000);
