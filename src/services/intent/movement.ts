import { amountOf, compareAmounts, type Amount } from "../../encoding/amount.js";

/** What a call moves, in the terms of the person who made it. */
export interface Movement {
  /** What is sent along and not given back. */
  readonly paid: readonly Amount[];
  /** The least that has to arrive at the payout address; absent where that is not known. */
  readonly wanted?: Amount;
  /** What came of it, where the answer says so and can be believed; without the fee. */
  readonly received?: Amount;
  /** What the operator was paid out of it. */
  readonly fee?: Amount;
}

/** Smallest units by asset (`KLV`, `LKTOK-1A2B/7`). */
export type Holdings = Readonly<Record<string, bigint>>;

/** What balances before and after a call say about it. */
export type Finding = "arrived" | "not-arrived" | "unclear";

/**
 * Compares what an account held before and after a call. It arrived where everything paid is gone and at least what was wanted has
 * come; it did not where nothing moved at all. Anything else can have other reasons, and so can what was not looked at.
 */
export function findingOf({ paid, wanted }: Movement, before: Holdings, after: Holdings): Finding {
  const lost = paid.map((amount) => ({ amount, units: difference(amount.token.id, after, before) }));
  const gained = wanted === undefined ? undefined : difference(wanted.token.id, before, after);
  const seen = [...lost.map(({ units }) => units), gained].filter((units) => units !== undefined);
  if (seen.length === 0) return "unclear";
  if (seen.every((units) => units === 0n)) return "not-arrived";
  const isPaid = lost.every(({ amount, units }) => units === undefined || isAtLeast(units, amount));
  const hasCome = wanted === undefined || gained === undefined || isAtLeast(gained, wanted);
  return isPaid && hasCome && (gained !== undefined || wanted === undefined) ? "arrived" : "unclear";
}

function isAtLeast(units: bigint, amount: Amount): boolean {
  return units >= 0n && compareAmounts(amountOf(amount.token, units), amount) >= 0;
}

/** How much more of an asset there is in the second; undefined where one of them does not know. */
function difference(asset: string, first: Holdings, second: Holdings): bigint | undefined {
  const [from, to] = [first[asset], second[asset]];
  return from === undefined || to === undefined ? undefined : to - from;
}
