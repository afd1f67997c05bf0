import type { ContractName, FunctionName } from "../../encoding/contracts.js";
import { decodeOutputs, type OutputsOf, type ReturnDataEncoding } from "../../encoding/result.js";
import { isFault } from "../../fault.js";
import type { IntentOutcome } from "../../model/intent.js";

/** A call, and what became of it so far. */
export interface Answered<Terms> {
  readonly terms: Terms;
  readonly outcome?: IntentOutcome | undefined;
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
