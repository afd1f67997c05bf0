/** JSON in which an amount is its decimal text: a number could not hold every digit. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? part.toString() : part));
