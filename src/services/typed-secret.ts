import { wordlist as english } from "@scure/bip39/wordlists/english.js";
import { wordlist as portuguese } from "@scure/bip39/wordlists/portuguese.js";

const seedWords: ReadonlySet<string> = new Set([...english, ...portuguese]);
/** The shortest seed phrase. */
const SHORTEST = 12;
/** Its words have three letters or more. */
const FEWEST_CHARACTERS = SHORTEST * 3 + SHORTEST - 1;
/** 32 bytes in hex. */
const PRIVATE_KEY = /(?<![0-9a-z])(?:0x)?[0-9a-f]{64}(?![0-9a-z])/i;

/** Whether a text holds what looks like a seed phrase (12 words of its list in a row, numbered or not) or a private key. */
export function holdsSecret(text: string): boolean {
  if (text.length < FEWEST_CHARACTERS) return false;
  if (PRIVATE_KEY.test(text)) return true;
  const words = text
    .toLowerCase()
    .normalize("NFKD")
    .split(/[^\p{L}\p{M}]+/u);
  let row = 0;
  for (const word of words) {
    row = word === "" ? row : seedWords.has(word) ? row + 1 : 0;
    if (row === SHORTEST) return true;
  }
  return false;
}
