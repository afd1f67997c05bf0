import { expect, it } from "vitest";
import { amountOut, sideOf } from "../../../src/services/market/pool.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { readLimit, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { toldBlocks } from "../../support/told-blocks.js";
import { poolOf } from "../market/pool-samples.js";
import { alice } from "../samples.js";
import { createStandingWorld, MINUTE, OWNER } from "../standing/standing-world.js";

const BLOCK_MS = 4000;
const SLOW_PACE_MS = 5 * MINUTE;

type Told = ReturnType<typeof toldBlocks>;
type Pair = ReturnType<typeof poolOf>["address"];

/** What a block tells, and how long an order may then have to wait for its card. */
interface Behaviour {
  readonly within: number;
  readonly says: (told: Told, pair: Pair, hasMoved: boolean) => void;
}

const behaviours: Record<string, Behaviour> = {
  told: { within: BLOCK_MS + 1000, says: (told, pair, hasMoved) => told.next(hasMoved ? [pair] : []) },
  "not read": { within: MINUTE, says: (told) => (told.isCurrent ? told.lose() : undefined) },
  "without their transactions": { within: MINUTE, says: (told) => told.next([], { isWhole: false }) },
  "told of for nothing, and not for what is": {
    within: SLOW_PACE_MS + MINUTE,
    says: (told, pair, hasMoved) => told.next(hasMoved ? [] : [pair]),
  },
};

it.each(Object.entries(behaviours))(
  "an order is offered once, when its price is there, if blocks are %s",
  async (_name, { within, says }) => {
    const told = toldBlocks();
    const world = createStandingWorld({ blocks: () => told.blocks });
    const pool = poolOf(0, ["KLV", 100_000_000_000_000n], ["KFI", 1_010_000_000_000n]);
    const graph = createPoolGraph([pool]);
    world.graph = graph;
    world.price = ({ units }) => amountOut(sideOf(graph.poolAt(pool.address)!, "KLV"), units);
    const process = world.start();
    await world.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
    await process.standing.create(OWNER, readLimit("100 KLV KFI for 1.05", world.tokens) as PriceOrderRequest);
    const next = async (hasMoved: boolean) => {
      await world.clock.advance(BLOCK_MS);
      says(told, pool.address, hasMoved);
    };
    for (let count = 0; count < 30; count += 1) await next(false);
    const before = world.polled.length;
    for (let count = 0; count < 75; count += 1) await next(false);
    expect(world.cards()).toEqual([]);
    // Polling goes on, and nothing that blocks say makes it more than without them: a request each fifteen seconds.
    expect(world.polled.length - before).toBeGreaterThan(0);
    expect(world.polled.length - before).toBeLessThanOrEqual(21);

    await world.clock.advance(BLOCK_MS);
    graph.update({ ...pool, reserveSecond: (pool.reserveSecond * 110n) / 100n });
    const movedAt = world.clock.now();
    says(told, pool.address, true);
    while (world.clock.now() - movedAt < within && world.cards().length === 0) await next(true);
    expect(world.cards()).toHaveLength(1);
    expect(world.told[0]!.at - movedAt).toBeLessThanOrEqual(within);
    for (let count = 0; count < 5; count += 1) await next(true);
    expect(world.cards()).toHaveLength(1);
    expect(world.errors).toEqual([]);
    await Promise.all([process.stop(), world.clock.advance(MINUTE)]);
  },
);
