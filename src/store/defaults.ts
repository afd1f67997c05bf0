import { isRecord } from "./json.js";
import type { Collection } from "./store.js";

/** A document that a later version of the program wrote. It is not for this one to read, and in order. */
export class NewerVersion extends TypeError {}

/** A collection whose documents all begin as the same one, and are read over it. */
export function collectionOf<Document extends { readonly version: number }>(
  name: string,
  fresh: Document,
): Collection<Readonly<Document>> {
  return { name, create: () => fresh, parse: (stored) => overDefaults(fresh, stored) };
}

/**
 * Reads a stored document by laying it over a new one, so that a field added since has its default. A field that is
 * there must be of the same kind as its default; fields without a default are taken as they are.
 * @throws NewerVersion; TypeError when it is no object, of an older version, or holds a field of another kind.
 */
export function overDefaults<Document extends { readonly version: number }>(
  fresh: Document,
  stored: unknown,
): Document {
  if (!isRecord(stored)) throw new TypeError(`${kindOf(stored)} where a document should be`);
  if (typeof stored.version === "number" && stored.version > fresh.version) {
    throw new NewerVersion(`version ${stored.version}, and this program knows none after ${fresh.version}`);
  }
  for (const [field, value] of Object.entries(fresh)) {
    if (Object.hasOwn(stored, field) && kindOf(stored[field]) !== kindOf(value)) {
      throw new TypeError(`${field} is ${kindOf(stored[field])}, not ${kindOf(value)}`);
    }
  }
  if (stored.version !== fresh.version) {
    throw new TypeError(`version ${String(stored.version)}, not ${fresh.version}`);
  }
  return { ...fresh, ...stored };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
