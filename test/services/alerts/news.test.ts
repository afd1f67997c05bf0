import { GrammyError, HttpError } from "grammy";
import * as z from "zod";
import { describe, expect, it } from "vitest";
import { changePerson } from "../../../src/services/person/person.js";
import { type NewsKind, publish, putWatch } from "../../../src/services/alerts/news-queries.js";
import { createNewsLoop, newsTopic, type ToldNews } from "../../../src/services/alerts/news.js";
import { unclearOf } from "../../../src/services/telegram/outbox-unclear.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { createChats } from "./chats.js";

const NOW = 1_700_000_000_000;
const [MINUTE, HOUR] = [60_000, 3_600_000];
const sort: NewsKind<string> = {
  name: "weather",
  gap: 15 * MINUTE,
  keptFor: 48 * HOUR,
  maximum: 100,
  waitsForReturn: true,
  what: z.string(),
};
const blocked = { ok: false as const, error_code: 403, description: "Forbidden: bot was blocked by the user" };
const blockedBy = (user: number) => (userId: number) =>
  userId === user ? new GrammyError("x", blocked, "sendMessage", {}) : undefined;

/** Chats with a bot that tells of rain, in which user 1 wants to be told from 10 on. */
async function watched(change: Partial<NewsKind<string>> = {}) {
  const kind = { ...sort, ...change };
  const clock = createVirtualClock(NOW);
  const read = ({ named, more }: ToldNews<string>) => [
    ...named.map(({ what }) => what),
    ...(more > 0 ? [`+${more}`] : []),
  ];
  const chats = createChats(clock, read);
  const start = () => {
    const { shared, run } = chats.begin(newsTopic({ clock }, kind));
    const telling = createNewsLoop(shared, kind);
    return {
      ...run([telling.run]),
      watch: (userId: number, least = 10n) =>
        shared.store.write((tx) => putWatch(tx, kind, userId, { subject: "rain", least })),
      /** What is published before it reached `before` counts as known. */
      rain: async (units: number, before = 0) => {
        const fresh = { subject: "rain", units: BigInt(units), before: BigInt(before), what: `${units}` };
        await shared.store.write((tx) => publish(tx, kind, fresh, clock.now()));
        telling.wake();
        await clock.advance(1000);
      },
    };
  };
  const run = start();
  await run.watch(1);
  const shorts = () => chats.told.map(({ userId, what }) => `${userId}: ${what.join(" ")}`);
  return { chats, clock, run, start, shorts };
}

describe("news", () => {
  it("are told to each from their own amount on, unless they knew of as much before", async () => {
    const { run, shorts } = await watched();
    await run.watch(2, 20n);
    await run.rain(9);
    await run.rain(12);
    await run.rain(25, 12);
    expect(shorts().toSorted()).toEqual(["1: 12", "2: 25"]);
  });

  it("come together within the gap, the greatest three by name and the rest as a number", async () => {
    const { clock, run, shorts } = await watched();
    for (const units of [11, 21, 24, 22, 23, 25]) await run.rain(units);
    await clock.advance(13 * MINUTE);
    expect(shorts()).toEqual(["1: 11"]);
    await clock.advance(2 * MINUTE);
    expect(shorts()).toEqual(["1: 11", "1: 25 24 23 +2"]);
  });

  it("come as often as their kind says in any 24 hours: half of it at once, then in turn, through kills and set clocks", async () => {
    const { chats, clock, run, start } = await watched({ gap: 5 * MINUTE, perDay: 30, maximum: 1000 });
    let now = run;
    for (let step = 0; step < (28 * HOUR) / (5 * MINUTE); step += 1) {
      await now.rain(10 + step);
      await clock.advance(5 * MINUTE - 1000);
      if (step % 40 === 39) {
        now.kill();
        now = start();
      }
    }
    const times = chats.told.map(({ at }) => at);
    const within = (from: number) => times.filter((at) => at >= from && at < from + 24 * HOUR).length;
    expect(Math.max(...times.map(within))).toBeLessThanOrEqual(30);
    expect(times.length).toBeGreaterThan(28);
    expect(times[14]! - times[0]!).toBeLessThan(80 * MINUTE);
    expect(chats.told.flatMap(({ what }) => what).length).toBeGreaterThan(60);
    // What a clock that was ahead left behind prolongs nothing.
    clock.step(-30 * 24 * HOUR);
    await clock.advance(25 * HOUR);
    const before = chats.told.length;
    await now.rain(1000);
    await clock.advance(10 * MINUTE);
    expect(chats.told).toHaveLength(before + 1);
  }, 60_000);

  it("wait in quiet hours", async () => {
    const { clock, run, shorts } = await watched();
    const clockTime = (at: number) => new Date(at).toISOString().slice(11, 16);
    const quiet = { from: clockTime(NOW), to: clockTime(NOW + 2 * HOUR) };
    await run.store.write((tx) => changePerson(tx, 1, (person) => ({ ...person, alerts: { modes: {}, quiet } })));
    for (const units of [11, 12, 13, 14]) {
      await run.rain(units);
      await clock.advance(10 * MINUTE);
    }
    expect(shorts()).toEqual([]);
    await clock.advance(90 * MINUTE);
    expect(shorts()).toEqual(["1: 14 13 12 +1"]);
  });

  it.each([
    [true, ["1: 11", "1: 12 10"]],
    [false, ["1: 11", "1: 13"]],
  ])("published while somebody can't be reached are told afterwards: %s", async (waitsForReturn, told) => {
    const { chats, clock, run, start, shorts } = await watched({ waitsForReturn });
    chats.telegramFault = blockedBy(1);
    await run.rain(11);
    for (const units of [10, 12]) {
      await run.rain(units);
      await clock.advance(HOUR);
    }
    run.kill();
    const next = start();
    chats.telegramFault = () => undefined;
    await next.hears(1);
    await clock.advance(20 * MINUTE);
    if (!waitsForReturn) await next.rain(13);
    expect(shorts()).toEqual(told);
  });

  it("are kept for as long and in the number that their kind says", async () => {
    const { clock, run } = await watched();
    const kept = async () => (await run.store.db.selectFrom("news").select("number").execute()).length;
    for (let units = 100; units < 205; units += 1) await run.rain(units);
    expect(await kept()).toBe(100);
    await clock.advance(48 * HOUR);
    await run.rain(10);
    expect(await kept()).toBe(1);
  });
});

describe("what is damaged", () => {
  it("is left out alone: of several pieces the others are told, and so is everybody else", async () => {
    const { clock, run, shorts } = await watched();
    await run.watch(2);
    await run.rain(11);
    for (const units of [12, 13]) await run.rain(units);
    await run.store.write((tx) =>
      tx.updateTable("news").set({ what: "{" }).where("number", "=", 2).executeTakeFirstOrThrow(),
    );
    await clock.advance(15 * MINUTE);
    await run.store.write((tx) => tx.updateTable("users").set({ time_zone: "?" }).where("id", "=", 1).execute());
    await clock.advance(MINUTE);
    await run.rain(14);
    await clock.advance(15 * MINUTE);
    expect(shorts().filter((line) => line.startsWith("2"))).toEqual(["2: 11", "2: 13", "2: 14"]);
  });
});

describe("a message", () => {
  it("that Telegram took isn't sent again after a kill before that was noted, and later news don't repeat it", async () => {
    const { chats, clock, run, start, shorts } = await watched();
    let now = run;
    chats.onItsWay = (where) => {
      if (where === "there") return;
      chats.onItsWay = () => undefined;
      now.kill();
      now = start();
    };
    await run.rain(11);
    await clock.advance(3 * MINUTE);
    expect(shorts()).toEqual(["1: 11"]);
    await now.rain(12);
    await clock.advance(20 * MINUTE);
    expect(shorts()).toEqual(["1: 11", "1: 12"]);
  });

  it("that was on its way to Telegram at a kill isn't sent again either, as nobody knows; what waited is", async () => {
    const { chats, clock, run, start, shorts } = await watched();
    let now = run;
    chats.onItsWay = () => {
      chats.onItsWay = () => undefined;
      now.kill();
      now = start();
    };
    await run.rain(11);
    await now.rain(12);
    await clock.advance(20 * MINUTE);
    expect(chats.lost.map(({ what }) => what)).toEqual([["11"]]);
    expect(shorts()).toEqual(["1: 12"]);
  });

  it("whose answer is lost isn't sent again either, and its owner can see that it may not have come", async () => {
    const { chats, clock, run, shorts } = await watched();
    chats.onItsWay = (where) => {
      if (where === "there") return;
      chats.onItsWay = () => undefined;
      throw new HttpError("no answer", new Error("UND_ERR_SOCKET"));
    };
    await run.rain(11);
    await clock.advance(20 * MINUTE);
    expect(shorts()).toEqual(["1: 11"]);
    const unclear = () => unclearOf(run.store.db, { user_id: 1, topic: "weather" }, clock.now());
    expect((await unclear())?.count).toBe(1);
    await run.rain(12);
    expect(shorts()).toEqual(["1: 11", "1: 12"]);
    await clock.advance(7 * 24 * HOUR);
    expect(await unclear()).toBeUndefined();
  });

  it("waits for the one before it, and for the gap after that, however long Telegram is away", async () => {
    const { chats, clock, run, shorts } = await watched();
    const reset = Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall: "connect" });
    chats.telegramFault = () => new HttpError("away", reset);
    for (let units = 11; units < 41; units += 1) {
      await run.rain(units);
      await clock.advance(2 * MINUTE);
    }
    chats.telegramFault = () => undefined;
    await clock.advance(10 * MINUTE);
    expect(shorts()).toEqual(["1: 11"]);
    await clock.advance(20 * MINUTE);
    expect(shorts()).toEqual(["1: 11", "1: 40 39 38 +26"]);
    expect(chats.told[1]!.at - chats.told[0]!.at).toBeGreaterThanOrEqual(15 * MINUTE);
  });
});

it("spread over many users in lots, each once through kills, and never fill the outbox", async () => {
  const { chats, clock, run, start } = await watched();
  const people = 300;
  await run.store.write(async (tx) => {
    for (let userId = 2; userId <= people; userId += 1)
      await putWatch(tx, sort, userId, { subject: "rain", least: 1n });
  });
  await run.rain(11);
  let [now, most] = [run, 0];
  const told = () => new Set(chats.told.map(({ userId }) => userId)).size;
  for (let minute = 0; minute < 30 && told() < people; minute += 1) {
    for (let step = 0; step < 12; step += 1) {
      await clock.advance(5_000);
      most = Math.max(most, (await now.waiting()).count);
    }
    now.kill();
    now = start();
  }
  await clock.advance(HOUR);
  expect(told()).toBe(people);
  expect(chats.told).toHaveLength(people);
  expect(most).toBeLessThanOrEqual(20);
}, 120_000);
