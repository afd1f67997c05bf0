import {
  parseAmount,
  plainAmount,
  assertDecimal,
  parseBps,
  formatUntil,
  momentOf,
  parseUntil,
  type Until,
} from "../../encoding/typed.js";
import type { Amount, Token } from "../../encoding/amount.js";
import { isPositive, trimDecimal } from "../../encoding/decimal.js";
import { Fault } from "../../fault.js";
import { swappable } from "../swap/request.js";
import { collectFaults, wordsOf, type Read } from "../text/line.js";
import type { TokenList } from "../token/list.js";
import type { Rule } from "./alert.js";

/** What prices are given in, where nothing else is said. */
const NATIVE_TOKEN = "KLV";
const YEAR_MS = 365 * 86_400_000;
/** A date of next year may be a leap day further. */
const MAX_SPAN_MS = 366 * 86_400_000;
/** Below that, an alert that starts again at each price told would tell of every ripple. */
const LEAST_BPS = 50;

/** A price that somebody asks to be told of. */
export interface AlertRequest {
  /** What the price is asked for; absent: the person's first preset. */
  readonly amount?: Amount;
  readonly token: Token;
  readonly out: Token;
  readonly rule: Rule;
  /** When it ends by itself; absent: after a year. */
  readonly until?: Until;
}

/** Words between the others that mean nothing, in any of the bot's languages. */
const FILLER = /^(?:in|at|of|is|to|for|a|o|em|de|do|da|por|para|que|→|[-=]>)$/i;
const WAYS: readonly (readonly ["above" | "below", RegExp])[] = [
  ["above", /^(?:above|over|acima|mais|>=?|≥)$/i],
  ["below", /^(?:below|under|abaixo|menos|<=?|≤)$/i],
];
const PERCENT = /^(?:±|\+-|\+\/-)?([0-9]+(?:[.,][0-9]+)?)%$/;
const NUMBER = /^[-−+.,]?[0-9][0-9.,]*(?:e[+-]?[0-9]+)?$/i;
const SPAN = /^(?:[0-9]{1,6}[hdwy]|[0-9]{4}-[0-9]{2}-[0-9]{2})$/i;

/**
 * Reads `KFI above 120 KLV`, `10 KFI below 90`, `KFI 5% KLV 30d` and so on. `incomplete` where there is no condition yet, which can be
 * asked for.
 */
export function readAlert(line: string, tokens: TokenList): Read<AlertRequest> {
  const all = wordsOf(line.replace(/([<>]=?|[≥≤])/g, " $1 ")).filter((word) => !FILLER.test(word));
  const { faults, add, attempt } = collectFaults();
  // A number before a token is the amount; elsewhere it is the price.
  const amountText = all.length > 1 && NUMBER.test(all[0] ?? "") ? all[0] : undefined;
  const words = amountText === undefined ? all : all.slice(1);
  const isWay = (word: string) => WAYS.some(([, pattern]) => pattern.test(word));
  const ways = words.filter(isWay);
  const [percents, prices, spans] = [PERCENT, NUMBER, SPAN].map((form) => words.filter((word) => form.test(word)));
  const named = words.filter((word) => !isWay(word) && ![PERCENT, NUMBER, SPAN].some((form) => form.test(word)));
  const counts = [ways, percents, prices, spans].map((found = []) => found.length);
  if (named.length > 2 || counts.some((count) => count > 1)) return "unreadable";

  const [tokenText, outText = NATIVE_TOKEN] = named;
  const token = attempt(() => tokenText && tokenOf(tokenText, tokens)) || undefined;
  const out = attempt(() => tokenOf(outText, tokens));
  if (tokenText === undefined && all.length > 0) add(new Fault("alert-without-token", {}));
  if (token !== undefined && token.id === out?.id) add(new Fault("tokens-identical", { token: token.id }));
  const amount = attempt(() => amountText && token && parseAmount(amountText, token)) || undefined;
  const rule = attempt(() => readRule(ways[0], percents?.[0], prices?.[0]));
  const until = attempt(() => spans?.[0] && parseUntil(spans[0])) || undefined;
  if (faults.length > 0) return { faults };
  if (token === undefined || out === undefined || rule === undefined) return "incomplete";
  return { token, out, rule, ...(amount && { amount }), ...(until && { until }) };
}

/** @throws Fault `token-…`. */
function tokenOf(text: string, tokens: TokenList): Token {
  const token = swappable(text, tokens);
  if (token.precision === undefined) throw new Fault("token-precision-unknown", { token: token.id });
  return token;
}

/** @throws Fault `alert-…`, `amount-…`. */
function readRule(way?: string, percent?: string, price?: string): Rule | undefined {
  if (percent !== undefined) {
    if (way !== undefined || price !== undefined) throw new Fault("alert-unclear", {});
    const bps = parseBps(PERCENT.exec(percent)?.[1]?.replace(",", ".") ?? "");
    if (bps === undefined || bps < LEAST_BPS) throw new Fault("alert-percent", { text: percent.slice(0, 20) });
    return { way: "move", bps: BigInt(bps) };
  }
  if (price === undefined && way === undefined) return undefined;
  if (price === undefined) throw new Fault("alert-without-price", {});
  const { typed } = assertDecimal(plainAmount(price, ""));
  if (!isPositive(typed)) throw new Fault("alert-price-zero", {});
  const [meant] = WAYS.find(([, pattern]) => pattern.test(way ?? "")) ?? [];
  if (meant === undefined) throw new Fault("alert-without-direction", { price: typed });
  return { way: meant, price: trimDecimal(typed) };
}

/** When an alert ends, in milliseconds since 1970. @throws Fault `alert-too-long` for what is no time within a year from now. */
export function endOf({ until }: Pick<AlertRequest, "until">, now: number): number {
  if (until === undefined) return now + YEAR_MS;
  const end = "epoch" in until ? now : momentOf(until, now);
  if (end > now && end <= now + MAX_SPAN_MS) return end;
  throw new Fault("alert-too-long", { text: formatUntil(until) });
}
