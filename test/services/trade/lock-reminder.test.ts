import { describe, expect, it, onTestFinished } from "vitest";
import { Fault } from "../../../src/fault.js";
import { type Lock, lockTopic, remindOfLocks } from "../../../src/services/trade/lock-record.js";
import type { ChainStatus } from "../../../src/services/chain/query-gateway.js";
import { createSendOutcomes } from "../../../src/services/telegram/send-outcomes.js";
import { createPacer } from "../../../src/services/telegram/pacer.js";
import { createOutbox } from "../../../src/services/telegram/outbox-sender.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { kfi, silent } from "../samples.js";
import { storeLocks } from "./stored-locks.js";

const MINUTE = 60_000;

/** A lock until an epoch. */
function lockUntil(unlockEpoch: bigint, nonce: bigint, units = 5_000_000n): Lock {
  const locked = { tokenId: "LKTOK-1A2B", nonce };
  return { locked, amount: { token: kfi, units }, unlockEpoch, lockedAt: 0, isAnswered: true };
}

/** A chain and a disk with one process at a time: the first, and `run` for the next ones. */
function begin() {
  const clock = createVirtualClock();
  const disk = createMemoryDisk();
  const told: string[] = [];
  const world = { clock, told, epoch: 10n, fault: undefined as Fault | undefined, looks: 0 };

  function run() {
    const store = disk.open();
    const stopping = new AbortController();
    const shared = { store, clock, log: silent };
    const pacer = createPacer({ clock });
    const outbox = createOutbox<Lock>({
      noteError: () => undefined,
      ...shared,
      pacer,
      outcomes: createSendOutcomes({ clock }),
      away: { isAway: () => false },
      deliver: async (chatId, { locked }) => told.push(`${chatId} ${locked.nonce}`),
      run: "run",
    });
    outbox.use([lockTopic]);
    const epochStatus = (): Promise<ChainStatus> => {
      world.looks += 1;
      return world.fault === undefined ? Promise.resolve({ epoch: world.epoch }) : Promise.reject(world.fault);
    };
    const start = () => {
      outbox.start();
      void remindOfLocks({ ...shared, lock: { epochStatus }, outbox }, stopping.signal);
    };
    /** Stops everything the process began. */
    const kill = () => {
      store.kill();
      stopping.abort();
      pacer.stop();
    };
    onTestFinished(kill);
    return { store, start, kill };
  }

  return { world, run, ...run() };
}

describe("reminders", () => {
  it("are sent once, when the lock's epoch has begun", async () => {
    const { world, store, start } = begin();
    await storeLocks(store, 1001, [lockUntil(12n, 1n), lockUntil(14n, 2n)]);
    await storeLocks(store, 1002, [lockUntil(12n, 3n)]);
    start();
    world.epoch = 11n;
    await world.clock.advance(MINUTE);
    expect(world.told).toEqual([]);
    world.epoch = 12n;
    await world.clock.advance(MINUTE);
    expect(world.told.sort()).toEqual(["1001 1", "1002 3"]);
    world.epoch = 20n;
    await world.clock.advance(10 * MINUTE);
    expect(world.told.sort()).toEqual(["1001 1", "1001 2", "1002 3"]);
  });

  it("ask the node only while a lock is waiting", async () => {
    const { world, store, start } = begin();
    await storeLocks(store, 1001, [lockUntil(12n, 1n, 0n)]);
    start();
    await world.clock.advance(10 * MINUTE);
    expect(world.looks).toBe(0);
    await storeLocks(store, 1001, [lockUntil(12n, 2n)]);
    await world.clock.advance(10 * MINUTE);
    expect(world.looks).toBeGreaterThan(5);
    world.epoch = 12n;
    await world.clock.advance(MINUTE);
    const afterwards = world.looks;
    await world.clock.advance(10 * MINUTE);
    expect(world.looks).toBe(afterwards);
  });

  it("wait while the node is unreachable", async () => {
    const { world, store, start } = begin();
    await storeLocks(store, 1001, [lockUntil(12n, 1n)]);
    world.epoch = 12n;
    world.fault = new Fault("service-unreachable", { service: "node" });
    start();
    await world.clock.advance(5 * MINUTE);
    expect(world.told).toEqual([]);
    world.fault = undefined;
    await world.clock.advance(MINUTE);
    expect(world.told).toEqual(["1001 1"]);
  });

  it("are never lost by a crash at a write, and repeated only if it was the one that notes the delivery", async () => {
    for (let write = 1; write <= 4; write += 1) {
      const { world, run, ...first } = begin();
      await storeLocks(first.store, 1001, [lockUntil(12n, 1n), lockUntil(12n, 2n)]);
      let writes = 0;
      first.store.beforeWrite = (document) => {
        if ((writes += 1) !== write) return;
        first.kill();
        throw new Fault("store-write-failed", { document });
      };
      world.epoch = 12n;
      first.start();
      await world.clock.advance(10 * MINUTE);
      expect(writes).toBeGreaterThanOrEqual(write);
      run().start();
      await world.clock.advance(10 * MINUTE);
      expect(new Set(world.told)).toEqual(new Set(["1001 1", "1001 2"]));
      // The third and fourth write note a delivery: only a kill there repeats a reminder.
      expect(world.told).toHaveLength(write <= 2 ? 2 : 3);
    }
  });

  it("reach everybody else if one can't be written", async () => {
    const { world, store, start } = begin();
    for (const userId of [1001, 1002]) await storeLocks(store, userId, [lockUntil(12n, BigInt(userId))]);
    world.epoch = 12n;
    let writes = 0;
    store.beforeWrite = (document) => {
      if ((writes += 1) === 1) throw new Fault("store-write-failed", { document });
    };
    start();
    await world.clock.advance(1000);
    expect(world.told).toHaveLength(1);
    await world.clock.advance(MINUTE);
    expect(world.told.sort()).toEqual(["1001 1001", "1002 1002"]);
  });

  it("are not sent for what was unlocked meanwhile", async () => {
    const { world, store, start } = begin();
    await storeLocks(store, 1001, [lockUntil(12n, 1n), lockUntil(12n, 2n)]);
    world.epoch = 12n;
    start();
    await store.write((tx) =>
      tx.updateTable("locks").set({ units: "0" }).where("asset", "=", "LKTOK-1A2B/2").execute(),
    );
    await world.clock.advance(10 * MINUTE);
    expect(world.told).toEqual(["1001 1"]);
  });
});
