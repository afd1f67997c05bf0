import type { Config } from "../../config.js";
import { assertDecimal, parseAmount, plainAmount, isShare, parseShare } from "../../encoding/typed.js";
import { type Token, amountOf, shareOf } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import type { MultihopRequest, Stop, Pay, SwapRequest } from "../terms/swap.js";
import { MAX_HOPS } from "../pool/route.js";
import type { TokenList } from "../token/list.js";
import { collectFaults, wordsOf, type Read } from "../text/line.js";
import { payoutOf, type Person } from "../person/person.js";
import type { Balances } from "../gateway/query.js";

/** Words and arrows between two tokens, in any of the bot's languages. */
const BETWEEN = /^(?:to|for|into|por|para|em|→|[-=]?>)$/i;

/** Splits `100 KLV KFI`, `100 klv to kfi`, `100 KLV` or `KFI`; undefined if there are too many words. */
export function tradeWords(line: string) {
  const words = wordsOf(line.replace(/→/g, " → ")).filter((word, at) => at === 0 || !BETWEEN.test(word));
  const isAmount = /^[-−+.,]?[0-9][0-9.,]*$/.test(words[0] ?? "") || isShare(words[0] ?? "");
  const [tokenIn, tokenOut, ...rest] = isAmount ? words.slice(1) : words;
  // Treat three words without an amount as `100 KLV KFI` with a typo in the amount.
  if (!isAmount && rest.length === 1) return { amount: tokenIn, tokenIn: tokenOut, tokenOut: rest[0] };
  return rest.length > 0 ? undefined : { amount: isAmount ? words[0] : undefined, tokenIn, tokenOut };
}

export function readSwap(line: string, tokens: TokenList): Read<SwapRequest> {
  const words = tradeWords(line);
  if (words === undefined) return "unreadable";
  const { amount, tokenIn, tokenOut } = words;
  const { faults, attempt } = collectFaults();
  const from = attempt(() => tokenIn && swappable(tokenIn, tokens)) || undefined;
  const to = attempt(() => tokenOut && swappable(tokenOut, tokens)) || undefined;
  if (from !== undefined && from.id === to?.id) faults.push(new Fault("tokens-identical", { token: from.id }));
  if (from !== undefined && from.precision === undefined)
    faults.push(new Fault("token-precision-unknown", { token: from.id }));
  const pay = attempt(() => amount && readPay(amount, from)) || undefined;
  if (faults.length > 0) return { faults };
  return pay && from && to ? { kind: "swap", pay, from, to } : "incomplete";
}

/** Reads `100 KLV DVK-34ZH KFI`, or with an exact amount `100 KLV DVK-34ZH=25 KFI`. */
export function readMultihop(line: string, tokens: TokenList): Read<MultihopRequest> {
  const [amount, first, ...rest] = wordsOf(line);
  if (amount === undefined || first === undefined || rest.length === 0) return "incomplete";
  const { faults, attempt } = collectFaults();
  const from = attempt(() => swappable(first, tokens));
  const stops = rest.slice(0, MAX_HOPS).map((word) => attempt(() => stopOf(word, tokens)));
  const path = [from, ...stops.map((stop) => stop?.token)];
  path.forEach((token, index) => {
    if (token !== undefined && token.id === path[index - 1]?.id)
      faults.push(new Fault("tokens-identical", { token: token.id }));
  });
  if (rest.length > MAX_HOPS) faults.push(new Fault("route-too-long", { maximum: MAX_HOPS }));
  const pay = attempt(() => readPay(amount, from));
  if (from === undefined || pay === undefined || faults.length > 0) return { faults };
  return { kind: "multihop", pay, from, stops: stops.filter((stop) => stop !== undefined) };
}

function stopOf(word: string, tokens: TokenList): Stop {
  const [name = "", amount, ...more] = word.split("=");
  const token = swappable(name, tokens);
  if (amount === undefined) return { token };
  if (more.length > 0) throw new Fault("amount-not-a-number", { text: word.slice(0, 40) });
  return { token, exactly: parseAmount(amount, token) };
}

/** Reads an amount or a share; without a token, an amount is only checked. @throws Fault `amount-…`. */
export function readPay<Known extends Token | undefined>(text: string, token: Known): Pay | Extract<Known, undefined> {
  const shareBps = parseShare(text);
  if (shareBps !== undefined) return { shareBps };
  if (token !== undefined) return parseAmount(text, token);
  assertDecimal(plainAmount(text, ""));
  return undefined as Extract<Known, undefined>;
}

/** @throws Fault `token-unknown`, `token-ambiguous`, `token-not-swappable`. */
export function swappable(text: string, tokens: TokenList): Token {
  const token = tokens.find(text);
  assertSwappable(token);
  return token;
}

/** Finds a token that has prices, or that prices can be in. @throws Fault `token-…`. */
export function priceable(text: string, tokens: TokenList): Token {
  const token = swappable(text, tokens);
  if (token.precision === undefined) throw new Fault("token-precision-unknown", { token: token.id });
  return token;
}

/** @throws Fault `token-not-swappable`. */
export function assertSwappable({ id, kind }: Token): void {
  if (kind !== "fungible") throw new Fault("token-not-swappable", { token: id });
}

export interface PayParts {
  readonly balances: Balances;
  readonly settings: Pick<Config, "callIncludesCaller" | "keptForFees">;
}

/**
 * Converts a share to an amount, exact to the unit, keeping back the maximum network fee in KLV if the user's wallet
 * pays one. @throws Fault `wallet-missing`, `balances-untold`, `balance-empty`, `amount-zero`, `service-…`.
 */
export async function amountPaid({ balances, settings }: PayParts, person: Person, pay: Pay, token: Token) {
  if ("units" in pay) return pay;
  const payout = payoutOf(person);
  if (!settings.callIncludesCaller) throw new Fault("balances-untold", {});
  const held = (await balances.read(payout, [token.id]))[token.id] ?? 0n;
  const kept = token.id === "KLV" ? settings.keptForFees : 0n;
  const wanted = held === 0n ? 0n : shareOf(amountOf(token, held), pay.shareBps).units;
  const most = held > kept ? held - kept : 0n;
  const units = wanted < most ? wanted : most;
  if (units === 0n) throw new Fault("balance-empty", { token: token.id });
  return amountOf(token, units);
}
