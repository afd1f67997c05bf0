import { seededRandom } from "./seed.js";

/** A character of each class that users type and parsers distinguish. */
const classes = {
  space: " ",
  "no-break space": "\u00a0",
  digit: "7",
  letter: "k",
  slash: "/",
  dot: ".",
  comma: ",",
  colon: ":",
  emoji: "🦩",
  "right to left": "\u05d0",
};

/**
 * Returns texts of about `length` characters, and no more, by what they contain: each class alone, between words
 * (Telegram trims white space), after a number, in turn with another class, or separating groups of digits; and random
 * mixtures.
 */
export function longTexts(length: number): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const add = (name: string, begin: string, piece: string, end: string) => {
    const room = length - begin.length - end.length;
    texts.set(name, begin + piece.repeat(Math.floor(room / piece.length)) + end);
  };
  const all = Object.entries(classes);
  all.forEach(([name, one], index) => {
    add(name, "", one, "");
    add(`${name} between words`, "KLV", one, "x");
    add(`${name} behind a number`, "1", one, "!");
    const [next, other] = all[(index + 1) % all.length]!;
    add(`${name} and ${next}`, "1", one + other, "x");
    add(`groups of digits, ${name}`, "1", `${one}777`, `${one}x`);
  });
  const random = seededRandom("long texts");
  // Not "/k": that would be a command, which leaves a dialog as it should.
  for (const begin of ["KLV ", "1 ", "klv1", "/."]) {
    const mixed = Array.from({ length }, () => all[Math.floor(random() * all.length)]![1]).join("");
    texts.set(`${begin}and a mixture`, (begin + mixed).slice(0, length));
  }
  return texts;
}
