import { readOrLog, type Basics } from "../../loop.js";
import type { Address } from "../../encoding/address.js";
import { unlessFaultSync } from "../../fault.js";
import { createBudget } from "../base/budget.js";
import { amountOut, canSwap, type Pool, sideOf } from "../market/pool.js";
import type { Pools } from "../market/pools.js";
import { bestRoute, type PoolGraph, type Route } from "../market/route.js";
import type { PriceQuestion } from "./price-rule.js";

/** What tells that a pair is in a block: the node's feed. */
export interface PairFeed {
  readonly watch: (address: string, look: () => Promise<boolean>) => () => void;
  /** Whether it tells of this address at present, as far as anybody can know. */
  readonly covers: (address: string) => boolean;
  /** Calls a function whenever it tells of nothing any more. */
  readonly onLost: (listener: () => void) => void;
}

interface PriceReserveParts extends Basics {
  readonly feed: PairFeed;
  readonly pools: Pick<Pools, "known" | "rereadReserves">;
  /** Whether a watch may be crossed by an answer between these, in base units. */
  readonly isNearLine: (id: string, low: bigint, high: bigint) => Promise<boolean>;
  /** Has the question asked now. */
  readonly ask: (id: string) => Promise<void>;
}

/**
 * What the reserves of pools say about watched prices. It decides only when the service is asked: reserves aren't its
 * answer, and no watch is crossed by them.
 */
export interface PriceReserves {
  /** Whether whatever moves the answer much is told of, so that asking seldom is enough. */
  readonly tells: (id: string) => boolean;
  /** Notes what the service has answered. @returns as `tells`: not if the reserves imply something else. */
  readonly note: (id: string, question: PriceQuestion, units: bigint) => Promise<boolean>;
  readonly stop: () => void;
}

/** A question's route when it was last asked, and what its reserves implied then. */
interface FollowedPrice {
  readonly question: PriceQuestion;
  readonly hops: readonly { readonly pair: Address; readonly tokenIn: string }[];
  readonly implied: bigint;
  readonly quoted: bigint;
  readonly notedAt: number;
}

interface FollowedPair {
  readonly ids: Set<string>;
  /** Its reserves when its questions were last compared with them. */
  compared: string;
  readonly unwatch: () => void;
}

/** If the service's answer and the reserves differ by more than one part in this many, they aren't about the same. */
const ONE_PERCENT = 100n;
/** The service is asked if the reserves imply a price that is so close to a line: one part in a thousand. */
const NEAR = 1000n;
/** Which pools there are changes seldom; those on a route are read when it is noted, and whenever they are told of. */
const GRAPH_MAX_AGE_MS = 900_000;
/** Each read takes two requests, within the node's limits. */
const READS_PER_SECOND = 10;
/** A question that hasn't been asked for so long is no longer watched. */
const FOLLOWED_MS = 900_000;

export function createPriceReserves(parts: PriceReserveParts): PriceReserves {
  const { feed, pools, clock } = parts;
  const budget = createBudget({ service: "node", clock, requestsPerSecond: READS_PER_SECOND });
  const followed = new Map<string, FollowedPrice>();
  const pairs = new Map<Address, FollowedPair>();
  const leave = (id: string, hops: FollowedPrice["hops"]): void => {
    for (const { pair } of hops) {
      const known = pairs.get(pair);
      known?.ids.delete(id);
      if (known?.ids.size !== 0) continue;
      known.unwatch();
      pairs.delete(pair);
    }
  };
  const drop = (id: string): void => {
    leave(id, followed.get(id)?.hops ?? []);
    followed.delete(id);
  };
  const compare = async (graph: PoolGraph, id: string): Promise<void> => {
    const known = followed.get(id);
    if (known === undefined) return;
    const estimate = (alongNow(graph, known) * known.quoted) / known.implied;
    const margin = estimate / NEAR + 1n;
    // A pool that no longer swaps says nothing.
    if (estimate === 0n || (await parts.isNearLine(id, estimate - margin, estimate + margin))) await parts.ask(id);
  };
  /** @returns whether the reserves have changed. */
  const look = async (pair: Address): Promise<boolean> => {
    await budget.poll();
    const graph = await readOrLog(parts, "A pair's reserves could not be read", () => pools.rereadReserves([pair]));
    const known = pairs.get(pair);
    const now = textOfReserves(graph?.poolAt(pair));
    if (graph === undefined || known === undefined || known.compared === now) return false;
    known.compared = now;
    for (const id of known.ids) await compare(graph, id);
    return true;
  };
  const follow = (id: string, question: PriceQuestion, route: Route, quoted: bigint): void => {
    const before = followed.get(id)?.hops ?? [];
    const hops = route.hops.map(({ pool, tokenIn }) => ({ pair: pool.address, tokenIn }));
    for (const { pool } of route.hops) {
      const pair = pool.address;
      // What it was compared with stays, since other questions may not have been.
      const watched = () => ({
        ids: new Set<string>(),
        compared: textOfReserves(pool),
        unwatch: feed.watch(pair, () => look(pair)),
      });
      const known = pairs.get(pair) ?? watched();
      known.ids.add(id);
      pairs.set(pair, known);
    }
    leave(
      id,
      before.filter(({ pair }) => hops.every((hop) => hop.pair !== pair)),
    );
    followed.delete(id);
    followed.set(id, { question, hops, implied: route.amountOut, quoted, notedAt: clock.monotonic() });
  };
  const isFollowed = (pair: Address): boolean => pairs.has(pair) && feed.covers(pair);
  const tells = (id: string): boolean => followed.get(id)?.hops.every(({ pair }) => feed.covers(pair)) === true;

  return {
    tells,
    note: async (id, question, units) => {
      for (const [each, { notedAt }] of followed) {
        if (clock.monotonic() - notedAt < FOLLOWED_MS) break;
        drop(each);
      }
      const route = await readOrLog(parts, "A price could not be compared with the pools", () =>
        routeNow(pools, question, isFollowed),
      );
      if (route === undefined || isApart(route.amountOut, units)) drop(id);
      else follow(id, question, route, units);
      return tells(id);
    },
    stop: budget.stop,
  };
}

/** The best route, over reserves that are up to date. Undefined if there is none. */
async function routeNow(
  pools: PriceReserveParts["pools"],
  { amount, out }: PriceQuestion,
  isFresh: (pair: Address) => boolean,
): Promise<Route | undefined> {
  const trade = { tokenIn: amount.token.id, tokenOut: out.id, amountIn: amount.units };
  const graph = await pools.known(GRAPH_MAX_AGE_MS);
  const first = graph && unlessFaultSync(() => bestRoute(graph, trade));
  if (first === undefined) return undefined;
  const stale = first.hops.map(({ pool }) => pool.address).filter((pair) => !isFresh(pair));
  return stale.length === 0 ? first : bestRoute(await pools.rereadReserves(stale), trade);
}

function isApart(implied: bigint, quoted: bigint): boolean {
  const difference = implied > quoted ? implied - quoted : quoted - implied;
  return quoted === 0n || difference * ONE_PERCENT > quoted;
}

/** What the route gives now; zero if it is closed. */
function alongNow(graph: PoolGraph, { question, hops }: FollowedPrice): bigint {
  return hops.reduce((units, { pair, tokenIn }) => {
    const pool = graph.poolAt(pair);
    return pool === undefined || !canSwap(pool) ? 0n : amountOut(sideOf(pool, tokenIn), units);
  }, question.amount.units);
}

function textOfReserves(pool: Pool | undefined): string {
  return pool === undefined ? "" : `${pool.reserveFirst}/${pool.reserveSecond}/${pool.state}`;
}
