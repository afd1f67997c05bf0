import { lazy } from "./lazy.js";
import { lettered } from "./seed-words.js";

/** Longer seed phrases contain this many words in a row as well. */
const SHORTEST = 12;
/** One may have been left out. */
const FEWEST = SHORTEST - 1;
/** A shorter word of any language is one letter away from some seed word, a longer one from none. */
const MISTYPED = { shortest: 4, longest: 10 };

/** A phrase's words all come from one list. */
type SeedWords = { readonly words: ReadonlySet<string>; readonly shortened: () => ReadonlySet<string> };

const ACCENTS = /\p{M}/gu;
const withoutALetter = (word: string): string[] => Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1));

const seedWords = lazy((): readonly SeedWords[] =>
  lettered().map((list) => {
    const words = new Set(list.map((word) => word.normalize("NFKD").replace(ACCENTS, "")));
    return { words, shortened: lazy(() => new Set([...words].flatMap(withoutALetter))) };
  }),
);

/** Whether 12 words of one list stand in a row, with or without accents, one of them possibly mistyped or left out. */
export function holdsSeedPhrase(decomposed: string): boolean {
  const typed =
    decomposed
      .replace(ACCENTS, "")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return typed.length >= FEWEST && seedWords().some((list) => holdsRow(typed, list));
}

function holdsRow(typed: readonly string[], list: SeedWords): boolean {
  /** The last word that isn't a seed word, and the number of seed words in a row before and after it. */
  let [other, before, row] = ["", 0, 0];
  for (const word of typed) {
    if (list.words.has(word)) row += 1;
    else [other, before, row] = [word, row, 0];
    if (row === FEWEST || (before + 1 + row === SHORTEST && isMistyped(other, list))) return true;
  }
  return false;
}

/** Whether one letter is missing, added, changed or moved: without one, such a word is like a seed word without one. */
function isMistyped(word: string, { words, shortened }: SeedWords): boolean {
  if (word.length < MISTYPED.shortest || word.length > MISTYPED.longest) return false;
  return shortened().has(word) || withoutALetter(word).some((less) => words.has(less) || shortened().has(less));
}
