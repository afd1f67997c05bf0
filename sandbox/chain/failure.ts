/** Return codes of failed calls that the sandbox uses (klever-go transaction.proto). */
export type FailureCode =
  | "VMUserError"
  | "VMFunctionNotFound"
  | "ContractNotFound"
  | "VMExecutionFailed"
  | "VMOutOfGas"
  | "AssetPaused"
  | "KDATransferNotAllowed";

/** A call that failed on the chain and changed nothing. */
export class CallFailure extends Error {
  constructor(
    text: string,
    readonly returnCode: FailureCode = "VMUserError",
  ) {
    super(text);
  }
}

/** A request that is not a valid call; a node answers it with status 400. */
export class BadRequest extends Error {}

/** A contract's check. @throws CallFailure with the text if it fails. */
export function check(condition: boolean, text: string): asserts condition {
  if (!condition) throw new CallFailure(text);
}

/** @throws CallFailure with the text if the value is undefined. */
export function required<Value>(value: Value | undefined, text: string): Value {
  if (value === undefined) throw new CallFailure(text);
  return value;
}
