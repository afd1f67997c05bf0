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
  const text = JSON.stringify(marked(value)) as string | undefined;
  if (text === undefined) throw new TypeError(`there is no JSON for ${typeof value}`);
  return text;
}

/** @throws SyntaxError for text that {@link toJson} cannot have written. */
export function fromJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  return text.includes(MARK) ? unmarked(parsed) : parsed;
}

// Walking a value here costs a fraction of what functions given to JSON.stringify and JSON.parse do.

function marked(part: unknown): unknown {
  if (typeof part === "bigint") return { [MARK]: part.toString() };
  return changed(part, marked, escaped);
}

function escaped(key: string): string {
  return MARK_LIKE.test(key) ? `$${key}` : key;
}

function unmarked(part: unknown): unknown {
  if (isRecord(part) && Object.hasOwn(part, MARK)) {
    const digits = part[MARK];
    if (Object.keys(part).length !== 1 || typeof digits !== "string" || !INTEGER.test(digits)) {
      throw new SyntaxError(`${MARK} without one plain whole number`);
    }
    return BigInt(digits);
  }
  return changed(part, unmarked, (key) => (MARK_LIKE.test(key) ? key.slice(1) : key));
}

/** The same part where nothing in it changes: most of it does not. */
function changed(part: unknown, change: (child: unknown) => unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(part)) {
    const items = part.map(change);
    return items.every((item, index) => item === part[index]) ? part : items;
  }
  if (!isRecord(part)) return part;
  const keys = Object.keys(part);
  if (keys.some((key) => key.startsWith("$"))) {
    return Object.fromEntries(Object.entries(part).map(([key, child]) => [rename(key), change(child)]));
  }
  let copy: Record<string, unknown> | undefined;
  for (const key of keys) {
    const after = change(part[key]);
    if (after !== part[key]) (copy ??= { ...part })[key] = after;
  }
  return copy ?? part;
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
