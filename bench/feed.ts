// How long it takes from a block to a price alert, to a standing order's card and to the card of a transaction's outcome, and
// what is asked in an hour, with the node's feed and without, on a virtual clock with blocks of four seconds: 10,000 alerts
// about 100 pairs that trade every ten minutes each; limit orders and signed swaps one after the other.
// Run from the root of the project: npx tsx bench/feed.ts [minutes]
import { EventEmitter } from "node:events";
import pino from "pino";
import { amountOf, type Token } from "../src/encoding/amount.js";
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
import { createMemoryDisk } from "../test/support/memory-store.js";
import { talkingFeed } from "../test/support/talking-feed.js";
import { createVirtualClock, type VirtualClock } from "../test/support/virtual-clock.js";
import { preparedTransaction } from "../test/support/wallet-transaction.js";
import { draft } from "../test/services/intent/arrange.js";
import { poolOf } from "../test/services/market/pool-samples.js";
import { alice } from "../test/services/samples.js";
import { createStandingWorld, OWNER } from "../test/services/standing/standing-world.js";

const [minutes = "60"] = process.argv.slice(2);
const [ALERTS, PAIRS, TRADE_EVERY, BLOCK_MS] = [10_000, 100, 150, 4000];
/** Orders and swaps, each. */
const SINGLES = 100;
const log = pino({ level: "silent" });
const klv: Token = { id: "KLV", name: "KLV", precision: 6, kind: "fungible" };
const tokenOf = (number: number): Token => ({ ...klv, id: `T${number}-AAAA` });
const units = 10_000_000n;

async function alerts(hasFeed: boolean) {
  const clock = createVirtualClock(1_700_000_000_000);
  const store = createMemoryDisk().open();
  const random = createRandom(7);
  const reserve = 1_000_000_000_000_000n;
  const chain: Pool[] = Array.from({ length: PAIRS }, (_, number) =>
    poolOf(number, ["KLV", reserve], [tokenOf(number).id, reserve / 100n]),
  );
  const graph = createPoolGraph(chain);
  const numberOf = (id: string) => Number(/\d+/.exec(id)?.[0]);
  const priceOf = (number: number) => amountOut(sideOf(chain[number]!, tokenOf(number).id), units);
  const asked = { quotation: 0, node: 0 };
  const movedAt = new Map<number, number>();
  const delays: number[] = [];

  const { feed, block: tell } = talkingFeed(clock);
  const watches = createPriceWatches({
    ...{ store, clock, log, requestsPerSecond: 2, everySeconds: 15 },
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
    ...(hasFeed && { feed }),
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
  if (hasFeed) void feed.run(stopping.signal);
  let nonce = 1;
  const block = async (): Promise<void> => {
    await clock.advance(BLOCK_MS);
    nonce += 1;
    const traded = chain.flatMap((_, number) => (random() < 1 / TRADE_EVERY ? [number] : []));
    for (const number of traded) {
      const pool = chain[number]!;
      // Up to three percent up or down.
      const parts = 10_000n + BigInt(Math.floor((random() - 0.5) * 600));
      chain[number] = { ...pool, reserveFirst: (pool.reserveFirst * parts) / 10_000n };
      movedAt.set(number, clock.now());
    }
    tell(
      nonce,
      traded.map((number) => chain[number]!.address),
    );
  };
  // Everything is asked for once first.
  for (let count = 0; count < 45; count += 1) await block();
  Object.assign(asked, { quotation: 0, node: 0 });
  delays.length = 0;
  const hours = Number(minutes) / 60;
  for (let count = 0; count < hours * 900; count += 1) await block();
  stopping.abort();
  console.log(
    `${nameOf(hasFeed)}: ${delays.length} alerts, ${figuresOf(delays)}; an hour ` +
      `${Math.round(asked.quotation / hours)} requests to the quotation service, ${Math.round(asked.node / hours)} to the node`,
  );
}

/** Limit orders, each alone, whose price a block reaches: until their cards are sent. */
async function orders(hasFeed: boolean) {
  const random = createRandom(11);
  const delays: number[] = [];
  for (let count = 0; count < SINGLES; count += 1) {
    let told: ReturnType<typeof talkingFeed> | undefined;
    const feed = hasFeed ? (clock: VirtualClock) => (told = talkingFeed(clock)).feed : undefined;
    const world = createStandingWorld({ feed });
    const pool = poolOf(0, ["KLV", 100_000_000_000_000n], ["KFI", 1_010_000_000_000n]);
    const graph = createPoolGraph([pool]);
    world.graph = graph;
    world.price = (pay) => amountOut(sideOf(graph.poolAt(pool.address)!, "KLV"), pay.units);
    const process = world.start();
    const stopping = new AbortController();
    void told?.feed.run(stopping.signal);
    await world.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
    await process.standing.create(OWNER, readLimit("100 KLV KFI for 1.05", world.tokens) as PriceOrderRequest);
    // Chance decides how its polls and the blocks go together.
    await world.clock.advance(Math.floor(random() * BLOCK_MS));
    let nonce = 1;
    const blocks = 10 + Math.floor(random() * 20);
    while (nonce < blocks) {
      await world.clock.advance(BLOCK_MS);
      nonce += 1;
      told?.block(nonce, []);
    }
    await world.clock.advance(BLOCK_MS);
    graph.update({ ...pool, reserveSecond: (pool.reserveSecond * 110n) / 100n });
    told?.block(nonce + 1, [pool.address]);
    const blockAt = world.clock.now();
    for (let block = nonce + 2; world.told.length === 0; block += 1) {
      await world.clock.advance(BLOCK_MS);
      told?.block(block, []);
    }
    delays.push(world.told[0]!.at - blockAt);
    stopping.abort();
    await Promise.all([process.stop(), world.clock.advance(60_000)]);
  }
  console.log(`${nameOf(hasFeed)}: ${delays.length} orders, ${figuresOf(delays)}`);
}

/** Signed swaps, one after the other: from the block that has one until the card of its outcome. */
async function outcomes(hasFeed: boolean) {
  const clock = createVirtualClock(1_700_000_000_000);
  const store = createMemoryDisk().open();
  const random = createRandom(13);
  await store.write((tx) => changePerson(tx, OWNER, (person) => ({ ...person, wallet: { address: alice, since: 0 } })));
  const { feed, block } = talkingFeed(clock);
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
    ...{ node, intents, store, clock, log, feed: hasFeed ? feed : undefined },
    present: async ({ id, state }) => {
      if (state === "OK") shown.set(id, clock.now());
    },
  });
  events.on("changed", tracker.wakeAfter);
  const stopping = new AbortController();
  void tracker.run(stopping.signal);
  if (hasFeed) void feed.run(stopping.signal);
  /** @returns whether the transaction that waited is in it. */
  const mine = (): boolean => {
    height += 1;
    const taken = pending;
    pending = undefined;
    if (taken !== undefined) {
      mined.set(taken.hash, { block: BigInt(height), isOk: true, returnData: [], signature: taken.signature });
      nonce += 1n;
    }
    block(height, taken === undefined ? [] : [alice]);
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
    `${nameOf(hasFeed)}: ${delays.length} outcomes, ${figuresOf(delays)}; ${(requests / SINGLES).toFixed(1)} requests to the node each`,
  );
}

function nameOf(hasFeed: boolean): string {
  return hasFeed ? "with the feed" : "without";
}

function figuresOf(delays: readonly number[]): string {
  const sorted = delays.toSorted((one, other) => one - other);
  const seconds = (milliseconds = 0) => (milliseconds / 1000).toFixed(1);
  const mean = delays.reduce((sum, each) => sum + each, 0) / delays.length;
  const p95 = sorted[Math.floor(0.95 * sorted.length)];
  return `from the block ${seconds(mean)} s on average, ${seconds(sorted[sorted.length >> 1])} s as the median, ${seconds(p95)} s p95`;
}

for (const hasFeed of [true, false]) {
  await alerts(hasFeed);
  await orders(hasFeed);
  await outcomes(hasFeed);
}
