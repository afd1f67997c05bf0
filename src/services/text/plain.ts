/**
 * What cannot be seen, or turns the order of its neighbours around: controls, separators of lines and paragraphs, format and
 * filler characters of every script, the blank of Braille. A line's end is none of them, nor the selector that gives an emoji
 * its colours.
 */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{DI}\u2800](?<!\p{Extended_Pictographic}\uFE0F)/gu;

/** The text with spaces in the place of what cannot be seen; its length stays. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character) => " ".repeat(character.length));
}

/**
 * The text as it is shown: nothing invisible in it, and `1 %` never breaks at the end of a line. Its length stays. Every card
 * and every sentence passes here.
 */
export function shownText(text: string): string {
  return visibleText(text).replace(/(?<=[0-9]) (?=%)/g, "\u00A0");
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

/** Letters and digits that are written from right to left, and what else their scripts have. */
const RIGHT_TO_LEFT = "[\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}]";
/** As much of a line as is written that way, with what joins its words. */
const RUN = new RegExp(`${RIGHT_TO_LEFT}+(?:[^\\p{L}\\p{N}\\n]*${RIGHT_TO_LEFT}+)*`, "gu");

const BEGIN = "\u2068";
const END = "\u2069";

/** The text with every run from right to left between marks, so that it turns no figure beside it around (Unicode UAX #9). */
export function isolated(text: string): string {
  return text.replace(RUN, (run) => `${BEGIN}${run}${END}`);
}

/** Where a stretch of the text lies once it is isolated, with the marks of the runs in it. */
export function placeIn(text: string): (stretch: Stretch) => Stretch {
  const runs = [...text.matchAll(RUN)].map(({ index, 0: run }) => ({ from: index, to: index + run.length }));
  const moved = (at: number) =>
    at + runs.filter(({ from }) => from < at).length + runs.filter(({ to }) => to <= at).length;
  return ({ offset, length }) => ({ offset: moved(offset), length: moved(offset + length) - moved(offset) });
}

interface Stretch {
  readonly offset: number;
  readonly length: number;
}
