// The cost of a route query, compared with its integer evaluations alone, and with @uniswap/v2-sdk's
// `Trade.bestTradeExactIn` and `bestTradeExactOut` for the same queries on the same pools, all in one run.
// Run from the root of the project: npm ci --prefix bench && npx tsx bench/routes.ts
import { CurrencyAmount, Token } from "@uniswap/sdk-core";
import { Pair, Trade } from "@uniswap/v2-sdk";
import { addressFromBytes } from "../src/encoding/address.js";
import { NATIVE_TOKEN } from "../src/encoding/amount.js";
import { amountIn, amountOut, type Side, type Pool } from "../src/services/market/pool.js";
import { poolPrice } from "../src/services/market/price-tree.js";
import {
  bestRoute,
  bestRouteFixedOutput,
  findBest,
  createPoolGraph,
  type PoolGraph,
} from "../src/services/market/route.js";

const TOKENS = 200;
const POOLS = 1_000;
const HUBS = 3;
const QUERIES = 200;
const ROUNDS = 25;
/** Maximum number of the same queries for the peer, and maximum total duration. */
const PEER_QUERIES = 40;
const PEER_MS = 12_000;

interface Question {
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amount: bigint;
}
type Kind = "given input" | "wanted output";

/** Yields the same numbers in each run (a linear congruential generator). */
let state = 20_261_120;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}
const below = (limit: number): number => Math.floor(random() * limit);

interface Listed {
  readonly id: string;
  readonly decimals: number;
  /** In dollars per whole token. */
  readonly price: number;
}
const tokens: Listed[] = Array.from({ length: TOKENS }, (_, number) => ({
  id: `T${number}`,
  decimals: random() < 0.5 ? 6 : 18,
  price: Math.exp((random() - 0.5) * 8),
}));
/** An amount of a token by its value, in base units. */
const worth = (token: Listed, dollars: number): bigint =>
  BigInt(Math.max(1, Math.floor((dollars / token.price) * 1e6))) * 10n ** BigInt(token.decimals - 6);

/** Each token has a pool with one of three hubs; of the other pools, half are with a hub. One pool per pair. */
function market(): Pool[] {
  const pools = new Map<string, Pool>();
  const add = (one: number, other: number): void => {
    const [first, second] = [tokens[Math.min(one, other)], tokens[Math.max(one, other)]];
    if (first === undefined || second === undefined || first === second) return;
    const key = `${first.id}/${second.id}`;
    if (pools.has(key)) return;
    const bytes = new Uint8Array(32);
    bytes.set([5, 0], 8);
    new DataView(bytes.buffer).setUint32(28, pools.size + 1);
    const dollars = Math.exp(9 + random() * 5) / 2;
    pools.set(key, {
      address: addressFromBytes(bytes),
      first: first.id,
      second: second.id,
      reserveFirst: worth(first, dollars * (1 + (random() - 0.5) * 0.01)),
      reserveSecond: worth(second, dollars * (1 + (random() - 0.5) * 0.01)),
      feePercent: 300n,
      state: "Active",
    });
  };
  for (let one = 0; one < HUBS; one++) for (let other = one + 1; other < HUBS; other++) add(one, other);
  for (let number = HUBS; number < TOKENS; number++) add(number, below(HUBS));
  while (pools.size < POOLS) add(random() < 0.5 ? below(HUBS) : below(TOKENS), below(TOKENS));
  return [...pools.values()];
}

function questions(kind: Kind): Question[] {
  return Array.from({ length: QUERIES }, () => {
    const one = below(TOKENS);
    const [from, to] = [tokens[one], tokens[(one + 1 + below(TOKENS - 1)) % TOKENS]];
    if (from === undefined || to === undefined) throw new Error("no such token");
    return { tokenIn: from.id, tokenOut: to.id, amount: worth(kind === "given input" ? from : to, 100) };
  });
}

/** Microseconds per query: the minimum of many rounds, because other work on the machine can only add time. */
function least(rounds: number, queries: number, ...tasks: readonly (() => void)[]): number[] {
  const best = tasks.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    tasks.forEach((task, index) => {
      const start = performance.now();
      task();
      best[index] = Math.min(best[index] ?? 0, performance.now() - start);
    });
  }
  return best.map((milliseconds) => (milliseconds * 1_000) / queries);
}

const ask = (graph: PoolGraph, kind: Kind, { tokenIn, tokenOut, amount }: Question, maxHops: number) =>
  kind === "given input"
    ? bestRoute(graph, { tokenIn, tokenOut, amountIn: amount }, maxHops)?.amountOut
    : bestRouteFixedOutput(graph, { tokenIn, tokenOut, amountOut: amount }, maxHops)?.amountIn;

/** Records the integer evaluations of the queries, to repeat them on their own. */
function evaluationsOf(graph: PoolGraph, kind: Kind, asked: readonly Question[], maxHops: number): [Side, bigint][] {
  const made: [Side, bigint][] = [];
  for (const { tokenIn, tokenOut, amount } of asked) {
    const forward = kind === "given input";
    findBest(graph, {
      ...(forward ? { from: tokenIn, to: tokenOut } : { from: tokenOut, to: tokenIn }),
      maxHops,
      amount,
      step: (onward, backward, before) => {
        made.push([forward ? onward : backward, before]);
        return forward ? amountOut(onward, before) : amountIn(backward, before);
      },
      isBetter: (candidate, present) => (forward ? candidate > present : candidate < present),
    });
  }
  return made;
}

function measureOurs(graph: PoolGraph, kind: Kind, asked: readonly Question[], maxHops: number): void {
  const made = evaluationsOf(graph, kind, asked, maxHops);
  const formula = kind === "given input" ? amountOut : amountIn;
  const [query = 0, evaluations = 0] = least(
    maxHops > 3 ? 5 : ROUNDS,
    asked.length,
    () => {
      for (const question of asked) ask(graph, kind, question, maxHops);
    },
    () => {
      // Compares the results, like the search, so that no evaluation can be optimized away.
      let best = 0n;
      for (const [side, amount] of made) {
        const result = formula(side, amount);
        if (result > best) best = result;
      }
      if (best === 0n) throw new Error("nothing was evaluated");
    },
  );
  console.log(
    `${kind}, ${maxHops} hops: ${query.toFixed(1)} us a query, its ${(made.length / asked.length).toFixed(0)} evaluations ` +
      `alone ${evaluations.toFixed(1)} us: ${(query / evaluations).toFixed(2)} times`,
  );
}

function measurePeer(graph: PoolGraph, pools: readonly Pool[], kind: Kind, asked: readonly Question[]): void {
  const peers = new Map(
    tokens.map(({ id, decimals }) => [
      id,
      new Token(1, `0x${(Number(id.slice(1)) + 1).toString(16).padStart(40, "0")}`, decimals, id),
    ]),
  );
  const amountOf = (id: string, units: bigint) => {
    const token = peers.get(id);
    if (token === undefined) throw new Error(`no token ${id}`);
    return CurrencyAmount.fromRawAmount(token, units.toString());
  };
  const pairs = pools.map(
    (pool) => new Pair(amountOf(pool.first, pool.reserveFirst), amountOf(pool.second, pool.reserveSecond)),
  );
  const options = { maxHops: 3, maxNumResults: 1 };
  const askPeer = ({ tokenIn, tokenOut, amount }: Question): string | undefined =>
    kind === "given input"
      ? Trade.bestTradeExactIn(
          pairs,
          amountOf(tokenIn, amount),
          amountOf(tokenOut, 0n).currency,
          options,
        )[0]?.outputAmount.quotient.toString()
      : Trade.bestTradeExactOut(
          pairs,
          amountOf(tokenIn, 0n).currency,
          amountOf(tokenOut, amount),
          options,
        )[0]?.inputAmount.quotient.toString();

  let [put, equal, theirs] = [0, 0, 0];
  while (put < PEER_QUERIES && theirs < PEER_MS) {
    const question = asked[put];
    if (question === undefined) break;
    const start = performance.now();
    const answer = askPeer(question);
    theirs += performance.now() - start;
    put++;
    if (answer === ask(graph, kind, question, 3)?.toString()) equal++;
  }
  const same = asked.slice(0, put);
  const [ours = 0] = least(ROUNDS, put, () => {
    for (const question of same) ask(graph, kind, question, 3);
  });
  const peer = (theirs * 1_000) / put;
  console.log(
    `${kind}, 3 hops, the same ${put} questions: @uniswap/v2-sdk ${peer.toFixed(0)} us, Swapdesk ${ours.toFixed(1)} us: ` +
      `${(peer / ours).toFixed(0)} times faster; equal answers ${equal} of ${put}`,
  );
}

const pools = market();
const graph = createPoolGraph(pools);
console.log(`${TOKENS} tokens, ${pools.length} pools, ${QUERIES} questions, Node ${process.versions.node}`);
for (const kind of ["given input", "wanted output"] as const) {
  const asked = questions(kind);
  for (const maxHops of [3, 4]) measureOurs(graph, kind, asked, maxHops);
  measurePeer(graph, pools, kind, asked);
}
const [build = 0] = least(ROUNDS, 1, () => {
  createPoolGraph(pools).network();
});
console.log(`the graph built: ${build.toFixed(0)} us`);

// What a card needs once its pools were read again: a price over a graph that has just changed, then more over the same.
const named = (id: string): string => (id === "T0" ? NATIVE_TOKEN : id);
const native = pools.map((pool) => ({ ...pool, first: named(pool.first), second: named(pool.second) }));
const around = createPoolGraph(native);
const [changed = 0] = least(ROUNDS, 1, () => {
  native.slice(0, 1).forEach(around.update);
  poolPrice(around, "T1", "T2");
});
const asked = questions("given input");
const [priced = 0] = least(ROUNDS, asked.length, () => {
  for (const { tokenIn, tokenOut } of asked) poolPrice(around, named(tokenIn), named(tokenOut));
});
console.log(
  `a pool price after a change: ${changed.toFixed(0)} us, the graph included; another one: ${priced.toFixed(1)} us`,
);
