import { parseAmount, type Amount } from "../encoding/amount.js";
import type { Token } from "../encoding/token.js";
import { Fault, isFault } from "../fault.js";
import type { TokenList } from "./tokens.js";

/** What a person asks to be quoted or swapped, checked. */
export interface SwapRequest {
  readonly amountIn: Amount;
  /** The amount as plain decimal text, as the quotation service takes it. */
  readonly amountInText: string;
  readonly tokenIn: Token;
  readonly tokenOut: Token;
}

/** Stands in for an unknown token, so that the amount's own mistakes are named too. */
const ANY_TOKEN: Token = { id: "token", name: "token", precision: 60, kind: "fungible" };

/** Checks what a person typed, and gives every reason at once when something is wrong with it. */
export function readSwapRequest(
  typed: { readonly amount: string; readonly tokenIn: string; readonly tokenOut: string },
  tokens: TokenList,
): { readonly ok: true; readonly request: SwapRequest } | { readonly ok: false; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const attempt = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!isFault(error)) throw error;
      faults.push(error);
      return undefined;
    }
  };
  const tokenIn = attempt(() => tokens.find(typed.tokenIn));
  const tokenOut = attempt(() => tokens.find(typed.tokenOut));
  if (tokenIn !== undefined && tokenIn.id === tokenOut?.id) {
    faults.push(new Fault("tokens-identical", { token: tokenIn.id }));
  }
  if (tokenIn !== undefined && tokenIn.precision === undefined) {
    faults.push(new Fault("token-precision-unknown", { token: tokenIn.id }));
  }
  const amountIn = attempt(() => parseAmount(typed.amount, tokenIn ?? ANY_TOKEN));
  if (tokenIn === undefined || tokenOut === undefined || amountIn === undefined || faults.length > 0) {
    return { ok: false, faults };
  }
  return { ok: true, request: { amountIn, amountInText: typed.amount.trim(), tokenIn, tokenOut } };
}
