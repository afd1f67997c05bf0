import { expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { forget } from "../../../src/services/operator/forget.js";
import { changePerson } from "../../../src/services/person/person.js";
import {
  finishWatch,
  rearm,
  unwatch,
  watch,
  watchOf,
} from "../../../src/services/price-watches/price-watch-queries.js";
import type { NewWatch, PriceWatch } from "../../../src/services/price-watches/price-watch-queries.js";
import { createPriceWatches } from "../../../src/services/price-watches/price-watches.js";
import type { Transaction } from "../../../src/store/store.js";
import { writeEach } from "../../support/engine.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { kfi, klv, silent } from "../samples.js";

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const KIND = "order";
const PRICE = 1_000_000_000n;

/** A watch of subject `s1` on 10 KFI in KLV, crossed by an answer of at least 120 KLV. */
const wanted = (fields: Partial<NewWatch> = {}): NewWatch => ({
  kind: KIND,
  subject: "s1",
  userId: 1,
  amount: amountOf(kfi, 10_000_000n),
  out: klv,
  rule: { way: "least", units: 1_200_000_000n },
  anchor: PRICE,
  ...fields,
});

function createWorld() {
  const clock = createVirtualClock(NOW);
  const disk = createMemoryDisk();
  const world = {
    clock,
    price: PRICE,
    fault: undefined as Fault | undefined,
    tokens: [klv, kfi],
    asked: [] as string[],
    errors: [] as unknown[],
    /** What subscribers were told: the subject and units, or what has become of it. */
    told: [] as string[],
    wakes: 0,
    /** Called in the transaction of a crossing. */
    onCrossed: async (_tx: Transaction, _watch: PriceWatch): Promise<void> => undefined,
    start: () => {
      const store = disk.open();
      const watches = createPriceWatches({
        ...{ store, clock, log: silent, pace: { requestsPerSecond: 2, everySeconds: 15 } },
        polled: {
          quote: async (amount, out) => {
            world.asked.push(`${amount.token.id}/${amount.units}`);
            await clock.sleep(20);
            if (world.fault !== undefined) throw world.fault;
            return amountOf(out, world.price);
          },
        },
        tokens: { byId: (id) => world.tokens.find((token) => token.id === id) },
        prices: { noteQuote: () => true },
        noteError: (error) => void world.errors.push(error),
      });
      for (const kind of [KIND, "other"]) {
        const news =
          (what: string) => async (_tx: unknown, owners: { execute: () => Promise<{ user_id: number }[]> }) =>
            void world.told.push(...(await owners.execute()).map(({ user_id }) => `${kind} ${user_id} ${what}`));
        watches.subscribe({
          kind,
          onCrossed: async (tx, crossed, { from, units }) => {
            await world.onCrossed(tx, crossed);
            world.told.push(`${crossed.subject} ${from / 10_000_000n} ${units / 10_000_000n}`);
          },
          onUnlisted: async (tx, { subject, userId }) => {
            world.told.push(`${subject} unlisted`);
            await finishWatch(tx, { kind, subject, userId });
          },
          ...(kind === KIND && { onMissing: news("missing"), onReturn: news("back") }),
          wake: () => void (world.wakes += 1),
        });
      }
      const stopping = new AbortController();
      void watches.run(stopping.signal);
      return { store, watches, stop: () => stopping.abort() };
    },
    /** Lets each of these prices be asked for. */
    moves: async (...prices: readonly bigint[]) => {
      for (const price of prices) {
        world.price = price;
        await clock.advance(16_000);
      }
    },
  };
  return world;
}

async function watching(...wants: readonly Partial<NewWatch>[]) {
  const world = createWorld();
  const process = world.start();
  await writeEach(process.store, wants, (tx, fields) => watch(tx, wanted(fields), NOW));
  process.watches.wake();
  await world.clock.advance(1_000);
  return { world, ...process };
}

it("a rule in base units is exact to the unit, and crossed again after one percent back", async () => {
  const { world } = await watching({}, { subject: "s2", userId: 2, rule: { way: "most", units: 900_000_000n } });
  await world.moves(1_199_999_999n, 1_200_000_000n, 1_199_999_999n, 1_200_000_000n, 1_188_000_001n, 1_250_000_000n);
  expect(world.told).toEqual(["s1 100 120"]);
  await world.moves(1_188_000_000n, 1_210_000_000n);
  expect(world.told).toEqual(["s1 100 120", "s1 118 121"]);
  await world.moves(900_000_001n, 900_000_000n, 908_999_999n, 899_000_000n, 909_000_000n, 890_000_000n);
  expect(world.told.slice(2)).toEqual(["s2 100 90", "s2 90 89"]);
});

it("a rule in base units is crossed by the next answer beyond its line, when set and when armed again", async () => {
  const { world, store } = await watching({ anchor: 1_300_000_000n });
  await world.moves(1_300_000_000n, 1_300_000_000n);
  expect(world.told).toEqual(["s1 130 130"]);
  await store.write((tx) => rearm(tx, wanted(), NOW));
  await world.moves(1_210_000_000n, 1_210_000_000n);
  expect(world.told).toEqual(["s1 130 130", "s1 130 121"]);
});

it("the last answer can be looked up, and how often its price is asked for", async () => {
  const { world, store } = await watching({});
  await world.moves(1_100_000_000n, 1_150_000_000n);
  const found = await watchOf(store.db, wanted());
  expect(found).toMatchObject({ userId: 1, rule: wanted().rule, lines: { high: 1_200_000_000n }, isPaused: false });
  expect(found?.last?.units).toBe(1_150_000_000n);
  expect(world.clock.now() - (found?.last?.at ?? 0)).toBeLessThan(16_000);
  expect(found?.asked?.everyMs).toBeGreaterThanOrEqual(15_000);
  expect(await watchOf(store.db, { kind: "other", subject: "s1" })).toBeUndefined();
});

it("what a subscriber writes and the crossing are one: a kill in between loses neither", async () => {
  const { world, store, stop } = await watching({});
  const note = (tx: Transaction, subject: string) =>
    tx.insertInto("settings").values({ name: subject, value: "1" }).execute();
  world.onCrossed = async (tx, { subject }) => {
    await note(tx, subject);
    store.kill();
    throw new Error("killed");
  };
  await world.moves(1_200_000_000n);
  stop();
  expect(world.told).toEqual([]);
  world.onCrossed = async (tx, { subject }) => void (await note(tx, subject));
  const again = world.start();
  await world.clock.advance(60_000);
  expect(world.told).toEqual(["s1 100 120"]);
  const noted = await again.store.db.selectFrom("settings").select("name").where("name", "=", "s1").execute();
  expect(noted).toHaveLength(1);
});

it("one person's damage holds up nobody else, and is told to operators once", async () => {
  const { world, store } = await watching(
    {},
    { subject: "s2", userId: 2 },
    { subject: "s3", userId: 3 },
    { subject: "s4", userId: 4, kind: "nobody's" },
  );
  await store.write((tx) =>
    tx.updateTable("price_watches").set({ rule: "sideways" }).where("subject", "=", "s3").execute(),
  );
  world.onCrossed = async (_tx, { subject }) => {
    if (subject === "s2") throw new TypeError("damage");
  };
  await world.moves(1_200_000_000n, 1_000_000_000n, 1_200_000_000n);
  expect(world.told).toEqual(["s1 100 120", "s1 100 120"]);
  const documents = world.errors.map((error) => (error as Fault<"store-unreadable">).parameters.document);
  expect(documents.toSorted()).toEqual([
    "price_watches/2/order/s2",
    "price_watches/3/order/s3",
    "price_watches/4/nobody's/s4",
  ]);
});

it("a watch for a token that is no longer listed ends, and isn't asked for again", async () => {
  const { world, store } = await watching({}, { subject: "s2", userId: 2, kind: "other" });
  world.tokens = [klv];
  await world.moves(1_300_000_000n, 1_300_000_000n);
  const asked = world.asked.length;
  await world.clock.advance(600_000);
  expect(world.told.toSorted()).toEqual(["s1 unlisted", "s2 unlisted"]);
  expect(world.asked).toHaveLength(asked);
  // It can be read until its subscriber deletes it; the question goes with the last.
  expect(await watchOf(store.db, wanted())).toBeDefined();
  const questions = () => store.db.selectFrom("price_questions").select("id").execute();
  await store.write((tx) => unwatch(tx, { user_id: 1, kind: KIND }, NOW));
  expect(await questions()).toHaveLength(1);
  await store.write((tx) => unwatch(tx, { user_id: 2 }, NOW));
  expect(await questions()).toEqual([]);
});

it("a kind that wants to know is told of each owner whose price has been missing for a day", async () => {
  const { world } = await watching({}, { subject: "s2", userId: 2 }, { subject: "s3", userId: 3, kind: "other" });
  world.fault = new Fault("quote-none", { from: "KFI", to: "KLV" });
  await world.clock.advance(23 * HOUR);
  expect(world.told).toEqual([]);
  await world.clock.advance(1.2 * HOUR);
  expect(new Set(world.told)).toEqual(new Set(["order 1 missing", "order 2 missing"]));
});

it("a person's share is divided among their watches of all kinds", async () => {
  // 50 of each kind on odd amounts; beside somebody with 50 of one kind, and with one watch.
  const odd = (userId: number, kind: string): Partial<NewWatch>[] =>
    Array.from({ length: 50 }, (_, at) => {
      const amount = amountOf(kfi, BigInt(userId * 1_000_000_000 + at + (kind === KIND ? 0 : 1_000)));
      return { userId, kind, subject: `${userId}-${at}`, amount };
    });
  const { world } = await watching(...odd(1, KIND), ...odd(1, "other"), ...odd(2, KIND), { userId: 3 });
  await world.clock.advance(120_000);
  const from = world.asked.length;
  await world.clock.advance(600_000);
  const asked = world.asked.slice(from);
  const of = (userId: number) => asked.filter((id) => id.startsWith(`KFI/${userId}0000`) && id.length === 14).length;
  expect(of(1) / of(2)).toBeGreaterThan(0.9);
  expect(of(1) / of(2)).toBeLessThan(1.1);
  // Every 15 seconds, whatever others watch.
  expect(asked.filter((id) => id === "KFI/10000000").length).toBeGreaterThanOrEqual(37);
});

it("what a user watches goes with them, whatever its kind", async () => {
  const { world, store } = await watching({}, { subject: "s2", kind: "other" }, { subject: "s3", userId: 2 });
  await store.write((tx) => changePerson(tx, 1, (person) => ({ ...person })));
  expect(await forget(store, 1, world.clock.now())).toBe("forgotten");
  const left = await store.db.selectFrom("price_watches").select("subject").execute();
  expect(left).toEqual([{ subject: "s3" }]);
});
