import { amountOf, compareAmounts, type Amount } from "../../encoding/amount.js";
import type { ContractName, FunctionName } from "../../encoding/contracts.js";
import { decodeOutputs, type OutputsOf, type ReturnDataEncoding } from "../../encoding/result.js";
import { isFault } from "../../fault.js";
import type { Intent, IntentOutcome } from "./intent.js";

export interface Movement {
  readonly paid: readonly Amount[];
  readonly wanted?: Amount;
  /** Where the answer says so and can be believed; without the fee. */
  readonly received?: Amount;
  readonly fee?: Amount;
}

/** Base units by asset (`KLV`, `LKTOK-1A2B/7`). */
export type Holdings = Readonly<Record<string, bigint>>;

export type Finding = "arrived" | "not-arrived" | "unclear";

/**
 * Arrived: everything paid is gone and at least what was wanted has come. Not arrived: nothing moved at all. Anything
 * else can have other reasons.
 */
export function checkBalances({ paid, wanted }: Movement, before: Holdings, after: Holdings): Finding {
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

/** Undefined where one of them does not know. */
function difference(asset: string, first: Holdings, second: Holdings): bigint | undefined {
  const [from, to] = [first[asset], second[asset]];
  return from === undefined || to === undefined ? undefined : to - from;
}

export interface Answered<Terms> {
  readonly terms: Terms;
  readonly outcome?: IntentOutcome | undefined;
  readonly balances?: Intent["balances"] | undefined;
}

/** Proven by balances; undefined where nobody saw that. */
export function seenToArrive(
  { balances }: Pick<Answered<unknown>, "balances">,
  { token, units: least }: Amount,
): Amount | undefined {
  if (balances?.finding !== "arrived") return undefined;
  const [before, after] = [balances.before[token.id], balances.after?.[token.id]];
  if (before === undefined || after === undefined || after - before < least) return undefined;
  return amountOf(token, after - before);
}

/** Undefined without an answer of ok in a readable form. @param encoding the node's, where the outcome does not say. */
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
