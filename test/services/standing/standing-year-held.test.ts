import { stdout } from "node:process";
import { expect, it } from "vitest";
import { createRandom } from "../../../sandbox/exchange/random.js";
import { amountOf, type Amount } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { pauses } from "../../../src/services/person/pause.js";
import { readDca, type DcaRequest } from "../../../src/services/standing/dca-request.js";
import { standingIn } from "../../../src/services/terms/terms.js";
import { writeSetting } from "../../../src/store/store.js";
import { seededRandom } from "../../support/seed.js";
import { alice, kfi, klv } from "../samples.js";
import { judge, type Hold, type HoldKind, type YearOrder } from "./held-year.js";
import { createStandingWorld, DAY, HOUR, MINUTE, NOW, type TelegramMode } from "./standing-world.js";

const isWhole = process.env["FULL"] !== undefined;
/** How many hours lie between two holds of a kind, on average. */
const size = isWhole
  ? { days: 365, people: 4, amounts: 2, life: 30, everySeconds: 300, gap: 16 }
  : { days: 1, people: 6, amounts: 2, life: 2, everySeconds: 300, gap: 4 };
/** Duration of each price. */
const STEP = 450_000;
const END = NOW + size.days * DAY;

/** The same day in each run, in which two things hold an order at once. */
const random = isWhole ? seededRandom("held year") : createRandom(532_764_402);
const below = (limit: number): number => Math.floor(random() * limit);
/** From two minutes to five hours, mostly short. */
const duration = (): number => Math.floor(2 * MINUTE * 150 ** random());

/** Of each amount, what it brings from when on: it goes up and down by some percent in hours. */
const prices = Array.from({ length: size.amounts }, () => {
  let units = 1_000_000_000n;
  return Array.from({ length: Math.ceil((size.days * DAY) / STEP) + 1 }, (_, step) => {
    const back = units > 1_200_000_000n ? -3000 : units < 800_000_000n ? 3000 : 0;
    units = (units * BigInt(1_000_000 + below(16_001) - 8000 + back)) / 1_000_000n;
    return { at: NOW + step * STEP, units };
  });
});
const priceAt = (price: number, at: number): bigint =>
  prices[price]![Math.min(prices[price]!.length - 1, Math.max(0, Math.floor((at - NOW) / STEP)))]!.units;
const amountAt = (price: number): Amount => amountOf(klv, BigInt(100 + price) * 1_000_000n);
const priceOf = ({ units }: Amount): number => Number(units / 1_000_000n) - 100;

/** Each kind comes and goes, with pauses of that many hours on average. */
function holdsOf(kind: HoldKind, gap: number, userId?: number): Hold[] {
  const holds: Hold[] = [];
  for (let at = NOW + below(gap * HOUR); at < END - DAY / 8; at += 15 * MINUTE + below(2 * gap * HOUR)) {
    const until = at + duration();
    holds.push({ kind, from: at, until, ...(userId !== undefined && { userId }) });
    at = until;
  }
  return holds;
}

const people = Array.from({ length: size.people }, (_, index) => index + 1);
const holds = [
  ...holdsOf("telegram", size.gap),
  ...holdsOf("service", size.gap),
  ...holdsOf("trading-paused", 1.5 * size.gap),
  ...people.flatMap((userId) => holdsOf("frozen", 4 * size.gap, userId)),
];
const ways: readonly TelegramMode[] = [
  { kind: "refuses" },
  { kind: "hangs" },
  { kind: "hangs", takes: true },
  { kind: "loses" },
];

it(`in ${size.days} days of what holds them for minutes to hours, each reached order is offered soon after, or told of`, {
  timeout: isWhole ? 7_200_000 : 300_000,
}, async () => {
  const world = createStandingWorld({ everySeconds: size.everySeconds });
  const { clock } = world;
  world.price = (pay) => priceAt(priceOf(pay), clock.now());
  const process = world.start();
  const setWallet = (userId: number) =>
    world.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }), userId);
  for (const userId of people) await setWallet(userId);

  /** When somebody buys, each day. */
  const hourOf = (userId: number) => String((9 + 3 * userId) % 24).padStart(2, "0");
  const orders: { -readonly [Key in keyof YearOrder]: YearOrder[Key] }[] = [];
  async function set(userId: number, kind: YearOrder["kind"]): Promise<void> {
    const price = userId % size.amounts;
    const units = priceAt(price, clock.now());
    const net = units - units / 100n;
    const away = BigInt(2 + below(4));
    const line = kind === "dca" ? 0n : (net * (kind === "limit" ? 100n + away : 100n - away)) / 100n;
    const request =
      kind === "dca"
        ? (readDca(`${100 + price} KLV KFI daily ${hourOf(userId)}:00 x${size.life}`, world.tokens) as DcaRequest)
        : {
            ...{ kind, pay: amountAt(price), from: klv, to: kfi },
            ...{ at: { get: amountOf(kfi, line) }, until: { count: size.life, unit: "d" as const } },
          };
    world.isTapping = true;
    const { id, endsAt } = await process.standing.create(userId, request);
    world.isTapping = false;
    const at = kind === "dca" ? Number(hourOf(userId)) * HOUR : 0;
    orders.push({ id, userId, kind, price, line, at, setAt: clock.now(), overAt: endsAt });
  }

  const begin: Record<HoldKind, (userId: number | undefined) => unknown> = {
    telegram: () => (world.telegram = ways[below(ways.length)]!),
    service: () => (world.fault = new Fault("service-timeout", { service: "quotation" })),
    "trading-paused": () => process.store.write((tx) => writeSetting(tx, pauses, { since: clock.now(), reason: "" })),
    frozen: (userId) => world.person(process, (person) => ({ ...person, frozenSince: clock.now() }), userId),
  };
  const end: Record<HoldKind, (userId: number) => unknown> = {
    telegram: () => (world.telegram = { kind: "well" }),
    service: () => (world.fault = undefined),
    "trading-paused": async () => {
      await process.store.write((tx) => writeSetting(tx, pauses, null));
      await process.standing.lookAtHeld();
    },
    frozen: async (userId) => {
      await world.person(process, ({ frozenSince: _, ...person }) => person, userId);
      await process.standing.lookAtHeldOf(userId);
    },
  };
  const isHeld = (userId: number) =>
    holds.some((hold) => hold.from <= clock.now() && clock.now() < hold.until && (hold.userId ?? userId) === userId);

  // Nobody can set one while they reach nobody.
  const setFree = async (userId: number, kind: YearOrder["kind"]): Promise<void> => {
    if (!isHeld(userId)) return set(userId, kind);
    events.push({ at: clock.now() + 10 * MINUTE, run: () => setFree(userId, kind) });
  };
  const events: { readonly at: number; readonly run: () => unknown }[] = holds.flatMap((hold) => [
    { at: hold.from, run: () => begin[hold.kind](hold.userId) },
    { at: hold.until, run: () => end[hold.kind](hold.userId ?? 0) },
  ]);
  for (const [place, userId] of people.entries()) {
    for (let round = 0; NOW + round * size.life * DAY < END - DAY / 2; round += 1) {
      // Set within their first hours, and again whenever they have ended.
      const at = NOW + round * (size.life * DAY + HOUR) + place * 7 * MINUTE;
      for (const kind of ["limit", "stop", "dca"] as const) events.push({ at, run: () => setFree(userId, kind) });
    }
  }
  // One in eight cards is tapped while it lives.
  const tap = async (userId: number, id: string, orderId: string): Promise<void> => {
    if (isHeld(userId)) return;
    world.isTapping = true;
    const result = await process.intents.confirm(userId, id);
    world.isTapping = false;
    const order = orders.find((one) => one.id === orderId);
    if (order !== undefined && order.kind !== "dca" && result.kind === "ended" && result.intent.state === "OK")
      order.overAt = clock.now();
  };
  let [seen, shown] = [0, NOW];
  const look = (): void => {
    for (const told of world.told.slice(seen)) {
      if (!("card" in told) || told.edits !== undefined || below(8) > 0) continue;
      const { userId, card } = told;
      const at = told.at + 5 * MINUTE + below(4 * MINUTE);
      events.push({ at, run: () => tap(userId, card.id, standingIn(card.terms.request)!.id) });
    }
    seen = world.told.length;
  };
  while (clock.now() < END) {
    events.sort((one, other) => one.at - other.at);
    await clock.advance(Math.max(0, Math.min(clock.now() + 5 * MINUTE, END, events[0]?.at ?? END) - clock.now()));
    look();
    if (isWhole && clock.now() >= shown) {
      stdout.write(`day ${Math.round((clock.now() - NOW) / DAY)}: ${world.told.length} messages\n`);
      shown += 10 * DAY;
    }
    while (events[0] !== undefined && events[0].at <= clock.now()) await events.shift()!.run();
  }
  await process.stop();
  expect(world.errors).toEqual([]);

  const answersTo = (price: number) =>
    world.polled
      .filter(
        ({ at, pay }) =>
          priceOf(pay) === price &&
          !holds.some(({ kind, from, until }) => kind === "service" && from <= at && at < until),
      )
      .map(({ at }) => ({ at, units: priceAt(price, at) }));
  const verdict = judge({
    orders,
    holds,
    prices,
    answers: prices.map((_, price) => answersTo(price)),
    cards: world.told.flatMap((told) => {
      if (!("card" in told) || told.edits !== undefined) return [];
      const { id, occurrence } = standingIn(told.card.terms.request)!;
      return [{ orderId: id, at: told.at, n: occurrence?.n ?? null }];
    }),
    told: world.told.flatMap((told) =>
      "news" in told && told.news.kind === "held"
        ? [{ at: told.at, hold: told.news.hold, orderIds: told.news.orders.map(({ id }) => id) }]
        : [],
    ),
    missed: world.told
      .flatMap((told) =>
        "news" in told && told.news.kind === "order"
          ? [
              {
                at: told.at,
                orderId: told.news.view.order.id,
                reasons: Object.keys(told.news.missed).filter((why) => why !== "not-tapped"),
              },
            ]
          : [],
      )
      .filter(({ reasons }) => reasons.length > 0),
    roundMs: 1000 * size.everySeconds,
    end: END,
  });
  stdout.write(
    `${[...verdict.counts]
      .toSorted()
      .map(([what, count]) => `${what}: ${count}`)
      .join(", ")}\n`,
  );
  expect(verdict.faults).toEqual([]);
});
