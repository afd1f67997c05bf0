import { expect, it } from "vitest";
import { isUnderWay } from "../../../src/services/intent/machine.js";
import { until } from "../../support/until.js";
import { createSwiftClock } from "../../support/swift-clock.js";
import { alice } from "../samples.js";
import { type Desk, isCarriedOut } from "./requested.js";
import { walletDesk } from "./wallet-world.js";

/** A feed that tells of what a test wants it to. */
function toldFeed(covers = true) {
  const looks = new Map<() => Promise<boolean>, string>();
  return {
    watched: () => [...looks.values()],
    /** Says that an address is in a block. Resolves with what the looks found. */
    touch: (address: string) =>
      Promise.all([...looks].filter(([, watched]) => watched === address).map(([look]) => look())),
    feed: {
      covers: () => covers,
      watch: (address: string, look: () => Promise<boolean>) => {
        looks.set(look, address);
        return () => void looks.delete(look);
      },
    },
  };
}

const lookups = ({ sandbox }: Desk) =>
  sandbox.wireLog.entries().filter(({ path }) => path.startsWith("/transaction/") && /[0-9a-f]{64}$/.test(path)).length;

it("a call is looked at when its sender is in a block, and once more after the next, without waiting for a poll", async () => {
  const told = toldFeed();
  // The next poll is ten seconds away.
  const desk = await walletDesk({ clock: createSwiftClock(1), feed: told.feed });
  const request = await desk.request();
  await until(() => told.watched().length === 1);
  expect(told.watched()).toEqual([alice]);
  expect(await desk.post(request)).toEqual({ kind: "accepted" });
  await until(() => desk.real.node.transactions().length === 1);
  desk.block();
  expect(await told.touch(alice)).toEqual([false]);
  expect((await desk.find(request.id)).state).toBe("SENT");
  desk.block();
  expect(await told.touch(alice)).toEqual([true]);
  expect((await desk.find(request.id)).state).toBe("OK");
  expect(told.watched()).toEqual([]);
});

it("a feed that tells of nothing changes no outcome, one that tells of what isn't so ends nothing", async () => {
  const told = toldFeed();
  const desk = await walletDesk({ feed: told.feed });
  const silent = await desk.request();
  await desk.post(silent);
  await isCarriedOut(desk, silent);

  const lied = await desk.request();
  await until(() => told.watched().length === 1);
  desk.real.node.set({ losesBroadcasts: true });
  await desk.post(lied);
  const before = lookups(desk);
  for (let time = 0; time < 5; time += 1) expect(await told.touch(alice)).toEqual([false]);
  expect(lookups(desk)).toBeGreaterThan(before);
  expect(isUnderWay((await desk.find(lied.id)).state)).toBe(true);
});

it("a block that is undone is no end", async () => {
  const told = toldFeed();
  const desk = await walletDesk({ clock: createSwiftClock(1), feed: told.feed });
  const request = await desk.request();
  await until(() => told.watched().length === 1);
  await desk.post(request);
  await until(() => desk.real.node.transactions().length === 1);
  desk.block();
  expect(await told.touch(alice)).toEqual([false]);
  desk.real.node.rollBack(1);
  desk.real.node.emptyPool();
  desk.block(2);
  expect(await told.touch(alice)).toEqual([false]);
  expect((await desk.find(request.id)).state).toBe("SENT");
});
