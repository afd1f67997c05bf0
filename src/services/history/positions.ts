import { setImmediate as nextTurn } from "node:timers/promises";
import { type Amount, dividedUp, type Token } from "../../encoding/amount.js";
import type { Receipt } from "./receipt.js";

/** The relevant part of a trade's receipt. Trades count in the order in which they ended. */
export type PastTrade = Pick<Receipt, "at" | "besides" | "networkFee" | "paid" | "received">;

export function pastTrade({ paid, besides, received, networkFee }: Omit<PastTrade, "at">, at: number): PastTrade {
  return { at, paid, received, networkFee, ...(besides && { besides }) };
}

/** A token's totals over the bot's trades, in base units; costs and gains are in units of `countedIn`. */
export interface Position {
  readonly token: Token;
  /** Units bought through the bot at a known cost and not sold since. */
  readonly bought: bigint;
  /** Cost of `bought`, fees included. */
  readonly cost: bigint;
  /** Gain from sales; a loss if negative. */
  readonly realised: bigint;
  /** Units sold that had no known cost: bought elsewhere, or with tokens that were. */
  readonly soldUnknown: bigint;
  /** When the first of `bought` was bought, in milliseconds since 1970. */
  readonly since?: number | undefined;
}

export function noPosition(token: Token): Position {
  return { token, bought: 0n, cost: 0n, realised: 0n, soldUnknown: 0n };
}

/** Maximum number of trades counted before the event loop runs. */
export const COUNTED_AT_ONCE = 1000;

export async function countedUp(
  trades: readonly PastTrade[],
  countedIn: Token,
): Promise<ReadonlyMap<string, Position>> {
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
  /** What a fee in another token had cost leaves that token's position. What isn't known of it is no cost. */
  const costOfFee = ({ token, units }: Amount): bigint => {
    if (token.id === countedIn.id) return units;
    const before = positionOf(token);
    const [known, cost] = knownCostOf(before, units);
    if (known > 0n) positions.set(token.id, { ...before, bought: before.bought - known, cost: before.cost - cost });
    return cost;
  };
  for (const { at, paid, received, networkFee, besides = [] } of trades.toSorted((left, right) => left.at - right.at)) {
    const [{ units: given }, { units: taken }] = [paid, received];
    if (given === 0n) continue;
    const isSold = received.token.id === countedIn.id;
    const before = positionOf(paid.token);
    const [known, itsCost] = paid.token.id === countedIn.id ? [given, given] : knownCostOf(before, given);
    const got = partDown(taken, known, given);
    const left: Position = {
      ...before,
      ...(paid.token.id !== countedIn.id && { bought: before.bought - known, cost: before.cost - itsCost }),
      soldUnknown: before.soldUnknown + given - known,
    };
    positions.set(paid.token.id, left);
    const more = [...besides, ...(networkFee ? [networkFee] : [])];
    const feesCost = more.reduce((sum, fee) => sum + costOfFee(fee), 0n);
    const cost = itsCost + dividedUp(feesCost * known, given);
    // A fee may be in the token that is paid.
    if (isSold) positions.set(paid.token.id, { ...positionOf(paid.token), realised: left.realised + got - cost });
    if (isSold) continue;
    const now = positionOf(received.token);
    const since = now.bought === 0n ? at : now.since;
    positions.set(received.token.id, { ...now, bought: now.bought + got, cost: now.cost + cost, since });
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
