import pino from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { createNodeFeed } from "../../../src/services/chain/node-feed.js";
import type { FeedSocket, openFeedSocket } from "../../../src/services/chain/feed-socket.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

type Listener = Parameters<typeof openFeedSocket>[1];

interface Asked {
  readonly id?: string;
  readonly method?: string;
  readonly addresses?: readonly string[];
  readonly subcribed_types?: readonly string[];
  readonly subscribed_types?: readonly string[];
  readonly params?: { readonly types: readonly string[]; readonly addresses: readonly string[] };
}

const silent = pino({ level: "silent" });
const one = "klv1one";
const SLOT = 4000;

/** A feed with a node that says what a test wants it to, on a virtual clock. */
function feedWorld(random = () => 0) {
  const clock = createVirtualClock();
  const connections: { listener: Listener; asked: Asked[]; isEnded: boolean }[] = [];
  const open = (_url: string, listener: Listener): FeedSocket => {
    const connection = { listener, asked: [] as Asked[], isEnded: false };
    connections.push(connection);
    return {
      send: (text) => connection.asked.push(JSON.parse(text) as Asked),
      end: () => void (connection.isEnded = true),
    };
  };
  const feed = createNodeFeed({ url: "ws://node/subscribe", clock, log: silent, random, open });
  const stopping = new AbortController();
  const running = feed.run(stopping.signal);
  onTestFinished(async () => {
    stopping.abort();
    await running;
  });
  const node = () => connections.at(-1)!;
  const say = (message: object): void => node().listener.onText(JSON.stringify(message));
  let [nonce, forks] = [100, 0];
  const hashOf = (number: number) => `hash ${number} ${number === nonce ? forks : 0}`;
  let parent = "hash 100 0";
  const world = {
    clock,
    feed,
    connections,
    node,
    say,
    /** Answers the last request that isn't answered. */
    acknowledge: (error?: string): void => {
      const { id } = node().asked.at(-1)!;
      say(error === undefined ? { id, data: "subscribed" } : { id, error });
    },
    block: (change: object = {}): void => {
      nonce += 1;
      const hash = hashOf(nonce);
      say({
        type: "blocks",
        address: "",
        hash: "",
        data: { nonce, hash, parentHash: parent, timestamp: clock.now(), ...change },
      });
      parent = hash;
    },
    /** The last block is made again, with another hash. */
    undo: (): void => {
      forks += 1;
      nonce -= 1;
      parent = `hash ${nonce} 0`;
      world.block();
    },
    touch: (address = one, blockNum: number | undefined = nonce): void =>
      say({ type: "user_transactions", address, hash: "", data: { hash: "00", blockNum, sender: "klv1" } }),
    /** Connects, and gets the first block. */
    begin: async (): Promise<void> => {
      await clock.advance(0);
      node().listener.onOpen();
      world.acknowledge();
      world.block();
      await clock.advance(0);
    },
    next: async (change?: object): Promise<void> => {
      await clock.advance(SLOT);
      world.block(change);
      await clock.advance(0);
    },
  };
  return world;
}

/** Counts looks; they show something new if `isNew`. */
function counter(isNew = true) {
  const counted = { looks: 0, look: async () => ((counted.looks += 1), isNew) };
  return counted;
}

describe("the handshake", () => {
  it("has both spellings of the key, with words that a node which reads it knows", async () => {
    const { feed, node, clock } = feedWorld();
    feed.watch(one, counter().look);
    await clock.advance(0);
    node().listener.onOpen();
    expect(node().asked[0]).toEqual({
      addresses: [one],
      subcribed_types: ["blocks", "user_transaction", "user_transactions"],
      subscribed_types: ["blocks", "user_transactions"],
    });
    expect(node().asked[1]).toMatchObject({ method: "subscribe", params: { addresses: [one] } });
    expect(feed.covers(one)).toBe(false);
  });

  it("counts for nothing before a block has come and the request is answered", async () => {
    const world = feedWorld();
    const { feed, node, clock } = world;
    feed.watch(one, counter().look);
    await clock.advance(0);
    node().listener.onOpen();
    world.block();
    expect(feed.state().kind).toBe("connecting");
    world.acknowledge();
    await world.next();
    expect(feed.state()).toMatchObject({ kind: "live", dialect: "requests", watched: 1, left: 0 });
    expect(feed.covers(one)).toBe(true);
  });

  it("asks for 10,000 addresses at a time, one request after the other, and for 50,000 in all", async () => {
    const world = feedWorld();
    for (let at = 0; at < 50_010; at += 1) world.feed.watch(`klv1${at}`, counter().look);
    await world.begin();
    const lots = () => world.node().asked.flatMap(({ params }) => params?.addresses.length ?? []);
    expect(lots()).toEqual([10_000, 10_000]);
    for (let lot = 0; lot < 5; lot += 1) world.acknowledge();
    expect(lots()).toEqual([10_000, 10_000, 10_000, 10_000, 10_000]);
    expect(world.feed.state()).toMatchObject({ watched: 50_010, left: 10 });
    expect(world.feed.covers("klv149999")).toBe(true);
    expect(world.feed.covers("klv150009")).toBe(false);
  });

  it("passes on a place to one that had none", async () => {
    const world = feedWorld();
    const stop = world.feed.watch(one, counter().look);
    for (let at = 0; at < 50_000; at += 1) world.feed.watch(`klv1${at}`, counter().look);
    await world.begin();
    for (let lot = 0; lot < 4; lot += 1) world.acknowledge();
    expect(world.feed.state().left).toBe(1);
    stop();
    expect(world.node().asked.at(-1)).toMatchObject({
      method: "unsubscribe",
      params: { addresses: [one], types: ["user_transactions"] },
    });
    world.acknowledge();
    expect(world.node().asked.at(-1)).toMatchObject({ method: "subscribe", params: { addresses: ["klv149999"] } });
    world.acknowledge();
    expect(world.feed.covers("klv149999")).toBe(true);
  });

  it("is sent again for a new address to the oldest nodes, which read nothing else, after half a minute", async () => {
    const world = feedWorld();
    const { feed, node, clock } = world;
    await clock.advance(0);
    node().listener.onOpen();
    const data = (nonce: number) => ({ nonce, hash: `h${nonce}`, parentHash: `h${nonce - 1}`, timestamp: clock.now() });
    const sayOldest = (type: string, address: string, content: object) =>
      world.say({ type, address, hash: "", data: Buffer.from(JSON.stringify(content)).toString("base64") });
    sayOldest("blocks", "", data(1));
    expect(feed.state()).toMatchObject({ kind: "live", dialect: "oldest" });
    const { look } = counter();
    feed.watch(one, look);
    for (let nonce = 2; nonce < 9; nonce += 1) {
      await clock.advance(SLOT);
      sayOldest("blocks", "", data(nonce));
    }
    expect(world.connections.length).toBe(1);
    await clock.advance(SLOT);
    expect(world.connections.length).toBe(2);
    node().listener.onOpen();
    expect(node().asked[0]!.addresses).toEqual([one]);
    sayOldest("blocks", "", data(10));
    const counted = counter();
    feed.watch("klv1two", counted.look);
    sayOldest("user_transaction", "klv1two", { hash: "00", blockNum: 10 });
    await clock.advance(0);
    expect(counted.looks).toBe(1);
    expect(feed.covers(one)).toBe(true);
  });

  it("that is refused leaves everything to polling", async () => {
    const world = feedWorld();
    world.feed.watch(one, counter().look);
    await world.clock.advance(0);
    world.node().listener.onOpen();
    world.acknowledge("address subscription limit reached for this connection (max 5)");
    world.block();
    expect(world.feed.covers(one)).toBe(false);
  });
});

describe("an address", () => {
  it("is looked at once for each block, however many copies come", async () => {
    const world = feedWorld();
    const counted = counter();
    await world.begin();
    world.feed.watch(one, counted.look);
    for (let copy = 0; copy < 5; copy += 1) world.touch();
    await world.next();
    expect(counted.looks).toBe(1);
    world.touch();
    await world.next();
    expect(counted.looks).toBe(2);
  });

  it("is looked at once more after the next block if there was nothing new, and then no more", async () => {
    const world = feedWorld();
    const counted = counter(false);
    await world.begin();
    world.feed.watch(one, counted.look);
    world.touch();
    await world.clock.advance(0);
    expect(counted.looks).toBe(1);
    await world.next();
    expect(counted.looks).toBe(2);
    await world.next();
    expect(counted.looks).toBe(2);
  });

  it("is looked at again after it was touched while being looked at", async () => {
    const world = feedWorld();
    let finish = (): void => undefined;
    let looks = 0;
    await world.begin();
    world.feed.watch(one, async () => {
      looks += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      return true;
    });
    world.touch();
    await world.next();
    world.touch();
    world.touch();
    expect(looks).toBe(1);
    finish();
    await world.clock.advance(0);
    expect(looks).toBe(2);
  });

  it("is looked at no more often than once a block, whatever blocks are named", async () => {
    const world = feedWorld();
    const counted = counter();
    await world.begin();
    world.feed.watch(one, counted.look);
    for (let block = 0; block < 1000; block += 1) world.touch(one, block * 7);
    await world.clock.advance(0);
    expect(counted.looks).toBeLessThanOrEqual(2);
    world.touch("klv1another");
    expect(counted.looks).toBeLessThanOrEqual(2);
  });

  it("isn't looked at once its watch has ended, and one that throws holds up no other", async () => {
    const world = feedWorld();
    const [ended, other] = [counter(), counter()];
    await world.begin();
    world.feed.watch(one, ended.look)();
    world.feed.watch(one, () => {
      throw new Error("this one is broken");
    });
    world.feed.watch(one, other.look);
    world.touch();
    await world.clock.advance(0);
    expect([ended.looks, other.looks]).toEqual([0, 1]);
  });
});

const hashes = Array.from({ length: 300 }, (_, at) => at.toString(16).padStart(64, "0"));

describe("what listens to an address", () => {
  it("hears the hash of each of its transactions, however many are in a block, and of no other's", async () => {
    const world = feedWorld();
    const heard: string[] = [];
    const counted = counter();
    await world.begin();
    const end = world.feed.watch(one, counted.look, (hash) => void heard.push(hash));
    const say = (address: string, data: object) => world.say({ type: "user_transactions", address, hash: "", data });
    for (const hash of hashes) say(one, { hash, blockNum: 101, receipts: [] });
    say("klv1another", { hash: "f".repeat(64), blockNum: 101 });
    expect(heard).toEqual(hashes);
    expect(counted.looks).toBe(1);
    end();
    say(one, { hash: "e".repeat(64), blockNum: 102 });
    expect(heard.length).toBe(hashes.length);
  });

  it.each([
    ["no hash", { blockNum: 101, sender: "klv1" }],
    ["one that isn't one", { hash: "../../node/status", blockNum: 101 }],
    ["one in the words of a call", { parameter: { name: `"hash":"${"a".repeat(64)}"` }, blockNum: 101 }],
  ])("hears nothing of a transaction with %s, and it is looked at", async (_, data) => {
    const world = feedWorld();
    const heard: string[] = [];
    const counted = counter();
    await world.begin();
    world.feed.watch(one, counted.look, (hash) => void heard.push(hash));
    world.say({ type: "user_transactions", address: one, hash: "", data });
    await world.clock.advance(0);
    expect([heard, counted.looks]).toEqual([[], 1]);
  });

  it("hears it of the oldest nodes, too, which write it in base64", async () => {
    const world = feedWorld();
    const heard: string[] = [];
    await world.begin();
    world.feed.watch(one, counter().look, (hash) => void heard.push(hash));
    const [hash = ""] = hashes;
    const content = { hash, blockNum: 101, sender: "klv1".padEnd(62, "q"), nonce: 1, data: ["00"] };
    const data = Buffer.from(JSON.stringify(content)).toString("base64");
    world.say({ type: "user_transaction", address: one, hash: "", data });
    expect(heard).toEqual([hash]);
  });
});

describe("all addresses are looked at", () => {
  it.each([
    ["a block takes another's place", (world: ReturnType<typeof feedWorld>) => world.undo()],
    [
      "a block doesn't follow the one before",
      (world: ReturnType<typeof feedWorld>) => world.block({ parentHash: "other" }),
    ],
    ["a block is missing", (world: ReturnType<typeof feedWorld>) => world.block({ nonce: 250 })],
  ])("when %s", async (_, happen) => {
    const world = feedWorld();
    await world.begin();
    await world.next();
    const counted = counter();
    world.feed.watch(one, counted.look);
    await world.next();
    expect(counted.looks).toBe(0);
    await world.clock.advance(SLOT);
    happen(world);
    await world.clock.advance(0);
    expect(counted.looks).toBe(1);
  });

  it("once in a slot, however often the node takes blocks back", async () => {
    const world = feedWorld();
    await world.begin();
    const counted = counter();
    world.feed.watch(one, counted.look);
    for (let time = 0; time < 100; time += 1) world.undo();
    await world.clock.advance(SLOT);
    for (let time = 0; time < 100; time += 1) world.undo();
    await world.clock.advance(SLOT);
    expect(counted.looks).toBeLessThanOrEqual(3);
  });

  it("after each connection, as soon as it is live", async () => {
    const world = feedWorld();
    const counted = counter();
    world.feed.watch(one, counted.look);
    await world.begin();
    expect(counted.looks).toBe(1);
    world.node().listener.onEnd(1006);
    await world.clock.advance(1000);
    await world.begin();
    await world.clock.advance(SLOT);
    expect(counted.looks).toBe(2);
  });
});

describe("a feed that can't be relied on", () => {
  it("is dead after three slots without a block, whatever else comes, and connects again after growing pauses", async () => {
    const world = feedWorld();
    world.feed.watch(one, counter().look);
    await world.begin();
    for (let second = 0; second < 11; second += 1) {
      await world.clock.advance(1000);
      world.touch();
    }
    expect(world.feed.state().kind).toBe("live");
    await world.clock.advance(1000);
    expect(world.feed.state().kind).toBe("connecting");
    expect(world.feed.covers(one)).toBe(false);
    expect(world.node().isEnded).toBe(true);
    const begun: number[] = [];
    for (let second = 0; second < 400; second += 1) {
      const { length } = world.connections;
      await world.clock.advance(1000);
      if (world.connections.length > length) begun.push(second);
    }
    const between = begun.slice(1).map((at, index) => at - begun[index]!);
    // Twelve seconds of silence, and then a pause: 2, 4, 8, 16, 32, and a minute from then on.
    expect(between.slice(0, 6)).toEqual([14, 16, 20, 28, 44, 72]);
  });

  it.each([
    [() => 0, 1000],
    [() => 1, 500],
  ])("spreads its attempts by chance: %#", async (random, pause) => {
    const { clock, connections } = feedWorld(random);
    await clock.advance(0);
    connections[0]!.listener.onEnd(1006);
    await clock.advance(pause - 1);
    expect(connections.length).toBe(1);
    await clock.advance(1);
    expect(connections.length).toBe(2);
  });

  it("is dead if a request isn't answered", async () => {
    const world = feedWorld();
    await world.clock.advance(0);
    world.node().listener.onOpen();
    for (let slot = 0; slot < 2; slot += 1) await world.next();
    expect(world.node().isEnded).toBe(false);
    await world.next();
    expect(world.connections[0]!.isEnded).toBe(true);
  });

  it("is behind while it tells of old blocks, and wakes nobody", async () => {
    const world = feedWorld();
    const counted = counter();
    world.feed.watch(one, counted.look);
    await world.clock.advance(0);
    world.node().listener.onOpen();
    world.acknowledge();
    for (let block = 0; block < 5; block += 1) {
      await world.next({ timestamp: world.clock.now() - 60_000 });
      world.touch();
    }
    expect(world.feed.state().kind).toBe("behind");
    expect(world.feed.covers(one)).toBe(false);
    expect(counted.looks).toBe(0);
    await world.next();
    expect(world.feed.state().kind).toBe("live");
    expect(counted.looks).toBe(1);
  });

  it("isn't kept alive or set back by old blocks that are said again", async () => {
    const world = feedWorld();
    await world.begin();
    for (let second = 0; second < 11; second += 1) {
      await world.clock.advance(1000);
      world.say({
        type: "blocks",
        address: "",
        hash: "",
        data: { nonce: 5, hash: "old", parentHash: "", timestamp: 0 },
      });
      world.say({
        type: "blocks",
        address: "",
        hash: "",
        data: { nonce: 101, hash: "hash 101 0", parentHash: "hash 100 0", timestamp: world.clock.now() },
      });
      expect(world.feed.state().kind).toBe("live");
    }
    await world.clock.advance(1000);
    expect(world.node().isEnded).toBe(true);
  });

  it("is left alone for a while if it floods", async () => {
    const world = feedWorld();
    await world.begin();
    const counted = counter();
    world.feed.watch(one, counted.look);
    for (let frame = 0; frame < 10_000; frame += 1) world.touch();
    await world.clock.advance(0);
    expect(world.connections[0]!.isEnded).toBe(true);
    expect(world.feed.counts().frames).toBeLessThan(5500);
    expect(counted.looks).toBeLessThanOrEqual(2);
    await world.clock.advance(0);
    expect(world.connections.length).toBe(1);
  });

  it("is left alone for longer each time that it floods, ten thousand events a second, and costs a look a slot", async () => {
    const world = feedWorld();
    await world.begin();
    const counted = counter();
    world.feed.watch(one, counted.look);
    await world.clock.advance(0);
    world.acknowledge();
    let lied = 0;
    for (let tenth = 0; tenth < 100; tenth += 1) {
      await world.clock.advance(100);
      const { isEnded, listener } = world.node();
      if (isEnded) continue;
      listener.onOpen();
      for (let event = 0; event < 1000; event += 1) world.touch(one, (lied += 1));
    }
    // Without the guard it would have read all of them.
    expect(lied).toBeGreaterThan(10_000);
    expect(world.feed.counts().frames).toBeLessThan(lied);
    expect(world.connections.length).toBeLessThanOrEqual(5);
    expect(counted.looks).toBeLessThanOrEqual(3);
    expect(world.feed.covers(one)).toBe(false);
    expect(world.feed.state().watched).toBe(1);
  });

  it.each([
    "",
    "null",
    "[]",
    '{"type":"blocks","address":"","hash":"","data":null}',
    '{"type":"blocks","address":"","hash":"","data":"bm90aGluZw=="}',
    '{"type":"blocks","address":"","hash":"","data":{"nonce":-1,"hash":"","parentHash":"","timestamp":"x"}}',
    `{"type":"blocks","address":"","hash":"","data":{"nonce":1e999}}`,
    '{"type":"logs","address":"klv1one","hash":"00","data":{}}',
    '{"id":{},"data":[]}',
    `{"${"x".repeat(100_000)}`,
  ])("may say what means nothing: %#", async (text) => {
    const world = feedWorld();
    const counted = counter();
    await world.begin();
    world.feed.watch(one, counted.look);
    world.node().listener.onText(text);
    await world.next();
    expect(counted.looks).toBe(0);
    expect(world.feed.state().kind).toBe("live");
  });
});
