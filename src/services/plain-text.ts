/** Controls, line and paragraph separators, and the invisible characters that reorder or join what stands beside them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

/**
 * One line of text from a stranger (a contract, a token's name, a service) made safe to show: what cannot be seen becomes
 * a space, and what is longer than `maximum` characters ends in `…`.
 */
export function plainText(text: string, maximum: number): string {
  // Cut first, generously, so that a text of megabytes costs nothing.
  const line = text
    .slice(0, 4 * maximum + 16)
    .replace(INVISIBLE, " ")
    .replace(/\s+/gu, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= maximum ? line : `${characters.slice(0, maximum - 1).join("")}…`;
}
