import { setImmediate as nextTurn } from "node:timers/promises";
import { within, type Clock, DAY_MS } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { addAmounts, amountOf, dividedUp, isZero } from "../../encoding/amount.js";
import type { Amount, Token } from "../../encoding/amount.js";
import type { Config } from "../../config.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { unlessFault } from "../../fault.js";
import { type Database, type Reader, readRow, type Transaction, whole } from "../../store/store.js";
import { unlockTimeOf, type LockContract } from "../trade/lock-contract.js";
import type { Balances } from "../chain/query-gateway.js";
import type { Intents } from "../intent/intent-service.js";
import type { Owner } from "../intent/trade-kind.js";
import type { Person } from "../person/person.js";
import type { WatchOnly } from "../person/watch-only.js";
import { sharesOf } from "../market/pool.js";
import { routeAlong, worthUp } from "../market/comparison.js";
import { poolPrice } from "../market/price-tree.js";
import type { Pools } from "../market/pools.js";
import type { PoolGraph } from "../market/route.js";
import { costAgainst } from "../trade/swap-cost.js";
import { outputOf, type Swaps } from "../trade/swap.js";
import type { TokenList } from "../market/token-list.js";
import { receiptOf, type Receipt } from "./receipt.js";
import { referralSplit } from "../market/referral.js";

/** Maximum number of calls to count: the newest of a longer history. */
export const MAX_CALLS = 20_000;
/** Maximum number of tokens to get a quote for: of those without pools. */
export const MAX_PRICED = 12;
/** Milliseconds to wait for those quotes, which are requested in parallel, and for locked tokens. */
const PRICING_MS = 6000;
/** Maximum age of the pools' reserves, in milliseconds. */
export const POOLS_MAX_AGE_MS = 30_000;
const STATUS_TIMEOUT_MS = 1500;
export const MAX_LOCKS = 20;

export type Portfolio = Awaited<ReturnType<ReturnType<typeof createPortfolio>>>;
export type Asset = Portfolio["assets"][number];

interface PortfolioServiceParts {
  readonly balances: Pick<Balances, "known">;
  /** Ids of the assets whose balances to read: `first` before all others, `last` after them if there is room. */
  readonly holdings: {
    readonly askable: (first: Pick<Person, "recentTokens">, last: readonly string[]) => string[];
    readonly watched: (person: Person) => Promise<readonly WatchedAccount[]>;
  };
  readonly intents: Pick<Intents, "count" | "everything">;
  readonly lock: Pick<LockContract, "heldElsewhere" | "open" | "statusIfTold">;
  readonly pools: Pick<Pools, "known">;
  readonly swaps: Pick<Swaps, "quote">;
  readonly tokens: Pick<TokenList, "named">;
  readonly store: Pick<Database, "db">;
  readonly clock: Clock;
  readonly settings: Pick<Config, "referralPercentage" | "returnDataEncoding">;
}

/** A watch-only address and what it holds, without zeros; undefined if that couldn't be read. */
export interface WatchedAccount extends WatchOnly {
  readonly held: readonly Amount[] | undefined;
}

/** What selling all of a token would bring. */
interface Sale {
  readonly value: Amount;
  /** In basis points against the pool price, fees included, rounded up. */
  readonly costBps?: bigint;
  /** The price is one that anybody could have set. */
  readonly isThin?: boolean;
}

/** As a swap over the deepest pools, after the bot fee: what other pools would pay says nothing about the value. */
export function saleOver(
  graph: PoolGraph,
  held: Amount,
  countedIn: Token,
  referralPercentage: number,
): Sale | undefined {
  const price = poolPrice(graph, held.token.id, countedIn.id);
  if (price === undefined) return undefined;
  const gross = amountOf(countedIn, routeAlong(price, held.units).amountOut);
  const { rest: value } = referralSplit(gross, referralPercentage);
  return { value, costBps: costAgainst(worthUp(price, held.units, gross), value).bps, isThin: price.isThin };
}

/** Reads what a user holds, what it cost, and what selling it would bring. Anything unknown is undefined. */
export function createPortfolio(parts: PortfolioServiceParts) {
  const { clock, settings, swaps, tokens } = parts;

  return async ({ userId, person }: Owner, address: Address, countedIn: Token) => {
    const { trades, uncounted, tooOld } = await tradesOf(parts.intents, userId, settings.returnDataEncoding);
    const positions = await countedUp(trades, countedIn);
    const [graph, status, locks, others] = await Promise.all([
      parts.pools.known(POOLS_MAX_AGE_MS),
      within(clock, STATUS_TIMEOUT_MS, parts.lock.statusIfTold()),
      parts.lock.open(userId),
      within(clock, PRICING_MS, parts.lock.heldElsewhere(userId, address)),
    ]);
    const pools = graph?.pools().filter(({ totalSupply = 0n }) => totalSupply > 0n);
    const left = [...positions.values()].filter(({ bought }) => bought > 0n).map(({ token }) => token.id);
    const recentTokens = [...left, ...positions.keys(), ...person.recentTokens];
    const ids = parts.holdings.askable({ recentTokens }, pools?.flatMap(({ lpTokenId }) => lpTokenId ?? []) ?? []);
    const holdings = await parts.balances.known(address, ids);
    const watched = await parts.holdings.watched(person);
    const tokenOf = (id: string) => positions.get(id)?.token ?? tokens.named(id);
    const shares = pools && sharesOf(pools, holdings ?? {}, tokenOf);

    let asked = 0;
    const saleByPools = (held: Amount): Sale | undefined =>
      held.token.id === countedIn.id
        ? { value: held }
        : graph && saleOver(graph, held, countedIn, settings.referralPercentage);
    const saleOf = async (held: Amount): Promise<Sale | undefined> => {
      if (isZero(held) && held.token.id !== countedIn.id) return undefined;
      const byPools = saleByPools(held);
      if (byPools !== undefined || (asked += 1) > MAX_PRICED) return byPools;
      const request = { kind: "swap", pay: held, from: held.token, to: countedIn } as const;
      const quoted = unlessFault(() => swaps.quote(person, request));
      const quote = await within(clock, PRICING_MS, quoted);
      return quote && { value: outputOf(quote).net };
    };
    const assetOf = async (id: string) => {
      const token = tokenOf(id);
      const units = holdings?.[id];
      const held = units === undefined ? undefined : amountOf(token, units);
      const position = positions.get(id) ?? noPosition(token);
      const sale = held && (await saleOf(held));
      const [known, cost] = knownCostOf(position, held?.units ?? position.bought);
      const paid = known === 0n ? undefined : { known: amountOf(token, known), cost: amountOf(countedIn, cost) };
      const unrealised = sale && paid && partDown(sale.value.units, known, held.units) - cost;
      return { ...position, held, sale, paid, unrealised };
    };
    const isShown = (id: string) =>
      positions.has(id) || ((holdings?.[id] ?? 0n) > 0n && !shares?.some(({ amount }) => amount.token.id === id));
    const shown = [...new Set([...ids, ...positions.keys()])].filter(isShown);
    const at = clock.now();
    return {
      countedIn,
      at,
      /** Whether the node reported the account's balances. */
      isSeen: holdings !== undefined,
      assets: await Promise.all(shown.map(assetOf)),
      /** Nothing of these was traded here, so that their cost and gain are unknown. `assets`: undefined if unread. */
      watchOnly: watched.map(({ name, address, held }) => ({
        name,
        address,
        assets: held?.map((amount) => ({ held: amount, sale: saleByPools(amount), paid: undefined })),
      })),
      shares,
      locks: locks.slice(0, MAX_LOCKS).map((each) => ({ ...each, ...unlockTimeOf(each.unlockEpoch, status, at) })),
      /** Locked tokens that the bot has no record of: when they unlock isn't known. */
      otherLocks: others?.locks.slice(0, MAX_LOCKS) ?? [],
      /** Number of trades of unknown outcome or amounts, and of calls too old to count. */
      uncounted,
      tooOld,
    };
  };
}

/** Returns the trades of a history that count. */
async function tradesOf(intents: Pick<Intents, "count" | "everything">, owner: number, encoding: ReturnDataEncoding) {
  const tooOld = Math.max(0, (await intents.count(owner)) - MAX_CALLS);
  const trades: PastTrade[] = [];
  let uncounted = 0;
  for await (const lot of intents.everything(owner, tooOld, MAX_CALLS)) {
    for (const intent of lot) {
      const receipt = receiptOf(intent, encoding);
      if (receipt === "unknown") uncounted += 1;
      if (typeof receipt !== "object") continue;
      const { at, paid, received, networkFee } = receipt;
      trades.push({ at, paid, received, networkFee });
    }
  }
  return { trades, uncounted, tooOld };
}

/** Maximum number of values kept per user, over all tokens: the latest, for at most a year. */
export const MAX_VALUES = 1000;
const VALUES_KEPT_MS = 366 * DAY_MS;

/** A portfolio's value when it was last read on the day that began at `at`, in UTC. */
export type DayValue = Awaited<ReturnType<typeof valuesOf>>[number];

/** Total of all known values without thin ones, and the number of assets whose value is unknown. */
export function totalOf({ assets }: { readonly assets: readonly Pick<Asset, "held" | "sale" | "paid">[] }): {
  readonly total?: Amount;
  readonly open: number;
} {
  const values = assets.flatMap(({ sale }) => (sale === undefined || sale.isThin === true ? [] : [sale.value]));
  if (values.length === 0) return { open: 0 };
  const isOpen = ({ held, sale, paid }: (typeof assets)[number]) =>
    sale === undefined && (held === undefined ? paid !== undefined : !isZero(held));
  return { total: values.reduce(addAmounts), open: assets.filter(isOpen).length };
}

/** Records the total as the last one of its day, but not an incomplete total, which would look like a loss. */
export async function noteValue(tx: Transaction, userId: number, portfolio: Portfolio): Promise<void> {
  const { total, open } = totalOf(portfolio);
  if (total === undefined || open > 0 || !portfolio.isSeen) return;
  const day = portfolio.at - (portfolio.at % DAY_MS);
  const units = String(total.units);
  const insert = tx.insertInto("portfolio_values").values({ user_id: userId, token: total.token.id, day, units });
  await insert.onConflict((conflict) => conflict.columns(["user_id", "token", "day"]).doUpdateSet({ units })).execute();
  const latest = tx.selectFrom("portfolio_values").select("day").where("user_id", "=", userId).orderBy("day", "desc");
  const beyond = await latest.offset(MAX_VALUES).limit(1).executeTakeFirst();
  // Keep all of today's values, in however many tokens.
  const oldest = Math.min(Math.max(beyond?.day ?? 0, day - VALUES_KEPT_MS), day - 1);
  await tx.deleteFrom("portfolio_values").where("user_id", "=", userId).where("day", "<=", oldest).execute();
}

/** Earliest day first. @throws Fault `store-unreadable`. */
export async function valuesOf(db: Reader, userId: number, token: Token) {
  const values = db.selectFrom("portfolio_values").select(["day", "units"]).where("user_id", "=", userId);
  const rows = await values.where("token", "=", token.id).orderBy("day").execute();
  return readRow(`portfolio_values/${userId}/${token.id}`, () =>
    rows.map(({ day, units }) => ({ at: day, value: amountOf(token, whole.parse(units)) })),
  );
}

/** The relevant part of a trade's receipt. Trades count in the order in which they ended. */
export type PastTrade = Pick<Receipt, "at" | "paid" | "received" | "networkFee">;

/** A token's totals over the bot's trades, in base units; costs and gains are in units of `countedIn`. */
export type Position = ReturnType<typeof noPosition>;

export function noPosition(token: Token) {
  return {
    token,
    /** Units bought through the bot at a known cost and not sold since. */
    bought: 0n,
    /** Cost of `bought`, fees included. */
    cost: 0n,
    /** Gain from sales; a loss if negative. */
    realised: 0n,
    /** Units sold that had no known cost: bought elsewhere, or with tokens that were. */
    soldUnknown: 0n,
  };
}

/** Maximum number of trades counted before the event loop runs. */
const COUNTED_AT_ONCE = 1000;

async function countedUp(trades: readonly PastTrade[], countedIn: Token): Promise<ReadonlyMap<string, Position>> {
  const inOrder = trades.toSorted((left, right) => left.at - right.at);
  const positions = new Map<string, Position>();
  for (let from = 0; from < inOrder.length; from += COUNTED_AT_ONCE) {
    positionsOf(inOrder.slice(from, from + COUNTED_AT_ONCE), countedIn, positions);
    await nextTurn();
  }
  return positions;
}

/**
 * Moving average cost of each token in `countedIn`, whose own cost is its amount. A trade between two other tokens
 * passes the cost on. Units bought through the bot count as sold before those from elsewhere. Costs are rounded up and
 * proceeds down, by less than a unit per trade; the difference stays with the remaining units, so that no cost is lost.
 * @param positions those after earlier trades, which these are added to.
 */
export function positionsOf(trades: readonly PastTrade[], countedIn: Token, positions = new Map<string, Position>()) {
  const positionOf = (token: Token) => positions.get(token.id) ?? noPosition(token);
  for (const { paid, received, networkFee } of trades.toSorted((left, right) => left.at - right.at)) {
    const [{ units: given }, { units: taken }] = [paid, received];
    if (given === 0n) continue;
    const isSold = received.token.id === countedIn.id;
    const before = positionOf(paid.token);
    const [known, itsCost] = paid.token.id === countedIn.id ? [given, given] : knownCostOf(before, given);
    const fee = networkFee?.token.id === countedIn.id ? networkFee.units : 0n;
    const cost = itsCost + dividedUp(fee * known, given);
    const got = partDown(taken, known, given);
    positions.set(paid.token.id, {
      ...before,
      ...(paid.token.id !== countedIn.id && { bought: before.bought - known, cost: before.cost - itsCost }),
      realised: before.realised + (isSold ? got - cost : 0n),
      soldUnknown: before.soldUnknown + given - known,
    });
    if (isSold) continue;
    const now = positionOf(received.token);
    positions.set(received.token.id, { ...now, bought: now.bought + got, cost: now.cost + cost });
  }
  return positions;
}

/** Returns how many of `wanted` units have a known cost, and their average cost in total, rounded up. */
export function knownCostOf({ bought, cost }: Pick<Position, "bought" | "cost">, wanted: bigint) {
  const known = wanted < bought ? wanted : bought;
  return [known, known === bought ? cost : dividedUp(cost * known, bought)] as const;
}

/** The proportional part of a whole, rounded down. */
export function partDown(whole: bigint, part: bigint, of: bigint): bigint {
  return (whole * part) / of;
}
