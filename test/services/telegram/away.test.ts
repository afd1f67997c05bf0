import { HttpError } from "grammy";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type NewsKind, publish, putWatch } from "../../../src/services/alerts/news-queries.js";
import { createNewsLoop, newsTopic, type ToldNews } from "../../../src/services/alerts/news.js";
import { createAway } from "../../../src/services/telegram/away.js";
import { unclearOf } from "../../../src/services/telegram/outbox-unclear.js";
import { seededRandom } from "../../support/seed.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { createChats, type ChatProcess } from "../alerts/chats.js";

const NOW = 1_700_000_000_000;
const [SECOND, MINUTE] = [1000, 60_000];
const PEOPLE = 12;
const refused = new HttpError("refused", Object.assign(new Error(), { code: "ECONNREFUSED", syscall: "connect" }));
const kind: NewsKind<string> = {
  name: "weather",
  gap: 5 * MINUTE,
  keptFor: 48 * 60 * MINUTE,
  maximum: 100,
  waitsForReturn: true,
  what: z.string(),
};

/** Twelve people who are told of rain, each message once. */
async function watched() {
  const clock = createVirtualClock(NOW);
  const chats = createChats(clock, ({ named }: ToldNews<string>) => named.map(({ what }) => what).join());
  const start = () => {
    const { shared, run } = chats.begin(newsTopic({ clock }, kind));
    const telling = createNewsLoop(shared, kind);
    const rain = async (what: string) => {
      await shared.store.write((tx) => publish(tx, kind, { subject: "rain", units: 1n, what }, clock.now()));
      telling.wake();
    };
    return { ...run([telling.run]), rain };
  };
  const first = start();
  for (let user = 1; user <= PEOPLE; user += 1)
    await first.store.write((tx) => putWatch(tx, kind, user, { subject: "rain", least: 1n }));
  const unclear = async ({ store }: Pick<ChatProcess, "store">) => {
    let count = 0;
    for (let user_id = 1; user_id <= PEOPLE; user_id += 1)
      count += (await unclearOf(store.db, { user_id, topic: kind.name }, clock.now()))?.count ?? 0;
    return count;
  };
  const twice = () => {
    const all = chats.told.map(({ userId, what }) => `${userId} ${what}`);
    return all.filter((one, at) => all.indexOf(one) !== at);
  };
  return { chats, clock, first, start, twice, unclear };
}

describe("what is sent only once", () => {
  it("is told all the same if its connections are refused for eleven minutes, and nothing of it is unclear", async () => {
    const { chats, clock, first, twice, unclear } = await watched();
    await first.rain("rain");
    chats.telegramFault = () => refused;
    await clock.advance(11 * MINUTE);
    expect(chats.told).toEqual([]);
    chats.telegramFault = () => undefined;
    await clock.advance(2 * MINUTE);
    expect(chats.told).toHaveLength(PEOPLE);
    expect(twice()).toEqual([]);
    expect(await unclear(first)).toBe(0);
  });

  it("counts as told if Telegram takes it and its answers are lost: nobody gets it twice, and the list says so", async () => {
    const { chats, clock, first, twice, unclear } = await watched();
    await first.rain("rain");
    chats.isLost = () => true;
    await clock.advance(11 * MINUTE);
    const [arrived, counted] = [chats.told.length, await unclear(first)];
    // Those of the first ten seconds: from then on none is tried.
    expect(arrived).toBeGreaterThan(0);
    expect(counted).toBe(arrived);
    expect(Math.max(...chats.told.map(({ at }) => at - NOW))).toBeLessThan(10 * SECOND);
    await first.rain("more rain");
    await clock.advance(11 * MINUTE);
    expect(chats.told).toHaveLength(arrived);
    chats.isLost = () => false;
    await clock.advance(7 * MINUTE);
    expect(twice()).toEqual([]);
    expect(await unclear(first)).toBe(counted);
    // Each has got what was published last, by itself or with what came before.
    const last = chats.told.filter(({ what }) => what.includes("more rain"));
    expect(new Set(last.map(({ userId }) => userId)).size).toBe(PEOPLE);
  });

  it("is not lost and not repeated by kills on the way there and back, and what is unclear is counted", async () => {
    const random = seededRandom("kills of what is sent once");
    for (let round = 0; round < 12; round += 1) {
      const { chats, clock, first, start, twice, unclear } = await watched();
      let now = first;
      let messages = 0;
      const killed = Math.floor(random() * PEOPLE);
      const where = random() < 0.5 ? "there" : "back";
      chats.onItsWay = (way, run) => {
        if (way !== where || (messages += 1) !== killed + 1) return;
        run.kill();
      };
      await first.rain("rain");
      await clock.advance(MINUTE);
      now = start();
      await clock.advance(10 * MINUTE);
      expect(twice(), `${where} ${killed}`).toEqual([]);
      const reached = new Set(chats.told.map(({ userId }) => userId)).size;
      // Of those that were under way at the kill, nobody knows: they are counted, and nobody else is left out.
      const doubtful = await unclear(now);
      expect(doubtful, `${where} ${killed}`).toBeGreaterThan(0);
      expect(reached + (where === "there" ? chats.lost.length : 0), `${where} ${killed}`).toBe(PEOPLE);
      expect(doubtful).toBeGreaterThanOrEqual(PEOPLE - reached);
      await now.stop();
    }
  });
});

describe("Telegram", () => {
  const begun = () => {
    const clock = createVirtualClock(NOW);
    return { away: createAway({ clock }), clock };
  };

  it("is away once nothing that was asked has had an answer for ten seconds, and back with any answer", async () => {
    const { away, clock } = begun();
    const hanging = away.begin();
    await clock.advance(9 * SECOND);
    away.begin()(true);
    await clock.advance(9 * SECOND);
    expect(away.isAway()).toBe(false);
    await clock.advance(SECOND);
    expect(away.isAway()).toBe(true);
    hanging(false);
    expect(away.isAway()).toBe(true);
    away.begin()(true);
    await clock.advance(MINUTE);
    expect(away.isAway()).toBe(false);
  });

  it("isn't away while a poll is held, or nothing is asked, or one that was given up had no answer", async () => {
    const { away, clock } = begun();
    const [poll, givenUp] = [away.begin(true), away.begin(true)];
    await clock.advance(MINUTE);
    givenUp(undefined);
    await clock.advance(MINUTE);
    expect(away.isAway()).toBe(false);
    poll(false);
    await clock.advance(10 * SECOND);
    expect(away.isAway()).toBe(true);
  });

  it("is asked for its name while no answer comes, before it counts as away", async () => {
    const { away, clock } = begun();
    const stopping = new AbortController();
    const asked: number[] = [];
    void away.run(async () => {
      asked.push(clock.now() - NOW);
      away.begin()(asked.length === 3);
    }, stopping.signal);
    await clock.advance(MINUTE);
    expect(asked).toEqual([]);
    away.begin()(false);
    await clock.advance(MINUTE);
    expect(asked.map((at) => at - 60 * SECOND)).toEqual([5 * SECOND, 10 * SECOND, 15 * SECOND]);
    expect(away.isAway()).toBe(false);
    stopping.abort();
  });
});
