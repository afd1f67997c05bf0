// How long it takes from a block to a price alert, to a standing order's card, to the card of a transaction's outcome and to a
// big trade, and what is asked in an hour, with a node that serves blocks and without, on a virtual clock with blocks of
// four seconds: 10,000 alerts about 100 pairs that trade every ten minutes each; limit orders and signed swaps one after the
// other. And what a block of 100 swaps costs while 100,000 people watch.
// Run from the root of the project: npx tsx --expose-gc bench/blocks.ts [minutes] [people]
import { EventEmitter } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { systemClock } from "../src/clock.js";
import { type Address, addressFromBytes, addressToBytes } from "../src/encoding/address.js";
import { amountOf, type Token } from "../src/encoding/amount.js";
import { createBigTrades } from "../src/services/alerts/big-trades.js";
import type { BelievingListener } from "../src/services/chain/block-listeners.js";
import { createBlocks } from "../src/services/chain/blocks.js";
import { type MovedTransaction, readBlock } from "../src/services/chain/read-block.js";
import { amountOut, type Pool, sideOf } from "../src/services/market/pool.js";
import { createPoolGraph } from "../src/services/market/route.js";
import { watch } from "../src/services/price-watches/price-watch-queries.js";
import { createPriceWatches } from "../src/services/price-watches/price-watches.js";
import { createRandom } from "../sandbox/exchange/random.js";
import type { IntentParts } from "../src/services/intent/change.js";
import type { SignedIntent } from "../src/services/intent/intent.js";
import { createIntents } from "../src/services/intent/intent-service.js";
import { changePerson } from "../src/services/person/person.js";
import type { ChainNode, ChainTransaction } from "../src/services/signing/chain-node.js";
import { createTransactionTracker } from "../src/services/signing/transaction-tracker.js";
import { readLimit, type PriceOrderRequest } from "../src/services/standing/standing-request.js";
import type { StoreBasics } from "../src/store/store.js";
import { openStore } from "../src/store/sqlite.js";
import { createMemoryDisk } from "../test/support/memory-store.js";
import { createChainOfBlocks, movedTo } from "../test/support/chain-of-blocks.js";
import { toldBlocks } from "../test/support/told-blocks.js";
import { createVirtualClock, type VirtualClock } from "../test/support/virtual-clock.js";
import { preparedTransaction } from "../test/support/wallet-transaction.js";
import { createTradesWorld, watchOf } from "../test/services/alerts/big-trades-world.js";
import { draft } from "../test/services/intent/arrange.js";
import { poolOf } from "../test/services/market/pool-samples.js";
import { alice } from "../test/services/samples.js";
import { createStandingWorld, OWNER } from "../test/services/standing/standing-world.js";

const [minutes = "60", people = "100000"] = process.argv.slice(2);
const [ALERTS, PAIRS, TRADE_EVERY, BLOCK_MS] = [10_000, 100, 150, 4000];
/** Orders and swaps, each. */
const SINGLES = 100;
const log = pino({ level: "silent" });
const klv: Token = { id: "KLV", name: "KLV", precision: 6, kind: "fungible" };
const tokenOf = (number: number): Token => ({ ...klv, id: `T${number}-AAAA` });
const units = 10_000_000n;

async function alerts(hasBlocks: boolean) {
  const clock = createVirtualClock(1_700_000_000_000);
  const store = createMemoryDisk().open();
  const random = createRandom(7);
  const reserve = 1_000_000_000_000_000n;
  const blocks = createChainOfBlocks(clock);
  const reader = createBlocks({ ...blocks.node, store, clock, log });
  const chain: Pool[] = Array.from({ length: PAIRS }, (_, number) =>
    poolOf(number, ["KLV", reserve], [tokenOf(number).id, reserve / 100n]),
  );
  const graph = createPoolGraph(chain);
  const numberOf = (id: string) => Number(/\d+/.exec(id)?.[0]);
  const priceOf = (number: number) => amountOut(sideOf(chain[number]!, tokenOf(number).id), units);
  const asked = { quotation: 0, node: 0 };
  const movedAt = new Map<number, number>();
  const delays: number[] = [];

  const watches = createPriceWatches({
    ...{ store, clock, log, pace: { requestsPerSecond: 2, everySeconds: 15 } },
    polled: {
      quote: async (amount, out) => {
        asked.quotation += 1;
        const answered = priceOf(numberOf(amount.token.id));
        await clock.sleep(50);
        return amountOf(out, answered);
      },
    },
    tokens: { byId: (id) => (id === "KLV" ? klv : tokenOf(numberOf(id))) },
    prices: { noteQuote: () => true },
    noteError: (error) => console.error(error),
    ...(hasBlocks && { blocks: reader }),
    pools: {
      known: async () => graph,
      rereadReserves: async (addresses) => {
        asked.node += 2 * addresses.length;
        await clock.sleep(20);
        for (const pool of chain) if (addresses.includes(pool.address)) graph.update(pool);
        return graph;
      },
    },
  });
  watches.subscribe({
    kind: "alert",
    onCrossed: async (_tx, { amount }) => {
      delays.push(clock.now() - (movedAt.get(numberOf(amount.token.id)) ?? 0));
    },
    onUnlisted: async () => undefined,
    wake: () => undefined,
  });
  for (let first = 0; first < ALERTS; first += 500) {
    await store.write(async (tx) => {
      for (let index = first; index < first + 500; index += 1) {
        const number = index % PAIRS;
        const anchor = priceOf(number);
        // From 1 to 50 percent away, on both sides.
        const percent = BigInt(1 + (Math.floor(index / PAIRS) % 50));
        const isRise = index % 2 === 0;
        const line = (anchor * (isRise ? 100n + percent : 100n - percent)) / 100n;
        const rule = { way: isRise ? "least" : "most", units: line } as const;
        const owner = { kind: "alert", subject: `a${index}`, userId: 1 + (index % 1000) };
        await watch(tx, { ...owner, amount: amountOf(tokenOf(number), units), out: klv, rule, anchor }, clock.now());
      }
    });
  }
  const stopping = new AbortController();
  void watches.run(stopping.signal);
  void reader.run(stopping.signal);
  const block = async (): Promise<void> => {
    await clock.advance(BLOCK_MS);
    const traded = chain.flatMap((_, number) => (random() < 1 / TRADE_EVERY ? [number] : []));
    for (const number of traded) {
      const pool = chain[number]!;
      // Up to three percent up or down.
      const parts = 10_000n + BigInt(Math.floor((random() - 0.5) * 600));
      chain[number] = { ...pool, reserveFirst: (pool.reserveFirst * parts) / 10_000n };
      movedAt.set(number, clock.now());
    }
    blocks.add(traded.map((number) => movedTo(base64Of(chain[number]!.address))));
  };
  // Everything is asked for once first.
  for (let count = 0; count < 45; count += 1) await block();
  Object.assign(asked, { quotation: 0, node: 0 });
  delays.length = blocks.asked.length = 0;
  const hours = Number(minutes) / 60;
  for (let count = 0; count < hours * 900; count += 1) await block();
  stopping.abort();
  console.log(
    `${nameOf(hasBlocks)}: ${delays.length} alerts, ${figuresOf(delays)}; an hour ` +
      `${Math.round(asked.quotation / hours)} requests to the quotation service, ${Math.round(asked.node / hours)} for ` +
      `reserves, ${Math.round(blocks.asked.length / hours)} for blocks`,
  );
}

/** Limit orders, each alone, whose price a block reaches: until their cards are sent. */
async function orders(hasBlocks: boolean) {
  const random = createRandom(11);
  const delays: number[] = [];
  for (let count = 0; count < SINGLES; count += 1) {
    const stopping = new AbortController();
    let chain: ReturnType<typeof createChainOfBlocks> | undefined;
    const blocks = (basics: StoreBasics & { readonly clock: VirtualClock }) => {
      chain = createChainOfBlocks(basics.clock);
      const reader = createBlocks({ ...chain.node, ...basics });
      void reader.run(stopping.signal);
      return reader;
    };
    const world = createStandingWorld(hasBlocks ? { blocks } : undefined);
    const pool = poolOf(0, ["KLV", 100_000_000_000_000n], ["KFI", 1_010_000_000_000n]);
    const graph = createPoolGraph([pool]);
    world.graph = graph;
    world.price = (pay) => amountOut(sideOf(graph.poolAt(pool.address)!, "KLV"), pay.units);
    const process = world.start();
    await world.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
    await process.standing.create(OWNER, readLimit("100 KLV KFI for 1.05", world.tokens) as PriceOrderRequest);
    // Chance decides how its polls and the blocks go together.
    await world.clock.advance(Math.floor(random() * BLOCK_MS));
    const block = async (moved: readonly MovedTransaction[] = []) => {
      await world.clock.advance(BLOCK_MS);
      chain?.add(moved);
    };
    for (let left = 10 + Math.floor(random() * 20); left > 0; left -= 1) await block();
    await world.clock.advance(BLOCK_MS);
    graph.update({ ...pool, reserveSecond: (pool.reserveSecond * 110n) / 100n });
    chain?.add([movedTo(base64Of(pool.address))]);
    const blockAt = world.clock.now();
    while (world.told.length === 0) await block();
    delays.push(world.told[0]!.at - blockAt);
    stopping.abort();
    await Promise.all([process.stop(), world.clock.advance(60_000)]);
  }
  console.log(`${nameOf(hasBlocks)}: ${delays.length} orders, ${figuresOf(delays)}`);
}

/** Signed swaps, one after the other: from the block that has one until the card of its outcome. */
async function outcomes(hasBlocks: boolean) {
  const clock = createVirtualClock(1_700_000_000_000);
  const store = createMemoryDisk().open();
  const random = createRandom(13);
  await store.write((tx) => changePerson(tx, OWNER, (person) => ({ ...person, wallet: { address: alice, since: 0 } })));
  const chain = createChainOfBlocks(clock);
  const blocks = createBlocks({ ...chain.node, store, clock, log });
  let [height, nonce, requests, ids] = [1, 7n, 0, 0];
  let pending: { readonly hash: string; readonly signature: string } | undefined;
  const mined = new Map<string, ChainTransaction>();
  const asked = async <Answer>(answer: () => Answer): Promise<Answer> => {
    requests += 1;
    await clock.sleep(20);
    return answer();
  };
  const found = (hash: string): ChainTransaction | undefined =>
    mined.get(hash) ??
    (pending?.hash === hash ? { block: 0n, isOk: true, returnData: [], signature: pending.signature } : undefined);
  const node = {
    nonce: () => asked(() => ({ nonce, txPending: 0n })),
    height: () => asked(() => BigInt(height)),
    transaction: ({ transaction }: Pick<SignedIntent, "transaction">) => asked(() => found(transaction.hash)),
    broadcast: ({ hash }: { readonly hash: string }, bytes: Uint8Array) =>
      asked(() => void (pending = { hash, signature: Buffer.from(bytes).toString("hex") })),
  } as unknown as ChainNode;
  const events: IntentParts["events"] = new EventEmitter();
  const intents = createIntents({
    ...{ store, clock, log, events, run: "run" },
    newId: () => `intent-${(ids += 1)}`,
    gateway: {
      interrupted: "not-sent",
      begin: async () => ({
        kind: "request",
        transaction: preparedTransaction({
          ...{ hash: `hash-${ids}`, nonce, token: `token-${ids}` },
          ...{ signUntil: clock.now() + 60_000, sendUntil: clock.now() + 180_000 },
        }),
      }),
    },
    objection: async () => undefined,
    noteChange: async () => undefined,
    kinds: {
      recordEffects: async () => undefined,
      flowOf: () => ({ paid: [] }),
      holdings: async () => undefined,
      seen: async () => [],
      isConfigured: async () => true,
      recheck: async () => undefined,
    },
    onUnreadable: () => undefined,
    outbox: { wakeBy: () => undefined },
  });
  const shown = new Map<string, number>();
  const tracker = createTransactionTracker({
    ...{ node, intents, store, clock, log, blocks: hasBlocks ? blocks : toldBlocks({ isCurrent: false }).blocks },
    present: async ({ id, state }) => {
      if (state === "OK") shown.set(id, clock.now());
    },
  });
  events.on("changed", tracker.wakeAfter);
  const stopping = new AbortController();
  void tracker.run(stopping.signal);
  void blocks.run(stopping.signal);
  /** @returns whether the transaction that waited is in it. */
  const mine = (): boolean => {
    height += 1;
    const taken = pending;
    pending = undefined;
    if (taken !== undefined) {
      mined.set(taken.hash, { block: BigInt(height), isOk: true, returnData: [], signature: taken.signature });
      nonce += 1n;
    }
    chain.add(taken === undefined ? [] : [{ ...movedTo("", base64Of(alice)), hash: taken.hash }]);
    return taken !== undefined;
  };
  const delays: number[] = [];
  for (let count = 0; count < SINGLES; count += 1) {
    const since = Math.floor(random() * BLOCK_MS);
    await clock.advance(since);
    const { id } = await intents.open(OWNER, OWNER, { ...draft, expiresAt: clock.now() + 30_000 });
    await intents.confirm(OWNER, id);
    await intents.requests.sign(OWNER, id, "aa".repeat(64));
    await clock.advance(BLOCK_MS - since);
    let blockAt = mine() ? clock.now() : undefined;
    while (!shown.has(id)) {
      await clock.advance(BLOCK_MS);
      if (mine()) blockAt = clock.now();
    }
    delays.push(shown.get(id)! - blockAt!);
  }
  stopping.abort();
  console.log(
    `${nameOf(hasBlocks)}: ${delays.length} outcomes, ${figuresOf(delays)}; ${(requests / SINGLES).toFixed(1)} requests to the node each`,
  );
}

/** Swaps in a watched pair, one after the other: from their blocks until they are told. */
async function trades() {
  const world = createTradesWorld();
  const process = await world.start();
  await process.bigTrades.watch(1, watchOf(1));
  await world.blocks(30);
  const delays: number[] = [];
  world.chain.asked.length = 0;
  const hours = Number(minutes) / 60;
  for (let slot = 1; slot <= hours * 900; slot += 1) {
    // One slot of twenty has no block.
    if (slot % 20 === 0) await world.clock.advance(BLOCK_MS);
    else await world.block(slot % 80 === 1 ? [world.swap(10)] : []);
    if (slot % 80 !== 1) continue;
    const blockAt = world.clock.now();
    const before = world.told.length;
    for (let waited = 0; waited < 79; waited += 1, slot += 1) await world.block();
    delays.push(world.told[before]!.at - blockAt);
  }
  const requests = Math.round(world.chain.asked.length / hours);
  console.log(
    `with blocks: ${delays.length} big trades, ${figuresOf(delays)}; an hour ${requests} requests for blocks`,
  );
  await process.stop();
}

function figuresOf(delays: readonly number[]): string {
  const sorted = delays.toSorted((one, other) => one - other);
  const seconds = (milliseconds = 0) => (milliseconds / 1000).toFixed(1);
  const mean = delays.reduce((sum, each) => sum + each, 0) / delays.length;
  const p95 = sorted[Math.floor(0.95 * sorted.length)];
  return `from the block ${seconds(mean)} s on average, ${seconds(sorted[sorted.length >> 1])} s as the median, ${seconds(p95)} s p95`;
}

/** What it costs to read and match a block of 100 swaps of two hops each, in a store on the disk. */
async function cpu() {
  const directory = await mkdtemp(join(tmpdir(), "blocks-"));
  const store = openStore({ directory });
  const count = Number(people);
  const bytesOf = (number: number, first: number) => {
    const bytes = Buffer.alloc(32, 3);
    bytes.writeUInt32BE(number, 28);
    bytes[0] = first;
    return bytes;
  };
  for (let from = 1; from <= count; from += 500) {
    await store.write(async (tx) => {
      const rows = Array.from({ length: Math.min(500, count - from + 1) }, (_, at) => ({
        ...{ kind: "big-trades", subject: `${addressFromBytes(bytesOf(from + at, 0))} KFI KLV`, user_id: from + at },
        ...{ least: "1".padStart(40, "0"), since: 0, told: 0, due_at: null, away: null },
      }));
      await tx.insertInto("news_watches").values(rows).execute();
    });
  }
  const text = blockText(
    100,
    (number) => bytesOf(number, 9),
    (number) => Buffer.from([...Buffer.alloc(8), ...bytesOf(number, 5).subarray(8)]),
  );
  const http = { request: async () => ({ status: 200, headers: {}, text, receivedAt: 0 }) } as never;
  let onBlock: BelievingListener["onBlock"] = async () => undefined;
  const blocks = { ...toldBlocks().blocks, time: () => 0, isClosed: async () => false };
  createBigTrades({
    blocks: { ...blocks, believe: (listener) => void (onBlock = listener.onBlock) },
    pools: { fresh: async () => createPoolGraph([]) },
    outbox: { wake: () => undefined, giveWay: () => ({ room: async () => 0, moved: () => undefined }) },
    ...{ store, clock: systemClock, log },
  });
  const once = async () => {
    const block = await readBlock({ nodeUrl: "http://node", http }, 500);
    await onBlock(block!);
  };
  for (let warm = 0; warm < 200; warm += 1) await once();
  const turns: number[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    const before = process.cpuUsage();
    for (let time = 0; time < 25; time += 1) await once();
    const { user, system } = process.cpuUsage(before);
    turns.push((user + system) / 25_000);
  }
  const sorted = turns.toSorted((one, other) => one - other);
  console.log(
    `a block of 100 swaps (${Math.round(text.length / 1000)} kB) among ${count} addresses: ` +
      `${sorted[sorted.length >> 1]!.toFixed(2)} ms of CPU as the median of ${turns.length} turns, ${sorted[0]!.toFixed(2)} at least`,
  );
  await store.close();
  await rm(directory, { recursive: true });
}

/** A block as a node shows it: each swap goes through two pairs, and leaves five receipts. */
function blockText(count: number, person: (number: number) => Buffer, pair: (number: number) => Buffer): string {
  const of64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
  const hashOf = (number: number) => number.toString(16).padStart(64, "0");
  const receipt = (...data: readonly (Buffer | string)[]) => ({
    Data: data.map((each) => Buffer.from(each as string).toString("base64")),
  });
  const transfer = (from: Buffer, to: Buffer) =>
    receipt(Buffer.of(0, 0), from, to, "12345678901", "KLV", "", Buffer.of(0));
  const swap = (number: number) => {
    const sender = person(number);
    const [one, two] = [pair(1), pair(2)];
    const Parameter = { type_url: "type.googleapis.com/proto.SmartContract", value: "A".repeat(120) };
    return {
      RawData: {
        Nonce: 5,
        Sender: sender.toString("base64"),
        Contract: [{ Type: 63, Parameter }],
        Data: ["B".repeat(240)],
      },
      Signature: ["C".repeat(88)],
      Block: 500,
      Receipts: [
        receipt(Buffer.of(19, 255), sender, "1"),
        ...[transfer(sender, one), transfer(one, two), transfer(two, sender), transfer(one, pair(3))],
      ],
      status: "onChain",
      hash: hashOf(number),
      signature: ["d".repeat(128)],
    };
  };
  const all = Array.from({ length: count }, (_, number) => number);
  const Header = { Nonce: 500, ParentHash: of64(hashOf(9)), Timestamp: 1_700_000_000_000 };
  const TxHashes = all.map((number) => of64(hashOf(number)));
  const block = { Header, TxHashes, hash: hashOf(7), status: "on-chain", transactions: all.map(swap) };
  return JSON.stringify({ data: { block }, error: "", code: "successful" });
}

function base64Of(address: Address): string {
  return Buffer.from(addressToBytes(address)).toString("base64");
}

function nameOf(hasBlocks: boolean): string {
  return hasBlocks ? "with blocks" : "without";
}

for (const hasBlocks of [true, false]) {
  await alerts(hasBlocks);
  await orders(hasBlocks);
  await outcomes(hasBlocks);
}
await trades();
await cpu();
