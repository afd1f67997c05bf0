/**
 * Control, separator, format and filler characters of every script and the Braille blank, except the line feed and the
 * selector that gives an emoji its colours.
 */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{DI}\u2800](?<!\p{Extended_Pictographic}\uFE0F)/gu;

/** Replaces invisible characters with spaces, keeping the length. */
export function replaceInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => " ".repeat(character.length));
}

/** Applied to every card and sentence. Keeps the length. */
export function sanitizeForDisplay(text: string): string {
  return replaceInvisible(text).replace(/(?<=[0-9]) (?=%)/g, "\u00A0");
}

/** Two names that somebody chose are too alike if theirs are the same. */
export const looksOf = (name: string): string => name.normalize("NFKC").toLowerCase();

/** Turns untrusted text into one line that is safe to show. */
export function plainText(text: string, maximum: number): string {
  // Truncate generously first, so that megabytes of text cost nothing.
  const line = replaceInvisible(text.slice(0, 4 * maximum + 16))
    .replace(/\s+/gu, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= maximum ? line : `${characters.slice(0, maximum - 1).join("")}…`;
}

const RIGHT_TO_LEFT = "[\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}]";
/** A run of right-to-left text, including what joins its words. */
const RUN = new RegExp(`${RIGHT_TO_LEFT}+(?:[^\\p{L}\\p{N}\\n]*${RIGHT_TO_LEFT}+)*`, "gu");

const BEGIN = "\u2068";
const END = "\u2069";

/** Isolates right-to-left runs, so that they don't reorder adjacent figures (Unicode UAX #9). */
export function isolated(text: string): string {
  return text.replace(RUN, (run) => `${BEGIN}${run}${END}`);
}

export function placeIn(text: string) {
  const runs = [...text.matchAll(RUN)].map(({ index, 0: run }) => ({ from: index, to: index + run.length }));
  const moved = (at: number) =>
    at + runs.filter(({ from }) => from < at).length + runs.filter(({ to }) => to <= at).length;
  return ({ offset, length }: { readonly offset: number; readonly length: number }) => ({
    offset: moved(offset),
    length: moved(offset + length) - moved(offset),
  });
}
