import { type Clock, within } from "../../clock.js";
import type { Config } from "../../config.js";
import { amountOf, isZero, parseAssetId, smallerAmount, subtractAmounts } from "../../encoding/amount.js";
import type { Amount, Token } from "../../encoding/amount.js";
import { unlessFault } from "../../fault.js";
import { routeAlong, worthUp } from "../market/comparison.js";
import { poolPrice } from "../market/price-tree.js";
import { referralSplit } from "../market/referral.js";
import type { PoolGraph } from "../market/route.js";
import { wholeSale } from "../market/royalty.js";
import type { RightsReader, ToldRights } from "../market/token-rights.js";
import type { Person } from "../person/person.js";
import { outputOf, type Swaps } from "../trade/swap.js";
import { lossAgainst } from "../trade/trade-cost.js";

/** Milliseconds to wait for quotes, which are requested in parallel. */
export const PRICING_MS = 6000;

export interface SaleParts {
  readonly rights: Pick<RightsReader, "known">;
  readonly swaps: Pick<Swaps, "quote">;
  readonly clock: Clock;
  readonly settings: Pick<Config, "referralPercentage">;
}

/** What selling all of a token would bring. */
export interface Sale {
  readonly value: Amount;
  /** In basis points against the pool price, fees included, rounded up. */
  readonly costBps?: bigint;
  /** What its issuer takes can't be read now, and isn't taken off. */
  readonly isRoyaltyUnknown?: boolean;
  /** The price is one that anybody could have set. */
  readonly isThin?: boolean;
}

/**
 * As a swap over the deepest pools, after the issuer's royalty and the bot fee: what other pools would pay says nothing
 * about the value.
 */
export function saleOver(
  graph: PoolGraph,
  held: Amount,
  countedIn: Token,
  referralPercentage: number,
  told: ToldRights,
): Sale | undefined {
  const price = poolPrice(graph, held.token.id, countedIn.id);
  const { sent, fixed } = wholeSale(told, held);
  const native = fixed && poolPrice(graph, fixed.token.id, countedIn.id);
  if (price === undefined || (fixed !== undefined && native === undefined)) return undefined;
  const gross = amountOf(countedIn, routeAlong(price, sent.units).amountOut);
  const { rest } = referralSplit(gross, referralPercentage);
  const value = native ? lessAtMost(rest, worthUp(native, fixed.units, rest)) : rest;
  return {
    value,
    costBps: lossAgainst(worthUp(price, held.units, gross), value).bps,
    isThin: price.isThin,
    ...unread(told, held.token),
  };
}

const unread = (told: ToldRights, { id }: Token) =>
  id.includes("-") && (told === undefined || (typeof told === "object" && told.isUnread === true))
    ? { isRoyaltyUnknown: true }
    : {};

const lessAtMost = (amount: Amount, taken: Amount): Amount => subtractAmounts(amount, smallerAmount(amount, taken));

/** Undefined without the pools, or if none leads to the other token. */
export async function saleByPools(
  { rights, settings }: Pick<SaleParts, "rights" | "settings">,
  graph: PoolGraph | undefined,
  held: Amount,
  countedIn: Token,
): Promise<Sale | undefined> {
  if (held.token.id === countedIn.id) return { value: held };
  const told = await issuedRights(rights, held.token);
  return graph && saleOver(graph, held, countedIn, settings.referralPercentage, told);
}

/** Only a token that somebody issued has a royalty. */
const issuedRights = async (rights: SaleParts["rights"], { id }: Token): Promise<ToldRights> =>
  id.includes("-") ? rights.known(parseAssetId(id).tokenId) : undefined;

/** What selling all of a holding would bring: over the deepest pools, or else by a quote, if one may be asked for. */
export async function saleOf(
  parts: SaleParts,
  person: Person,
  graph: PoolGraph | undefined,
  held: Amount,
  countedIn: Token,
  mayAsk = () => true,
): Promise<Sale | undefined> {
  if (isZero(held) && held.token.id !== countedIn.id) return undefined;
  const { clock, rights, swaps } = parts;
  const byPools = await saleByPools(parts, graph, held, countedIn);
  if (byPools !== undefined || !mayAsk()) return byPools;
  const told = await issuedRights(rights, held.token);
  const { sent, fixed } = wholeSale(told, held);
  // What isn't in any pool has no price to count an amount of the native token by.
  if (isZero(sent) || (fixed !== undefined && fixed.token.id !== countedIn.id)) return undefined;
  const quoted = unlessFault(() => swaps.quote(person, { kind: "swap", pay: sent, from: held.token, to: countedIn }));
  const quote = await within(clock, PRICING_MS, quoted);
  if (quote === undefined) return undefined;
  const { net } = outputOf(quote);
  return { value: fixed ? lessAtMost(net, fixed) : net, ...unread(told, held.token) };
}
