import { parse } from "lossless-json";
import { Fault } from "../../fault.js";

/**
 * The JSON that a service answered.
 * @param readNumber makes a value of a number's digits, exactly as they stand in the text.
 * @throws Fault `answer-unreadable`.
 */
export function parseJson(text: string, readNumber: (digits: string) => unknown): unknown {
  try {
    return parse(text, null, readNumber);
  } catch (cause) {
    throw new Fault("answer-unreadable", { reason: "an answer that is not JSON" }, { cause });
  }
}

/** For {@link parseJson}: a number as its text, so that no digit of an amount is lost. */
export function digitsOf(digits: string): string {
  return digits;
}
