import { within, DAY_MS } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { addAmounts, amountOf, isZero } from "../../encoding/amount.js";
import type { Amount, Token } from "../../encoding/amount.js";
import type { Config } from "../../config.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { type Database, type Reader, readRow, type Transaction, whole } from "../../store/store.js";
import { unlockTimeOf, type HeldLocks, type LockContract, type UnlockTime } from "../trade/lock-contract.js";
import type { Lock } from "../trade/lock-record.js";
import type { Balances } from "../chain/query-gateway.js";
import type { Intents } from "../intent/intent-service.js";
import type { Owner } from "../intent/trade-kind.js";
import type { Person } from "../person/person.js";
import type { WatchOnly } from "../person/watch-only.js";
import { sharesOf, type PoolShare } from "../market/pool.js";
import type { Pools } from "../market/pools.js";
import type { TokenList } from "../market/token-list.js";
import { countedUp, knownCostOf, noPosition, partDown, type PastTrade, pastTrade, type Position } from "./positions.js";
import { type Receipt, receiptOf } from "./receipt.js";
import { PRICING_MS, type Sale, saleByPools, saleOf, type SaleParts } from "./sale.js";

/** Maximum number of calls to count: the newest of a longer history. */
export const MAX_CALLS = 20_000;
/** Maximum number of tokens to get a quote for: of those without pools. */
export const MAX_PRICED = 12;
/** Maximum age of the pools' reserves, in milliseconds. */
export const POOLS_MAX_AGE_MS = 30_000;
const STATUS_TIMEOUT_MS = 1500;
export const MAX_LOCKS = 20;

/** What a user holds, what it cost, and what selling it would bring. Anything unknown is undefined. */
export interface Portfolio {
  /** The token that costs and gains are in. */
  readonly countedIn: Token;
  /** When it was read, in milliseconds since 1970. */
  readonly at: number;
  /** Whether the node reported the account's balances. */
  readonly isSeen: boolean;
  readonly assets: readonly Asset[];
  /** Nothing of these was traded here, so that their cost and gain are unknown. */
  readonly watchOnly: readonly WatchOnlyPortfolio[];
  /** Of pools, by the LP tokens held; undefined without the pools' reserves. */
  readonly shares: readonly PoolShare[] | undefined;
  /** Tokens locked through the bot, at most 20, as are the others. */
  readonly locks: readonly (Lock & UnlockTime)[];
  /** Locked tokens that the bot has no record of: when they unlock isn't known. */
  readonly otherLocks: HeldLocks["locks"];
  /**
   * Number of trades, in whatever tokens, of unknown outcome or amounts, of those that count without a royalty, since it isn't
   * known, and of calls too old.
   */
  readonly uncounted: number;
  readonly unknownRoyalties: number;
  readonly tooOld: number;
}

/** A token that is held or was traded. */
export interface Asset extends Position {
  /** What the node says that the account holds. */
  readonly held: Amount | undefined;
  readonly sale: Sale | undefined;
  /** How much of `held` has a known cost, and that cost; without `held`, of what was bought. */
  readonly paid: { readonly known: Amount; readonly cost: Amount } | undefined;
  /** What selling `paid.known` would gain, in base units of `countedIn`, rounded down; a loss if negative. */
  readonly unrealised: bigint | undefined;
}

interface WatchOnlyPortfolio extends WatchOnly {
  /** Undefined if they couldn't be read. */
  readonly assets: readonly (Pick<Asset, "sale"> & { readonly held: Amount; readonly paid: undefined })[] | undefined;
}

/** Never throws `service-…`: what the node, the pools and quotations don't tell in seconds is undefined. */
export type ReadPortfolio = (owner: Owner, address: Address, countedIn: Token) => Promise<Portfolio>;

export interface PortfolioServiceParts extends SaleParts {
  readonly balances: Pick<Balances, "known">;
  /** Ids of the assets whose balances to read: `first` before all others, `last` after them if there is room. */
  readonly holdings: {
    readonly askable: (first: Pick<Person, "recentTokens">, last: readonly string[]) => string[];
    readonly watched: (person: Person) => Promise<readonly WatchedAccount[]>;
  };
  readonly intents: Pick<Intents, "count" | "everything">;
  readonly lock: Pick<LockContract, "heldElsewhere" | "open" | "statusIfTold">;
  readonly pools: Pick<Pools, "known">;
  readonly tokens: Pick<TokenList, "named">;
  readonly store: Pick<Database, "db">;
  readonly settings: Pick<Config, "referralPercentage" | "returnDataEncoding">;
}

/** A watch-only address and what it holds, without zeros; undefined if that couldn't be read. */
export interface WatchedAccount extends WatchOnly {
  readonly held: readonly Amount[] | undefined;
}

export function createPortfolio(parts: PortfolioServiceParts): ReadPortfolio {
  const { clock, tokens } = parts;

  return async ({ userId, person }, address, countedIn) => {
    const { positions, ...left } = await countPositions(parts, userId, countedIn);
    const [graph, status, locks, others] = await Promise.all([
      parts.pools.known(POOLS_MAX_AGE_MS),
      within(clock, STATUS_TIMEOUT_MS, parts.lock.statusIfTold()),
      parts.lock.open(userId),
      within(clock, PRICING_MS, parts.lock.heldElsewhere(userId, address)),
    ]);
    const pools = graph?.pools().filter(({ totalSupply = 0n }) => totalSupply > 0n);
    const open = [...positions.values()].filter(({ bought }) => bought > 0n).map(({ token }) => token.id);
    const recentTokens = [...open, ...positions.keys(), ...person.recentTokens];
    const ids = parts.holdings.askable({ recentTokens }, pools?.flatMap(({ lpTokenId }) => lpTokenId ?? []) ?? []);
    const holdings = await parts.balances.known(address, ids);
    const watched = await parts.holdings.watched(person);
    const tokenOf = (id: string) => positions.get(id)?.token ?? tokens.named(id);
    const shares = pools && sharesOf(pools, holdings ?? {}, tokenOf);

    let asked = 0;
    const mayAsk = () => (asked += 1) <= MAX_PRICED;
    const readAsset = async (id: string): Promise<Asset> => {
      const token = tokenOf(id);
      const units = holdings?.[id];
      const held = units === undefined ? undefined : amountOf(token, units);
      const sale = held && (await saleOf(parts, person, graph, held, countedIn, mayAsk));
      return assetOf(positions.get(id) ?? noPosition(token), held, sale, countedIn);
    };
    const isShown = (id: string) =>
      positions.has(id) || ((holdings?.[id] ?? 0n) > 0n && !shares?.some(({ amount }) => amount.token.id === id));
    const shown = [...new Set([...ids, ...positions.keys()])].filter(isShown);
    const at = clock.now();
    return {
      countedIn,
      at,
      isSeen: holdings !== undefined,
      assets: await Promise.all(shown.map(readAsset)),
      watchOnly: await Promise.all(
        watched.map(async ({ name, address, held }) => ({
          name,
          address,
          assets:
            held &&
            (await Promise.all(
              held.map(async (amount) => {
                return { held: amount, sale: await saleByPools(parts, graph, amount, countedIn), paid: undefined };
              }),
            )),
        })),
      ),
      shares,
      locks: locks.slice(0, MAX_LOCKS).map((each) => ({ ...each, ...unlockTimeOf(each.unlockEpoch, status, at) })),
      otherLocks: others?.locks.slice(0, MAX_LOCKS) ?? [],
      ...left,
    };
  };
}

/** What is held of a token, what the part of known cost has cost, and what that part gains if all is sold. */
export function assetOf(position: Position, held: Amount | undefined, sale: Sale | undefined, countedIn: Token): Asset {
  const [known, cost] = knownCostOf(position, held?.units ?? position.bought);
  const paid = known === 0n ? undefined : { known: amountOf(position.token, known), cost: amountOf(countedIn, cost) };
  const unrealised = sale && held && paid && partDown(sale.value.units, known, held.units) - cost;
  return { ...position, held, sale, paid, unrealised };
}

/**
 * Counts a whole history. `uncounted`: trades of unknown outcome or amounts; `tooOld`: calls beyond {@link MAX_CALLS}.
 * @param before only what came before this trade.
 */
export async function countPositions(
  { intents, settings }: Pick<PortfolioServiceParts, "intents" | "settings">,
  owner: number,
  countedIn: Token,
  before?: Receipt,
) {
  const { trades, ...left } = await tradesOf(intents, owner, settings.returnDataEncoding, before);
  return { positions: await countedUp(trades, countedIn), ...left };
}

/** Returns the trades of a history that count. */
async function tradesOf(
  intents: Pick<Intents, "count" | "everything">,
  owner: number,
  encoding: ReturnDataEncoding,
  before?: Receipt,
) {
  const tooOld = Math.max(0, (await intents.count(owner)) - MAX_CALLS);
  const trades: PastTrade[] = [];
  let [uncounted, unknownRoyalties] = [0, 0];
  let isPassed = false;
  for await (const lot of intents.everything(owner, tooOld, MAX_CALLS)) {
    for (const intent of lot) {
      const receipt = receiptOf(intent, encoding);
      if (receipt === undefined) continue;
      if (before !== undefined) {
        isPassed ||= intent.id === before.intent.id;
        const at = intent.times[intent.state] ?? intent.quotedAt;
        // Of trades that ended in the same millisecond, those that positions count first.
        if (at > before.at || (isPassed && at === before.at)) continue;
      }
      if (receipt === "unknown" || receipt.isPaidAtMost) {
        uncounted += 1;
        continue;
      }
      if (receipt.royalty === "unknown") unknownRoyalties += 1;
      trades.push(pastTrade(receipt, receipt.at));
    }
  }
  return { trades, uncounted, unknownRoyalties, tooOld };
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
