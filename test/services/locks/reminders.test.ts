import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import type { ChainStatus } from "../../../src/services/clients/gateway.js";
import type { Lock } from "../../../src/model/lock.js";
import { createReminders, type Reminders } from "../../../src/services/locks/reminders.js";
import { people, type Person } from "../../../src/model/person.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { closedOutbox, noticesOf } from "../outbox/noticed.js";
import { kfi, silent } from "../samples.js";

const MINUTE = 60_000;

/** Tokens that unlock at an epoch, as the book has them. */
function lockUntil(unlockEpoch: bigint, nonce: bigint, units = 5_000_000n): Readonly<Record<string, Lock>> {
  const lock: Lock = {
    locked: { tokenId: "LKTOK-1A2B", nonce },
    amount: { token: kfi, units },
    unlockEpoch,
    lockedAt: 0,
    intents: [],
  };
  return { [`LKTOK-1A2B/${nonce}`]: lock };
}

/** A chain, a disk, and a process on it at a time. */
function begin() {
  const clock = createVirtualClock();
  const disk = createMemoryDisk();
  const world = { clock, epoch: 10n, fault: undefined as Fault | undefined, looks: 0 };

  function run() {
    const store = disk.open();
    const reminders: Reminders = createReminders({
      store,
      clock,
      log: silent,
      database: store,
      outbox: closedOutbox(),
      epochStatus: (): Promise<ChainStatus> => {
        world.looks += 1;
        return world.fault === undefined ? Promise.resolve({ epoch: world.epoch }) : Promise.reject(world.fault);
      },
    });
    return {
      store,
      reminders,
      person: (userId: number, fields: Partial<Person>) =>
        store.update(people, String(userId), (before) => [{ ...before, ...fields }, undefined]),
      /** The nonces that a person is to be told of. */
      told: async (userId: number) =>
        (await noticesOf(store.db, userId)).map(({ what }) =>
          what.kind === "unlockable" ? what.lock.locked.nonce : what.kind,
        ),
      /** Nothing that it began goes on. */
      kill: () => {
        store.kill();
        void reminders.stop();
      },
    };
  }

  return { world, run };
}

describe("reminders", () => {
  it("are written once, with the lock, when its epoch has begun", async () => {
    const { world, run } = begin();
    const { reminders, person, told } = run();
    await person(1001, { locks: { ...lockUntil(12n, 1n), ...lockUntil(14n, 2n) } });
    await person(1002, { locks: lockUntil(12n, 3n) });
    await reminders.start();
    await world.clock.advance(MINUTE);
    expect(await told(1001)).toEqual([]);
    world.epoch = 11n;
    await world.clock.advance(MINUTE);
    expect(await told(1001)).toEqual([]);
    world.epoch = 12n;
    await world.clock.advance(MINUTE);
    expect(await told(1001)).toEqual([1n]);
    expect(await told(1002)).toEqual([3n]);
    world.epoch = 20n;
    await world.clock.advance(10 * MINUTE);
    expect(await told(1001)).toEqual([1n, 2n]);
    expect(await told(1002)).toEqual([3n]);
    await reminders.stop();
  });

  it("ask the node only while somebody waits", async () => {
    const { world, run } = begin();
    const { reminders, person } = run();
    await person(1001, { locks: lockUntil(12n, 1n, 0n) });
    await reminders.start();
    await world.clock.advance(10 * MINUTE);
    expect(world.looks).toBe(0);
    await person(1001, { locks: lockUntil(12n, 2n) });
    reminders.note(1001);
    await world.clock.advance(10 * MINUTE);
    const whileWaiting = world.looks;
    expect(whileWaiting).toBeGreaterThan(5);
    world.epoch = 12n;
    await world.clock.advance(MINUTE);
    const afterwards = world.looks;
    await world.clock.advance(10 * MINUTE);
    expect(world.looks).toBe(afterwards);
    await reminders.stop();
  });

  it("wait while the node can't be asked", async () => {
    const { world, run } = begin();
    const { reminders, person, told } = run();
    await person(1001, { locks: lockUntil(12n, 1n) });
    world.epoch = 12n;
    world.fault = new Fault("service-unreachable", { service: "node" });
    await reminders.start();
    await world.clock.advance(5 * MINUTE);
    expect(await told(1001)).toEqual([]);
    world.fault = undefined;
    await world.clock.advance(MINUTE);
    expect(await told(1001)).toEqual([1n]);
    await reminders.stop();
  });

  it("are neither lost nor repeated by a crash at any write", async () => {
    for (const isWritten of [false, true]) {
      const { world, run } = begin();
      const first = run();
      await first.person(1001, { locks: { ...lockUntil(12n, 1n), ...lockUntil(12n, 2n) } });
      await first.reminders.start();
      // The first look finds nothing yet.
      await world.clock.advance(1000);
      world.epoch = 12n;
      first.store.beforeWrite = () => {
        if (!isWritten) throw new Fault("store-write-failed", { document: "tables" });
        first.kill();
      };
      await world.clock.advance(MINUTE);
      first.kill();
      const second = run();
      expect(await second.told(1001)).toEqual(isWritten ? [1n, 2n] : []);
      await second.reminders.start();
      await world.clock.advance(10 * MINUTE);
      expect(await second.told(1001)).toEqual([1n, 2n]);
      await second.reminders.stop();
    }
  });

  it("let everybody else be reminded when one reminder can't be written", async () => {
    const { world, run } = begin();
    const { reminders, store, person, told } = run();
    for (const userId of [1001, 1002]) await person(userId, { locks: lockUntil(12n, BigInt(userId)) });
    world.epoch = 12n;
    let writes = 0;
    store.beforeWrite = (document) => {
      if ((writes += 1) === 1) throw new Fault("store-write-failed", { document });
    };
    await reminders.start();
    await world.clock.advance(1000);
    expect(await told(1001)).toEqual([]);
    expect(await told(1002)).toEqual([1002n]);
    await world.clock.advance(MINUTE);
    expect(await told(1001)).toEqual([1001n]);
    await reminders.stop();
  });
});
