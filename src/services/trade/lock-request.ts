import { formatAssetId, parseAssetId, type AssetId, type Token } from "../../encoding/amount.js";
import { parseUntil } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import type { LockRequest, UnlockRequest } from "../terms/lock-terms.js";
import { assertOwnPayout, readPay, tradeWords } from "./swap-request.js";
import type { TokenList } from "../market/token-list.js";
import type { Lock } from "./lock-record.js";
import { collectFaults, splitWords, type Parsed } from "../base/typed-line.js";

export type Locked = Pick<Lock, "amount" | "locked">;

/**
 * Reads `5 LPKLVKFI-3I0N 5500`; the last word is an epoch, date or duration.
 * @param launched LP tokens of the user's launches, which may be unlisted.
 */
export function readLock(line: string, tokens: TokenList, launched: readonly Token[] = []): Parsed<LockRequest> {
  const { faults, attempt } = collectFaults();
  attempt(() => assertOwnPayout(line));
  if (faults.length > 0) return { faults };
  const words = tradeWords(line, tokens, true);
  if (words === undefined) return "unreadable";
  const { amount, tokenIn: name, tokenOut: time } = words;
  const token = attempt(() => name && lockable(name, tokens, launched)) || undefined;
  const pay = attempt(() => amount && readPay(amount, token)) || undefined;
  const until = attempt(() => time && parseUntil(time)) || undefined;
  if (faults.length > 0) return { faults };
  return token && pay && until ? { kind: "lock", pay, token, until } : "incomplete";
}

/** @throws Fault `token-…`. */
function lockable(text: string, tokens: TokenList, launched: readonly Token[]): Token {
  const token = launched.find(({ id }) => id === text.toUpperCase()) ?? tokens.find(text);
  if (token.kind !== "fungible") throw new Fault("token-not-lockable", { token: token.id });
  return token;
}

/** Reads `LKTOK-1A2B/7 5`; without an amount, it means all. */
export function readUnlock(line: string, tokens: TokenList, locks: readonly Locked[] = []): Parsed<UnlockRequest> {
  const [id, amount, ...rest] = splitWords(line);
  if (id === undefined) return "incomplete";
  if (rest.length > 0) return "unreadable";
  const { faults, attempt } = collectFaults();
  const locked = attempt(() => readLockedAsset(id));
  const known = locks.find((lock) => locked !== undefined && formatAssetId(lock.locked) === formatAssetId(locked));
  const token = locked && lockedToken(tokens, locked, known?.amount.token);
  const pay = attempt(() => amount && readPay(amount, token)) || undefined;
  if (locked === undefined || faults.length > 0) return { faults };
  return { kind: "unlock", locked, ...(pay !== undefined && { pay }) };
}

/** Reads `LKTOK-1A2B/7`. @throws Fault `asset-invalid`, `locked-token-invalid`. */
export function readLockedAsset(text: string): AssetId & { readonly nonce: bigint } {
  const { tokenId, nonce } = parseAssetId(text);
  if (nonce === undefined) throw new Fault("locked-token-invalid", { text: text.slice(0, 40) });
  return { tokenId, nonce };
}

/** Has the precision of the original token, if known: locked tokens count 1:1 in it. */
export function lockedToken(tokens: TokenList, locked: AssetId, original?: Token): Token {
  const listed = tokens.byId(locked.tokenId);
  const base = { id: formatAssetId(locked), name: listed?.name ?? locked.tokenId, kind: "semi-fungible" } as const;
  const precision =
    original === undefined ? listed?.precision : (original.precision ?? tokens.byId(original.id)?.precision);
  return precision === undefined ? base : { ...base, precision };
}
