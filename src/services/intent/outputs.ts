import { amountOf, type Amount } from "../../encoding/amount.js";
import type { ContractName, FunctionName } from "../../encoding/contracts.js";
import { decodeOutputs, type OutputsOf, type ReturnDataEncoding } from "../../encoding/result.js";
import { isFault } from "../../fault.js";
import type { Intent, IntentOutcome } from "./intent.js";

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
