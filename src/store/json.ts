/** Stands for a bigint in a stored document: `{"$bigint":"123"}`. */
const MARK = "$bigint";
/** The mark itself, or a document's own key that had to step aside for it. */
const MARK_LIKE = /^\$+bigint$/;
const INTEGER = /^-?\d+$/;

/**
 * Compact JSON in which a bigint stays a bigint. A document's own key `$bigint` is written as `$$bigint` (and so on), so
 * that nothing a document holds can be taken for one. For all else JSON's own rules hold.
 * @throws TypeError for what JSON has no text for: undefined, a function, a cycle.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "bigint") return { [MARK]: part.toString() };
    return isMarked(part) ? renameMarks(part, (key) => `$${key}`) : part;
  }) as string | undefined;
  if (text === undefined) throw new TypeError(`there is no JSON for ${typeof value}`);
  return text;
}

/**
 * What {@link toJson} wrote.
 * @throws SyntaxError for text that it cannot have written.
 */
export function fromJson(text: string): unknown {
  return JSON.parse(text, (_key, part: unknown) => {
    if (!isMarked(part)) return part;
    if (!Object.hasOwn(part, MARK)) return renameMarks(part, (key) => key.slice(1));
    const digits = part[MARK];
    if (Object.keys(part).length !== 1 || typeof digits !== "string" || !INTEGER.test(digits)) {
      throw new SyntaxError(`${MARK} without one plain whole number`);
    }
    return BigInt(digits);
  });
}

function isMarked(part: unknown): part is Record<string, unknown> {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return false;
  return Object.keys(part).some((key) => MARK_LIKE.test(key));
}

function renameMarks(part: Record<string, unknown>, rename: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [MARK_LIKE.test(key) ? rename(key) : key, value]),
  );
}
