import { readFile } from "node:fs/promises";
import { z } from "zod";
import { isTokenId } from "../encoding/asset.js";
import { unlistedToken, type Token } from "../encoding/token.js";
import { Fault, orFault } from "../fault.js";
import type { Person } from "../model/person.js";
import { plainText } from "./plain-text.js";

export type TokenList = ReturnType<typeof tokenListOf>;

const MAX_NAME = 40;
const MAX_TYPED = 40;

const unknownKind = "kind is neither fungible nor semi-fungible";
/** As Token has it, or as the interface writes it: `Fungible`, `SemiFungible`. */
const kindSchema = z
  .string(unknownKind)
  .transform((kind) => kind.replace(/^Semi-?F/i, "semi-f").replace(/^F/, "f"))
  .pipe(z.enum(["fungible", "semi-fungible"], unknownKind));

const entrySchema = z.object({
  id: z.string().refine(isTokenId, "id is not a token id such as KLV or DVK-34ZH"),
  name: z
    .string("name is missing")
    .transform((name) => plainText(name, MAX_NAME))
    .refine((name) => name !== "", "name is empty"),
  precision: z.number("precision is missing").int().min(0).max(30).optional(),
  kind: kindSchema,
});

/**
 * Reads a JSON array of `{id, name, precision, kind}`; other fields are passed over. Names come from whoever issued the
 * token and are cut and cleaned.
 * @throws Fault `token-list-invalid`, naming every bad entry by its index.
 */
export function readTokenList(json: unknown): TokenList {
  if (!Array.isArray(json)) throw new Fault("token-list-invalid", { reason: "it is not a JSON array" });
  const reasons: string[] = [];
  const tokens = new Map<string, Token>();
  json.forEach((entry: unknown, index) => {
    const read = entrySchema.safeParse(entry);
    if (!read.success) {
      reasons.push(`entry ${index}: ${read.error.issues.map((issue) => issue.message).join(", ")}`);
      return;
    }
    const { precision, ...token } = read.data;
    if (tokens.has(token.id)) reasons.push(`entry ${index}: ${token.id} is there twice`);
    tokens.set(token.id, precision === undefined ? token : { ...token, precision });
  });
  if (reasons.length > 0) throw new Fault("token-list-invalid", { reason: reasons.join("; ") });
  return tokenListOf([...tokens.values()]);
}

/** Reads a token list from a file. @throws Fault `token-list-invalid` also when the file is missing or not JSON. */
export async function loadTokens(file: string): Promise<TokenList> {
  const unread = { reason: `${file} cannot be read` };
  const text = await orFault(readFile(file, "utf8"), "token-list-invalid", unread);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Fault("token-list-invalid", { reason: `${file} is not JSON` }, { cause });
  }
  return readTokenList(json);
}

/**
 * The token of this id as far as one person's bot knows it: a listed one, or the LP token of a pair which they launch.
 * The LP token's precision is not known, so its amounts are in smallest units.
 */
export function tokenOf(person: Person, id: string, tokens: TokenList): Token | undefined {
  const launch = Object.values(person.launches ?? {}).find(({ lpTokenId }) => lpTokenId === id);
  return tokens.byId(id) ?? (launch && unlistedToken(id, launch.lpName));
}

function tokenListOf(all: readonly Token[]) {
  const ids = new Map(all.map((token) => [token.id, token]));
  const looksOfIds = new Set(all.map(({ id }) => foldName(id)));
  const names = new Map<string, Token[]>();
  for (const token of all) {
    const looks = foldName(token.name);
    names.set(looks, [...(names.get(looks) ?? []), token]);
  }
  return {
    all,
    byId: (id: string): Token | undefined => ids.get(id),
    /**
     * The token that a person means: by id, or by name, both without regard to case. An id always wins over a name, and so does
     * one that merely looks like it, so that nobody can take over `KLV` by naming a token so.
     * @throws Fault `token-unknown`; `token-ambiguous` when several tokens carry that name, or one that looks the same.
     */
    find: (text: string): Token => {
      const typed = text.trim();
      const shown = plainText(typed, MAX_TYPED);
      const byId = ids.get(typed.toUpperCase());
      if (byId !== undefined) return byId;
      const [token, ...others] = looksOfIds.has(foldName(typed)) ? [] : (names.get(foldName(typed)) ?? []);
      if (token === undefined) {
        throw new Fault("token-unknown", { text: shown, ids: nearMatches(shown, all, looksOfIds) });
      }
      if (others.length > 0) {
        throw new Fault("token-ambiguous", { text: shown, ids: [token, ...others].map(({ id }) => id) });
      }
      return token;
    },
    /** Other tokens with this one's name, or one that looks the same. */
    namesakes: (id: string): readonly Token[] => {
      const token = ids.get(id);
      return token === undefined ? [] : (names.get(foldName(token.name)) ?? []).filter((other) => other.id !== id);
    },
  };
}

/** More would not help to choose. */
const MAX_NEAR = 3;
/** Of shorter texts too much is only one letter away. */
const LEAST_FOR_ONE_EDIT = 3;

/**
 * The ids of the ordinary tokens that somebody may have meant: those that look the same first, then those whose id begins
 * like that, then those that are one letter away.
 */
function nearMatches(text: string, all: readonly Token[], looksOfIds: ReadonlySet<string>): readonly string[] {
  const looks = foldName(text);
  const distanceOf = ({ id, name }: Token): number => {
    const [ticker = ""] = id.split("-");
    // A name that looks like another's id is no reason to offer it.
    const forms = [...[id, ticker].map(foldName), ...[foldName(name)].filter((looked) => !looksOfIds.has(looked))];
    if (forms.includes(looks)) return 0;
    if (looks.length < LEAST_FOR_ONE_EDIT) return Number.POSITIVE_INFINITY;
    if (forms.some((form) => form.startsWith(looks))) return 1;
    return forms.some((form) => isOneEditAway(form, looks)) ? 2 : Number.POSITIVE_INFINITY;
  };
  return all
    .filter(({ kind }) => kind === "fungible")
    .map((token) => ({ id: token.id, distance: distanceOf(token) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MAX_NEAR)
    .map(({ id }) => id);
}

/** Whether one letter more, less or another one, or two neighbours exchanged, makes one text of the other. */
function isOneEditAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [left, right] = [one.slice(start), other.slice(start)];
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

/** Letters and digits that are drawn like a Latin letter, after lower-casing. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  // Cyrillic
  ...{ а: "a", в: "b", с: "c", ԁ: "d", е: "e", һ: "h", і: "l", ј: "j", к: "k", м: "m", н: "h", о: "o", р: "p", ѕ: "s" },
  ...{ т: "t", у: "y", х: "x", ѵ: "v", ԛ: "q", ԝ: "w" },
  // Greek
  ...{ α: "a", β: "b", ε: "e", ζ: "z", η: "n", ι: "l", κ: "k", μ: "m", ν: "v", ο: "o", ρ: "p", τ: "t", υ: "u", χ: "x" },
  // Latin letters and digits which are taken for one another
  ...{ ı: "l", i: "l", "1": "l", "0": "o" },
};

/** What a name looks like: without case, accents and white space, and with look-alike letters as one. */
function foldName(name: string): string {
  const letters = name
    .normalize("NFKD")
    .replace(/[\p{M}\s]/gu, "")
    .toLowerCase();
  return Array.from(letters, (letter) => LOOKALIKES[letter] ?? letter).join("");
}
