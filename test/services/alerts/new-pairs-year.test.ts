import { stdout } from "node:process";
import { expect, it } from "vitest";
import { newPairKind } from "../../../src/services/alerts/pair-readings.js";
import { toldIn, type ToldRange } from "../../../src/services/alerts/news-queries.js";
import { pricesOf } from "../../../src/services/market/price-history.js";
import { changePerson } from "../../../src/services/person/person.js";
import { countRows } from "../../../src/store/store.js";
import { seededRandom } from "../../support/seed.js";
import { poolAddress } from "../market/pool-samples.js";
import { createPairsWorld, DAY, HOUR, klvUnits, MINUTE, NOW, type PairsProcess } from "./new-pairs-world.js";

const isWhole = process.env["FULL"] !== undefined;
/** Pairs that open, some of them deeper later; two stretches of downtime, one short and one too long; hours of a flood. */
const size = isWhole
  ? { days: 365, pairs: 120, people: 20, kills: 200, short: 5 * HOUR, long: 3 * DAY, flood: 4 }
  : { days: 2.5, pairs: 40, people: 12, kills: 20, short: 5 * HOUR, long: 26 * HOUR, flood: 1 };
const LEASTS = [1, 500, 1_000, 5_000, 20_000, 100_000];
const GAP = 15 * MINUTE;

/** What a person must be told, by another reading of the rules: from what the test did, not from what was stored. */
interface Opened {
  readonly number: number;
  readonly at: number;
  /** Each depth, and when it began: the first when the pair opened. */
  readonly depths: { readonly at: number; readonly depth: number }[];
}

it(`tells each new pair once, and keeps the prices, in ${size.days} days with up to ${size.kills} kills and a flood`, {
  timeout: isWhole ? 7_200_000 : 300_000,
}, async () => {
  const random = seededRandom("new pairs");
  const below = (most: number) => Math.floor(random() * most);
  const world = createPairsWorld({ isSwift: true, isPatient: isWhole });
  const { clock } = world;
  const END = NOW + size.days * DAY;
  const old = [1, 2, 3, 4, 5].map((number) => ({ number, depths: [{ at: NOW, depth: 1_000 * number }] }));
  for (const { number } of old) world.open(number, 1_000 * number);

  let run: PairsProcess = world.start();
  const people = Array.from({ length: size.people }, (_, index) => ({
    userId: 1 + index,
    least: LEASTS[index % LEASTS.length]!,
    isQuiet: index % 3 === 0,
  }));
  for (const { userId, least, isQuiet } of people) {
    const alerts = { modes: {}, quiet: { from: "22:00", to: "06:00" } };
    if (isQuiet) await run.store.write((tx) => changePerson(tx, userId, (person) => ({ ...person, alerts })));
    await run.newPairs.watch(userId, klvUnits(least));
  }
  await clock.advance(5 * MINUTE);
  const begun = world.lists.length;

  const downtimes = [
    { from: NOW + 0.2 * size.days * DAY, lasts: size.short },
    { from: NOW + 0.5 * size.days * DAY, lasts: size.long },
  ];
  const flood = { from: NOW + 0.35 * size.days * DAY, to: NOW + 0.35 * size.days * DAY + size.flood * HOUR };
  const isDown = (at: number) => downtimes.find(({ from, lasts }) => at >= from && at < from + lasts);
  type Act = { readonly at: number; readonly act: () => void | Promise<void> };
  const opened: Opened[] = [];
  const acts: Act[] = [];
  for (let index = 0; index < size.pairs; index += 1) {
    const number = 100 + index;
    const some = NOW + HOUR + below(size.days * DAY - 12 * HOUR);
    // Shortly before the downtime it could be opened unseen, as the node may fail for a while.
    const at = isDown(some + 25 * MINUTE) && !isDown(some) ? some - 30 * MINUTE : some;
    const pair: Opened = { number, at, depths: [] };
    opened.push(pair);
    const change = (when: number, depth: number) => {
      if (when >= END - 10 * HOUR) return;
      pair.depths.push({ at: when, depth });
      acts.push({ at: when, act: () => void world.open(number, depth) });
    };
    change(at, 1 + below(3_000));
    for (let more = below(4), when = at; more > 0; more -= 1) {
      when += HOUR + below(2 * DAY);
      change(when, 1 + below(40_000));
    }
    // Later, nobody needs it any more.
    const last = pair.depths.at(-1) ?? { at, depth: 1 };
    acts.push({ at: last.at + 20 * DAY, act: () => void world.open(number, last.depth, { state: "Inactive" }) });
  }
  // The same liquidity moves on from pair to pair, faster than the pairs are read.
  for (let number = 1_000, at = flood.from; at < flood.to; number += 1, at += MINUTE + below(MINUTE)) {
    opened.push({ number, at, depths: [{ at, depth: 6_000 }] });
    acts.push({ at, act: () => void world.open(number, 6_000) });
    acts.push({ at: at + 5 * MINUTE, act: () => void world.open(number, 1, { state: "Inactive" }) });
  }
  // Prices move once a day, some hours before its end.
  for (let day = Math.ceil(NOW / DAY) * DAY; day < END; day += DAY) {
    const { number, depths } = old[below(old.length)]!;
    const [at, depth] = [day + HOUR + below(18 * HOUR), 1 + below(40_000)];
    depths.push({ at, depth });
    acts.push({ at, act: () => void world.open(number, depth) });
  }

  let [isUp, kills] = [true, 0];
  const lost = new Map<number, number>();
  const known = new Set<string>();
  const kill = () => {
    if (!isUp) return;
    isUp = false;
    kills += 1;
    run.kill();
  };
  const restart = async () => {
    if (isUp || isDown(clock.now())) return;
    const { db } = run.store;
    // What was on its way, unless Telegram took it, nobody will be told.
    const rows = db.selectFrom("outbox").selectAll().where("topic", "=", "new-pairs").where("begun_by", "is not", null);
    for (const { user_id: userId, payload, since } of await rows.execute()) {
      const isTaken = world.told.some((one) => one.userId === userId && one.at >= since);
      if (isTaken || known.has(`${userId} ${since}`)) continue;
      known.add(`${userId} ${since}`);
      const told = { user_id: userId, subject: "" };
      const taken = await toldIn(db, newPairKind, told, JSON.parse(payload) as ToldRange);
      lost.set(userId, (lost.get(userId) ?? 0) + (taken?.found.length ?? 0));
    }
    isUp = true;
    run = world.start();
  };
  // One in three at any time, the others when the next message is on its way to Telegram, or its answer back.
  const next: ("there" | "back")[] = [];
  world.onItsWay = (where) => {
    if (where !== next[0]) return;
    next.shift();
    kill();
    clock.timer(1_000, () => void restart());
  };
  for (let index = 0; index < size.kills; index += 1) {
    const where = (["there", "back", undefined] as const)[index % 3];
    const act = async () => {
      if (where !== undefined || isDown(clock.now())) return void next.push(where ?? "back");
      kill();
      await restart();
    };
    acts.push({ at: NOW + HOUR + below(size.days * DAY - 2 * HOUR), act });
  }
  // A node that fails for a while, and one that leaves pairs out.
  for (let index = 0; index < Math.ceil(size.days); index += 1) {
    const at = NOW + HOUR + below(size.days * DAY - 3 * HOUR);
    const hidden = [...world.pairs.keys()].slice(0, 2);
    acts.push(
      { at, act: () => hidden.forEach((address) => world.hidden.add(address)) },
      { at: at + 30 * MINUTE, act: () => world.hidden.clear() },
    );
    if (at > flood.from - HOUR && at < flood.to + HOUR) continue;
    acts.push(
      { at, act: () => void (world.isDown = true) },
      { at: at + 20 * MINUTE, act: () => void (world.isDown = false) },
    );
  }
  for (const { from, lasts } of downtimes) {
    acts.push({ at: from, act: kill });
    acts.push({ at: from + lasts, act: restart });
  }
  for (const { at, act } of acts.filter((act) => act.at < END).toSorted((one, other) => one.at - other.at)) {
    if (at > clock.now()) await clock.advance(at - clock.now());
    await act();
  }
  await clock.advance(Math.max(0, END - clock.now()));
  // Longer than quiet hours last.
  await clock.advance(12 * HOUR);

  const isTooLong = (at: number) => (isDown(at)?.lasts ?? 0) > DAY;
  /** Whether the bot was up for some of the time in which a pair was so deep. */
  const isVisible = ({ depths }: Opened, index: number) => {
    const [from, until] = [depths[index]!.at, depths[index + 1]?.at ?? END];
    const down = isDown(from);
    return down === undefined || until > down.from + down.lasts + MINUTE;
  };
  let [due, named, counted, most] = [0, 0, 0, 0];
  for (const { userId, least, isQuiet } of people) {
    const reaches = (pair: Opened) => pair.depths.some(({ depth }, index) => depth >= least && isVisible(pair, index));
    const expected = opened.filter((pair) => !isTooLong(pair.at) && reaches(pair));
    const told = world.told.filter((one) => one.userId === userId);
    const mine = told.flatMap(({ what }) => what.pairs.map(({ second }) => second));
    const wanted = new Set(expected.map(({ number }) => `NEW-${1000 + number}`));
    expect(mine.filter((id) => !wanted.has(id))).toEqual([]);
    // Each is named, or counted in a message that names others, once; or it was on its way to Telegram at a kill.
    expect(new Set(mine).size).toBe(mine.length);
    const more = told.reduce((sum, { what }) => sum + what.more, 0);
    expect(mine.length + more + (lost.get(userId) ?? 0)).toBe(expected.length);
    due += expected.length;
    named += mine.length;
    counted += more;
    const gaps = told.slice(1).map(({ at }, index) => at - told[index]!.at);
    expect(Math.min(...gaps, GAP)).toBeGreaterThan(GAP - 5_000);
    const inQuiet = told.filter(({ at }) => new Date(at).getUTCHours() >= 22 || new Date(at).getUTCHours() < 6);
    if (isQuiet) expect(inQuiet).toEqual([]);
    most = Math.max(most, told.filter(({ at }) => at >= flood.from && at < flood.to + GAP).length);
  }
  expect(due).toBeGreaterThan(size.pairs);
  expect(most).toBeLessThanOrEqual((flood.to - flood.from) / GAP + 2);
  expect(Math.max(...world.told.map(({ what }) => what.pairs.length))).toBe(3);
  // One list in two minutes, whatever happened: a start reads at once only if it is time.
  const lists = world.lists.slice(begun);
  expect(lists.slice(1).filter((at, index) => at - lists[index]! < 2 * MINUTE)).toEqual([]);

  const { db } = run.store;
  let days = 0;
  for (const { number, depths } of old) {
    const points = await pricesOf(db, { tokenIn: `NEW-${1000 + number}`, tokenOut: "KLV" }, "day", clock.now());
    const certain = points.filter(({ at }) => at > NOW && at < END - DAY && !isDown(at) && !isDown(at + DAY));
    for (const { at, unitsIn, unitsOut } of certain) {
      const { depth } = depths.findLast((one) => one.at < at + DAY)!;
      expect(unitsOut * 5_000_000n).toBe(unitsIn * klvUnits(depth));
    }
    days += certain.length;
  }
  // A year is kept; days with downtime, and the first and last, are not certain.
  expect(days).toBeGreaterThanOrEqual(old.length * Math.max(1, size.days - 10));
  for (const { number, at } of opened) {
    const seen = db.selectFrom("pairs_seen").select("opened_at").where("address", "=", poolAddress(number));
    const { opened_at: found } = await seen.executeTakeFirstOrThrow();
    const down = isDown(at);
    if (isTooLong(at)) expect(found).toBe(0);
    else expect(found - (down ? down.from + down.lasts : at)).toBeLessThan(30 * MINUTE);
  }
  expect(kills).toBeGreaterThan(size.kills / 2);
  const kept = [await countRows(db.selectFrom("prices")), await countRows(db.selectFrom("news"))];
  const unknown = [...lost.values()].reduce((sum, count) => sum + count, 0);
  const figures = [
    `${size.days} days, ${opened.length} pairs, ${people.length} people, ${kills} kills`,
    `${due} due: ${named} named, ${counted} counted, ${unknown} on their way at a kill, in ${world.told.length} messages`,
    `at most ${most} to a person in ${size.flood} hours of a flood`,
    `${world.lists.length} lists, ${(world.lists.length / size.days).toFixed(1)} a day of 720`,
    `${kept[0]} prices and ${kept[1]} news kept`,
  ];
  stdout.write(`new pairs: ${figures.join("; ")}\n`);
  run.kill();
});
