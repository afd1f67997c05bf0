import { unwatchFile, watchFile } from "node:fs";
import { parse } from "lossless-json";
import { DataFile } from "lowdb/node";
import type { Logger } from "pino";
import * as z from "zod";
import { isTokenId, NATIVE_TOKEN, unlistedToken, type Amount, type Token } from "../../encoding/amount.js";
import { Fault, unlessFault } from "../../fault.js";
import { isOneEditAway } from "../base/edit-distance.js";
import { plainText } from "../base/display-text.js";

/** The operator's list of tokens, which can change while the bot runs. */
export interface TokenList {
  readonly all: readonly Token[];
  /** Undefined for an unlisted token. */
  readonly byId: (id: string) => Token | undefined;
  /** An unlisted token is named by its id. */
  readonly named: (id: string) => Token;
  /**
   * Finds a token by id, then by name, in any case; ids win, so that nobody can take over `KLV`.
   * @throws Fault `token-unknown`, `token-ambiguous`.
   */
  readonly find: (text: string) => Token;
  /** Whether `find` would find a token, or several of that name. */
  readonly knows: (text: string) => boolean;
  /** Other tokens whose name is or looks the same. */
  readonly namesakes: (id: string) => readonly Token[];
  /**
   * Replaces the list. Precision and kind can't change without a restart: open quotes and limits depend on them.
   * @throws Fault `token-list-invalid`, leaving the list as it was.
   */
  readonly replace: (tokens: readonly Token[]) => void;
}

/** Maximum length of a name, and of typed text in a fault. */
const MAX_CHARACTERS = 40;

const unknownKind = "kind is neither fungible nor semi-fungible";

const entrySchema = z.object({
  id: z.string().refine(isTokenId, "id is not a token id such as KLV or DVK-34ZH"),
  name: z
    .string("name is missing")
    .transform((name) => plainText(name, MAX_CHARACTERS))
    .refine((name) => name !== "", "name is empty"),
  precision: z.number("precision is missing").int().min(0).max(30).exactOptional(),
  /** As in {@link Token}, or as the interface writes it: `Fungible`, `SemiFungible`. */
  kind: z
    .string(unknownKind)
    .transform((kind) => kind.replace(/^Semi-?F/i, "semi-f").replace(/^F/, "f"))
    .pipe(z.enum(["fungible", "semi-fungible"], unknownKind)),
});

const listSchema = z.array(entrySchema, "it is not a JSON array").superRefine((tokens, context) => {
  const ids = new Set<string>();
  for (const [index, { id }] of tokens.entries()) {
    if (ids.has(id)) context.addIssue({ code: "custom", path: [index], message: `${id} is there twice` });
    ids.add(id);
  }
});

/** Issuers choose names, so they are truncated and cleaned. */
export function tokenFile(file: string) {
  return listFile<Token>(file, listSchema, "token-list-invalid");
}

export function tokenListOf(first: readonly Token[]): TokenList {
  let index = indexOf(first);
  /** Includes tokens that have left the list. */
  const known = new Map(index.ids);
  return {
    get all() {
      return index.all;
    },
    byId: (id: string) => index.ids.get(id),
    named: (id: string): Token => index.ids.get(id) ?? unlistedToken(id),
    find: (text: string): Token => {
      const typed = text.trim();
      const shown = plainText(typed, MAX_CHARACTERS);
      const byId = index.ids.get(typed.toUpperCase());
      if (byId !== undefined) return byId;
      const looks = foldName(typed);
      const [token, ...others] = index.looksOfIds.has(looks) ? [] : (index.names.get(looks) ?? []);
      if (token === undefined) throw new Fault("token-unknown", { text: shown, ids: nearMatches(shown, index) });
      if (others.length > 0) {
        throw new Fault("token-ambiguous", { text: shown, ids: [token, ...others].map(({ id }) => id) });
      }
      return token;
    },
    knows: (text: string): boolean => {
      const looks = foldName(text);
      return index.ids.has(text.trim().toUpperCase()) || (!index.looksOfIds.has(looks) && index.names.has(looks));
    },
    namesakes: (id: string): readonly Token[] => {
      const token = index.ids.get(id);
      const alike = token && index.names.get(foldName(token.name));
      return alike?.filter((other) => other.id !== id) ?? [];
    },
    replace: (tokens: readonly Token[]): void => {
      const changed = tokens.filter(({ id, precision, kind }) => {
        const before = known.get(id);
        return before !== undefined && (before.precision !== precision || before.kind !== kind);
      });
      if (changed.length > 0) {
        const ids = changed.map(({ id }) => id).join(", ");
        throw new Fault("token-list-invalid", { reason: `precision or kind of ${ids} changed, which takes a restart` });
      }
      index = indexOf(tokens);
      for (const token of tokens) known.set(token.id, token);
    },
  };
}

/** In whole tokens if the list names the token, even if it didn't when the amount was stored. */
export function asListed({ token, units }: Amount, tokenOf: TokenList["named"]): Amount {
  return { token: token.precision === undefined ? tokenOf(token.id) : token, units };
}

/** Maximum number of tokens to read balances of: each is a separate request to the node. */
const MAX_BALANCES = 40;

/** Ids of the tokens to read balances of, recently used ones first. */
export function askableTokens(
  { all }: Pick<TokenList, "all">,
  { recentTokens }: { readonly recentTokens: readonly string[] },
  more: readonly string[] = [],
): string[] {
  const fungible = all.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
  return [...new Set([...recentTokens, ...fungible, ...more])].slice(0, MAX_BALANCES);
}

/** The token that another's price is in: the native one, and for the native one itself, the one used last. */
export function counterOf(
  token: Token,
  { recentTokens }: { readonly recentTokens: readonly string[] },
  tokens: TokenList,
) {
  const ids = [NATIVE_TOKEN, ...recentTokens, ...tokens.all.map(({ id }) => id)];
  return ids.map(tokens.byId).find((other) => other?.kind === "fungible" && other.id !== token.id);
}

function indexOf(all: readonly Token[]) {
  const names = new Map<string, Token[]>();
  for (const token of all) {
    const looks = foldName(token.name);
    names.set(looks, [...(names.get(looks) ?? []), token]);
  }
  const ids = new Map(all.map((token) => [token.id, token]));
  return { all, ids, names, looksOfIds: new Set(all.map(({ id }) => foldName(id))) };
}

const MAX_NEAR = 3;
/** Too many tokens are one letter away from a shorter text. */
const LEAST_FOR_ONE_EDIT = 3;

/** Ids of tokens that look the same, then of those that start with the text, then of those one letter away. */
function nearMatches(text: string, { all, looksOfIds }: ReturnType<typeof indexOf>): readonly string[] {
  const looks = foldName(text);
  const isLong = looks.length >= LEAST_FOR_ONE_EDIT;
  const isNear: readonly ((form: string) => boolean)[] = [
    (form) => form === looks,
    (form) => isLong && form.startsWith(looks),
    (form) => isLong && isOneEditAway(form, looks),
  ];
  const distanceOf = ({ id, name }: Token): number => {
    const [ticker = ""] = id.split("-");
    // Ignore a name that looks like an id.
    const forms = [...[id, ticker].map(foldName), ...[foldName(name)].filter((looked) => !looksOfIds.has(looked))];
    return isNear.findIndex((isSo) => forms.some(isSo));
  };
  return all
    .filter(({ kind }) => kind === "fungible")
    .map((token) => ({ id: token.id, distance: distanceOf(token) }))
    .filter(({ distance }) => distance >= 0)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MAX_NEAR)
    .map(({ id }) => id);
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  // Cyrillic
  ...{ а: "a", в: "b", с: "c", ԁ: "d", е: "e", һ: "h", і: "l", ј: "j", к: "k", м: "m", н: "h", о: "o", р: "p", ѕ: "s" },
  ...{ т: "t", у: "y", х: "x", ѵ: "v", ԛ: "q", ԝ: "w" },
  // Greek
  ...{ α: "a", β: "b", ε: "e", ζ: "z", η: "n", ι: "l", κ: "k", μ: "m", ν: "v", ο: "o", ρ: "p", τ: "t", υ: "u", χ: "x" },
  // Latin letters and digits that are easily confused
  ...{ ı: "l", i: "l", "1": "l", "0": "o" },
};

/** Removes case, accents and white space, and replaces lookalike letters by one of them. */
function foldName(name: string): string {
  const letters = name
    .normalize("NFKD")
    .replace(/[\p{M}\s]/gu, "")
    .toLowerCase();
  return Array.from(letters, (letter) => LOOKALIKES[letter] ?? letter).join("");
}

// The lists that operators edit.

/** Interval for polling a list for changes: a bind mount doesn't notify watchers. */
const LOOK_EVERY_MS = 1000;

const MAX_REASONS = 20;

type ListFault = "token-list-invalid" | "pools-file-invalid";

/** A JSON array in a file, one entry per line. */
export function listFile<Entry>(file: string, schema: z.ZodType<readonly Entry[]>, code: ListFault) {
  let latest = "";
  const json = { parse: entriesIn, stringify: linesOf };
  const adapter = new DataFile<readonly unknown[]>(file, json);
  /** @throws Fault `code`, naming up to {@link MAX_REASONS} invalid entries by index. */
  const read = async (): Promise<readonly Entry[]> => {
    const data = await adapter.read().catch((cause: unknown) => {
      const problem = cause instanceof SyntaxError ? "is not JSON" : "cannot be read";
      throw new Fault(code, { reason: `${file} ${problem}` }, { cause });
    });
    if (data === null) throw new Fault(code, { reason: `${file} does not exist or says nothing` });
    const list = schema.safeParse(data);
    if (!list.success) throw new Fault(code, { reason: `${file}: ${reasonsOf(list.error)}` });
    latest = JSON.stringify(data);
    return list.data;
  };
  return {
    read,
    write: (entries: readonly Entry[]) => adapter.write(entries),
    /** Logs a list that is invalid, or that `apply` rejects with a Fault. @returns a function that stops watching. */
    watch: (apply: (entries: readonly Entry[]) => void, log: Logger): (() => void) => {
      const reload = async () => {
        const before = latest;
        const entries = await read();
        if (latest === before) return;
        apply(entries);
        log.info({ file, entries: entries.length }, "List reloaded");
      };
      const onFault = (err: Fault) => log.error({ err, file }, "List not reloaded: the earlier one stays in use");
      const onChange = () => void unlessFault(reload, onFault);
      watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, onChange);
      onChange();
      return () => unwatchFile(file, onChange);
    },
  };
}

/** Some editors begin a file with a byte order mark, which is no JSON. @throws SyntaxError the same on every Node. */
function entriesIn(file: string): unknown[] {
  const text = file.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text) as unknown[];
  } catch (cause) {
    const { message } = faultIn(text) ?? (cause as SyntaxError);
    // oxlint-disable-next-line money/no-floating-point -- a place in a text, no amount
    const lineAt = (position: string) => text.slice(0, Number(position)).split("\n").length;
    throw new SyntaxError(message.replace(/ at position ([0-9]+)$/, (_, at: string) => ` on line ${lineAt(at)}`));
  }
}

/** What a parser says whose words don't depend on the engine's version. */
function faultIn(text: string): SyntaxError | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return error as SyntaxError;
  }
}

export function linesOf(entries: readonly unknown[]): string {
  const lines = entries.map((entry) => `  ${JSON.stringify(entry)}`);
  return `[\n${lines.join(",\n")}\n]\n`;
}

function reasonsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, MAX_REASONS)
    .map(({ path: [index], message }) => (index === undefined ? message : `entry ${String(index)}: ${message}`))
    .join("; ");
}
