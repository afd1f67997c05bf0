import { stdout } from "node:process";
import { expect, it } from "vitest";
import { addressFromBytes, type Address } from "../../../src/encoding/address.js";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { isUnresolved, type Intent } from "../../../src/services/intent/intent.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { readExit, type ExitRequest } from "../../../src/services/standing/exit-request.js";
import { standingIn } from "../../../src/services/terms/terms.js";
import { seededRandom } from "../../support/seed.js";
import { klv } from "../samples.js";
import { createExitMarket, exitShapes, QUANTITY, shapeLine } from "./exit-market.js";
import { judgeExits } from "./judged-exits.js";
import type { Happening, Hold, JudgedCard, JudgedExit } from "./judged-state.js";
import {
  createStandingWorld,
  DAY,
  HOUR,
  MINUTE,
  NOW,
  type StandingProcess,
  type TelegramMode,
} from "./standing-world.js";

const isWhole = process.env["FULL"] !== undefined;
/** A price is asked for so often, and goes up or down every hour. `gap`: hours between two holds of a kind, on average. */
const size = isWhole
  ? {
      plans: 2000,
      others: 500,
      days: 365,
      life: 30,
      markets: 3,
      everySeconds: 28_800,
      kills: 100,
      stops: 8,
      gap: 60,
      longest: 80,
    }
  : {
      plans: 100,
      others: 0,
      days: 30,
      life: 30,
      markets: 1,
      everySeconds: 14_400,
      kills: 6,
      stops: 1,
      gap: 60,
      longest: 30,
    };
const END = NOW + size.days * DAY;
/** Cards live for ten minutes. */
const LOOK = 5 * MINUTE;
const random = seededRandom("exit plans");
const below = (limit: number): number => Math.floor(random() * limit);

const { tokens, priceAt, holdsOf } = createExitMarket(size, below);
const net = (units: bigint): bigint => units - units / 100n;
const ways: readonly TelegramMode[] = [
  { kind: "refuses" },
  { kind: "hangs" },
  { kind: "hangs", takes: true },
  { kind: "loses" },
];
/** How late what was held may come: requests hang for a minute or two, and several wait. */
const GRACE = { telegram: 4 * MINUTE, service: 2 * MINUTE, frozen: 2 * MINUTE, down: 2 * MINUTE } as const;

function addressOf(userId: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, userId);
  return addressFromBytes(bytes);
}

it(`in ${size.days} days, ${size.plans} exits sell what a second computation says, and each reached part is offered`, {
  timeout: isWhole ? 7_200_000 : 300_000,
}, async () => {
  const world = createStandingWorld({ standingMax: 1000, everySeconds: size.everySeconds, heartbeat: DAY });
  world.tokens = tokenListOf([klv, ...tokens]);
  const { clock } = world;
  const happenings: Happening[] = [];
  type Answer = Extract<Happening, { what: "answer" }>;
  let answers: Answer[] = [];
  world.price = (pay) => {
    const at = clock.now();
    const truly = priceAt(pay, at);
    if (!world.isPolling) return truly;
    const units = below(200) === 0 ? (truly * (below(2) === 0 ? 140n : 65n)) / 100n : truly;
    const known = (pays: bigint) => [at, at + MINUTE].map((when) => priceAt(amountOf(pay.token, pays), when));
    answers.push({ at, what: "answer", market: pay.token.id, pays: pay.units, units, known });
    return units;
  };
  const held = new Map<string, Record<string, bigint>>();
  world.holdingsOf = (account) => held.get(account);
  world.outcome = () => {
    const fault = new Fault("service-timeout", { service: "node" });
    const kind = below(12);
    return kind > 1
      ? { kind: "ok", returnData: ["26bf", "0efc3c"] }
      : { kind: kind === 0 ? "unknown" : "not-sent", fault };
  };

  let process: StandingProcess = world.start();
  const people = Array.from({ length: Math.ceil(size.plans / size.markets) }, (_, index) => index + 1);
  const hasQuiet = (userId: number) => userId % 4 === 0;
  const quiet = { modes: {}, quiet: { from: "23:00", to: "07:00" } };
  for (const userId of people) {
    held.set(addressOf(userId), { KLV: 10n ** 15n });
    const wallet = { address: addressOf(userId), since: 0 };
    await world.person(
      process,
      (person) => ({ ...person, wallet, ...(hasQuiet(userId) && { alerts: quiet }) }),
      userId,
    );
  }
  const holds: Hold[] = [
    ...holdsOf("telegram", size.gap),
    ...holdsOf("service", size.gap),
    ...people.flatMap((userId) => (userId % 5 === 0 ? holdsOf("frozen", 6 * size.gap, userId) : [])),
  ];
  const isHeld = (userId: number) =>
    world.fault !== undefined ||
    world.telegram.kind !== "well" ||
    holds.some(
      ({ from, until, ...of }) => from <= clock.now() && clock.now() < until && (of.userId ?? userId) === userId,
    );

  const events: { readonly at: number; readonly run: () => unknown }[] = [];
  const later = (milliseconds: number, run: () => unknown): void => {
    events.push({ at: clock.now() + milliseconds, run });
  };
  const exits = new Map<string, JudgedExit>();
  const begun = (
    { id, endsAt }: { readonly id: string; readonly endsAt: number },
    of: Omit<JudgedExit, "endsAt" | "hasQuiet" | "id" | "setAt">,
  ) => {
    const setAt = clock.now();
    exits.set(id, { ...of, id, setAt, endsAt, hasQuiet: hasQuiet(of.userId) });
    happenings.push({ at: setAt, what: "set", exit: id });
  };
  /** Nobody sets one while they reach nobody. */
  async function setExit(index: number): Promise<void> {
    const userId = 1 + Math.floor(index / size.markets);
    if (isHeld(userId)) {
      later(10 * MINUTE, () => setExit(index));
      return;
    }
    const token = tokens[index % size.markets]!;
    const shape = exitShapes[below(exitShapes.length)]!;
    const account = held.get(addressOf(userId))!;
    account[token.id] = QUANTITY + (below(3) === 0 ? 7_000_000n : 0n);
    const request = readExit(
      `50.000001 ${token.id} KLV ${shapeLine(shape)} ${size.life}d`,
      world.tokens,
    ) as ExitRequest;
    world.isTapping = true;
    const order = await process.standing.create(userId, request);
    world.isTapping = false;
    const { targets, down, trail, from = 0 } = shape;
    begun(order, {
      ...{ userId, kind: "exit", market: token.id, quantity: QUANTITY },
      base: net(priceAt(amountOf(token, QUANTITY), clock.now())),
      targets: targets.map(([share, rise]) => ({ shareBps: BigInt(share), upBps: BigInt(rise) })),
      ...(down !== undefined && { floor: { downBps: BigInt(down) } }),
      ...(trail !== undefined && { floor: { trailBps: BigInt(trail), fromBps: BigInt(from) } }),
    });
    // Some sell some or all of it by hand.
    if (below(8) === 0)
      later(below(size.life * DAY), () => {
        const units = (account[token.id]! * BigInt(below(3) === 0 ? 0 : below(100))) / 100n;
        account[token.id] = units;
        happenings.push({ at: clock.now(), what: "held", exit: order.id, units });
      });
  }
  async function setOther(index: number): Promise<void> {
    const userId = people[index % people.length]!;
    if (isHeld(userId)) {
      later(10 * MINUTE, () => setOther(index));
      return;
    }
    const kind = index % 2 === 0 ? "limit" : "stop";
    const pay = amountOf(klv, 100_000_000n + BigInt(index % 3));
    const base = net(priceAt(pay, clock.now()));
    const moves = BigInt(300 + below(1000));
    const line = kind === "limit" ? (base * (10_000n + moves) + 9999n) / 10_000n : (base * (10_000n - moves)) / 10_000n;
    const at = { get: amountOf(tokens[0]!, line) };
    const until = { count: size.life, unit: "d" } as const;
    world.isTapping = true;
    const order = await process.standing.create(userId, { kind, pay, from: klv, to: tokens[0]!, at, until });
    world.isTapping = false;
    const of = { userId, kind, market: klv.id, quantity: pay.units, base } as const;
    begun(order, {
      ...of,
      targets: kind === "limit" ? [{ shareBps: 10_000n, upBps: moves }] : [],
      ...(kind === "stop" && { floor: { downBps: moves } }),
    });
  }
  const lastStart = isWhole ? (size.days - size.life) * DAY : 8 * DAY;
  for (let index = 0; index < size.plans; index += 1)
    events.push({ at: NOW + below(lastStart), run: () => setExit(index) });
  for (let index = 0; index < size.others; index += 1)
    events.push({ at: NOW + below(lastStart), run: () => setOther(index) });

  function judged({ id, quotedAt, terms }: Intent): JudgedCard {
    const { id: exit, kind, occurrence, least, most } = standingIn(terms.request)!;
    if (terms.kind !== "swap") throw new TypeError("no pools are known");
    const place = occurrence?.place ?? 0;
    const quoted = priceAt(terms.amountIn, quotedAt);
    return {
      ...{ exit, card: id, madeAt: quotedAt, pays: terms.amountIn.units, quoted },
      place: kind === "exit" ? place : 0,
      ...(least && { least: least.units }),
      ...(most && { most: most.units }),
    };
  }
  const cards = new Map<string, Intent>();
  const cardsOf = new Map<string, readonly Intent[]>();
  const ends = new Set<string>();
  async function tap(card: Intent): Promise<void> {
    const userId = card.owner;
    if (isHeld(userId)) return;
    world.isTapping = true;
    let tapped = card;
    let result = await process.intents.confirm(userId, card.id);
    if (result.kind === "worse") {
      tapped = result.fresh;
      cards.set(tapped.id, tapped);
      happenings.push({ at: clock.now(), what: "made", card: judged(tapped) });
      result = await process.intents.confirm(userId, tapped.id);
    }
    world.isTapping = false;
    if (result.kind !== "ended") return;
    const { state } = result.intent;
    const sold = judged(tapped);
    const at = clock.now();
    const isUnknown = state === "UNKNOWN" && isUnresolved(result.intent);
    if (state !== "OK" && !isUnknown) return void happenings.push({ at, what: "failed", exit: sold.exit });
    if (tapped.terms.kind !== "swap") throw new TypeError("no pools are known");
    const { amountIn } = tapped.terms;
    const hasSold = !isUnknown || below(2) === 0;
    const account = held.get(addressOf(userId))!;
    if (hasSold) account[amountIn.token.id] = (account[amountIn.token.id] ?? 0n) - amountIn.units;
    happenings.push({ at, what: isUnknown ? "unknown" : "sold", card: sold, got: priceAt(amountIn, at) });
    if (!isUnknown) return;
    // They look at their account.
    later(HOUR + below(6 * HOUR), async () => {
      const call = await process.intents.find(userId, tapped.id);
      const check = { at: clock.now(), by: "owner", finding: hasSold ? "arrived" : "not-arrived" } as const;
      await process.intents.markChecked(call!, check);
      happenings.push({ at: clock.now(), what: "settled", card: sold, hasSold });
    });
  }
  let seen = 0;
  function note(): void {
    happenings.push(...answers);
    answers = [];
    for (const told of world.told.slice(seen)) {
      if ("news" in told && told.news.kind === "order") {
        const { id, ended } = told.news.view.order;
        // What is sent while answers are lost arrives several times.
        if (ended !== null && !ends.has(id)) happenings.push({ at: told.at, what: "ended", exit: id, why: ended });
        if (ended !== null) ends.add(id);
      }
      if (!("card" in told) || told.edits !== undefined || cards.has(told.card.id)) continue;
      const { card } = told;
      cards.set(card.id, card);
      happenings.push({ at: card.quotedAt, what: "made", card: judged(card) });
      happenings.push({ at: told.at, what: "arrived", card: judged(card) });
      if (below(5) > 0) events.push({ at: told.at + LOOK + below(LOOK), run: () => tap(card) });
      // An old one, or a second tap.
      const { exit } = judged(card);
      const own = [...(cardsOf.get(exit) ?? []), card];
      cardsOf.set(exit, own);
      if (below(4) === 0) later(below(3 * LOOK), () => tap(own[below(own.length)]!));
    }
    seen = world.told.length;
  }

  for (const hold of holds) {
    const begins = {
      telegram: () => (world.telegram = ways[below(ways.length)]!),
      service: () => (world.fault = new Fault("service-timeout", { service: "quotation" })),
      frozen: () => world.person(process, (person) => ({ ...person, frozenSince: clock.now() }), hold.userId),
    };
    const ends = {
      telegram: () => (world.telegram = { kind: "well" }),
      service: () => (world.fault = undefined),
      frozen: async () => {
        await world.person(process, ({ frozenSince: _, ...person }) => person, hold.userId);
        await process.standing.lookAtHeldOf(hold.userId!);
      },
    };
    const kind = hold.kind as keyof typeof begins;
    events.push({ at: hold.from, run: begins[kind] }, { at: hold.until, run: ends[kind] });
  }
  let writesLeft = -1;
  for (let kill = 0; kill < size.kills; kill += 1)
    events.push({ at: NOW + below(size.days * DAY), run: () => (writesLeft = 1 + below(20)) });
  for (let stop = 0; stop < size.stops; stop += 1)
    events.push({
      at: NOW + DAY + below((size.days - 3) * DAY),
      run: async () => {
        const from = clock.now();
        const stopped = process.stop();
        await clock.advance(2 * MINUTE);
        await stopped;
        note();
        await clock.advance(below(2 * DAY));
        await revive(from);
      },
    });
  let [kills, diedAt, shown] = [0, 0, NOW];
  async function revive(from: number): Promise<void> {
    // Of what was answered before a kill, that is known which was noted.
    const rows = await world.disk.open().db.selectFrom("price_questions").select(["id", "seen_at"]).execute();
    const noted = new Map(rows.map(({ id, seen_at }) => [id, seen_at ?? 0]));
    answers = answers.filter(({ at, market, pays }) => {
      const out = market === klv.id ? tokens[0]! : klv;
      return at <= (noted.get(`${market}/${out.id}/${pays}`) ?? 0);
    });
    process = world.start();
    await process.intents.recover();
    holds.push({ kind: "down", from, until: clock.now() });
    // Nothing is set in the moment in which a price is answered: which came first nobody could say.
    await clock.advance(1237);
  }
  /** Kills the process after so many writes. */
  function arm(victim: StandingProcess): void {
    victim.store.afterWrite = async () => {
      if (writesLeft < 0 || (writesLeft -= 1) > 0) return;
      writesLeft = -1;
      kills += 1;
      diedAt = clock.now();
      victim.kill();
      await new Promise(() => undefined);
    };
  }
  const compareHighs = async (): Promise<void> => {
    const rows = await process.store.db.selectFrom("price_watches").select(["subject", "anchor", "rule"]).execute();
    for (const { subject, anchor, rule } of rows)
      if (rule.startsWith("trail"))
        happenings.push({ at: clock.now(), what: "high", exit: subject.split("/")[0]!, units: BigInt(anchor) });
  };
  const highsEvery = (size.days / 6) * DAY;
  for (let at = NOW + highsEvery - MINUTE; at < END; at += highsEvery) events.push({ at, run: compareHighs });

  while (clock.now() < END) {
    events.sort((one, other) => one.at - other.at);
    arm(process);
    await clock.advance(Math.max(0, Math.min(clock.now() + LOOK, END, events[0]?.at ?? END) - clock.now()));
    if (!process.isAlive()) await revive(diedAt);
    process.store.afterWrite = () => Promise.resolve();
    note();
    const isDue = () => events[0] !== undefined && events[0].at <= clock.now();
    if (isDue()) {
      while (isDue()) await events.shift()!.run();
      // What a tap has changed is looked at.
      await clock.advance(1000);
    }
    if (isWhole && clock.now() >= shown) {
      stdout.write(`day ${Math.round((clock.now() - NOW) / DAY)}: ${exits.size} set, ${cards.size} cards\n`);
      shown += 10 * DAY;
    }
  }
  await clock.advance(MINUTE);
  note();
  expect(world.errors).toEqual([]);
  const late = holds.map((hold) => ({ ...hold, until: hold.until + GRACE[hold.kind as keyof typeof GRACE] }));
  const verdict = judgeExits([...exits.values()], happenings, late, clock.now());
  const lines = [...verdict.counts].toSorted().map(([what, count]) => `${what}: ${count}`);
  const seenOf = (what: string): number => verdict.counts.get(what) ?? 0;
  stdout.write(`${world.polled.length} prices, ${kills} kills, ${lines.join(", ")}\n`);
  expect(verdict.faults).toEqual([]);
  expect(Math.min(kills, seenOf("offered soon"), seenOf("sold"), seenOf("highs compared"))).toBeGreaterThan(2);
  for (const { id, userId } of exits.values()) {
    const order = (await process.standing.find(userId, id))?.order;
    const { left, isOver } = verdict.ends.get(id)!;
    expect([id, order === undefined || order.ended !== null]).toEqual([id, isOver]);
    if (!isOver && order !== undefined && "targets" in order.rule)
      expect([id, order.rule.left.units]).toEqual([id, left]);
  }
  await process.stop();
});
