import { setImmediate as nextTurn } from "node:timers/promises";
import { within, type Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { amountOf, compareAmounts, isZero, shareInBps, subtractAmounts, type Amount } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { unlistedToken, type Token } from "../../encoding/token.js";
import { unlessFault } from "../../fault.js";
import type { Database } from "../../store/store.js";
import { unlockTimeOf } from "../chain/epochs.js";
import type { Balances } from "../gateway/balances.js";
import type { Holdings } from "../intent/finding.js";
import { isDone, isOpenQuestion, type Intent } from "../intent/intent.js";
import type { Intents } from "../intent/intents.js";
import type { LockContract } from "../lock/contract.js";
import { openLocks, type Lock } from "../lock/record.js";
import { worthByPools } from "../pool/best.js";
import type { Pool, PoolGraph } from "../pool/graph.js";
import type { Pools } from "../pool/pools.js";
import type { Person } from "../person/person.js";
import { netOf } from "../swap/compare.js";
import type { Swaps } from "../swap/swap.js";
import type { TokenList } from "../token/list.js";
import { movementOf } from "../trade/kinds.js";
import { costOf, noPosition, partDown, positionsOf, type Position, type Trade } from "./cost.js";

/** Of a longer history the newest calls count. */
export const MOST_CALLS = 20_000;
/** The quotation service is asked for the price of so many tokens at most. */
export const MOST_PRICED = 12;
/** For all of them together, in milliseconds. */
const PRICING_MILLISECONDS = 6000;
const POOLS_AGE = 30_000;
const POOLS_PATIENCE = 1500;
const MAX_LOCKS = 20;

/** What selling all of a holding would bring, after the operator's part. */
export interface Sale {
  readonly value: Amount;
  /** What of the pools' price that costs, in hundredths of a percent rounded up; absent where the pools don't know the price. */
  readonly impactBps?: bigint;
}

/** A token that somebody holds, or has traded through the bot. */
export interface Asset extends Position {
  /** Undefined where the node did not tell. */
  readonly held: Amount | undefined;
  /** Undefined where nobody knows. */
  readonly sale: Sale | undefined;
  /** Of what is held, or was bought where that is unknown, the part whose cost is known. */
  readonly counted: Amount;
  readonly countedCost: Amount;
  /** Undefined where the value or the cost is unknown. */
  readonly unrealised: bigint | undefined;
}

/** A share in a pool, with what it stands for. */
export interface PoolShare {
  readonly amount: Amount;
  readonly first: Amount;
  readonly second: Amount;
}

export interface Portfolio {
  readonly countedIn: Token;
  readonly at: number;
  /** Whether the node told what the account holds. */
  readonly isSeen: boolean;
  readonly assets: readonly Asset[];
  /** Whether the pools could be read: otherwise shares in them stand among the assets. */
  readonly arePoolsKnown: boolean;
  readonly shares: readonly PoolShare[];
  readonly locks: readonly (Lock & { readonly beginsAt?: number | undefined })[];
  /** Trades of which nobody knows the outcome or the amounts. */
  readonly uncounted: number;
  /** Calls that are too old to count. */
  readonly tooOld: number;
}

interface PortfolioParts {
  readonly balances: Pick<Balances, "known">;
  readonly intents: Pick<Intents, "count" | "everything">;
  readonly lock: Pick<LockContract, "statusIfTold">;
  readonly pools: Pick<Pools, "known">;
  readonly swaps: Pick<Swaps, "quote">;
  readonly tokens: Pick<TokenList, "byId">;
  readonly store: Pick<Database, "db">;
  readonly clock: Clock;
  readonly settings: { readonly returnDataEncoding: ReturnDataEncoding };
}

/** What somebody holds, what it cost, and what it would bring now. */
export type ReadPortfolio = (
  owner: { readonly userId: number; readonly person: Person; readonly address: Address },
  countedIn: Token,
  /** Of which assets balances are asked for: some before all others, and some after them where there is room. */
  assetsOf: (first: readonly string[], last: readonly string[]) => readonly string[],
) => Promise<Portfolio>;

export function createPortfolio(parts: PortfolioParts): ReadPortfolio {
  const { balances, clock, lock, pools, store, tokens } = parts;
  return async ({ userId, person, address }, countedIn, assetsOf) => {
    const { trades, uncounted, tooOld } = await tradesOf(parts, userId);
    const positions = positionsOf(trades, countedIn);
    const [graph, status, locks] = await Promise.all([
      pools.known(POOLS_AGE, POOLS_PATIENCE),
      lock.statusIfTold(),
      openLocks(store.db, userId),
    ]);
    const byShare = new Map(graph?.pools().map((pool) => [pool.lpTokenId, pool]));
    const shareIds = [...byShare.keys()].filter((id) => id !== undefined);
    const left = [...positions.values()].filter(({ bought }) => bought > 0n).map(({ token }) => token.id);
    const ids = assetsOf([...left, ...positions.keys()], shareIds);
    const holdings = await balances.known(address, ids);
    const tokenOf = (id: string) => positions.get(id)?.token ?? tokens.byId(id) ?? unlistedToken(id);
    const shares = Object.entries(holdings ?? {}).flatMap(([id, units]) => {
      const pool = byShare.get(id);
      return pool === undefined || units === 0n ? [] : (shareOf(pool, amountOf(tokenOf(id), units), tokenOf) ?? []);
    });
    const isShare = (id: string) => shares.some(({ amount }) => amount.token.id === id);
    const listed = [...new Set([...ids, ...positions.keys()])].filter((id) => !isShare(id));
    return {
      countedIn,
      at: clock.now(),
      isSeen: holdings !== undefined,
      assets: await assetsIn(parts, { person, listed: listed.map(tokenOf), holdings, positions, countedIn, graph }),
      arePoolsKnown: graph !== undefined,
      shares,
      locks: locks
        .slice(0, MAX_LOCKS)
        .map((each) => ({ ...each, beginsAt: unlockTimeOf(each.unlockEpoch, status, clock.now()).beginsAt })),
      uncounted,
      tooOld,
    };
  };
}

/** Those trades of a history that count, read some at a time, between which others have their turn. */
async function tradesOf({ intents, settings }: PortfolioParts, owner: number) {
  const tooOld = Math.max(0, (await intents.count(owner)) - MOST_CALLS);
  const trades: Trade[] = [];
  let uncounted = 0;
  for await (const lot of intents.everything(owner, tooOld)) {
    for (const intent of lot) {
      const trade = tradeOf(intent, settings.returnDataEncoding);
      if (trade === "unknown") uncounted += 1;
      else if (trade !== undefined) trades.push(trade);
    }
    await nextTurn();
  }
  return { trades, uncounted, tooOld };
}

/** What a call traded; undefined for one that traded nothing, or is not over. */
function tradeOf(intent: Intent, encoding: ReturnDataEncoding): Trade | "unknown" | undefined {
  const { terms, state, times, quotedAt, transaction } = intent;
  if (terms.kind !== "swap" && terms.kind !== "multihop") return undefined;
  if (isOpenQuestion(intent)) return "unknown";
  if (!isDone(intent)) return undefined;
  const { paid, received } = movementOf(intent, encoding);
  if (paid[0] === undefined || received === undefined) return "unknown";
  return { at: times[state] ?? quotedAt, paid: paid[0], received, networkFee: transaction?.networkFee };
}

function shareOf(pool: Pool, amount: Amount, tokenOf: (id: string) => Token): PoolShare | undefined {
  const { totalSupply = 0n } = pool;
  if (totalSupply === 0n) return undefined;
  const part = (id: string, reserve: bigint) => amountOf(tokenOf(id), partDown(reserve, amount.units, totalSupply));
  return { amount, first: part(pool.first, pool.reserveFirst), second: part(pool.second, pool.reserveSecond) };
}

/** Those that are held or were traded, the first ones with their price. */
async function assetsIn(
  parts: PortfolioParts,
  found: {
    readonly person: Person;
    readonly listed: readonly Token[];
    readonly holdings: Holdings | undefined;
    readonly positions: ReadonlyMap<string, Position>;
    readonly countedIn: Token;
    readonly graph: PoolGraph | undefined;
  },
): Promise<readonly Asset[]> {
  const { person, listed, holdings, positions, countedIn, graph } = found;
  const isShown = ({ id }: Token) => positions.has(id) || (holdings?.[id] ?? 0n) > 0n;
  let priced = 0;
  return Promise.all(
    listed.filter(isShown).map(async (token): Promise<Asset> => {
      const position = positions.get(token.id) ?? noPosition(token);
      const units = holdings?.[token.id];
      const held = units === undefined ? undefined : amountOf(token, units);
      const isCounted = token.id === countedIn.id;
      const isAsked = held !== undefined && !isZero(held) && !isCounted && (priced += 1) <= MOST_PRICED;
      const asked = isAsked ? await saleOf(parts, person, held, countedIn, graph) : undefined;
      const sale = isCounted ? held && { value: held } : asked;
      const [counted, cost] = costOf(position, units ?? position.bought);
      const isKnown = sale !== undefined && counted > 0n && held !== undefined;
      return {
        ...position,
        token,
        held,
        sale,
        counted: amountOf(token, counted),
        countedCost: amountOf(countedIn, cost),
        unrealised: isKnown ? partDown(sale.value.units, counted, held.units) - cost : undefined,
      };
    }),
  );
}

/** By the quotation, for all of it; undefined where that can't be had in time. */
async function saleOf(
  { swaps, clock }: PortfolioParts,
  person: Person,
  held: Amount,
  countedIn: Token,
  graph: PoolGraph | undefined,
): Promise<Sale | undefined> {
  const request = { kind: "swap", pay: held, from: held.token, to: countedIn } as const;
  const asked = unlessFault(() => swaps.quote(person, request));
  const quote = await within(clock, PRICING_MILLISECONDS, asked);
  if (quote === undefined) return undefined;
  const value = netOf(quote);
  const worth = graph && worthByPools(graph, held, countedIn);
  if (worth === undefined || isZero(worth)) return { value };
  const { quotedOut } = quote;
  return {
    value,
    impactBps: compareAmounts(worth, quotedOut) > 0 ? shareInBps(subtractAmounts(worth, quotedOut), worth) : 0n,
  };
}
