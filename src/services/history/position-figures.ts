import { type Amount, dividedUp, isZero, type Token } from "../../encoding/amount.js";
import { countPositions, type PortfolioServiceParts } from "./portfolio.js";
import { knownCostOf, noPosition, pastTrade, positionsOf } from "./positions.js";
import type { Receipt } from "./receipt.js";
import type { TokenPosition } from "./token-position.js";

/** What a position cost, and what selling it brings or brought: all of it is known. */
export interface PositionFigures
  extends Pick<TokenPosition, "countedIn" | "tooOld" | "uncounted" | "unknownRoyalties"> {
  readonly token: Token;
  /** The part of known cost. */
  readonly known: Amount;
  readonly cost: Amount;
  /** What is sold, the part of unknown cost as well, and what that brings after fees. */
  readonly given: Amount;
  readonly brings: Amount;
  /** Of the part of known cost, after all fees, in units of `countedIn`; a loss if negative. */
  readonly gain: bigint;
  /** When the first of it was bought, in milliseconds since 1970. */
  readonly since: number;
  /** Undefined for what is still held. */
  readonly soldAt: number | undefined;
}

/** What has to be known for a position's figures, and isn't. */
export type MissingFigure = "balance" | "cost" | "depth" | "price" | "royalty";

/** What is held now, as the portfolio counts it. */
export function heldFigures(position: TokenPosition): PositionFigures | MissingFigure {
  const { token, held, sale, paid, unrealised, since, countedIn, tooOld, uncounted, unknownRoyalties } = position;
  if (held === undefined) return "balance";
  if (paid === undefined || isZero(paid.cost) || since === undefined) return "cost";
  if (sale === undefined || unrealised === undefined) return "price";
  if (sale.isThin === true) return "depth";
  if (sale.isRoyaltyUnknown === true) return "royalty";
  const counted = { token, countedIn, tooOld, uncounted, unknownRoyalties };
  const { known, cost } = paid;
  return { ...counted, known, cost, given: held, brings: sale.value, gain: unrealised, since, soldAt: undefined };
}

/** What a finished trade sold, counted in what it received: its share of the gain that the portfolio calls realised. */
export async function soldFigures(
  parts: Pick<PortfolioServiceParts, "intents" | "settings">,
  owner: number,
  receipt: Receipt,
): Promise<PositionFigures | MissingFigure> {
  const { paid: given, received: brings, at: soldAt } = receipt;
  const { token } = given;
  const countedIn = brings.token;
  const { positions, ...left } = await countPositions(parts, owner, countedIn, receipt);
  const before = positions.get(token.id) ?? noPosition(token);
  const [known, cost] = knownCostOf(before, given.units);
  if (known === 0n || cost === 0n || before.since === undefined) return "cost";
  if (receipt.royalty === "unknown") return "royalty";
  const after = positionsOf([pastTrade(receipt, soldAt)], countedIn, new Map(positions)).get(token.id) ?? before;
  return {
    ...{ token, countedIn, given, brings, soldAt, since: before.since, ...left },
    known: { token, units: known },
    cost: { token: countedIn, units: cost },
    gain: after.realised - before.realised,
  };
}

/** The gain as a part of the cost, in basis points, rounded down. */
export function gainOfCost({ gain, cost: { units: spent } }: Pick<PositionFigures, "cost" | "gain">): bigint {
  const parts = gain * 10_000n;
  return parts < 0n ? -dividedUp(-parts, spent) : parts / spent;
}
