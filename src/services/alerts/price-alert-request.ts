import { DAY_MS } from "../../clock.js";
import { formatAmount, formatBps, type Amount, NATIVE_TOKEN, type Token } from "../../encoding/amount.js";
import { isPositive, trimDecimal } from "../../encoding/decimal.js";
import { assertDecimal, isNumeric, parseAmount, parseBps, plainAmount } from "../../encoding/typed.js";
import { formatUntil, parseUntil, type Until } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import { lineWords, priceable } from "../trade/swap-request.js";
import { collectFaults, type Parsed } from "../base/typed-line.js";
import type { TokenList } from "../market/token-list.js";
import { lastMoment } from "../person/until.js";
import type { PriceQuestion, Rule } from "../price-watches/price-rule.js";

/** The typed form: `10 KFI KLV above 120 30d`. */
export function alertLine({ rule, until, ...question }: PriceQuestion & Pick<AlertRequest, "rule" | "until">): string {
  const condition = rule.way === "move" ? `${formatBps(rule.bps)}%` : `${rule.way} ${rule.price}`;
  return `${headOf(question)} ${condition} ${until === undefined ? "" : formatUntil(until)}`.trim();
}

/** The typed form up to the rule: `10 KFI KLV`. */
export function headOf({ amount, out }: PriceQuestion): string {
  return `${formatAmount(amount)} ${amount.token.id} ${out.id}`;
}

const MAX_ALERT_MS = 365 * DAY_MS;
/** A date in the next year may be a leap day further away. */
const MAX_SPAN_MS = 366 * DAY_MS;
/** Below this, an alert that restarts at each reported price would report every ripple. */
export const LEAST_BPS = 50;

/** A typed request for an alert. */
export interface AlertRequest {
  /** The amount to be priced; absent: the user's first preset. */
  readonly amount?: Amount;
  readonly token: Token;
  readonly out: Token;
  readonly rule: Rule;
  /** When it ends; absent: after a year. */
  readonly until?: Until;
}

/** Words without meaning, in any of the bot's languages. */
const LINKING_WORD = /^(?:in|at|of|is|to|for|a|o|em|de|do|da|por|para|que|→|[-=]>)$/i;
const ABOVE = /^(?:above|over|acima|mais)$/i;
const WAY = new RegExp(`${ABOVE.source}|^(?:below|under|abaixo|menos)$`, "i");
const PERCENT = /^(?:±|\+-|\+\/-)?([0-9]+(?:[.,][0-9]+)?)%$/;
const SPAN = /^(?:[0-9]{1,6}[hdwy]|[0-9]{4}-[0-9]{2}-[0-9]{2})$/i;
/** Months beside a price or percentage, otherwise millions. */
const MONTHS_OR_MILLION = /^[0-9]{1,2}m$/i;

/** Signs as words: a `>` by itself stands between what is paid and received elsewhere, and an arrow is none. */
const withWays = (line: string): string => line.replace(/(?<![-=])>=?|≥/g, " above ").replace(/<=?|≤/g, " below ");

/**
 * Parses `KFI above 120 KLV`, `10 KFI below 90`, `KFI 5% KLV 30d` and so on. `incomplete` if there is no condition yet,
 * so that the bot can ask for one.
 */
export function readAlert(line: string, tokens: TokenList): Parsed<AlertRequest> {
  const all = lineWords(withWays(line), tokens).filter((word) => !LINKING_WORD.test(word));
  const { faults, attempt } = collectFaults();
  // A number before a token is the amount; elsewhere it is the price.
  const amountText = all.length > 1 && isNumeric(all[0] ?? "") ? all[0] : undefined;
  const words = amountText === undefined ? all : all.slice(1);
  const areMonths = (word: string) =>
    MONTHS_OR_MILLION.test(word) && words.some((other) => other !== word && (PERCENT.test(other) || isNumeric(other)));
  const forms: readonly ((word: string) => boolean)[] = [
    (word) => WAY.test(word),
    (word) => PERCENT.test(word),
    (word) => isNumeric(word) && !areMonths(word),
    (word) => SPAN.test(word) || areMonths(word),
  ];
  const named = words.filter((word) => !forms.some((isSo) => isSo(word)));
  const found = forms.map((isSo) => words.filter(isSo));
  if (named.length > 2 || found.some(({ length }) => length > 1)) return "unreadable";
  const [way, percent, price, span] = found.map(([word]) => word);

  const [tokenText, outText = NATIVE_TOKEN] = named;
  const token = attempt(() => tokenText && priceable(tokenText, tokens)) || undefined;
  const out = attempt(() => priceable(outText, tokens));
  if (tokenText === undefined && all.length > 0) faults.push(new Fault("alert-without-token", {}));
  if (token !== undefined && token.id === out?.id) faults.push(new Fault("tokens-identical", { token: token.id }));
  const amount = attempt(() => amountText && token && parseAmount(amountText, token)) || undefined;
  const rule = attempt(() => readRule(way, percent, price));
  const until = attempt(() => span && parseUntil(span)) || undefined;
  if (faults.length > 0) return { faults };
  if (token === undefined || out === undefined || rule === undefined) return "incomplete";
  return { token, out, rule, ...(amount && { amount }), ...(until && { until }) };
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
  if (way === undefined) throw new Fault("alert-without-direction", { text: price, price: typed });
  return { way: ABOVE.test(way) ? "above" : "below", price: trimDecimal(typed) };
}

/** In milliseconds since 1970. @throws Fault `alert-too-long` unless the alert ends within a year from now. */
export function alertEndOf({ until }: Pick<AlertRequest, "until">, timeZone: string, now: number): number {
  if (until === undefined) return now + MAX_ALERT_MS;
  const end = lastMoment(until, timeZone, now);
  // A date in a year's time is included.
  if (end > now && end <= now + MAX_SPAN_MS + ("date" in until ? DAY_MS - 1 : 0)) return end;
  throw new Fault("alert-too-long", { text: formatUntil(until) });
}
