import { stdout } from "node:process";
import { expect, it } from "vitest";
import { amountOf, type Amount } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { leastTotalOf, mostTotalOf, referralSplit } from "../../../src/services/market/referral.js";
import { standingIn } from "../../../src/services/terms/terms.js";
import { alice, kfi, klv } from "../samples.js";
import { createStandingWorld, DAY, HOUR, MINUTE, NOW, type StandingProcess } from "./standing-world.js";

const isWhole = process.env["FULL"] !== undefined;
/** Five orders a person, each for one of so many amounts; each walks by itself. */
const size = isWhole
  ? { orders: 2000, amounts: 10, days: 365, life: 30, everySeconds: 3600, kills: 200, downAt: 180, down: 7 }
  : { orders: 60, amounts: 5, days: 6, life: 4, everySeconds: 900, kills: 12, downAt: 3, down: 0.25 };
/** Duration of each price: it moves by about 2.8 % a day. */
const STEP = 450_000;
const steps = Math.ceil(((size.days + size.life) * DAY) / STEP);
const FEE = 1000;
const REQUESTS_PER_SECOND = 2;
/** Within so long, a crossing is offered: the process may have to be started again meanwhile. */
const SOON_MS = 20 * MINUTE;
const CARD_MS = 10 * MINUTE;
const AGAIN_MS = 4 * HOUR;

/** Returns a function that gives the same numbers in every run. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = createRandom(7);

const walks = Array.from({ length: size.amounts }, () => {
  const walk = [1_000_000_000n];
  for (let step = 1; step <= steps; step += 1) {
    const last = walk[step - 1]!;
    const back = last > 1_300_000_000n ? -12 : last < 700_000_000n ? 12 : 0;
    walk.push((last * BigInt(1_000_000 + (random(301) - 150) * 25 + back * 25)) / 1_000_000n);
  }
  return walk;
});
const amountAt = (index: number): Amount => amountOf(klv, BigInt(100 + (index % size.amounts)) * 1_000_000n);
const priceAt = ({ units }: Amount, at: number): bigint =>
  walks[Number(units / 1_000_000n) - 100]![Math.min(steps, Math.floor((at - NOW) / STEP))]!;
const netOf = (units: bigint): bigint => referralSplit(amountOf(kfi, units), FEE).rest.units;

/** They sleep eight hours; awake they look at a message after a while, and one in five they never open. */
const hourOf = (at: number) => Math.floor((at % DAY) / HOUR);
const isAsleep = (at: number) => hourOf(at) < 7 || hourOf(at) >= 23;
const waking = (at: number) => (isAsleep(at) ? at - (at % DAY) + 7 * HOUR + (hourOf(at) >= 23 ? DAY : 0) : at);
/** Half look within five minutes, a tenth after more than two hours. */
function looksAt(at: number): number | undefined {
  if (random(5) === 0) return undefined;
  const [one, two] = [(random(10_000) + 1) / 10_001, random(10_000) / 10_000];
  const after = Math.exp(Math.log(5 * MINUTE) + 2 * Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * two));
  return waking(at) + Math.ceil(after);
}

interface Order {
  readonly index: number;
  readonly userId: number;
  readonly kind: "limit" | "stop";
  readonly pay: Amount;
  readonly setAt: number;
  readonly percent: bigint;
  id?: string;
  /** What the user gets, after the fee. */
  line: bigint;
  endsAt: number;
  /** When it was carried out, or its outcome became unknown. */
  doneAt?: number;
  unknownAt?: number;
}

it(`offers each crossing that a quotation shows, or has a reason, in ${size.days} days of ${size.orders} orders`, {
  timeout: isWhole ? 7_200_000 : 300_000,
}, async () => {
  const world = createStandingWorld({ standingMax: size.orders, everySeconds: size.everySeconds });
  const { clock } = world;
  world.price = (pay) => priceAt(pay, clock.now());
  let unknowns = 0;
  world.outcome = () => {
    if (random(50) > 0) return { kind: "ok", returnData: ["26bf", "0efc3c"] };
    unknowns += 1;
    return { kind: "unknown", fault: new Fault("service-timeout", { service: "node" }) };
  };
  const orders = Array.from({ length: size.orders }, (_, index): Order => {
    const setAt = NOW + random(Math.floor(((size.days - size.life) * DAY) / STEP)) * STEP;
    const kind = index % 4 < 3 ? "limit" : "stop";
    const percent = index % 2 === 0 ? 3n : 8n;
    const userId = 1 + Math.floor(index / 5);
    return { index, userId, kind, pay: amountAt(index), setAt, percent, line: 0n, endsAt: 0 };
  }).toSorted((one, other) => one.setAt - other.setAt);
  const people = [...new Set(orders.map(({ userId }) => userId))];
  const hasQuiet = (userId: number) => userId % 4 === 0;
  const isBeyond = ({ kind, line }: Order, units: bigint) =>
    kind === "limit" ? netOf(units) >= line : netOf(units) <= line;

  let process: StandingProcess = world.start();
  const setUp = async (userId: number) =>
    world.person(
      process,
      (person) => ({
        ...person,
        wallet: { address: alice, since: 0 },
        ...(hasQuiet(userId) && { alerts: { modes: {}, quiet: { from: "23:00", to: "07:00" } } }),
      }),
      userId,
    );
  for (const userId of people) await setUp(userId);

  const byId = new Map<string, Order>();
  const orderOf = (card: (typeof cards)[number]["card"]) => byId.get(standingIn(card.terms.request)?.id ?? "");
  const cards: { readonly at: number; readonly card: ReturnType<typeof world.cards>[number] }[] = [];
  /** Cards that people asked for, in place of late ones. */
  const renewed = new Set<string>();
  const misses = new Map<string, Readonly<Record<string, number>>>();
  const taps: { readonly at: number; readonly userId: number; readonly card: (typeof cards)[number]["card"] }[] = [];
  const frozen: { readonly userId: number; readonly from: number; until: number }[] = [];
  /** When a call of an order traded nothing, or its price had gone at the tap: the next one may come at once. */
  const failedAt = new Map<Order, number[]>();
  const counts = { late: 0, refused: new Map<string, number>(), kills: 0 };

  /** Every committed answer that the watching of prices saw. */
  const answers = new Map<bigint, { readonly at: number; readonly units: bigint }[]>();
  /** Prices that were asked for to offer a card. */
  const drafts = new Map<bigint, { readonly at: number; readonly units: bigint }[]>();
  let [takenPolls, takenDrafts, takenTold] = [0, 0, 0];
  const requests: number[] = [];
  const note = (into: typeof answers, { pay, at }: { readonly pay: Amount; readonly at: number }): void => {
    const before = into.get(pay.units) ?? [];
    before.push({ at, units: priceAt(pay, at) });
    into.set(pay.units, before);
  };
  const take = async (isKilled: boolean): Promise<void> => {
    const rows = await process.store.db.selectFrom("price_questions").select(["units_in", "seen_at"]).execute();
    const seen = new Map(rows.map(({ units_in, seen_at }) => [BigInt(units_in), seen_at ?? 0]));
    for (const poll of world.polled.slice(takenPolls)) {
      requests.push(poll.at);
      if (!isKilled || poll.at <= (seen.get(poll.pay.units) ?? 0)) note(answers, poll);
    }
    takenPolls = world.polled.length;
  };
  const noteTold = (): void => {
    for (const told of world.told.slice(takenTold)) {
      if ("card" in told && told.edits === undefined && !renewed.has(told.card.id)) {
        // A kill may come between offering it and sending it.
        cards.push({ at: told.card.quotedAt, card: told.card });
        const at = looksAt(told.at);
        if (at !== undefined) taps.push({ at, userId: told.userId, card: told.card });
      }
      if ("news" in told && told.news.kind === "order") {
        const { order } = told.news.view;
        misses.set(order.id, order.missed);
      }
    }
    takenTold = world.told.length;
    for (const draft of world.asked.slice(takenDrafts)) {
      if (draft.by === "loop") note(drafts, draft);
    }
    takenDrafts = world.asked.length;
  };

  /** What a person does with a card: a late one asks again. */
  async function tap({ userId, card }: (typeof taps)[number]): Promise<void> {
    const order = orderOf(card);
    let result = await process.intents.confirm(userId, card.id);
    if (result.kind === "expired" || result.kind === "not-open") {
      if (order === undefined || order.doneAt !== undefined || order.unknownAt !== undefined) return;
      const again = await world.renew(process, card);
      renewed.add(again.id);
      result = await process.intents.confirm(userId, again.id);
    }
    if (result.kind === "worse") {
      renewed.add(result.fresh.id);
      result = await process.intents.confirm(userId, result.fresh.id);
    }
    if (result.kind === "refused") {
      const { code } = result.fault;
      counts.refused.set(code, (counts.refused.get(code) ?? 0) + 1);
    }
    if (result.kind === "worse") counts.late += 1;
    if (result.kind !== "ended" || order === undefined) return;
    const { state } = result.intent;
    if (state === "FAILED") failedAt.set(order, [...(failedAt.get(order) ?? []), clock.now()]);
    expect(order.doneAt, "never two claims of one order").toBeUndefined();
    expect(order.unknownAt, "none while the outcome of one is unknown").toBeUndefined();
    if (state === "OK") order.doneAt = clock.now();
    if (state === "UNKNOWN") order.unknownAt = clock.now();
    if (order.kind === "limit" && (state === "OK" || state === "UNKNOWN"))
      expect(isBeyond(order, priceAt(order.pay, clock.now())), "never below the limit").toBe(true);
  }

  const restarts: number[] = [];
  const revive = async (): Promise<void> => {
    await take(true);
    process = world.start();
    await process.intents.recover();
    counts.kills += 1;
    restarts.push(clock.now());
  };
  const waiting = [...orders];
  const downFrom = NOW + size.downAt * DAY;
  const killEvery = Math.floor((size.days * DAY) / STEP / size.kills);
  let isDown = false;
  /** How many more there are before the process is killed. */
  let writesLeft = -1;
  for (let step = 0; step * STEP < size.days * DAY; step += 1) {
    const now = clock.now();
    world.isTapping = true;
    while (waiting[0] !== undefined && waiting[0].setAt <= now) {
      const order = waiting.shift()!;
      const net = netOf(priceAt(order.pay, now));
      order.line = (net * (order.kind === "limit" ? 100n + order.percent : 100n - order.percent)) / 100n;
      const until = { count: size.life, unit: "d" } as const;
      const at = { get: amountOf(kfi, order.line) };
      const set = await process.standing.create(order.userId, {
        kind: order.kind,
        pay: order.pay,
        from: klv,
        to: kfi,
        at,
        until,
      });
      Object.assign(order, { id: set.id, endsAt: set.endsAt });
      byId.set(set.id, order);
    }
    const due = taps.filter(({ at }) => at <= now);
    taps.splice(0, taps.length, ...taps.filter(({ at }) => at > now));
    for (const one of due) await tap(one);
    // Now and then, somebody freezes their account for half a day.
    if (random(200) === 0) {
      const userId = people[random(people.length)]!;
      if (!frozen.some((one) => one.userId === userId && one.until > now)) {
        await world.person(process, (person) => ({ ...person, frozenSince: now }), userId);
        frozen.push({ userId, from: now, until: now + DAY / 2 });
      }
    }
    for (const one of frozen.filter(({ until }) => until <= now && until > now - STEP * 2)) {
      await world.person(process, ({ frozenSince: _, ...person }) => person, one.userId);
      await process.standing.look(one.userId);
    }
    world.isTapping = false;
    if (step % killEvery === killEvery - 1) writesLeft = 1 + random(20);
    const victim = process;
    victim.store.afterWrite = async () => {
      writesLeft -= 1;
      if (writesLeft !== 0) return;
      victim.kill();
      await new Promise(() => undefined);
    };
    await clock.advance(STEP);
    if (process.isAlive()) await take(false);
    else await revive();
    noteTold();
    // People's taps end: else they would wait for ever.
    process.store.afterWrite = () => Promise.resolve();
    if (!isDown && clock.now() >= downFrom) {
      isDown = true;
      const stopped = process.stop();
      await clock.advance(20_000);
      await stopped;
      await take(false);
      const skipped = Math.floor((size.down * DAY) / STEP);
      await clock.advance(skipped * STEP - 20_000);
      step += skipped;
      process = world.start();
      await process.intents.recover();
    }
    if (isWhole && step % 1920 === 0)
      stdout.write(`day ${Math.round((clock.now() - NOW) / DAY)}: ${cards.length} cards, ${requests.length} polls\n`);
  }
  // What has ended is told.
  await clock.advance(DAY);
  noteTold();
  expect(world.errors).toEqual([]);

  // Each crossing, by another reading of the rules.
  const dayOf = (at: number) => Math.floor(at / DAY);
  const unoffered = new Map<string, number>();
  const tally = { crossings: 0, offered: 0 };
  const figures = new Map<string, { reached: number; done: number; cards: number }>();
  for (const order of orders) {
    const own = cards.filter(({ card }) => orderOf(card) === order);
    const overAt = Math.min(order.doneAt ?? Infinity, order.unknownAt ?? Infinity, order.endsAt);
    const asked = (answers.get(order.pay.units) ?? []).filter(({ at }) => at > order.setAt && at < order.endsAt);
    const drafted = (drafts.get(order.pay.units) ?? []).filter(({ at }) => at > order.setAt && at < order.endsAt);
    const line = (order.kind === "limit" ? leastTotalOf : mostTotalOf)(amountOf(kfi, order.line), FEE).units;
    const isBack = (units: bigint) =>
      order.kind === "limit" ? units * 100n <= line * 99n : units * 100n >= line * 101n;
    let isArmed = true;
    const crossings: number[] = [];
    const all = [
      ...asked.map((one) => ({ ...one, isDraft: false })),
      ...drafted.map((one) => ({ ...one, isDraft: true })),
    ];
    for (const { at, units, isDraft } of all.toSorted((one, other) => one.at - other.at)) {
      const shown = own.filter((card) => card.at <= at).at(-1)?.at ?? -Infinity;
      // Asked for a card, also once more after four hours: if its price isn't there, the next one is a new crossing.
      const isAsked = isDraft && (shown < (crossings.at(-1) ?? 0) || Math.abs(at - shown - AGAIN_MS) < SOON_MS);
      if (!isBeyond(order, units)) isArmed ||= isAsked || isBack(units);
      else if (isArmed && !isDraft) {
        isArmed = false;
        crossings.push(at);
      }
    }
    for (const at of crossings.filter((one) => one < overAt)) {
      tally.crossings += 1;
      const before = own.filter((card) => card.at <= at);
      // Also by a card that was being made just then.
      if (own.some((card) => card.at > at - MINUTE && card.at <= at + SOON_MS)) {
        tally.offered += 1;
        continue;
      }
      const held = {
        frozen: frozen.some(
          ({ userId, from, until }) => userId === order.userId && from <= at && at < until + STEP * 2,
        ),
        quiet: hasQuiet(order.userId) && isAsleep(at),
        today: before.filter((card) => dayOf(card.at) === dayOf(at)).length >= 3,
        lately: before.some((card) => at - card.at < CARD_MS),
      };
      const isGone = {
        ended: overAt <= at + SOON_MS,
        // Asked again for the card, the price wasn't there any more.
        "price back": drafted.some(
          (draft) => draft.at >= at && draft.at < at + SOON_MS && !isBeyond(order, draft.units),
        ),
        down: at < downFrom + size.down * DAY && at + SOON_MS > downFrom,
      };
      const namesIn = (found: object) => Object.entries(found).flatMap(([name, isSo]) => (isSo === true ? [name] : []));
      const [holds, gone] = [namesIn(held), namesIn(isGone)];
      const [why = "nothing"] = [...gone, ...holds];
      unoffered.set(why, (unoffered.get(why) ?? 0) + 1);
      const about = `order ${order.id} of ${order.userId} at ${new Date(at).toISOString()}`;
      expect(why, about).not.toBe("nothing");
      const counted = misses.get(order.id!);
      // What only held it is asked about when it ends, and counts if the price has gone by then.
      if (gone.length === 0 && counted !== undefined && !held.frozen)
        expect(
          holds.some((hold) => (counted[hold] ?? 0) > 0),
          `${about}: ${holds.join()}`,
        ).toBe(true);
    }
    for (const [place, { at, card }] of own.entries()) {
      expect(isBeyond(order, priceAt(order.pay, card.quotedAt)), "no offer without its price").toBe(true);
      const last = own[place - 1]?.at ?? order.setAt;
      const isNew =
        crossings.some((one) => one > last - MINUTE && one <= at) ||
        (failedAt.get(order) ?? []).some((one) => one >= last && one <= at) ||
        // A freeze took the card away.
        frozen.some(({ userId, until }) => userId === order.userId && last <= until + STEP * 2 && until <= at);
      expect(isNew || at - last >= AGAIN_MS - MINUTE, `${order.id} at ${new Date(at).toISOString()}`).toBe(true);
      const sameDay = own.filter((other) => dayOf(other.card.quotedAt) === dayOf(card.quotedAt));
      expect(sameDay.length).toBeLessThanOrEqual(3);
      if (order.kind === "limit" && card.terms.kind === "swap")
        expect(netOf(card.terms.minimumOut.units)).toBeGreaterThanOrEqual(order.line);
      expect(at).toBeLessThan(overAt + SOON_MS);
    }
    if (order.unknownAt !== undefined || frozen.some(({ userId }) => userId === order.userId)) continue;
    const name = `${order.kind} ${order.percent} %`;
    const figure = figures.get(name) ?? { reached: 0, done: 0, cards: 0 };
    const isReached = asked.some(({ units }) => isBeyond(order, units));
    if (isReached) figure.reached += 1;
    if (isReached && order.doneAt !== undefined) figure.done += 1;
    figure.cards += own.length;
    figures.set(name, figure);
  }
  // The budget of prices, cards included.
  const times = [...requests, ...world.asked.filter(({ by }) => by === "loop").map(({ at }) => at)].toSorted(
    (a, b) => a - b,
  );
  // Each process has a budget of its own.
  const isRestart = (from: number) => restarts.some((at) => from <= at && at <= from + 1000);
  const tooMany = times.filter(
    (at, place) => (times[place + REQUESTS_PER_SECOND] ?? Infinity) - at < 1000 && !isRestart(at),
  );
  const lines = [
    `${counts.kills} kills, ${unknowns} unknown outcomes; ${times.length} requests; ${tally.crossings} crossings, ${tally.offered} offered at once`,
    `the others: ${[...unoffered].map(([why, count]) => `${why} ${count}`).join(", ")}`,
    `refused at the tap: ${[...counts.refused].map(([code, count]) => `${code} ${count}`).join(", ")}; ${counts.late} worse`,
    ...[...figures].toSorted().map(([name, { reached, done, cards: sent }]) => {
      const share = ((100 * done) / Math.max(1, reached)).toFixed(0);
      return `${name}: reached ${reached}, done ${done} (${share} %), ${(sent / Math.max(1, reached)).toFixed(2)} cards each`;
    }),
  ];
  stdout.write(`${lines.join("\n")}\n`);
  expect(tooMany).toEqual([]);
  expect(counts.kills).toBeGreaterThanOrEqual(size.kills / 3);
  expect(tally.crossings).toBeGreaterThan(size.orders / 4);
  if (isWhole) {
    for (const [name, { reached, done }] of figures) expect(done / reached, name).toBeGreaterThan(0.9);
  }
});
