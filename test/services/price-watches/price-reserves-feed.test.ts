import { expect, it } from "vitest";
import { amountOut, sideOf } from "../../../src/services/market/pool.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { readLimit, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { talkingFeed } from "../../support/talking-feed.js";
import { poolOf } from "../market/pool-samples.js";
import { alice } from "../samples.js";
import { createStandingWorld, MINUTE, OWNER } from "../standing/standing-world.js";

const BLOCK_MS = 4000;
const SLOW_PACE_MS = 5 * MINUTE;

type Told = ReturnType<typeof talkingFeed>;

/** What a node says of a block, and how long an order may then have to wait for its card. */
interface Behaviour {
  readonly answers: boolean;
  readonly within: number;
  readonly says: (told: Told, block: number, pair: string, hasMoved: boolean) => void;
}

const behaviours: Record<string, Behaviour> = {
  honest: {
    answers: true,
    within: BLOCK_MS + 1000,
    says: (told, block, pair, hasMoved) => told.block(block, hasMoved ? [pair] : []),
  },
  dead: { answers: false, within: MINUTE, says: () => undefined },
  silent: { answers: true, within: MINUTE, says: () => undefined },
  "lying: events for nothing and for other blocks, none for what is": {
    answers: true,
    within: SLOW_PACE_MS + MINUTE,
    says: (told, block, pair, hasMoved) => {
      told.block(block);
      if (hasMoved) return;
      for (const other of [0, block - 50, block, block + 50]) told.touch(pair, other);
    },
  },
  flooding: {
    answers: true,
    within: MINUTE,
    says: (told, block, pair) => {
      told.block(block);
      for (let event = 0; event < 10_000; event += 1) told.touch(pair, block + event);
    },
  },
};

it.each(Object.entries(behaviours))(
  "an order is offered once, when its price is there, whatever the feed: %s",
  async (_name, { answers, within, says }) => {
    let told: Told | undefined;
    const world = createStandingWorld({ feed: (clock) => (told = talkingFeed(clock, { answers })).feed });
    const pool = poolOf(0, ["KLV", 100_000_000_000_000n], ["KFI", 1_010_000_000_000n]);
    const graph = createPoolGraph([pool]);
    world.graph = graph;
    world.price = ({ units }) => amountOut(sideOf(graph.poolAt(pool.address)!, "KLV"), units);
    const process = world.start();
    const stopping = new AbortController();
    const running = told!.feed.run(stopping.signal);
    await world.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
    await process.standing.create(OWNER, readLimit("100 KLV KFI for 1.05", world.tokens) as PriceOrderRequest);
    let block = 1;
    const next = async (hasMoved: boolean) => {
      await world.clock.advance(BLOCK_MS);
      block += 1;
      says(told!, block, pool.address, hasMoved);
    };
    for (let count = 0; count < 30; count += 1) await next(false);
    const before = world.polled.length;
    for (let count = 0; count < 75; count += 1) await next(false);
    expect(world.cards()).toEqual([]);
    // Polling goes on, and nothing that a feed says makes it more than without one: a request each fifteen seconds.
    expect(world.polled.length - before).toBeGreaterThan(0);
    expect(world.polled.length - before).toBeLessThanOrEqual(21);

    await world.clock.advance(BLOCK_MS);
    graph.update({ ...pool, reserveSecond: (pool.reserveSecond * 110n) / 100n });
    const movedAt = world.clock.now();
    block += 1;
    says(told!, block, pool.address, true);
    while (world.clock.now() - movedAt < within && world.cards().length === 0) await next(true);
    expect(world.cards()).toHaveLength(1);
    expect(world.told[0]!.at - movedAt).toBeLessThanOrEqual(within);
    for (let count = 0; count < 5; count += 1) await next(true);
    expect(world.cards()).toHaveLength(1);
    expect(world.errors).toEqual([]);
    stopping.abort();
    await Promise.all([running, process.stop(), world.clock.advance(MINUTE)]);
  },
);
