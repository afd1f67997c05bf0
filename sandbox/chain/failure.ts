/** The return codes of a failed call which the sandbox uses (klever-go transaction.proto). */
export type FailureCode =
  | "VMUserError"
  | "VMFunctionNotFound"
  | "ContractNotFound"
  | "VMExecutionFailed"
  | "VMOutOfGas";

/** A call that failed on the chain, and left everything as it was. */
export class CallFailure extends Error {
  constructor(
    text: string,
    readonly returnCode: FailureCode = "VMUserError",
  ) {
    super(text);
  }
}

/** A request which is no call at all; a node answers it with status 400. */
export class BadRequest extends Error {}

/** A contract's own check, with the text that it fails with. */
export function check(condition: boolean, text: string): asserts condition {
  if (!condition) throw new CallFailure(text);
}

/** A value that a contract needs. */
export function required<Value>(value: Value | undefined, text: string): Value {
  if (value === undefined) throw new CallFailure(text);
  return value;
}
