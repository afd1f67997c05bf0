import type { Clock } from "../../clock.js";
import { type Address, addressToBytes } from "../../encoding/address.js";
import { unlessFaultSync } from "../../fault.js";
import { readOrLog, type Basics } from "../../loop.js";
import { createBudget } from "../base/budget.js";
import { createLooksAgain } from "../base/looks-again.js";
import { amountOut, canSwap, sideOf } from "../market/pool.js";
import type { Pools } from "../market/pools.js";
import { bestRoute, type PoolGraph, type Route } from "../market/route.js";
import type { PriceQuestion } from "./price-rule.js";

/** The newest block: whose accounts, in base64, it moved something from or to; undefined if nobody knows that. */
interface MovingBlock {
  readonly number: number;
  readonly accounts: ReadonlySet<string> | undefined;
}

/** What tells of each block as it comes. */
export interface BlocksOfPairs {
  readonly look: (listener: {
    readonly isWanted: () => boolean;
    readonly onNewest: (block: MovingBlock) => void;
    readonly onLost: () => void;
  }) => void;
  readonly state: () => { readonly isCurrent: boolean };
  readonly wake: () => void;
}

interface PriceReserveParts extends Basics {
  readonly blocks: BlocksOfPairs;
  readonly pools: Pick<Pools, "known" | "rereadReserves">;
  /** Whether a watch may be crossed by an answer between these, in base units. */
  readonly isNearLine: (id: string, low: bigint, high: bigint) => Promise<boolean>;
  /** Has the question asked now. */
  readonly ask: (id: string) => Promise<void>;
  /** Called when blocks don't tell any more what moves the answers. */
  readonly onLost: () => void;
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
  const { blocks, pools, clock } = parts;
  const budget = createBudget({ service: "node", clock, requestsPerSecond: READS_PER_SECOND });
  const followed = createFollowedPrices(clock);
  /** Pairs whose reserves may not show yet what a block has moved, with its number. */
  const unread = createLooksAgain<Address, number>();
  /** Questions to which the service's answer may still be the one from before the reserves changed. */
  const unanswered = createLooksAgain<string, bigint>();
  const looking = new Set<Address>();
  /** Whether the last block lacked nothing. */
  let isWhole = true;

  /** @returns whether the reserves imply something new. */
  const compare = async (graph: PoolGraph, id: string, known: FollowedPrice): Promise<boolean> => {
    const output = alongNow(graph, known);
    if (output === known.compared) return false;
    known.compared = output;
    const estimate = (output * known.quoted) / known.implied;
    const margin = estimate / NEAR + 1n;
    // A pool that no longer swaps says nothing.
    if (estimate !== 0n && !(await parts.isNearLine(id, estimate - margin, estimate + margin))) return true;
    unanswered.add(id, known.quoted);
    await parts.ask(id);
    return true;
  };
  const look = async (pair: Address): Promise<void> => {
    if (looking.has(pair)) return;
    const block = unread.before(pair);
    looking.add(pair);
    await budget.poll();
    const graph = await readOrLog(parts, "A pair's reserves could not be read", () => pools.rereadReserves([pair]));
    looking.delete(pair);
    if (graph === undefined) return;
    for (const [id, known] of followed.on(pair)) {
      const isNew = await compare(graph, id, known);
      if (isNew && unread.before(pair) === block) unread.settle(pair);
    }
  };
  const noteBlock = async ({ number, accounts }: MovingBlock): Promise<void> => {
    const wasWhole = isWhole;
    isWhole = accounts !== undefined;
    if (wasWhole && !isWhole) parts.onLost();
    const [again, due] = [unanswered.next(), new Set(unread.next())];
    for (const { pair, account } of followed.hops()) {
      if (accounts?.has(account) !== true) continue;
      unread.add(pair, number);
      due.add(pair);
    }
    await Promise.all([...again.map(parts.ask), ...[...due].map(look)]);
  };
  blocks.look({
    isWanted: () => !followed.isEmpty() || !unanswered.isEmpty(),
    onNewest: (block) => {
      noteBlock(block).catch((err: unknown) => parts.log.warn({ err }, "What a block moved can't be looked at"));
    },
    onLost: parts.onLost,
  });
  const isTelling = (): boolean => isWhole && blocks.state().isCurrent;
  const isFresh = (pair: Address): boolean =>
    isTelling() && unread.before(pair) === undefined && followed.on(pair).length > 0;
  const tells = (id: string): boolean => followed.has(id) && isTelling();
  return {
    tells,
    note: async (id, question, units) => {
      if (units !== unanswered.before(id)) unanswered.settle(id);
      const route = await readOrLog(parts, "A price could not be compared with the pools", () =>
        routeNow(pools, question, isFresh),
      );
      if (route === undefined || isApart(route.amountOut, units)) followed.drop(id);
      else {
        followed.follow(id, question, route, units);
        blocks.wake();
      }
      return tells(id);
    },
    stop: budget.stop,
  };
}

/** A question's route when it was last asked, and what its reserves implied then. */
interface FollowedPrice {
  readonly question: PriceQuestion;
  readonly hops: readonly { readonly pair: Address; readonly account: string; readonly tokenIn: string }[];
  readonly implied: bigint;
  readonly quoted: bigint;
  readonly notedAt: number;
  /** What they implied when they were last looked at. */
  compared: bigint;
}

/** The questions whose routes are known. */
function createFollowedPrices({ monotonic }: Pick<Clock, "monotonic">) {
  const byId = new Map<string, FollowedPrice>();
  /** Those that somebody asks for still. */
  const all = () => {
    for (const [id, { notedAt }] of byId) {
      if (monotonic() - notedAt < FOLLOWED_MS) break;
      byId.delete(id);
    }
    return byId;
  };
  return {
    isEmpty: () => all().size === 0,
    has: (id: string) => byId.has(id),
    drop: (id: string): void => void byId.delete(id),
    hops: () => [...all().values()].flatMap(({ hops }) => hops),
    on: (pair: Address) => [...all()].filter(([, { hops }]) => hops.some((hop) => hop.pair === pair)),
    follow: (id: string, question: PriceQuestion, route: Route, quoted: bigint): void => {
      const hops = route.hops.map(({ pool: { address: pair }, tokenIn }) => {
        return { pair, account: Buffer.from(addressToBytes(pair)).toString("base64"), tokenIn };
      });
      byId.delete(id);
      const [implied, notedAt] = [route.amountOut, monotonic()];
      byId.set(id, { question, hops, implied, quoted, notedAt, compared: implied });
    },
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
