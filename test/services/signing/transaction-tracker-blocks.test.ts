import { expect, it } from "vitest";
import { isUnderWay } from "../../../src/services/intent/machine.js";
import { createSwiftClock } from "../../support/swift-clock.js";
import { toldBlocks } from "../../support/told-blocks.js";
import { until } from "../../support/until.js";
import { alice } from "../samples.js";
import { type Desk, isCarriedOut } from "./requested.js";
import { walletDesk } from "./wallet-world.js";

const lookups = ({ sandbox }: Desk) =>
  sandbox.wireLog.entries().filter(({ path }) => path.startsWith("/transaction/") && /[0-9a-f]{64}$/.test(path)).length;

/** A swap whose next poll is ten seconds away, at the node. */
async function sent() {
  const told = toldBlocks();
  const desk = await walletDesk({ clock: createSwiftClock(1), told });
  const request = await desk.request();
  await until(() => told.isWanted());
  expect(await desk.post(request)).toEqual({ kind: "accepted" });
  await until(() => desk.real.node.transactions().length === 1);
  const [{ hash } = { hash: "" }] = desk.real.node.transactions();
  const looked = async () => {
    const before = lookups(desk);
    await until(() => lookups(desk) > before);
  };
  return { told, desk, request, hash, looked, state: async () => (await desk.find(request.id)).state };
}

it.each(["its hash", "its sender"])(
  "a call is looked at when %s is in a block, and after the next one, without waiting for a poll",
  async (which) => {
    const { told, desk, hash, looked, state } = await sent();
    desk.block();
    if (which === "its hash") told.next([], { hashes: [hash], isWhole: false });
    else told.next([alice]);
    await looked();
    expect(await state()).toBe("SENT");
    desk.block();
    told.next();
    await until(async () => (await state()) === "OK");
    expect(told.isWanted()).toBe(false);
  },
);

it("is looked at after three more blocks, since the node may be behind, and then when it is polled", async () => {
  const { told, desk, hash, looked } = await sent();
  told.next([], { hashes: [hash] });
  await looked();
  for (let blocks = 0; blocks < 3; blocks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const look = looked();
    told.next();
    await look;
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  const before = lookups(desk);
  told.next();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(lookups(desk)).toBe(before);
});

it("blocks that tell of nothing change no outcome, those that tell of what isn't so end nothing", async () => {
  const told = toldBlocks();
  const desk = await walletDesk({ told });
  const silent = await desk.request();
  await desk.post(silent);
  await isCarriedOut(desk, silent);

  const lied = await desk.request();
  await until(() => told.isWanted());
  desk.real.node.set({ losesBroadcasts: true });
  await desk.post(lied);
  for (let time = 0; time < 5; time += 1) {
    const before = lookups(desk);
    told.next([alice]);
    await until(() => lookups(desk) > before);
  }
  expect(isUnderWay((await desk.find(lied.id)).state)).toBe(true);
});

it("a block that is undone is no end", async () => {
  const { told, desk, hash, looked, state } = await sent();
  desk.block();
  told.next([], { hashes: [hash] });
  await looked();
  desk.real.node.rollBack(1);
  desk.real.node.emptyPool();
  desk.block(2);
  told.next();
  await looked();
  expect(await state()).toBe("SENT");
});
