import { parseAmount, plainAmount, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { isShare } from "../../encoding/share.js";
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

/** What people write between two tokens, in any of the bot's languages. */
const BETWEEN = /^(?:to|for|into|por|para|em|→|[-=]?>)$/i;

/** What a line says of a trade, as typed. What it leaves out can be asked for. */
export interface SwapWords {
  readonly amount?: string | undefined;
  readonly tokenIn?: string | undefined;
  readonly tokenOut?: string | undefined;
}

/** Tells the words of `100 KLV KFI`, `100 klv to kfi`, `100 KLV` or `KFI` apart; undefined for more words than a trade has. */
export function swapWordsOf(line: string): SwapWords | undefined {
  const words = wordsOf(line.replace(/→/g, " → ")).filter((word, at) => at === 0 || !BETWEEN.test(word));
  const isAmount = /^[-−+.,]?[0-9][0-9.,]*$/.test(words[0] ?? "") || isShare(words[0] ?? "");
  const [tokenIn, tokenOut, ...rest] = isAmount ? words.slice(1) : words;
  // Three words without an amount among them are meant as `100 KLV KFI` with a mistake in the amount.
  if (!isAmount && rest.length === 1) return { amount: tokenIn, tokenIn: tokenOut, tokenOut: rest[0] };
  return rest.length > 0 ? undefined : { amount: isAmount ? words[0] : undefined, tokenIn, tokenOut };
}

/** What a line says of a trade of which it leaves something out; undefined for a whole one, and for what is none. */
export function incompleteTrade(line: string): SwapWords | undefined {
  const words = swapWordsOf(line);
  return words && [words.amount, words.tokenIn, words.tokenOut].includes(undefined) ? words : undefined;
}

/** Whether a line leaves out a part of a trade. @throws Fault `token-…`, `amount-…` for what is wrong with the other parts. */
export function isIncompleteTrade(line: string, tokens: TokenList): boolean {
  const words = incompleteTrade(line);
  if (words?.amount !== undefined && !isShare(words.amount)) parseAmount(words.amount, ANY_TOKEN);
  for (const token of [words?.tokenIn, words?.tokenOut]) if (token !== undefined) swappable(token, tokens);
  return words !== undefined;
}

/** The words of a trade as {@link readSwapRequest} reads them. */
export function swapLine({ amount, tokenIn, tokenOut }: SwapWords): string {
  return [amount, tokenIn, tokenOut].filter((word) => word !== undefined).join(" ");
}

/**
 * Reads `100 KLV KFI`. Undefined where something is missing or there are more words; otherwise every reason at once when
 * something is wrong.
 */
export function readSwapRequest(line: string, tokens: TokenList): LineReading<SwapRequest> | undefined {
  const { amount, tokenIn: first, tokenOut: second } = swapWordsOf(line) ?? {};
  if (amount === undefined || first === undefined || second === undefined) return undefined;
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
