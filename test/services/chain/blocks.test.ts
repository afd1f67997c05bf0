import { describe, expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../../src/clock.js";
import { createRandom } from "../../../sandbox/exchange/random.js";
import { Fault } from "../../../src/fault.js";
import type { NewestBlock } from "../../../src/services/chain/block-listeners.js";
import { createBlocks } from "../../../src/services/chain/blocks.js";
import type { MovedTransaction } from "../../../src/services/chain/read-block.js";
import { createChainOfBlocks, movedTo, SLOT } from "../../support/chain-of-blocks.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const account = Buffer.alloc(32, 1).toString("base64");
const pay = (): MovedTransaction => movedTo(account);

/** A chain, and processes that read it one after the other, on one disk. */
function arrange() {
  const clock = createVirtualClock(1_700_000_000_000);
  const chain = createChainOfBlocks(clock);
  const disk = createMemoryDisk();
  const told: string[] = [];
  const newest: NewestBlock[] = [];
  const world = {
    clock,
    chain,
    told,
    newest,
    /** Whether anybody believes what is told, and whether anybody looks. */
    isWanted: true,
    isLooking: false,
    lost: 0,
    /** When somebody began to listen, by the chain's time. */
    since: 0,
    beforeTold: (_hash: string): void => undefined,
    names: (paid: readonly MovedTransaction[]) => paid.map(({ hash }) => hash),
    /** A process. @param late how late its timers are, in milliseconds. */
    start: ({ late = 0 } = {}) => {
      const store = disk.open();
      const { node } = chain;
      const onNode = {
        readMoved: node.readMoved,
        height: node.height,
        readBlock: ((...asked) => node.readBlock(...asked)) as typeof node.readBlock,
      };
      const busy: Clock = { ...clock, timer: (milliseconds, wake) => clock.timer(milliseconds + late, wake) };
      const blocks = createBlocks({ ...onNode, store, clock: busy, log: silent });
      blocks.believe({
        isWanted: async () => world.isWanted,
        onBlock: async ({ at, transactions }) => {
          for (const { hash } of transactions) {
            world.beforeTold(hash);
            if (at > world.since) told.push(hash);
          }
        },
      });
      blocks.look({
        isWanted: () => world.isLooking,
        onNewest: (block) => void newest.push(block),
        onLost: () => void (world.lost += 1),
      });
      const stopping = new AbortController();
      const running = blocks.run(stopping.signal);
      const stop = async () => {
        stopping.abort();
        await running;
      };
      const kill = () => {
        store.kill();
        stopping.abort();
      };
      onTestFinished(() => stopping.abort());
      return { store, blocks, stop, kill };
    },
    /** One payment a block. */
    payments: async (slots: number): Promise<readonly MovedTransaction[]> => {
      const paid: MovedTransaction[] = [];
      await chain.slots(slots, () => {
        paid.push(pay());
        return paid.slice(-1);
      });
      return paid;
    },
  };
  return world;
}

/** A world with a process that has read ten blocks. */
async function arrangeRunning() {
  const world = arrange();
  const run = world.start();
  await world.chain.slots(10);
  return { ...world, world, run };
}

describe("what moved", () => {
  it("is told once a block stands on its own, for one request a block", async () => {
    const { chain, told } = await arrangeRunning();
    const paid = pay();
    await chain.slot([paid]);
    await chain.slots(0);
    expect(told).toEqual([]);
    await chain.slots(2);
    expect(told).toEqual([paid.hash]);
    chain.asked.length = 0;
    // An hour, in which one slot of twenty has no block.
    for (let slots = 0; slots < 900; slots += 1) await (slots % 20 === 0 ? chain.slots(0) : chain.slot());
    expect(told).toHaveLength(1);
    expect(chain.asked.length).toBeLessThanOrEqual(1100);
    expect(chain.asked).not.toContain("height");
  });

  it("is found soon after it is there, whenever the reading began", async () => {
    for (const late of [0, 900, 1900, 2900, 3900]) {
      const world = arrange();
      await world.clock.advance(late);
      world.isLooking = true;
      world.start();
      await world.chain.slots(40);
      const delays: number[] = [];
      for (let count = 0; count < 50; count += 1) {
        await world.clock.advance(SLOT);
        world.chain.add();
        const [before, seen] = [world.clock.monotonic(), world.newest.length];
        while (world.newest.length === seen) await world.clock.advance(50);
        const delay = world.clock.monotonic() - before;
        delays.push(delay);
        await world.clock.advance(SLOT - delay);
        world.chain.add();
        await world.clock.advance(0);
      }
      expect(delays.reduce((sum, delay) => sum + delay, 0) / delays.length).toBeLessThan(700);
    }
  });

  it("isn't told ever later by a machine that begins each step late", async () => {
    const world = arrange();
    world.start({ late: 9000 });
    await world.chain.slots(10);
    const paid = await world.payments(900);
    await world.chain.slots(12);
    expect(world.told).toEqual(paid.map(({ hash }) => hash));
  });

  it("costs nothing while nobody listens, and what came meanwhile is no news", async () => {
    const world = arrange();
    world.isWanted = false;
    const { blocks } = world.start();
    await world.payments(900);
    expect(world.chain.asked).toEqual([]);
    expect(blocks.time()).toBe(0);
    world.isWanted = true;
    blocks.wake();
    await world.chain.slots(3);
    const [paid] = await world.payments(1);
    await world.chain.slots(2);
    expect(world.told).toEqual([paid!.hash]);
    world.isWanted = false;
    await world.chain.slots(10);
    world.chain.asked.length = 0;
    await world.payments(100);
    expect(world.chain.asked).toEqual([]);
    world.isWanted = true;
    blocks.wake();
    await world.chain.slots(10);
    expect(world.told).toHaveLength(1);
    // Nor is what the node still owes.
    const hidden = pay();
    world.chain.left.add(hidden.hash);
    world.chain.hidden.add(hidden.hash);
    await world.chain.slot([hidden]);
    await world.chain.slots(5);
    expect(world.chain.asked).toContain(hidden.hash);
    world.isWanted = false;
    await world.chain.slots(10);
    world.chain.asked.length = 0;
    await world.chain.slots(200);
    expect(world.chain.asked).toEqual([]);
  });

  it("from before somebody began to listen isn't told, however far behind the reading is", async () => {
    const { chain, clock, told, world, run } = await arrangeRunning();
    chain.isDown = true;
    await world.payments(600);
    chain.isDown = false;
    await clock.advance(35 * SECOND);
    expect(run.blocks.state().isCurrent).toBe(false);
    world.since = run.blocks.time();
    told.length = 0;
    const paid = pay();
    await chain.slot([paid]);
    await chain.slots(60);
    expect(told).toEqual([paid.hash]);
  });

  it("is told after a kill right after somebody chose it", async () => {
    const world = arrange();
    world.isWanted = false;
    const { blocks, kill } = world.start();
    await world.chain.slots(3);
    world.isWanted = true;
    blocks.wake();
    await world.clock.advance(SECOND);
    kill();
    await world.clock.advance(SECOND);
    const paid = await world.payments(5);
    world.start();
    await world.chain.slots(3);
    expect(world.told).toEqual(world.names(paid));
  });

  it("is told after a kill, too, of a block that somebody looked at before anybody believed", async () => {
    const world = arrange();
    [world.isWanted, world.isLooking] = [false, true];
    const { blocks, kill } = world.start();
    blocks.wake();
    await world.chain.slots(10);
    const paid = pay();
    await world.chain.slot([paid]);
    await world.clock.advance(SECOND);
    world.isWanted = true;
    await world.clock.advance(2 * SLOT);
    kill();
    world.chain.add();
    world.start();
    await world.chain.slots(3);
    expect(world.told).toEqual([paid.hash]);
  });

  it("costs one write a block", async () => {
    const { chain, run, world } = await arrangeRunning();
    let writes = 0;
    run.store.afterWrite = async () => void (writes += 1);
    await chain.slots(100);
    expect(writes).toBeGreaterThan(95);
    expect(writes).toBeLessThan(105);
    // And none for who only looks.
    [world.isWanted, world.isLooking] = [false, true];
    await chain.slots(10);
    writes = 0;
    await chain.slots(100);
    expect(writes).toBe(0);
  });

  it("before a start at which nobody listens any more is no news for who does later", async () => {
    const { chain, told, world, run } = await arrangeRunning();
    await run.stop();
    world.isWanted = false;
    const { blocks } = world.start();
    await world.payments(20);
    world.isWanted = true;
    blocks.wake();
    await chain.slots(3);
    const [paid] = await world.payments(1);
    await chain.slots(2);
    expect(told).toEqual([paid!.hash]);
    expect(blocks.state().missedAt).toBeUndefined();
  });

  it("is looked at as soon as it is there, whoever it moved, though nobody believes it", async () => {
    const world = arrange();
    [world.isWanted, world.isLooking] = [false, true];
    const { blocks } = world.start();
    blocks.wake();
    await world.chain.slots(20);
    const paid = pay();
    await world.chain.slot([paid]);
    await world.clock.advance(SECOND);
    const last = world.newest.at(-1)!;
    expect(last).toMatchObject({ number: world.chain.top(), hashes: new Set([paid.hash]) });
    expect(last.accounts?.has(account)).toBe(true);
    expect(world.told).toEqual([]);
    expect(blocks.state().isCurrent).toBe(true);
    world.chain.isDown = true;
    await world.clock.advance(20 * SECOND);
    expect(world.lost).toBe(1);
    expect(blocks.state().isCurrent).toBe(false);
  });
});

describe("a gap", () => {
  it("of an hour is read after a restart, at half of the node's pace, in order and once", async () => {
    const { chain, clock, told, world, run } = await arrangeRunning();
    await run.stop();
    const paid = await world.payments(900);
    chain.asked.length = 0;
    const next = world.start();
    await clock.advance(30 * SECOND);
    expect(chain.asked.length).toBeLessThanOrEqual(152);
    expect(next.blocks.state().isCurrent).toBe(false);
    await chain.slots(60);
    expect(next.blocks.state().isCurrent).toBe(true);
    expect(told).toEqual(world.names(paid));
    expect(next.blocks.state().missedAt).toBeUndefined();
  });

  it("in which the process is killed again and again loses nothing", async () => {
    const { clock, chain, told, world, run } = await arrangeRunning();
    run.kill();
    const paid = await world.payments(500);
    for (let kills = 0; kills < 12; kills += 1) {
      const killed = world.start();
      await clock.advance(3000 + 1700 * kills);
      killed.kill();
    }
    world.start();
    await chain.slots(30);
    expect([...new Set(told)]).toEqual(world.names(paid));
    // A block for each kill, at most.
    expect(told.length).toBeLessThanOrEqual(paid.length + 12);
  });

  it("of a day is told from six hours ago on, and it is said that there was more", async () => {
    const { clock, chain, told, world, run } = await arrangeRunning();
    await run.stop();
    let slots = 0;
    await chain.slots((24 * HOUR) / SLOT, () => ((slots += 1) % 100 === 0 ? [pay()] : []));
    const next = world.start();
    await clock.advance(25 * MINUTE);
    // The last one has no block on top.
    expect(told).toHaveLength(53);
    const { missedAt, isCurrent } = next.blocks.state();
    expect(isCurrent).toBe(false);
    expect(Math.abs(missedAt! - (clock.now() - 25 * MINUTE - 6 * HOUR))).toBeLessThan(MINUTE);
    await chain.slots(4);
    expect(next.blocks.state().isCurrent).toBe(true);
    // That more was missed is said after a kill, too.
    next.kill();
    const again = world.start();
    await chain.slots(2);
    expect(again.blocks.state().missedAt).toBe(missedAt);
  });

  it("of a node that doesn't answer is read when it does, and it is asked seldom until then", async () => {
    const { chain, clock, told, world, run } = await arrangeRunning();
    chain.isDown = true;
    const paid = await world.payments(750);
    expect(run.blocks.state().isCurrent).toBe(false);
    expect(await run.blocks.overdue()).toBeGreaterThan(40 * MINUTE);
    chain.asked.length = 0;
    await clock.advance(MINUTE);
    expect(chain.asked.length).toBeLessThanOrEqual(3);
    chain.isDown = false;
    await chain.slots(80);
    expect(told).toEqual(world.names(paid));
    expect(run.blocks.state()).toMatchObject({ isCurrent: true, missedAt: undefined });
    expect(await run.blocks.overdue()).toBe(0);
  });

  it("is read by who believes, while who looks alone goes on with the newest block", async () => {
    const world = arrange();
    [world.isWanted, world.isLooking] = [false, true];
    world.start();
    await world.chain.slots(10);
    world.chain.isDown = true;
    await world.payments(900);
    world.chain.isDown = false;
    world.chain.asked.length = 0;
    await world.chain.slots(20);
    await world.clock.advance(SECOND);
    expect(world.chain.asked.length).toBeLessThan(40);
    expect(world.newest.at(-1)?.number).toBe(world.chain.top());
  });
});

describe("a kill between what was read and what was told", () => {
  it("lets it be told again", async () => {
    const { chain, told, world, run } = await arrangeRunning();
    const paid = [pay(), pay()];
    world.beforeTold = (hash) => {
      if (hash !== paid[1]!.hash) return;
      run.kill();
      throw new Fault("store-lost", { directory: "" });
    };
    await chain.slot(paid);
    await chain.slots(3);
    expect(told).toEqual([paid[0]!.hash]);
    world.beforeTold = () => undefined;
    world.start();
    await chain.slots(3);
    expect(told.slice(1)).toEqual(world.names(paid));
  });
});

describe("undone blocks", () => {
  for (const depth of [1, 2, 3, 4, 5]) {
    it(`of ${depth} bring what those bring that take their places`, async () => {
      const { chain, clock, told, world } = await arrangeRunning();
      const undone = await world.payments(depth);
      await clock.advance(SECOND);
      chain.undo(depth);
      const instead = Array.from({ length: depth + 1 }, pay);
      for (const paid of instead) chain.add([paid]);
      await chain.slots(6);
      // The newest of the undone ones had no block on top.
      expect(told.filter((hash) => hash === undone.at(-1)!.hash)).toEqual([]);
      expect(told.slice(depth - 1)).toEqual(world.names(instead));
    });

    it(`of ${depth} are found after a restart, too`, async () => {
      const { chain, told, world, run } = await arrangeRunning();
      await world.payments(depth);
      await chain.slots(1);
      await run.stop();
      chain.undo(depth + 1);
      const instead = Array.from({ length: depth + 2 }, pay);
      for (const paid of instead) chain.add([paid]);
      told.length = 0;
      world.start();
      await chain.slots(6);
      expect(told).toEqual(world.names(instead));
    });
  }

  it.each([false, true])(
    "are found however many there were before (after the chain has begun again: %s)",
    async (isNew) => {
      const { chain, clock, told, world } = await arrangeRunning();
      if (isNew) {
        await chain.slots(100);
        chain.reset(1);
        await chain.slots(40);
      }
      const stays: MovedTransaction[] = [];
      for (let forks = 0; forks < 20; forks += 1) {
        await world.payments(1);
        await clock.advance(SECOND);
        chain.undo(1);
        stays.push(pay());
        chain.add(stays.slice(-1));
        await chain.slots(2);
      }
      expect(told).toEqual(world.names(stays));
    },
  );

  it("that reach below the first one that was read are read from there", async () => {
    const world = arrange();
    world.start();
    await world.chain.slots(2);
    await world.payments(1);
    world.chain.undo(4);
    const instead = Array.from({ length: 6 }, pay);
    for (const paid of instead) world.chain.add([paid]);
    await world.chain.slots(6);
    expect(world.told).toEqual(world.names(instead));
  });

  it("of at most sixteen are remembered", async () => {
    const { chain, run } = await arrangeRunning();
    await chain.slots(40);
    const [row] = await run.store.db.selectFrom("settings").selectAll().where("name", "=", "blocks").execute();
    expect((JSON.parse(row!.value) as { trail: unknown[] }).trail).toHaveLength(16);
  });

  it("again and again, since nodes contradict each other, end nothing", async () => {
    const { chain, told } = await arrangeRunning();
    const { readBlock } = chain.node;
    let asked = 0;
    chain.node.readBlock = async (...what) => {
      const block = await readBlock(...what);
      return block && ((asked += 1) % 2 === 0 ? block : { ...block, parent: "ff" });
    };
    const paid = pay();
    await chain.slot([paid]);
    await chain.slots(40);
    expect(told).toContain(paid.hash);
  });
});

describe("a node", () => {
  it("that has none of the older blocks is read from where it has them", async () => {
    const { chain, clock, told, world, run } = await arrangeRunning();
    await run.stop();
    const paid = await world.payments(1000);
    const { readBlock } = chain.node;
    const first = chain.top() - 300;
    chain.node.readBlock = (number, asked) => (number < first ? Promise.resolve(undefined) : readBlock(number, asked));
    const next = world.start();
    await clock.advance(75 * SECOND);
    expect(told).toEqual(world.names(paid).slice(-301, -1));
    expect(next.blocks.state().missedAt).toBeDefined();
  });

  it("that has lost one block, or shows it in another form, is read from the next one on", async () => {
    const { chain, told, world, run } = await arrangeRunning();
    const { readBlock } = chain.node;
    const [lost, odd] = [chain.top() + 3, chain.top() + 30];
    chain.node.readBlock = async (number, asked) => {
      if (number === odd) throw new Fault("answer-unreadable", { reason: "a block in another form" });
      return number === lost ? undefined : readBlock(number, asked);
    };
    const paid = await world.payments(60);
    await chain.slots(30);
    const [lostHash, oddHash] = [paid[2]!.hash, paid[29]!.hash];
    // The one below has none on top that can be read.
    const untold = [paid[1]!.hash, lostHash, paid[28]!.hash, oddHash];
    expect(told).toEqual(world.names(paid).filter((hash) => !untold.includes(hash)));
    expect(run.blocks.state().isCurrent).toBe(true);
    expect(run.blocks.state().missedAt).toBeDefined();
  });

  it("that leaves out transactions is asked for them one by one, and nothing waits for them", async () => {
    const { chain, told, world, run } = await arrangeRunning();
    const paid = [pay(), pay(), pay()];
    chain.left.add(paid[1]!.hash);
    await chain.slot(paid);
    await chain.slots(2);
    expect(told.toSorted()).toEqual(world.names(paid).toSorted());
    expect(run.blocks.state().missedAt).toBeUndefined();
  });

  it("that leaves out all of them is read like that", async () => {
    const { chain, told, world, run } = await arrangeRunning();
    chain.left.has = () => true;
    const paid: MovedTransaction[] = [];
    await chain.slots(100, () => {
      paid.push(pay(), pay(), pay(), pay());
      return paid.slice(-4);
    });
    await chain.slots(2);
    expect(told.toSorted()).toEqual(world.names(paid).toSorted());
    expect(run.blocks.state()).toMatchObject({ isCurrent: true, missedAt: undefined });
  });

  it("that never shows one, of one block or of each, makes nothing later, and it is said after a minute", async () => {
    const { chain, clock, told, world, run } = await arrangeRunning();
    const hidden: MovedTransaction[] = [];
    const late: number[] = [];
    for (let slots = 0; slots < 100; slots += 1) {
      const paid = pay();
      hidden.push(pay());
      chain.left.add(hidden.at(-1)!.hash);
      chain.hidden.add(hidden.at(-1)!.hash);
      await chain.slot([paid, hidden.at(-1)!]);
      const from = clock.monotonic();
      await chain.slot();
      while (!told.includes(paid.hash)) await clock.advance(100);
      late.push(clock.monotonic() - from);
      if (slots === 5) expect(run.blocks.state().missedAt).toBeUndefined();
    }
    expect(Math.max(...late)).toBeLessThan(15 * SECOND);
    expect(run.blocks.state().isCurrent).toBe(true);
    expect(run.blocks.state().missedAt).toBeDefined();
    // Those that turn up within an hour are told, also after a restart.
    run.kill();
    world.start();
    chain.hidden.clear();
    await chain.slots(200);
    expect(told.filter((hash) => hash === hidden[50]!.hash)).toHaveLength(1);
    expect(new Set(told).size).toBe(200);
  });

  it("that doesn't show one for longer than an hour isn't asked for it any more", async () => {
    const { chain } = await arrangeRunning();
    const hidden = pay();
    chain.left.add(hidden.hash);
    chain.hidden.add(hidden.hash);
    await chain.slot([hidden]);
    await chain.slots(920);
    const asked = chain.asked.filter((what) => what === hidden.hash).length;
    expect(asked).toBeGreaterThan(10);
    expect(asked).toBeLessThan(20);
    await chain.slots(300);
    expect(chain.asked.filter((what) => what === hidden.hash)).toHaveLength(asked);
  });

  it("of several that is behind, every other time, costs nothing but time", async () => {
    const { chain, told, world } = await arrangeRunning();
    let asked = 0;
    chain.lag = () => ((asked += 1) % 2 === 0 ? 6 : 0);
    const paid = await world.payments(200);
    await chain.slots(10);
    expect(told).toEqual(world.names(paid));
  });

  it("of several that has stopped is left for another connection", async () => {
    const { chain, clock, told, world } = await arrangeRunning();
    const { readBlock, height } = chain.node;
    let stopped: number | undefined = chain.top();
    chain.node.height = async () => BigInt(stopped ?? Number(await height()));
    chain.node.readBlock = async (number, asked) => {
      const block = number > (stopped ?? number) ? undefined : await readBlock(number, asked);
      if (asked?.isLast === true) stopped = undefined;
      return block;
    };
    const paid = await world.payments(10);
    await clock.advance(SLOT);
    expect(told).toEqual(world.names(paid).slice(0, -1));
  });

  it("of several that has stopped for good is left for the next connection, which is kept", async () => {
    const { chain, told, world } = await arrangeRunning();
    const { readBlock, height } = chain.node;
    const stopped = chain.top();
    let connections = 0;
    const isStopped = () => connections % 2 === 0;
    chain.node.height = async () => (isStopped() ? BigInt(stopped) : height());
    chain.node.readBlock = async (number, asked) => {
      const block = number > stopped && isStopped() ? undefined : await readBlock(number, asked);
      if (asked?.isLast === true) connections += 1;
      return block;
    };
    const paid = await world.payments(50);
    await chain.slots(2);
    expect(connections).toBe(1);
    expect(told).toEqual(world.names(paid));
  });

  it.each([0.5, 0.7, 0.8])(
    "of several that has stopped for good makes nothing later than a minute, by chance %f of the answers",
    async (share) => {
      const { chain, clock, told, world } = await arrangeRunning();
      const [stopped, random] = [chain.top(), createRandom(9)];
      chain.lag = () => (random() < share ? chain.top() - stopped : 0);
      const [madeAt, delays] = [new Map<string, number>(), [] as number[]];
      world.beforeTold = (hash) => void delays.push(clock.now() - (madeAt.get(hash) ?? 0));
      await chain.slots(200, () => {
        const paid = pay();
        madeAt.set(paid.hash, clock.now() + SLOT);
        return [paid];
      });
      await chain.slots(20);
      expect(told).toEqual([...madeAt.keys()]);
      expect(Math.max(...delays)).toBeLessThanOrEqual(60_000);
    },
  );

  it("of several that has stopped for good loses nothing even if nine answers of ten are its own", async () => {
    const { chain, told, world, run } = await arrangeRunning();
    const [stopped, random] = [chain.top(), createRandom(9)];
    chain.lag = () => (random() < 0.9 ? chain.top() - stopped : 0);
    const paid = await world.payments(100);
    await chain.slots(300);
    expect(told).toEqual(world.names(paid));
    expect(run.blocks.state().missedAt).toBeUndefined();
  });

  it("that works through the past isn't taken for a chain that has begun again", async () => {
    const { chain, told, run } = await arrangeRunning();
    await chain.slots(100);
    chain.lag = () => 80;
    const paid = pay();
    await chain.slot([paid]);
    await chain.slots(60);
    expect(told).toEqual([]);
    expect(run.blocks.sameChain.isMismatch()).toBe(false);
    chain.lag = () => 0;
    await chain.slots(20);
    expect(told).toEqual([paid.hash]);
    expect(run.blocks.state().missedAt).toBeUndefined();
  });

  it("whose chain has begun again is followed there, also for who begins to listen then", async () => {
    const { chain, told, world, run } = await arrangeRunning();
    await chain.slots(100);
    chain.reset(1);
    const paid = pay();
    await chain.slot([paid]);
    await chain.slots(40);
    expect(told).toEqual([paid.hash]);
    expect(run.blocks.sameChain.isMismatch()).toBe(true);
    expect(run.blocks.state().isCurrent).toBe(true);
    expect(run.blocks.state().missedAt).toBeDefined();
    world.since = run.blocks.time();
    const other = pay();
    await chain.slot([other]);
    await chain.slots(3);
    expect(told.slice(1)).toEqual([other.hash]);
  });

  it("whose chain has begun again isn't asked for what the one before owed", async () => {
    const { chain } = await arrangeRunning();
    const hidden = pay();
    chain.left.add(hidden.hash);
    chain.hidden.add(hidden.hash);
    await chain.slot([hidden]);
    await chain.slots(100);
    expect(chain.asked).toContain(hidden.hash);
    chain.reset(1);
    await chain.slots(40);
    chain.asked.length = 0;
    await chain.slots(400);
    expect(chain.asked).not.toContain(hidden.hash);
  });

  it("that is asked too often is left alone for as long as it says", async () => {
    const { chain, clock } = await arrangeRunning();
    const { readBlock } = chain.node;
    chain.node.readBlock = async () => {
      throw new Fault("service-rate-limited", { service: "node", retryAfterSeconds: 100 });
    };
    await clock.advance(2 * SLOT);
    chain.node.readBlock = readBlock;
    chain.asked.length = 0;
    await clock.advance(90 * SECOND);
    expect(chain.asked).toEqual([]);
    await clock.advance(20 * SECOND);
    expect(chain.asked.length).toBeGreaterThan(0);
  });

  it("that doesn't answer isn't asked more often by whoever begins to listen, or wants to know", async () => {
    const { chain, clock, run } = await arrangeRunning();
    chain.isDown = true;
    await clock.advance(10 * MINUTE);
    chain.asked.length = 0;
    for (let time = 0; time < 50; time += 1) {
      run.blocks.wake();
      expect(await run.blocks.isClosed()).toBe(false);
      await clock.advance(100);
    }
    expect(chain.asked.length).toBeLessThanOrEqual(1);
    // Once it has answered, its next failure is the first again.
    chain.isDown = false;
    await chain.slots(20);
    chain.isDown = true;
    chain.asked.length = 0;
    await clock.advance(2 * SLOT);
    expect(chain.asked.length).toBeGreaterThan(1);
  });

  it("that hasn't answered since the start isn't hurried either", async () => {
    const world = arrange();
    world.chain.isDown = true;
    const { blocks } = world.start();
    await world.clock.advance(10 * MINUTE);
    world.chain.asked.length = 0;
    for (let time = 0; time < 50; time += 1) {
      blocks.wake();
      expect(await blocks.isClosed()).toBe(false);
      await world.clock.advance(100);
    }
    expect(world.chain.asked.length).toBeLessThanOrEqual(1);
  });

  it("that serves no blocks is asked once a minute, and it is known", async () => {
    const { chain, run, clock } = await arrangeRunning();
    const { readBlock } = chain.node;
    chain.node.readBlock = async (number) => {
      chain.asked.push(`${number}`);
      throw new Fault("service-status", { service: "node", status: 404 });
    };
    await clock.advance(MINUTE);
    expect(await run.blocks.isClosed()).toBe(true);
    chain.asked.length = 0;
    await clock.advance(10 * MINUTE);
    expect(chain.asked.length).toBeLessThanOrEqual(22);
    chain.node.readBlock = readBlock;
    await clock.advance(MINUTE);
    expect(await run.blocks.isClosed()).toBe(false);
  });

  it("is asked whether it serves blocks when somebody wants to know, once a minute", async () => {
    const world = arrange();
    world.isWanted = false;
    const { blocks } = world.start();
    await world.chain.slots(3);
    expect(await blocks.isClosed()).toBe(false);
    expect(await blocks.isClosed()).toBe(false);
    expect(world.chain.asked).toHaveLength(2);
    world.chain.node.readBlock = () => Promise.reject(new Fault("service-status", { service: "node", status: 404 }));
    await world.clock.advance(MINUTE);
    expect(await blocks.isClosed()).toBe(true);
  });
});

describe("the store", () => {
  it("that fails at the start, or later, delays what is told and loses nothing", async () => {
    const { chain, told, world, run } = await arrangeRunning();
    const fail = () => {
      throw new Fault("store-write-failed", { document: "" });
    };
    run.store.beforeWrite = fail;
    const paid = await world.payments(5);
    run.store.beforeWrite = () => undefined;
    await chain.slots(20);
    expect([...new Set(told)]).toEqual(world.names(paid));
    await run.stop();
    const more = await world.payments(5);
    const next = world.start();
    next.store.beforeWrite = fail;
    await chain.slots(5);
    next.store.beforeWrite = () => undefined;
    await chain.slots(20);
    expect([...new Set(told)]).toEqual(world.names([...paid, ...more]));
  });

  it("whose note of the place is damaged costs what was missed, and nothing else", async () => {
    const { chain, told, world, run } = await arrangeRunning();
    await run.stop();
    await run.store.write((tx) =>
      tx.updateTable("settings").set({ value: "{" }).where("name", "=", "blocks").execute(),
    );
    await world.payments(5);
    const next = world.start();
    await chain.slots(3);
    expect(next.blocks.state().missedAt).toBeDefined();
    const paid = await world.payments(1);
    await chain.slots(2);
    expect(told).toEqual(world.names(paid));
  });

  it("has one damaged row in the way of nobody else", async () => {
    const { chain, told, world } = await arrangeRunning();
    const paid = [pay(), pay(), pay()];
    world.beforeTold = (hash) => {
      if (hash === paid[1]!.hash) throw new TypeError("damaged");
    };
    for (const one of paid) await chain.slot([one]);
    await chain.slots(3);
    expect(told).toEqual([paid[0]!.hash, paid[2]!.hash]);
  });
});

it("doesn't depend on the clock, wherever it is set", async () => {
  const { chain, clock, told, world, run } = await arrangeRunning();
  const paid: MovedTransaction[] = [];
  for (const step of [HOUR, -2 * HOUR, 40 * 24 * HOUR, -40 * 24 * HOUR]) {
    clock.step(step);
    // What the chain says of times isn't ours.
    chain.madeAhead(-step);
    paid.push(...(await world.payments(20)));
    await chain.slots(2);
    expect(told).toEqual(world.names(paid));
    expect(run.blocks.state().isCurrent).toBe(true);
  }
});
