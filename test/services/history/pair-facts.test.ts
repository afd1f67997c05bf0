import { expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { createPairFacts } from "../../../src/services/history/pair-facts.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import type { Pool } from "../../../src/services/market/pool.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { poolAddress, poolOf } from "../market/pool-samples.js";
import { silent } from "../samples.js";

const KLV = 10n ** 6n;
const MINUTE = 60_000;

/** A deep pool of two tokens, and one that somebody has just opened with its own LP tokens at a tenth of the price. */
function arrange() {
  const clock = createVirtualClock();
  const deep = poolOf(1, ["NEW-1A2B", 10_000n * KLV], ["KLV", 10_000n * KLV], {
    lpTokenId: "LP-DEEP",
    totalSupply: 100n,
  });
  const own = poolOf(2, ["NEW-1A2B", 1000n * KLV], ["KLV", 100n * KLV], { lpTokenId: "LP-OWN1", totalSupply: 1000n });
  const state = { pools: [deep, own] as readonly Pool[], isDown: false, reads: 0, asked: [] as string[] };
  const read = createPairFacts({
    pools: {
      fresh: async () => {
        state.reads += 1;
        if (state.isDown) throw new Fault("pools-unknown", {});
        return createPoolGraph(state.pools);
      },
    },
    balances: {
      known: async (_address, ids) => {
        state.asked.push(...ids);
        return Object.fromEntries(ids.map((id) => [id, id === "LP-OWN1" ? 73n : 100n]));
      },
    },
    lock: { target: { address: poolAddress(9) } as never },
    clock,
    log: silent,
  });
  return { clock, own, state, read };
}

it("a pair is described by its own reserves, depth and LP tokens, whatever other pools its tokens have", async () => {
  const { own, state, read } = arrange();
  const facts = await read(own.address);
  expect(facts).toMatchObject({ pool: { address: own.address, reserveFirst: 1000n * KLV }, locked: { bps: 730n } });
  expect(facts!.depth).toBeLessThanOrEqual(100n * KLV);
  expect(state.asked).toEqual(["LP-OWN1"]);
});

it("what it holds is as of now: within a minute it is read once, and then again", async () => {
  const { clock, own, state, read } = arrange();
  await Promise.all([read(own.address), read(own.address), read(poolAddress(1))]);
  expect(state.reads).toBe(2);
  state.pools = [{ ...own, reserveFirst: 0n, reserveSecond: 0n }];
  await clock.advance(MINUTE + 1);
  expect(await read(own.address)).toMatchObject({ depth: 0n });
});

it("nothing is said of one that can't be read, or isn't there any more", async () => {
  const { state, read } = arrange();
  expect(await read(poolAddress(77))).toBeUndefined();
  state.isDown = true;
  expect(await read(poolAddress(1))).toBeUndefined();
});
