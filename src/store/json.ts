import { z } from "zod";
import { Fault } from "../fault.js";

/** Stands for a bigint in stored JSON: `{"$bigint":"123"}`. */
const MARK = "$bigint";
/** The mark itself, or a value's own key that had to step aside for it. */
const MARK_LIKE = /^\$+bigint$/;
const INTEGER = /^-?\d+$/;

/**
 * Compact JSON that keeps bigints. An own key `$bigint` is written `$$bigint` (and so on), so that no value can be
 * mistaken for one. @throws TypeError for undefined and functions.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? { [MARK]: part.toString() } : renamed(part, (key) => `$${key}`),
  ) as string | undefined;
  if (text === undefined) throw new TypeError(`there is no JSON for ${typeof value}`);
  return text;
}

/** @throws SyntaxError for text that {@link toJson} cannot have written. */
export function fromJson(text: string): unknown {
  return text.includes(MARK) ? JSON.parse(text, (_key, part: unknown) => unmarked(part)) : JSON.parse(text);
}

function unmarked(part: unknown): unknown {
  if (!isRecord(part) || !Object.hasOwn(part, MARK)) return renamed(part, (key) => key.slice(1));
  const digits = part[MARK];
  if (Object.keys(part).length !== 1 || typeof digits !== "string" || !INTEGER.test(digits)) {
    throw new SyntaxError(`${MARK} without one plain whole number`);
  }
  return BigInt(digits);
}

/** A value whose own keys look like the mark, with those under other names. */
function renamed(part: unknown, rename: (key: string) => string): unknown {
  if (!isRecord(part) || !Object.keys(part).some((key) => MARK_LIKE.test(key))) return part;
  const entries = Object.entries(part).map(([key, child]) => [MARK_LIKE.test(key) ? rename(key) : key, child] as const);
  return Object.fromEntries(entries);
}

export function isRecord(part: unknown): part is Record<string, unknown> {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

/** @throws Fault `store-unreadable`, naming the row. */
export function readRow<Value>(document: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new Fault("store-unreadable", { document }, { cause });
  }
}

/** A whole number of any size, as text. */
export const whole = z.string().regex(/^\d+$/).transform(BigInt);

/** An object, as it is stored: what is read is checked against it, and its type is the schema's. */
export const stored = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).readonly();
