/** JSON with each bigint as decimal text, since a number would lose digits. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? part.toString() : part));
