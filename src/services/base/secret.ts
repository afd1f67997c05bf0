import { wordlist as english } from "@scure/bip39/wordlists/english.js";
import { wordlist as portuguese } from "@scure/bip39/wordlists/portuguese.js";
import { once } from "./once.js";

/** Longer seed phrases contain this many words in a row as well. */
const SHORTEST = 12;
/** One may have been left out. */
const FEWEST = SHORTEST - 1;
const FEWEST_CHARACTERS = 43;
const seedWords: ReadonlySet<string> = new Set([...english, ...portuguese]);
const withoutALetter = (word: string): string[] => Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1));
const shortenedWords = once((): ReadonlySet<string> => new Set([...seedWords].flatMap(withoutALetter)));
/** A shorter word of any language is one letter away from some seed word, a longer one from none. */
const MISTYPED = { shortest: 4, longest: 10 };

/** Hex digits of a seed, or of a seed and its public key. */
const HEX_LENGTHS: ReadonlySet<number> = new Set([64, 128]);
/** Without trailing `=`. The last is the body of this chain's PEM files, base64 of hex. */
const BASE64_LENGTHS: ReadonlySet<number> = new Set([43, 86, 171]);
const PEM = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY/;
/** Start of an Ed25519 private key, as this chain uses, in PKCS #8 and base64. */
const PKCS8 = "MC4CAQAwBQYDK2VwBCIE";
/** Characters that copying can leave between letters. */
const INVISIBLE_BETWEEN_LETTERS = /[\p{Cf}\p{DI}]/gu;
/** Links to explorers and the signing page contain what looks like a key. */
const LINKS = /(?:https?:\/\/|\/transaction\/)\S+/gi;

/**
 * Whether a text contains a seed phrase (12 of its words in a row, one of them possibly mistyped or left out) or a private key: 32
 * or 64 bytes in hex or base64, or a PEM file. A transaction hash looks like a key and counts as one, except in a link.
 */
export function looksLikeSecret(text: string): boolean {
  if (text.length < FEWEST_CHARACTERS) return false;
  const plain = text.normalize("NFKD").replace(INVISIBLE_BETWEEN_LETTERS, "");
  if (PEM.test(plain) || plain.includes(PKCS8) || holdsSeedPhrase(plain)) return true;
  const withoutLinks = plain.replace(LINKS, " ");
  return holdsHex(withoutLinks) || holdsBase64(withoutLinks);
}

function holdsSeedPhrase(text: string): boolean {
  /** The last word that isn't a seed word, and the number of seed words in a row before and after it. */
  let [other, before, row] = ["", 0, 0];
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []) {
    if (seedWords.has(word)) row += 1;
    else [other, before, row] = [word, row, 0];
    if (row === FEWEST || (before + 1 + row === SHORTEST && isMistyped(other))) return true;
  }
  return false;
}

/** Whether one letter is missing, added, changed or moved: without one, such a word is like a seed word without one. */
function isMistyped(word: string): boolean {
  if (word.length < MISTYPED.shortest || word.length > MISTYPED.longest) return false;
  const shortened = shortenedWords();
  return shortened.has(word) || withoutALetter(word).some((less) => seedWords.has(less) || shortened.has(less));
}

function holdsHex(text: string): boolean {
  let size = 0;
  let digits = "";
  for (const typed of text.split(/[^0-9a-z]+/i)) {
    const piece = typed.replace(/^0x/i, "");
    const isHex = /^[0-9a-f]+$/i.test(piece);
    if (isHex && HEX_LENGTHS.has(piece.length)) return true;
    // All groups but the last must be the same length, unlike those of a UUID.
    const isNext = isHex && piece.length === size;
    const isLast = isHex && piece.length < size;
    // No more than two keys, or a long row would be searched again for each of its groups.
    digits = isNext || isLast ? (digits + piece).slice(-128) : isHex ? piece : "";
    if (digits.length >= 64 && /[a-f]/i.test(digits) && /[0-9]/.test(digits)) return true;
    size = isLast || !isHex || piece.length < 2 ? 0 : piece.length;
    if (size === 0) digits = "";
  }
  return false;
}

function holdsBase64(text: string): boolean {
  const isKey = (piece: string) =>
    BASE64_LENGTHS.has(piece.length) && [/[A-Z]/, /[a-z]/, /[0-9+/]/].every((kind) => kind.test(piece));
  return text.split(/[^A-Za-z0-9+/_-]+/).some(isKey);
}
