import { parseAmount, plainAmount, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import type { TokenList } from "../tokens.js";
import { collectFaults, wordsOf, type LineReading } from "../typed-line.js";

/** What a person asks to be quoted or swapped, checked. */
export interface SwapRequest {
  readonly amountIn: Amount;
  /** The amount as plain decimal text, as the quotation service takes it. */
  readonly amountInText: string;
  readonly tokenOut: Token;
}

/** Stands in for an unknown token, so that the amount's own mistakes are named too. */
export const ANY_TOKEN: Token = { id: "token", name: "token", precision: 60, kind: "fungible" };

/** Reads `100 KLV KFI`. Undefined for another number of words; otherwise every reason at once when something is wrong. */
export function readSwapRequest(line: string, tokens: TokenList): LineReading<SwapRequest> | undefined {
  const [amount, first, second, ...rest] = wordsOf(line);
  if (amount === undefined || first === undefined || second === undefined || rest.length > 0) return undefined;
  const { faults, add, attempt } = collectFaults();
  const tokenIn = attempt(() => swappable(first, tokens));
  const tokenOut = attempt(() => swappable(second, tokens));
  if (tokenIn !== undefined && tokenIn.id === tokenOut?.id) add(new Fault("tokens-identical", { token: tokenIn.id }));
  if (tokenIn !== undefined && tokenIn.precision === undefined) {
    add(new Fault("token-precision-unknown", { token: tokenIn.id }));
  }
  const amountIn = attempt(() => parseAmount(amount, tokenIn ?? ANY_TOKEN));
  if (tokenIn === undefined || tokenOut === undefined || amountIn === undefined || faults.length > 0) {
    return { ok: false, faults };
  }
  return { ok: true, request: { amountIn, amountInText: plainAmount(amount, tokenIn.id), tokenOut } };
}

/**
 * The token that a person means, which must be one that a pool can hold.
 * @throws Fault `token-unknown`, `token-ambiguous`, `token-not-swappable`.
 */
export function swappable(text: string, tokens: TokenList): Token {
  const token = tokens.find(text);
  assertSwappable(token);
  return token;
}

/** @throws Fault `token-not-swappable` for a token that no pool can hold. */
export function assertSwappable({ id, kind }: Token): void {
  if (kind !== "fungible") throw new Fault("token-not-swappable", { token: id });
}
