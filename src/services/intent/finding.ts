import { amountOf, compareAmounts, type Amount } from "../../encoding/amount.js";
import type { ContractName, FunctionName } from "../../encoding/contracts.js";
import { decodeOutputs, type OutputsOf, type ReturnDataEncoding } from "../../encoding/result.js";
import { isFault } from "../../fault.js";
import type { Intent, IntentOutcome } from "./intent.js";

/** What a call moves, in the terms of the person who made it. */
export interface Movement {
  /** What is sent along and not given back. */
  readonly paid: readonly Amount[];
  /** The least that has to arrive at the wallet address; absent where that is not known. */
  readonly wanted?: Amount;
  /** What came of it, where the answer says so and can be believed; without the fee. */
  readonly received?: Amount;
  /** What the operator was paid out of it. */
  readonly fee?: Amount;
}

/** Base units by asset (`KLV`, `LKTOK-1A2B/7`). */
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

/** A call, and what became of it so far. */
export interface Answered<Terms> {
  readonly terms: Terms;
  readonly outcome?: IntentOutcome | undefined;
  readonly balances?: Intent["balances"] | undefined;
}

/** How much of a token came to the account of a call that its balances prove; undefined where nobody saw that. */
export function seenToArrive(
  { balances }: Pick<Answered<unknown>, "balances">,
  { token, units: least }: Amount,
): Amount | undefined {
  if (balances?.finding !== "arrived") return undefined;
  const [before, after] = [balances.before[token.id], balances.after?.[token.id]];
  if (before === undefined || after === undefined || after - before < least) return undefined;
  return amountOf(token, after - before);
}

/**
 * The outputs in the answer to a call; undefined where it was not answered with ok, or in a form that cannot be read.
 * @param encoding how the node writes its answers, where the outcome does not say.
 */
export function outputsOf<Contract extends ContractName, Name extends FunctionName<Contract>>(
  contract: Contract,
  functionName: Name,
  outcome: IntentOutcome | undefined,
  encoding: ReturnDataEncoding,
): OutputsOf<Contract, Name> | undefined {
  if (outcome?.kind !== "ok") return undefined;
  try {
    return decodeOutputs(contract, functionName, outcome.returnData, outcome.encoding ?? encoding);
  } catch (error) {
    if (!isFault(error)) throw error;
    return undefined;
  }
}
