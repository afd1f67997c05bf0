import { describe, expect, it } from "vitest";
import { MAX_ADDRESSES } from "../../../src/services/chain/feed-conversation.js";
import { setArrivalDue } from "../../../src/services/history/arrival-watches.js";
import { addressOf, BLOCK, createArrivalsWorld, MINUTE, poolless, SECOND } from "./arrivals-world.js";

const KLV = 1_000_000n;

type Process = ReturnType<ReturnType<typeof createArrivalsWorld>["start"]>;
/** What a node says of a block, whether it answers at all, and how long somebody may then have to wait to be told. */
interface Behaviour {
  readonly answers: boolean;
  readonly within: number;
  readonly says: (process: Process, block: number, hasArrived: boolean) => void;
}

const IN_TURN = 10 * MINUTE + 3 * BLOCK;
const behaviours: Record<string, Behaviour> = {
  honest: {
    answers: true,
    within: 3 * BLOCK,
    says: ({ node }, block, hasArrived) => node!.block(block, hasArrived ? [addressOf(1)] : []),
  },
  dead: { answers: false, within: IN_TURN, says: () => undefined },
  silent: { answers: true, within: IN_TURN, says: () => undefined },
  "lying: events for nothing and for other blocks, none for what is": {
    answers: true,
    within: IN_TURN,
    says: ({ node }, block, hasArrived) => {
      node!.block(block);
      if (hasArrived) return;
      for (const other of [0, block - 50, block, block + 50]) node!.touch(addressOf(1), other);
    },
  },
  flooding: {
    answers: true,
    within: IN_TURN,
    says: ({ node }, block) => {
      node!.block(block);
      for (let event = 0; event < 4000; event += 1) node!.touch(addressOf(1 + (event % 40)), block + event);
    },
  },
};

describe.each(Object.entries(behaviours))("with a feed that is %s", (_name, { answers, within, says }) => {
  it("what arrives is told once, nothing else is, and requests stay within the node's limits", async () => {
    const world = createArrivalsWorld();
    const { clock, told, requests } = world;
    const process = world.start({ answers });
    for (let id = 1; id <= 40; id += 1) {
      await process.put(id);
      world.gain(id, "KLV", KLV);
      await process.arrivals.choose(id, true);
    }
    let block = 10;
    const next = async (hasArrived: boolean) => {
      block += 1;
      world.blockIs(block);
      says(process, block, hasArrived);
      await clock.advance(BLOCK);
    };
    for (let count = 0; count < 60; count += 1) await next(false);
    requests.length = 0;
    for (let count = 0; count < 60; count += 1) await next(false);
    expect(requests.length).toBeLessThanOrEqual((60 * BLOCK) / 100);
    expect(told).toEqual([]);
    world.gain(1, "KFI", 5n * KLV);
    const since = clock.now();
    await next(true);
    while (clock.now() < since + within && told.length === 0) await next(false);
    expect(told).toMatchObject([{ userId: 1, amounts: [["KFI", 5n * KLV]] }]);
    for (let count = 0; count < 20; count += 1) await next(true);
    expect(told).toHaveLength(1);
    expect(world.errors).toEqual([]);
    await process.stop();
  });
});

it("what arrives is told although the store couldn't be read at the start", async () => {
  const world = createArrivalsWorld();
  const before = world.start("none");
  await before.put(1);
  world.gain(1, "KLV", KLV);
  await before.arrivals.choose(1, true);
  await world.pass(4);
  await before.stop();
  world.unreadable = 1;
  const process = world.start({}, "run 1");
  world.gain(1, "KLV", 5n * KLV);
  await world.clock.advance(11 * MINUTE);
  await world.pass(3);
  expect(world.told).toMatchObject([{ userId: 1, amounts: [["KLV", 5n * KLV]] }]);
  expect(process.node!.feed.state().watched).toBe(1);
  await process.stop();
});

describe("many people", () => {
  it("leave the feed room for what is signed and for pairs, however many they are", async () => {
    const world = createArrivalsWorld();
    const before = world.start("none");
    const [lots, people] = [100, MAX_ADDRESSES + 100];
    for (let lot = 0; lot < lots; lot += 1) {
      await before.store.write(async (tx) => {
        for (let id = 1 + lot; id <= people; id += lots) {
          await tx
            .insertInto("arrival_watches")
            .values({ user_id: id, address: addressOf(id), due_at: null, seen: null })
            .execute();
        }
      });
    }
    await before.stop();
    const process = world.start({ answers: false }, "run 1");
    await world.clock.advance(SECOND);
    const watched = () => process.node!.feed.state().watched;
    while (watched() < 10_000) await new Promise(setImmediate);
    for (let turns = 0; turns < 200; turns += 1) await new Promise(setImmediate);
    expect(watched()).toBe(MAX_ADDRESSES - 10_000);
    // Somebody else takes the place of one who leaves.
    await process.put(people);
    await process.arrivals.choose(1, false);
    await world.clock.advance(SECOND);
    expect(watched()).toBe(MAX_ADDRESSES - 10_001);
    await process.store.write((tx) => setArrivalDue(tx, people, world.clock.now()));
    await world.clock.advance(2 * MINUTE);
    expect(watched()).toBe(MAX_ADDRESSES - 10_000);
    await process.stop();
  }, 60_000);

  it("are each looked at in turn, one request for each, ten a second, however many are told of meanwhile", async () => {
    const world = createArrivalsWorld();
    const { clock, told, requests } = world;
    const process = world.start();
    const PEOPLE = 150;
    for (let id = 1; id <= PEOPLE; id += 1) {
      await process.put(id);
      world.gain(id, "KLV", KLV);
      await process.arrivals.choose(id, true);
    }
    // Each is read twice at first: 14 requests.
    while (clock.now() < world.begin + (PEOPLE * 14 * SECOND) / 10 + 2 * MINUTE) await process.next();
    requests.length = 0;
    const since = clock.now();
    while (clock.now() < since + 10 * MINUTE) await process.next();
    expect(requests.length).toBeLessThanOrEqual(PEOPLE + 20);
    expect(new Set(requests.filter((each) => each.startsWith("mark"))).size).toBe(PEOPLE);
    // Thirty of them are sent dust in each block.
    const dusted = Array.from({ length: 30 }, (_, at) => at + 1);
    world.gain(PEOPLE, "KFI", 5n * KLV);
    world.gain(PEOPLE - 1, "KFI", 5n * KLV);
    const flooded = clock.now();
    while (clock.now() < flooded + 12 * MINUTE) {
      for (const id of dusted) world.gain(id, "KLV", 1n);
      await process.next(...dusted, ...(clock.now() < flooded + BLOCK ? [PEOPLE - 1] : []));
    }
    // Whom the feed named, after one turn of those who were named before; the other, in turn.
    expect(told.map(({ userId }) => userId).sort()).toEqual([PEOPLE - 1, PEOPLE]);
    const atOf = (id: number) => told.find(({ userId }) => userId === id)!.at - flooded;
    expect(atOf(PEOPLE - 1)).toBeLessThan(5 * MINUTE);
    await process.stop();
  });
});

describe("addresses that each block names, with 40 tokens on the list", () => {
  /** Two marks and two heights, too. */
  const WHOLE = 43;
  /** For each of two readings: one of five at a time ends, and another is made beside four. Ten requests a second. */
  const OTHERS_WITHIN = (4 * 5 * WHOLE * SECOND) / 10;

  it.each([1, 15, 60])("hold up nobody else, and what they are sent is told, too: %i", async (count) => {
    const world = createArrivalsWorld();
    const { clock, told, requests } = world;
    world.moreTokens = Array.from({ length: 36 }, (_, at) => ({ ...poolless, id: `DST-${1000 + at}` }));
    const process = world.start();
    const busy = Array.from({ length: count }, (_, at) => at + 1);
    const other = count + 1;
    for (const id of [...busy, other]) {
      await process.put(id);
      world.gain(id, "KLV", KLV);
      await process.arrivals.choose(id, true);
    }
    // Each is read twice at first.
    while (clock.now() < world.begin + (other * 2 * WHOLE * SECOND) / 10 + MINUTE) await process.next();
    requests.length = 0;
    const begun = clock.now();
    const flood = async (until: number, ...also: number[]) => {
      while (clock.now() < until) {
        for (const id of busy) world.gain(id, "DST-1000", 1n);
        await process.next(...busy, ...also.splice(0));
      }
    };
    await flood(begun + 40 * MINUTE);
    const paidAt = clock.now();
    for (const id of [1, other]) world.gain(id, "KFI", 5n * KLV);
    await flood(begun + 60 * MINUTE, other);
    const waitOf = (id: number) => told.find(({ userId }) => userId === id)!.at - paidAt;
    expect(told.map(({ userId }) => userId).sort()).toEqual([1, other].sort());
    expect(waitOf(other)).toBeLessThan(OTHERS_WITHIN + 2 * BLOCK);
    expect(waitOf(1)).toBeLessThan(IN_TURN);
    // Twenty at once, two in ten minutes, and one for whatever is read in turn; the other's; and heights alone.
    expect(requests.length).toBeLessThan((count * (20 + 12 + 2) + 4) * WHOLE + 100);
    await process.stop();
  });
});
