import { setImmediate as nextTurn } from "node:timers/promises";
import { type Amount, amountOf, compareAmounts, type Token } from "../../encoding/amount.js";
import type { Config } from "../../config.js";
import type { Intents } from "../intent/intent-service.js";
import { isProven } from "../intent/intent.js";
import { referralSplit } from "../market/referral.js";
import { MAX_CALLS } from "./portfolio.js";
import {
  COUNTED_AT_ONCE,
  countedUp,
  knownCostOf,
  noPosition,
  type PastTrade,
  pastTrade,
  positionsOf,
} from "./positions.js";
import { receiptOf } from "./receipt.js";

/** A stretch of time, in milliseconds since 1970; `to` is no part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a user's trades of some days came to, in one token. Only what is proven counts. */
export interface Week extends Span {
  readonly countedIn: Token;
  readonly trades: number;
  /** Number of trades whose outcome or amounts are unknown or unproven: in no figure. */
  readonly unproven: number;
  /** Number of trades that count without a royalty, since it isn't known. */
  readonly unknownRoyalties: number;
  /** Number of calls too old to count: average costs are without what they bought. */
  readonly tooOld: number;
  readonly sales: number;
  /** Number of sales of what has no known cost, or not all of it. */
  readonly unknownSales: number;
  /** Of sales, what has a known cost, in units of `countedIn`; undefined if nothing has. */
  readonly gain: bigint | undefined;
  readonly routes: number;
  /** Number of routes whose value in `countedIn` isn't known. */
  readonly unknownRoutes: number;
  /** What routes didn't pay to the operator; undefined if that is unknown of all. */
  readonly saved: Amount | undefined;
}

interface WeekParts {
  readonly intents: Pick<Intents, "count" | "everything">;
  readonly settings: Pick<Config, "referralPercentage" | "returnDataEncoding">;
}

/** Reads a user's whole history, since cost is an average over all of it. A trade is of the week in which it ended. */
export async function weekOf(
  { intents, settings }: WeekParts,
  owner: number,
  { from, to }: Span,
  countedIn: Token,
): Promise<Week> {
  const [earlier, own]: [PastTrade[], (PastTrade & { readonly isRoute: boolean })[]] = [[], []];
  let [unproven, unknownRoyalties] = [0, 0];
  const tooOld = Math.max(0, (await intents.count(owner)) - MAX_CALLS);
  for await (const lot of intents.everything(owner, tooOld, MAX_CALLS)) {
    for (const intent of lot) {
      const receipt = receiptOf(intent, settings.returnDataEncoding);
      const at = intent.times[intent.state] ?? intent.quotedAt;
      if (receipt === undefined || at >= to) continue;
      if (receipt === "unknown" || receipt.isPaidAtMost || !isProven(intent)) {
        if (at >= from) unproven += 1;
        continue;
      }
      if (receipt.royalty === "unknown" && at >= from) unknownRoyalties += 1;
      const trade = pastTrade(receipt, at);
      if (at < from) earlier.push(trade);
      else own.push({ ...trade, isRoute: intent.terms.kind === "multihop" });
    }
  }
  const positions = new Map(await countedUp(earlier, countedIn));
  const realised = () => [...positions.values()].reduce((sum, position) => sum + position.realised, 0n);
  const before = realised();
  let [sales, known, unknown] = [0, 0n, 0];
  for (const [index, trade] of own.toSorted((one, other) => one.at - other.at).entries()) {
    if (index % COUNTED_AT_ONCE === COUNTED_AT_ONCE - 1) await nextTurn();
    const { paid, received } = trade;
    if (received.token.id === countedIn.id && paid.token.id !== countedIn.id) {
      const [units] = knownCostOf(positions.get(paid.token.id) ?? noPosition(paid.token), paid.units);
      const isKnown = compareAmounts(amountOf(paid.token, units), paid) === 0;
      [sales, known, unknown] = [sales + 1, known + units, unknown + (isKnown ? 0 : 1)];
    }
    positionsOf([trade], countedIn, positions);
  }
  const routes = own.filter(({ isRoute }) => isRoute);
  const saved = routes.flatMap((route) => feeSpared(route, countedIn, settings.referralPercentage) ?? []);
  return {
    from,
    to,
    countedIn,
    trades: own.length,
    unproven,
    unknownRoyalties,
    tooOld,
    sales,
    unknownSales: unknown,
    gain: known > 0n ? realised() - before : undefined,
    routes: routes.length,
    unknownRoutes: routes.length - saved.length,
    saved:
      saved.length > 0
        ? amountOf(
            countedIn,
            saved.reduce((sum, { units }) => sum + units, 0n),
          )
        : undefined,
  };
}

/**
 * The bot fee that a plain swap of the same output would have paid, at the trade's own price, rounded down; undefined if
 * it neither paid nor received `countedIn`.
 */
function feeSpared({ paid, received }: PastTrade, { id }: Token, referralPercentage: number): Amount | undefined {
  const counted = [received, paid].find(({ token }) => token.id === id);
  return counted && referralSplit(counted, referralPercentage).referral;
}
