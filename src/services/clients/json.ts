import { parse } from "lossless-json";
import type { z } from "zod";
import { Fault, isFault } from "../../fault.js";

/** @param readNumber gets a number's digits: `String` loses none. @throws Fault `answer-unreadable`. */
export function parseJson(text: string, readNumber: (digits: string) => unknown): unknown {
  try {
    return parse(text, null, readNumber);
  } catch (cause) {
    throw new Fault("answer-unreadable", { reason: "an answer that is not JSON" }, { cause });
  }
}

/** @param otherwise describes an invalid answer for the fault. @throws Fault `answer-unreadable`. */
export function parseAs<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  readNumber: (digits: string) => unknown,
  otherwise: string,
): z.output<Schema> {
  const read = schema.safeParse(parseJson(text, readNumber));
  if (!read.success) throw new Fault("answer-unreadable", { reason: otherwise }, { cause: read.error });
  return read.data;
}

/** For {@link parseJson}: numbers on the chain exceed 2^53. */
export function wholeOrText(digits: string): bigint | string {
  return /^-?[0-9]+$/.test(digits) ? BigInt(digits) : digits;
}

export function unlessUnreadable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isFault(error, "answer-unreadable")) return undefined;
    throw error;
  }
}
