import { setImmediate as nextTurn } from "node:timers/promises";
import { dividedUp, type Token } from "../../encoding/amount.js";
import type { Receipt } from "./receipt.js";

/** The relevant part of a trade's receipt. Trades count in the order in which they ended. */
export type PastTrade = Pick<Receipt, "at" | "paid" | "received" | "networkFee">;

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
