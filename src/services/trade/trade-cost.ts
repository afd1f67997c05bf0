import { type Amount, amountOf, BPS, compareAmounts, dividedUp, formatAmount, gainBps } from "../../encoding/amount.js";
import {
  isAbove,
  isZero,
  KLV,
  NATIVE_TOKEN,
  nearestBps,
  shareInBps,
  subtractAmounts,
  type Token,
} from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import { type MultihopTerms, type PoolsPrice, type Rate, type Royalty, takenFor } from "../terms/swap-terms.js";
import { outputOf, type SwapQuote } from "./swap.js";

/** From here on, in basis points above the deepest pools' price, some pool's price must be far off. */
const UNUSUAL_BPS = 500n;

export function isUnusual(amount: Amount, { deepest }: PoolsPrice): boolean {
  return isAbove(amount, deepest.worth, UNUSUAL_BPS);
}

/**
 * What a payment is worth at the pool price, and the tokens along it: by the pools of the trade itself; by the deepest
 * ones if their price is better, or if those of the trade are unknown or unusual, as one pool that is off proves nothing.
 */
export function poolWorth(pools: PoolsPrice) {
  const { deepest, own } = pools;
  const isSound = own !== undefined && compareAmounts(own.worth, deepest.worth) > 0 && !isUnusual(own.worth, pools);
  return isSound ? own : deepest;
}

/** What leaves an account for a trade, or is expected to, and what arrives. */
export interface TradeMoves {
  /** Without the royalty, and without what comes back. */
  readonly paid: Amount;
  readonly royalty?: Royalty | "unknown" | undefined;
  /** Before the bot fee, and after it. */
  readonly gross: Amount;
  readonly net: Amount;
  /** Undefined if the account pays none. */
  readonly networkFee?: Amount | "unknown" | undefined;
  /** Whether some of a token on the way came back, which isn't counted. */
  readonly hasChange?: boolean;
}

/** What a trade costs in all, in base units of `countedIn`: more than nothing unless a price is better than the pools'. */
export interface TradeCost {
  readonly countedIn: Token;
  readonly total: bigint;
  /** What all that is paid is worth, the network fee apart. */
  readonly paid: bigint;
  /** What the total is made of, to the unit. Zero for what isn't known or has no price, which `unknown` names. */
  readonly parts: Readonly<Record<"pools" | "bot" | "royalty" | "network", bigint>>;
  readonly unknown: readonly ("royalty" | "network" | "change")[];
}

/**
 * The one rule of what a trade costs: what leaves the account less what arrives, both at the pool price, what leaves
 * rounded up and what arrives down. In the native token if that has a price, else in what is received.
 */
export function tradeCost(
  { paid, royalty, gross, net, networkFee, hasChange }: TradeMoves,
  pools: PoolsPrice,
): TradeCost {
  const { countedIn, ofPaid, ofReceived } = valuation(pools);
  const isNative = countedIn.id === NATIVE_TOKEN;
  const fixed = royalty === undefined || royalty === "unknown" ? amountOf(KLV, 0n) : royalty.fixed;
  const ofNative = (units: bigint) => (isNative ? units : 0n);
  const isKnown = (amount: Amount | "unknown" | undefined): boolean =>
    amount === undefined || (amount !== "unknown" && (isNative || isZero(amount)));
  const fee = networkFee === undefined || networkFee === "unknown" ? 0n : ofNative(networkFee.units);
  const [worth, whole] = [ofPaid(paid.units), ofPaid(takenFor(paid, royalty)[0].units)];
  const parts = {
    pools: worth - ofReceived(gross.units),
    bot: ofReceived(gross.units) - ofReceived(net.units),
    royalty: whole - worth + ofNative(fixed.units),
    network: fee,
  };
  return {
    countedIn,
    total: parts.pools + parts.bot + parts.royalty + parts.network,
    paid: whole + ofNative(fixed.units),
    parts,
    unknown: [
      ...(royalty !== "unknown" && isKnown(fixed) ? [] : (["royalty"] as const)),
      ...(isKnown(networkFee) ? [] : (["network"] as const)),
      ...(hasChange === true ? (["change"] as const) : []),
    ],
  };
}

/** In basis points of what is paid, rounded to the nearest one; negative for a gain. */
export function costBps({ total, paid, countedIn }: Pick<TradeCost, "countedIn" | "paid" | "total">): bigint {
  const bps = nearestBps(amountOf(countedIn, total < 0n ? -total : total), amountOf(countedIn, paid));
  return total < 0n ? -bps : bps;
}

/** Whether a trade costs more than a twentieth of what is paid. */
export const isCostly = ({ total, paid }: TradeCost): boolean => total * 20n > paid;

/** What units of a trade's tokens are worth: of what is paid, rounded up, and of what is received, down. */
function valuation(pools: PoolsPrice) {
  const { paid, native } = pools;
  const side = poolWorth(pools);
  const price: Rate = side.price ?? { unitsIn: paid.units, unitsOut: side.worth.units };
  const received = side.worth.token;
  const even: Rate = { unitsIn: 1n, unitsOut: 1n };
  const inNative = paid.token.id === NATIVE_TOKEN ? even : received.id === NATIVE_TOKEN ? price : native;
  const { unitsIn, unitsOut } = inNative ?? price;
  return {
    countedIn: inNative === undefined ? received : KLV,
    ofPaid: (units: bigint) => dividedUp(units * unitsOut, unitsIn),
    ofReceived: (units: bigint) => (units * price.unitsIn * unitsOut) / (price.unitsOut * unitsIn),
  };
}

/** What a quote would cost; undefined if the pools are unknown. @param networkFee of its card. */
export function quotedCost(
  trade: SwapQuote | MultihopTerms,
  networkFee: TradeMoves["networkFee"],
): TradeCost | undefined {
  const { pools, royalty } = trade;
  if (pools === undefined) return undefined;
  const { gross, net } = outputOf(trade);
  return tradeCost({ paid: pools.paid, royalty, gross, net, networkFee }, pools);
}

/**
 * What a quote loses by its price, the bot fee included, and nothing else: what asks once more goes by this.
 * `quotedBps` is without the bot fee, rounded up; undefined if the pools are unknown.
 */
export function priceLossOf(trade: SwapQuote | MultihopTerms) {
  if (trade.pools === undefined) return undefined;
  const { gross, net } = outputOf(trade);
  const { worth, path } = poolWorth(trade.pools);
  return { worth, path, ...lossAgainst(worth, net), quotedBps: shareInBps(lostOf(worth, gross), worth) };
}

/** `bps` is rounded to the nearest one, as the amount beside it is exact; negative for what is worth more than it cost. */
export function lossAgainst(worth: Amount, received: Amount) {
  const lost = lostOf(worth, received);
  return { lost, bps: isZero(lost) ? -(gainBps(received, worth) ?? 0n) : nearestBps(lost, worth) };
}

function lostOf(worth: Amount, received: Amount): Amount {
  return compareAmounts(worth, received) > 0 ? subtractAmounts(worth, received) : amountOf(worth.token, 0n);
}

/** What the royalties would be if all that a trade buys were sold again. */
export interface ResaleCost {
  readonly royalty: Royalty;
  /** Of what is bought, at the price of now, in basis points, rounded up; undefined if a fixed part has no price. */
  readonly bps: bigint | undefined;
  /** Whether the fixed part alone is as much as all that is bought. */
  readonly isAll: boolean;
}

/** From here on, in basis points of what is bought, royalties are asked about. */
const DEAR_BPS = 500n;

/** Undefined if there are none, or they are no more than a twentieth of what is bought. */
export function resaleCost(trade: SwapQuote | MultihopTerms): ResaleCost | undefined {
  const { resaleRoyalty: royalty } = trade;
  if (royalty === undefined) return undefined;
  const { share, fixed } = royalty;
  const bps = shareInBps(share, outputOf(trade).net);
  if (isZero(fixed)) return bps > DEAR_BPS ? { royalty, bps, isAll: false } : undefined;
  const worth = nativeWorth(trade);
  if (worth === undefined) return { royalty, bps: undefined, isAll: false };
  const isAll = compareAmounts(fixed, worth) >= 0;
  const all = bps + (isZero(worth) ? BPS : shareInBps(fixed, worth));
  return all > DEAR_BPS ? { royalty, bps: all, isAll } : undefined;
}

/** What all that arrives is worth in the native token, rounded down: without pools, what is paid for it in that token. */
function nativeWorth(trade: SwapQuote | MultihopTerms): Amount | undefined {
  const { amountIn, pools } = trade;
  if (pools === undefined) return amountIn.token.id === NATIVE_TOKEN ? amountIn : undefined;
  const { countedIn, ofReceived } = valuation(pools);
  return countedIn.id === NATIVE_TOKEN ? amountOf(countedIn, ofReceived(outputOf(trade).net.units)) : undefined;
}

/** @throws Fault `token-royalty` for a trade of which nothing could be sold again for more than its issuer takes. */
export function assertResalable(terms: SwapQuote | MultihopTerms): void {
  const cost = resaleCost(terms);
  if (cost?.isAll !== true) return;
  const [{ fixed }, { net }] = [cost.royalty, outputOf(terms)];
  throw new Fault("token-royalty", { token: net.token.id, fee: formatAmount(fixed) });
}
