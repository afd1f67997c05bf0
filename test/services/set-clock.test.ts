import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { amountOf } from "../../src/encoding/amount.js";
import { Fault } from "../../src/fault.js";
import { insertIntent } from "../../src/services/intent/intent-row.js";
import type { SignedIntent } from "../../src/services/intent/intent.js";
import { standingIn } from "../../src/services/terms/terms.js";
import { remindOfLocks } from "../../src/services/trade/lock-record.js";
import { createBroadcast } from "../../src/services/operator/broadcast.js";
import { createWatchOfUnknowns, watchForIncidents } from "../../src/services/operator/incidents.js";
import { enqueue, noticeTopic, type OperatorEvent } from "../../src/services/telegram/outbox.js";
import { changePerson, newPerson, personIn, putPerson, withLater } from "../../src/services/person/person.js";
import { createDelays } from "../../src/services/operator/delays.js";
import { createTransactionTracker } from "../../src/services/signing/transaction-tracker.js";
import { intent, swapTerms } from "../cards/arrange.js";
import { createMemoryDisk } from "../support/memory-store.js";
import { toldBlocks } from "../support/told-blocks.js";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.js";
import { placeAt, walletTransaction } from "../support/wallet-transaction.js";
import { arrange as arrangeIntents, chatId, draft, owner } from "./intent/arrange.js";
import { storeLocks } from "./trade/stored-locks.js";
import { becomes, createWorld as createOrderWorld, orderId, setOrder, telegramError } from "./alerts/orders-world.js";
import { closedOutbox, outboxTo, quiet } from "./telegram/noticed.js";
import { createWorld as createPriceWorld, NOW } from "./alerts/price-alerts-world.js";
import { createWeeklyWorld } from "./history/weekly-world.js";
import { createArrivalsWorld } from "./alerts/arrivals-world.js";
import { createPairsWorld, klvUnits } from "./alerts/new-pairs-world.js";
import { createTradesWorld, watchOf } from "./alerts/big-trades-world.js";
import { createStandingWorld, FIRST, OWNER } from "./standing/standing-world.js";
import { readDca, type DcaRequest } from "../../src/services/standing/dca-request.js";
import { alice, kfi, klv, silent } from "./samples.js";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const done = { kind: "ok", returnData: ["26bf", "0efc3c"] } as const;
const above = { amount: amountOf(kfi, 10_000_000n), out: klv, rule: { way: "above", price: "120" } } as const;

/** Runs until the test is over. */
function during(run: (signal: AbortSignal) => Promise<unknown>): AbortController {
  const stopping = new AbortController();
  void run(stopping.signal);
  onTestFinished(() => stopping.abort());
  return stopping;
}

/** What operators are told while a test runs. */
function operatorsOf(clock: VirtualClock) {
  const told: string[] = [];
  const tell = async (_tx: unknown, _id: string, event: OperatorEvent) =>
    void told.push(event.about === "incident" ? event.incident : event.about);
  const store = createMemoryDisk().open();
  return { told, tell, parts: { ...quiet, store, clock } };
}

/** For each loop by its name, what must go on although the clock is set by `step` milliseconds. */
const loops: Readonly<Record<string, (step: number) => Promise<void>>> = {
  outbox: async (step) => {
    const world = createOrderWorld();
    const run = world.run();
    await run.start();
    world.telegramFault = () => telegramError(502, "Bad Gateway");
    await run.outbox.notify(1001, { id: "test", what: { kind: "test" } });
    await world.clock.advance(30_000);
    world.clock.step(step);
    // While it still fails, it keeps its pauses.
    const before = world.refusals;
    await world.clock.advance(2 * MINUTE);
    expect(world.refusals - before).toBeLessThan(10);
    world.telegramFault = () => undefined;
    await world.clock.advance(2 * MINUTE);
    expect(world.shorts()).toEqual(["1001 test"]);
  },
  "outbox-edits": async (step) => {
    const world = createOrderWorld();
    const run = world.run();
    await run.start();
    world.telegramFault = () => telegramError(502, "Bad Gateway");
    const key = { user_id: 1001, topic: "notice", subject: "test" };
    await run.store.write((tx) => enqueue(tx, key, { kind: "test" }, world.clock.now(), { isEdit: true }));
    await world.clock.advance(30_000);
    world.clock.step(step);
    world.telegramFault = () => undefined;
    await world.clock.advance(2 * MINUTE);
    expect(world.shorts()).toEqual(["1001 test"]);
  },
  "outbox-retries": async (step) => {
    const world = createOrderWorld();
    const run = world.run();
    world.telegramFault = () => telegramError(502, "Bad Gateway");
    await run.start();
    await run.outbox.notify(1001, { id: "test", what: { kind: "test" } });
    await world.clock.advance(5000);
    // Refused for a reason that isn't known, it is tried again in a minute.
    const refused = { refused_since: world.clock.now(), due_at: null, retry_at: world.clock.now() + MINUTE };
    await run.store.write((tx) => tx.updateTable("outbox").set(refused).execute());
    world.clock.step(step);
    world.telegramFault = () => undefined;
    // As late as the clock was set back, and no later than a day.
    await world.clock.advance(HOUR + 2 * MINUTE);
    expect(world.shorts()).toEqual(["1001 test"]);
  },
  orders: async (step) => {
    const world = createOrderWorld();
    const run = world.run();
    await run.start();
    for (const number of [1, 2]) setOrder(world, { id: orderId(number) });
    for (const number of [1, 2]) await run.watch(1001, orderId(number));
    // One is missing: it counts as gone after a day that has passed, not after one by which the clock was set ahead.
    world.exchange.delete(orderId(2));
    await world.clock.advance(2 * MINUTE);
    world.clock.step(step);
    await world.clock.advance(0);
    const { missing_since } = await run.store.db
      .selectFrom("orders")
      .select("missing_since")
      .where("id", "=", orderId(2))
      .executeTakeFirstOrThrow();
    expect(world.clock.now() - (missing_since ?? 0)).toBeLessThan(3 * MINUTE);
    expect(world.clock.now() - (missing_since ?? 0)).toBeGreaterThan(MINUTE);
    await becomes(world, { status: "PARTIALLY", filled: "40" }, 3 * MINUTE);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40"]);
  },
  "price-watches": async (step) => {
    // None but this one; and so many that some question is always due.
    for (const others of [0, 60]) {
      const world = createPriceWorld();
      const { alerts } = world.start();
      for (let number = 0; number < others; number += 1) {
        await alerts.set(2 + (number % 3), { ...above, amount: amountOf(kfi, BigInt(11_000_000 + number)) });
      }
      await alerts.set(1, above);
      await world.clock.advance(2 * MINUTE);
      world.clock.step(step);
      const since = world.clock.monotonic();
      world.price = (amount) => (amount.units === 10_000_000n ? 1_300_000_000n : 1_000_000_000n);
      await world.clock.advance(2 * MINUTE);
      expect(world.told.map(({ userId }) => userId)).toEqual([1]);
      expect(world.asked.length).toBeLessThan((since / 1000 + 120) * 2 + 70);
    }
  },
  "price-alert-ends": async (step) => {
    const world = createPriceWorld({ everySeconds: 900 });
    const { alerts, store } = world.start();
    const clockTime = (at: number) => new Date(at).toISOString().slice(11, 16);
    const hours = { from: clockTime(NOW), to: clockTime(NOW + 8 * HOUR) };
    await store.write((tx) => changePerson(tx, 1, (person) => ({ ...person, alerts: { modes: {}, quiet: hours } })));
    await alerts.set(1, above);
    const ends = await alerts.set(2, { ...above, until: { count: 36, unit: "h" } });
    world.price = () => 1_300_000_000n;
    await world.clock.advance(2 * HOUR);
    expect(world.told.map(({ userId }) => userId)).toEqual([2]);
    world.clock.step(step);
    // The alert that is held back comes when its owner's hours are over by the new clock.
    await world.clock.advance(8 * HOUR);
    const held = world.told.filter(({ userId }) => userId === 1);
    expect(held).toHaveLength(1);
    const end = NOW - (NOW % MINUTE) + 8 * HOUR;
    expect(((held[0]?.at ?? 0) - end + 10 * DAY) % DAY).toBeLessThan(MINUTE);
    // The other one, which was set for a time, ends when that has passed.
    await world.clock.advance(ends.endsAt + step - world.clock.now() - MINUTE);
    expect(await alerts.list(2)).toHaveLength(1);
    await world.clock.advance(3 * MINUTE);
    expect(await alerts.list(2)).toEqual([]);
  },
  "new-pairs": async (step) => {
    const world = createPairsWorld();
    world.open(1, 50_000);
    await world.start().newPairs.watch(1, klvUnits(1000));
    await world.clock.advance(3 * MINUTE);
    world.clock.step(step);
    const asked = world.lists.length;
    world.open(2, 5000);
    await world.clock.advance(HOUR);
    expect(world.shorts()).toEqual(["1: NEW-1002"]);
    expect(world.lists.length - asked).toBeLessThanOrEqual(32);
  },
  "new-pairs-told": async (step) => {
    const world = createPairsWorld();
    world.open(1, 50_000);
    const { newPairs, store } = world.start();
    const clockTime = (at: number) => new Date(at).toISOString().slice(11, 16);
    const hours = { from: clockTime(NOW), to: clockTime(NOW + 8 * HOUR) };
    await store.write((tx) => changePerson(tx, 1, (person) => ({ ...person, alerts: { modes: {}, quiet: hours } })));
    await newPairs.watch(1, klvUnits(1000));
    await world.clock.advance(3 * MINUTE);
    world.open(2, 5000);
    await world.clock.advance(2 * HOUR);
    world.clock.step(step);
    // It comes when their hours are over by the new clock.
    await world.clock.advance(8 * HOUR);
    expect(world.shorts()).toEqual(["1: NEW-1002"]);
    const end = NOW - (NOW % MINUTE) + 8 * HOUR;
    expect(((world.told[0]?.at ?? 0) - end + 10 * DAY) % DAY).toBeLessThan(MINUTE);
  },
  "arrivals-told": async (step) => {
    const world = createArrivalsWorld();
    const { arrivals, put } = world.start();
    await world.blocks(1);
    await put(1);
    await arrivals.choose(1, true);
    await world.blocks(2);
    for (let count = 1; count <= 3; count += 1) {
      world.pay(1, 5_000_000n);
      await world.blocks(3);
      if (count === 1) world.clock.step(step);
    }
    await world.clock.advance(HOUR);
    await world.blocks(80);
    const units = world.told.map(({ what }) => Number(what.split(" ")[0]));
    expect(units.reduce((sum, each) => sum + each)).toBe(15_000_000);
  },
  /** Nothing of what the node shows meanwhile is lost, nor told twice. */
  blocks: async (step) => {
    const world = createArrivalsWorld();
    const { arrivals, put } = world.start();
    await world.blocks(1);
    await put(1);
    await arrivals.choose(1, true);
    await world.blocks(2);
    world.chain.isDown = true;
    world.pay(1, 5_000_000n);
    await world.blocks(10);
    world.clock.step(step);
    world.chain.isDown = false;
    await world.blocks(20);
    expect(world.shorts()).toEqual(["1: 5000000 KLV"]);
  },
  "blocks-owed": async (step) => {
    const world = createArrivalsWorld();
    const { arrivals, put } = world.start();
    await world.blocks(1);
    await put(1);
    await arrivals.choose(1, true);
    await world.blocks(2);
    const { hash } = world.pay(1, 5_000_000n);
    world.chain.left.add(hash);
    world.chain.hidden.add(hash);
    await world.blocks(4);
    world.clock.step(step);
    world.chain.hidden.clear();
    await world.blocks(20);
    expect(world.shorts()).toEqual(["1: 5000000 KLV"]);
  },
  "big-trades-told": async (step) => {
    const world = createTradesWorld();
    const { bigTrades } = await world.start();
    await bigTrades.watch(1, watchOf(10_000));
    await world.blocks(1);
    await world.block([world.swap(12_000)]);
    await world.blocks(3);
    await world.block([world.swap(13_000)]);
    await world.blocks(3);
    world.clock.step(step);
    // The second one waits for five minutes after the first, and as long as the clock was set back.
    await world.clock.advance(HOUR + 6 * MINUTE);
    expect(world.shorts()).toEqual(["1: buy 12000", "1: buy 13000"]);
  },
  "standing-orders": async (step) => {
    // Before the first of three days, and after its card.
    for (const minutes of [5, 16]) {
      const world = createStandingWorld();
      const { clock } = world;
      const process = world.start();
      await world.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
      const line = "100 KLV KFI daily 09:00 x3";
      await process.standing.create(OWNER, readDca(line, world.tokens) as DcaRequest);
      await clock.advance(minutes * MINUTE);
      clock.step(step);
      // Each day has its card, once, at its time by the new clock; but for one whose time was over, which is told.
      const cards = () => world.cards().map(({ terms }) => standingIn(terms.request)?.occurrence?.place);
      const isPast = step === DAY && minutes === 5;
      await clock.advance(FIRST + DAY - clock.now() - 1000);
      expect(cards()).toEqual(isPast ? [1] : [0, 1]);
      await clock.advance(MINUTE);
      expect(cards()).toEqual(isPast ? [1, 2] : [0, 1, 2]);
      const missed = world.news().flatMap((news) => (news.kind === "order" ? [news.missed] : []));
      expect(missed.some(({ down }) => down === 1)).toBe(isPast);
      await clock.advance(HOUR);
      expect(cards()).toHaveLength(isPast ? 2 : 3);
      await process.stop();
    }
  },
  proposals: async (step) => {
    const world = createStandingWorld();
    const process = world.start();
    await world.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
    const secret = await process.proposals.links.create(OWNER, "test");
    // It waits for a service.
    world.fault = new Fault("service-timeout", { service: "quotation" });
    const taken = await process.proposals.receive(secret, { trade: "swap 100 KLV KFI", goodSeconds: 120 });
    await world.clock.advance(25_000);
    world.clock.step(step);
    world.fault = undefined;
    await world.clock.advance(MINUTE);
    // By a clock that is set ahead, it is no longer good.
    expect(world.cards()).toHaveLength(step < 0 ? 1 : 0);
    const state = await process.proposals.state(secret, "id" in taken ? taken.id : "");
    expect(state?.state).toBe(step < 0 ? "waiting" : "expired");
    await process.stop();
  },
  week: async (step) => {
    // Before a Sunday evening, and after it was told.
    for (const minutes of [5, 60]) {
      const sunday = Date.parse("2026-12-06T19:00Z");
      const { clock, told, start } = createWeeklyWorld(sunday - 30 * MINUTE);
      const process = start("run");
      await process.put(1);
      await process.weekly.choose(1, true);
      await clock.advance(minutes * MINUTE);
      expect(told).toHaveLength(minutes === 5 ? 0 : 1);
      clock.step(step);
      await clock.advance(Math.max(0, sunday - clock.now()) + MINUTE);
      expect(told).toHaveLength(1);
      await clock.advance(HOUR);
      expect(told).toHaveLength(1);
      expect((await process.person(1)).weekly).toEqual({ sunday: "2026-12-13" });
      await process.stop();
    }
  },
  expiry: async (step) => {
    const clock = createVirtualClock();
    const { expiry, open, find } = arrangeIntents({ clock });
    during(expiry.run);
    const { id } = await open(owner, chatId, draft);
    await clock.advance(10_000);
    clock.step(step);
    await clock.advance(10_000);
    expect((await find(owner, id))?.state).toBe(step < 0 ? "QUOTED" : "EXPIRED");
    await clock.advance(11_000);
    expect((await find(owner, id))?.state).toBe("EXPIRED");
  },
  packing: async (step) => {
    const clock = createVirtualClock(NOW);
    const { packing, store } = arrangeIntents({ clock });
    during(packing.run);
    const insert = (id: string) =>
      store.write((tx) =>
        insertIntent(tx, { ...intent(swapTerms, "OK", done), id, times: { OK: clock.now() - 48 * HOUR } }),
      );
    const left = async () =>
      (await store.db.selectFrom("intents").select("id").where("packed", "is", null).execute()).length;
    await insert("a");
    await clock.advance(0);
    clock.step(step);
    await insert("b");
    await clock.advance(DAY + 2 * HOUR);
    expect(await left()).toBe(0);
  },
  delays: async (step) => {
    const { clock, person } = await guarded();
    const { stop } = person;
    await clock.advance(30 * MINUTE);
    clock.step(step);
    await clock.advance(29 * MINUTE);
    expect(await person.now()).toMatchObject({ frozenSince: 1, later: [{ guard: "unfreeze" }] });
    await clock.advance(2 * MINUTE);
    expect((await person.now()).frozenSince).toBeUndefined();
    // A raised limit waits for its day, and a day that is over stays over.
    const raiseAt = async () => ((await person.now()).limits?.["KLV"]?.later?.from ?? 0) - clock.now();
    expect(await raiseAt()).toBe(DAY - 61 * MINUTE);
    await clock.advance(DAY);
    const over = await raiseAt();
    clock.step(step);
    await clock.advance(MINUTE);
    expect(over).toBeLessThan(0);
    expect(await raiseAt()).toBeLessThan(0);
    stop();
  },
  "transactions underWay": async (step) => {
    const { clock, looks } = await tracked("SENT");
    clock.step(step);
    const before = looks.length;
    await clock.advance(2 * MINUTE);
    expect(looks.length).toBeGreaterThan(before + 3);
    expect(looks.length).toBeLessThan(before + 15);
  },
  "transactions ended": async (step) => {
    const { clock, looks } = await tracked("EXPIRED");
    clock.step(step);
    const before = looks.length;
    // As late as the clock was set back, and no later than a day.
    await clock.advance(HOUR + 2 * MINUTE);
    expect(looks.length).toBeGreaterThan(before);
    expect(looks.length).toBeLessThan(before + 260);
  },
  broadcast: async (step) => {
    const clock = createVirtualClock(NOW);
    const store = createMemoryDisk().open();
    const reached: number[] = [];
    const { outbox } = outboxTo({ store, clock, deliver: async (userId: number) => reached.push(userId) });
    outbox.use([{ ...noticeTopic, name: "broadcast", isOnce: true }]);
    outbox.start();
    for (let id = 1; id <= 60; id += 1) await store.write((tx) => putPerson(tx, id, newPerson(id)));
    const { send, run } = createBroadcast(
      { ...quiet, store, clock, outbox },
      () => true,
      async () => undefined,
      () => undefined,
    );
    during(run);
    await send({ text: "hello", entities: [] });
    await clock.advance(1000);
    expect(reached.length).toBeLessThan(60);
    clock.step(step);
    await clock.advance(10_000);
    expect(new Set(reached).size).toBe(60);
    expect(reached).toHaveLength(60);
  },
  "lock reminders": async (step) => {
    const clock = createVirtualClock();
    const store = createMemoryDisk().open();
    const told: number[] = [];
    const { outbox } = outboxTo({ store, clock, deliver: async (userId: number) => told.push(userId) });
    outbox.use([{ name: "lock", render: async () => ({ message: {} }) }]);
    outbox.start();
    let epoch = 10n;
    const lock = { epochStatus: async () => ({ epoch }) };
    during((signal) => remindOfLocks({ store, clock, log: silent, lock, outbox }, signal));
    const locked = { tokenId: "LKTOK-1A2B", nonce: 1n };
    await storeLocks(store, 1001, [
      { locked, amount: amountOf(kfi, 5n), unlockEpoch: 12n, lockedAt: 0, isAnswered: true },
    ]);
    await clock.advance(MINUTE);
    clock.step(step);
    epoch = 12n;
    await clock.advance(MINUTE);
    expect(told).toEqual([1001]);
  },
  incidents: async (step) => {
    const clock = createVirtualClock(NOW);
    const { told, tell, parts } = operatorsOf(clock);
    const since = clock.now();
    // Something has just begun to wait when the clock is set.
    const waiting = async () => ({ count: 1, oldestMilliseconds: Math.max(0, clock.now() - since) });
    const health = {
      service: "node",
      failures: 9,
      failing: { from: clock.monotonic(), last: clock.monotonic() },
    } as const;
    during((signal) =>
      watchForIncidents({ ...parts, outbox: { ...closedOutbox, waiting }, services: () => [health] }, tell, signal),
    );
    await clock.advance(1000);
    clock.step(step);
    await clock.advance(3_000);
    expect(told).toEqual([]);
    await clock.advance(3_000);
    expect(told).toEqual(["node-outage"]);
  },
  unknowns: async (step) => {
    const clock = createVirtualClock(NOW);
    const { told, tell, parts } = operatorsOf(clock);
    during(createWatchOfUnknowns(parts, tell));
    const unknown = intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" });
    const insert = (id: string) =>
      parts.store.write((tx) => insertIntent(tx, { ...unknown, id, times: { CLAIMED: 0, UNKNOWN: clock.now() } }));
    await insert("a");
    await clock.advance(1000);
    clock.step(step);
    await clock.advance(8_000);
    expect(told).toEqual(["unknown"]);
    // Another is told when the pause is over, however the clock was set.
    await insert("b");
    clock.step(step);
    await clock.advance(9 * MINUTE);
    expect(told).toEqual(["unknown"]);
    await clock.advance(2 * MINUTE);
    expect(told).toEqual(["unknown", "unknown"]);
  },
};

/** A person whose unfreeze takes effect in an hour, and a raised limit in a day. */
async function guarded() {
  const clock = createVirtualClock(NOW);
  const store = createMemoryDisk().open();
  const settings = { guardDelaySeconds: 3600 };
  const start = () =>
    during(
      createDelays({
        ...{ store, clock, settings, log: silent, outbox: { wake: () => undefined } },
        ownWrites: { end: () => () => undefined },
        closeCards: async () => undefined,
        tellForgotten: async () => undefined,
        onInEffect: async () => undefined,
      }).run,
    );
  const most = { perDay: amountOf(klv, 5n) };
  const raised = { most, later: { most: { perDay: amountOf(klv, 50n) }, from: NOW + DAY } };
  const frozen = { ...newPerson(1), frozenSince: 1, limits: { KLV: raised } };
  await store.write((tx) => putPerson(tx, 1, withLater(frozen, { guard: "unfreeze", from: NOW + HOUR })));
  const first = start();
  await clock.advance(0);
  const person = { now: () => personIn(store.db, 1), stop: () => first.abort(), start };
  return { clock, store, person };
}

/** A tracker of one transaction that was looked up for a minute and that the chain doesn't know. */
async function tracked(state: "EXPIRED" | "SENT") {
  const clock = createVirtualClock(NOW);
  const store = createMemoryDisk().open();
  const transaction = walletTransaction(placeAt(state));
  const followed = { ...intent(swapTerms, state), times: { [state]: clock.now() }, transaction } as SignedIntent;
  await store.write((tx) => insertIntent(tx, followed));
  const looks: number[] = [];
  const node = {
    nonce: async () => ({ nonce: 7n, txPending: 0n }),
    height: async () => 1n,
    broadcast: async () => undefined,
    transaction: async () => void looks.push(clock.monotonic()),
  };
  const requests = { mayLeave: async () => undefined, giveUp: async () => undefined };
  const intents = { find: async () => followed, rivals: async () => [], requests };
  type Parts = Parameters<typeof createTransactionTracker>[0];
  const { blocks } = toldBlocks({ isCurrent: false });
  const parts = { store, blocks, clock, log: silent, present: async () => undefined };
  const tracker = createTransactionTracker({ ...parts, node, intents } as unknown as Parts);
  during(tracker.run);
  await clock.advance(MINUTE);
  return { clock, looks };
}

const steps = [
  ["an hour back", -HOUR],
  ["an hour ahead", HOUR],
  ["a day back", -DAY],
  ["a day ahead", DAY],
] as const;

describe.each(Object.entries(loops))("%s", (_name, goesOn) => {
  it.each(steps)("goes on when the clock is set %s", (_words, step) => goesOn(step));
});

describe("a delay that protects", () => {
  it.each(steps)(
    "is at most begun again if the clock was set %s while the bot wasn't running",
    async (_words, step) => {
      const { clock, person } = await guarded();
      await clock.advance(30 * MINUTE);
      person.stop();
      await clock.advance(0);
      clock.step(step);
      person.start();
      // Set ahead, it can't be told from time that passed; set back, it waits for the whole hour at most.
      await clock.advance(step < 0 ? 30 * MINUTE : 0);
      expect((await person.now()).frozenSince).toBe(step < 0 ? 1 : undefined);
      await clock.advance(31 * MINUTE);
      expect((await person.now()).frozenSince).toBeUndefined();
      expect((await person.now()).limits?.["KLV"]?.later?.from).toBeLessThanOrEqual(clock.now() + DAY);
    },
  );

  it("takes no effect before its move with the clock is on disk, however often that fails", async () => {
    const { clock, store, person } = await guarded();
    await clock.advance(30 * MINUTE);
    let fails = 5;
    store.beforeWrite = () => {
      if ((fails -= 1) >= 0) throw new Error("no space");
    };
    clock.step(DAY);
    await clock.advance(20 * MINUTE);
    expect(await person.now()).toMatchObject({ frozenSince: 1 });
    await clock.advance(11 * MINUTE);
    expect((await person.now()).frozenSince).toBeUndefined();
  });

  it("is over in time although the clock was set back right before", async () => {
    const { clock, person } = await guarded();
    await clock.advance(HOUR - MINUTE);
    clock.step(-3 * HOUR);
    await clock.advance(MINUTE - 1000);
    expect(await person.now()).toMatchObject({ frozenSince: 1 });
    await clock.advance(2000);
    expect((await person.now()).frozenSince).toBeUndefined();
  });

  it("of one unreadable person holds up nobody's", async () => {
    const { clock, store, person } = await guarded();
    await store.write((tx) => putPerson(tx, 0, withLater(newPerson(0), { guard: "unfreeze", from: NOW + HOUR })));
    await store.write((tx) => tx.updateTable("users").set({ preferences: "{" }).where("id", "=", 0).execute());
    clock.step(DAY);
    await clock.advance(59 * MINUTE);
    expect(await person.now()).toMatchObject({ frozenSince: 1 });
    await clock.advance(2 * MINUTE);
    expect((await person.now()).frozenSince).toBeUndefined();
  });
});

it("covers every loop in the sources", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const texts = sources.map((file) => readFileSync(join("src", file), "utf8"));
  const made = /create(?:Poll|Intent)?Loop\((?:[a-z]+, )*\{\s*name: "([^"]+)"/g;
  const names = texts.flatMap((text) => [...text.matchAll(made)].map(([, name]) => name));
  // Loops that tell news are called after their kinds.
  const kinds = texts.flatMap((text) => [...text.matchAll(/NewsKind<.*> = \{\s*name: "([^"]+)"/g)]);
  names.push(...kinds.map(([, name]) => `${name}-told`));
  const calls = texts.flatMap((text) => text.match(/(?<!function )create(?:(?:Poll|Intent)?Loop|NewsLoop)\(/g) ?? []);
  // Three more pass on a loop that is named elsewhere.
  expect(names).toHaveLength(calls.length - 3);
  // These call `repeat`, which needs no time of day itself.
  const repeats = texts.flatMap((text) => text.match(/(?<!function )\brepeat\(clock/g) ?? []);
  expect(repeats).toHaveLength(4);
  expect(Object.keys(loops).sort()).toEqual([...names, "lock reminders", "incidents", "unknowns"].sort());
});
