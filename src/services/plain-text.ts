/**
 * What cannot be seen, or turns the order of its neighbours around: controls, separators of lines and paragraphs, format and
 * filler characters of every script, the blank of Braille. A line's end is none of them, nor the selector that gives an emoji
 * its colours.
 */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{DI}\u2800](?<!\p{Extended_Pictographic}\uFE0F)/gu;

/** The text with spaces in the place of what cannot be seen; its length stays. Every card and every sentence passes here. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character) => " ".repeat(character.length));
}

/**
 * One line of text from a stranger (a contract, a token's name, a service) made safe to show: what cannot be seen becomes
 * a space, and what is longer than `maximum` characters ends in `…`.
 */
export function plainText(text: string, maximum: number): string {
  // Cut first, generously, so that a text of megabytes costs nothing.
  const line = visibleText(text.slice(0, 4 * maximum + 16))
    .replace(/\s+/gu, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= maximum ? line : `${characters.slice(0, maximum - 1).join("")}…`;
}
