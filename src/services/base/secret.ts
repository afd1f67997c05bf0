import { holdsCheckedPhrase } from "./checked-phrase.js";
import { holdsSeedPhrase } from "./seed-phrase.js";

/** Of a seed phrase in Chinese without spaces; of everything else. */
const FEWEST_CHARACTERS = { eastern: 12, other: 43 };

/** Hex digits of a seed, or of a seed and its public key. */
const HEX_LENGTHS: ReadonlySet<number> = new Set([64, 128]);
/** Without trailing `=`. The last is the body of this chain's PEM files, base64 of hex. */
const BASE64_LENGTHS: ReadonlySet<number> = new Set([43, 86, 171]);
const PEM = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY/;
/** Start of an Ed25519 private key, as this chain uses, in PKCS #8 and base64. */
const PKCS8 = "MC4CAQAwBQYDK2VwBCIE";
/** Characters that copying can leave between letters. */
const INVISIBLE_BETWEEN_LETTERS = /[\p{Cf}\p{DI}]/gu;
/** A link by which anyone can propose trades to its owner. */
const PROPOSING = /\/propose\/[\w-]{43}(?![\w-])/;
/** Links to explorers and the signing page contain what looks like a key. */
const LINKS = /(?:https?:\/\/|\/transaction\/)\S+/gi;

/**
 * Whether a text contains a seed phrase in any of BIP-39's languages or of SLIP-39, or a private key: 32 or 64 bytes in hex or
 * base64, or a PEM file, or the link of a program. A transaction hash looks like a key and counts as one, except in a link.
 */
export function looksLikeSecret(text: string): boolean {
  if (text.length < FEWEST_CHARACTERS.eastern) return false;
  const plain = text.normalize("NFKD").replace(INVISIBLE_BETWEEN_LETTERS, "");
  if (holdsCheckedPhrase(plain)) return true;
  if (text.length < FEWEST_CHARACTERS.other) return false;
  if (PEM.test(plain) || plain.includes(PKCS8) || PROPOSING.test(plain) || holdsSeedPhrase(plain)) return true;
  const withoutLinks = plain.replace(LINKS, " ");
  return holdsHex(withoutLinks) || holdsBase64(withoutLinks);
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
