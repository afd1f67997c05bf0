import type { Amount, Token } from "../../encoding/amount.js";

/** A trade that is over, with what it certainly moved. */
export interface Trade {
  /** When it ended, in milliseconds since 1970: trades count in this order. */
  readonly at: number;
  readonly paid: Amount;
  /** Without what the operator took of it. */
  readonly received: Amount;
  readonly networkFee?: Amount | undefined;
}

/** What the bot's trades say of a token, in base units; costs and gains are of the token that is counted in. */
export type Position = ReturnType<typeof noPosition>;

export function noPosition(token: Token) {
  return {
    token,
    /** Bought through the bot at a known cost, and not sold since. */
    bought: 0n,
    /** What those cost, fees included. */
    cost: 0n,
    /** Gained by selling, or lost where it is negative. */
    realised: 0n,
    /** Sold of what had no known cost: it was bought elsewhere, or paid with what was. */
    soldUnknown: 0n,
  };
}

/**
 * The moving average cost of each token, counted in one token, which costs what it is. A trade of two others hands its cost on. What was
 * bought here counts as sold before what came from elsewhere. All costs are rounded up and all proceeds down, by less than a unit
 * for each trade; the rest stays with what is left, so that no cost is lost.
 */
export function positionsOf(trades: readonly Trade[], countedIn: Token): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>();
  const positionOf = (token: Token) => positions.get(token.id) ?? noPosition(token);
  for (const { paid, received, networkFee } of trades.toSorted((left, right) => left.at - right.at)) {
    const [{ units: given }, { units: taken }] = [paid, received];
    if (given === 0n) continue;
    const isSold = received.token.id === countedIn.id;
    const before = positionOf(paid.token);
    const [known, itsCost] = paid.token.id === countedIn.id ? [given, given] : costOf(before, given);
    const fee = networkFee?.token.id === countedIn.id ? networkFee.units : 0n;
    const cost = itsCost + partUp(fee, known, given);
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

/** How many of so many units have a known cost, and what those cost on average. */
export function costOf({ bought, cost }: Pick<Position, "bought" | "cost">, wanted: bigint) {
  const known = wanted < bought ? wanted : bought;
  return [known, known === bought ? cost : partUp(cost, known, bought)] as const;
}

/** A part of a whole, in proportion, rounded down. */
export function partDown(whole: bigint, part: bigint, of: bigint): bigint {
  return (whole * part) / of;
}

function partUp(whole: bigint, part: bigint, of: bigint): bigint {
  return (whole * part + of - 1n) / of;
}
