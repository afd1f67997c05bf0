/**
 * The numbers by which the chain says why a call failed, under the names that `/vm/query` has for them (klever-go,
 * transaction.proto and vmcommon/returnCodes.go). Only `VMUserError` is a refusal of the contract's own.
 */
const resultCodes = {
  OutOfFunds: 1,
  ContractInvalid: 4,
  ContractNotFound: 5,
  VMFunctionNotFound: 55,
  VMFunctionWrongSignature: 56,
  VMUserError: 57,
  VMOutOfGas: 58,
  VMAccountCollision: 59,
  VMCallStackOverFlow: 60,
  VMExecutionPanicked: 61,
  VMExecutionFailed: 62,
  VMUpgradeFailed: 63,
  VMSimulateFailed: 64,
  KDATransferNotAllowed: 65,
  Fail: 99,
} as const;

/** Why a call failed. */
export interface Failure {
  /** The contract's own words, or those of what ended it. */
  readonly text: string;
  /** The chain's number of the reason; absent where the contract itself refused. */
  readonly code?: number;
}

/** @param code as a looked-up transaction has it; undefined where the node named none that is known. */
export function failureOf(code: number | undefined, text: string): Failure {
  return code === undefined || code === resultCodes.VMUserError ? { text } : { text, code };
}

/** The number behind a `returnCode` of `/vm/query`, whatever its case; undefined for a name that is not known. */
export function resultCodeNamed(name: string): number | undefined {
  return Object.entries(resultCodes).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
}

/**
 * The reason in a trace of the chain's machine. It stands in the last square brackets, but in those before where the machine
 * itself ended the call: then the function's name comes last (`[not enough gas] [swap]`).
 */
export function reasonIn(trace: string, functionName: string): string {
  const brackets = [...trace.matchAll(/\[([^[\]]*)\]/g)].map(([, words = ""]) => words);
  const last = brackets.at(-1);
  if (last === undefined || !trace.trimEnd().endsWith("]")) return trace.trim();
  return last === functionName ? (brackets.at(-2) ?? last) : last;
}
