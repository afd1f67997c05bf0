import { createHash } from "node:crypto";
import { lazy } from "./lazy.js";
import { eastern } from "./seed-words.js";

const LENGTHS = [12, 15, 18, 21, 24];
/** Of so many rows one has a valid checksum by chance, so that more need no look. */
const MAX_ROWS_LOOKED_AT = 500;
const EASTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;
const CHINESE = /^\p{Script=Han}+$/u;
/** Chinese lists begin with the commonest characters: a sentence's average place is below this, a phrase's seldom. */
const RARE_ENOUGH = 700;
/** What a phrase may be typed after. */
const COMMAND = /^\s*\/\w+/;

const places = lazy((): readonly ReadonlyMap<string, number>[] =>
  eastern().map((list) => new Map(list.map((word, place) => [word.normalize("NFKD"), place]))),
);

/**
 * Whether a text holds a seed phrase in Chinese, Japanese or Korean, where ordinary sentences consist of seed words too:
 * either its checksum is valid, or there is nothing else. Chinese without spaces needs both, and characters that are rare enough.
 */
export function holdsCheckedPhrase(decomposed: string): boolean {
  if (!EASTERN.test(decomposed)) return false;
  const typed = decomposed.replace(COMMAND, " ").match(/[\p{L}\p{M}]+/gu) ?? [];
  return places().some((list) => {
    const row = typed.map((word) => list.get(word));
    return (LENGTHS.includes(row.length) && row.every(isPlace)) || holdsChecked(row) || isUnspaced(typed, list);
  });
}

const isPlace = (place: number | undefined): place is number => place !== undefined;

function holdsChecked(row: readonly (number | undefined)[]): boolean {
  /** How many words of the list in a row end here. */
  let words = 0;
  let looks = 0;
  for (const [at, place] of row.entries()) {
    words = place === undefined ? 0 : words + 1;
    for (const length of LENGTHS) {
      if (length > words) break;
      looks += 1;
      if (looks > MAX_ROWS_LOOKED_AT || isChecked(row.slice(at + 1 - length, at + 1).filter(isPlace))) return true;
    }
  }
  return false;
}

function isUnspaced(typed: readonly string[], list: ReadonlyMap<string, number>): boolean {
  const characters = Array.from(typed.join(""));
  if (!LENGTHS.includes(characters.length) || !typed.every((word) => CHINESE.test(word))) return false;
  const row = characters.map((character) => list.get(character));
  if (!row.every(isPlace) || !isChecked(row)) return false;
  return row.reduce((sum, place) => sum + place, 0) >= RARE_ENOUGH * row.length;
}

/** BIP-39: eleven bits for each word; after the entropy, the first bits of its hash, one for each 32 of it. */
function isChecked(row: readonly number[]): boolean {
  const bits = row.map((place) => place.toString(2).padStart(11, "0")).join("");
  const size = row.length / 3;
  const entropy = BigInt(`0b${bits.slice(0, -size)}`)
    .toString(16)
    .padStart(size * 8, "0");
  const hash = createHash("sha256").update(entropy, "hex").digest();
  return hash.readUInt8().toString(2).padStart(8, "0").startsWith(bits.slice(-size));
}
