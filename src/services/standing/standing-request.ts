import {
  amountOf,
  dividedUp,
  formatAmount,
  unitsIn,
  worthAtPrice,
  type Amount,
  type Token,
} from "../../encoding/amount.js";
import { isPositive, trimDecimal, type DecimalText } from "../../encoding/decimal.js";
import { assertDecimal, formatUntil, isNumeric, parseAmount, parseUntil, plainAmount } from "../../encoding/typed.js";
import type { Until } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import { collectFaults, type Parsed } from "../base/line.js";
import type { TokenList } from "../market/token-list.js";
import type { Pay } from "../terms/swap-terms.js";
import { payText } from "../terms/terms.js";
import { readSpoken, spokenTrade } from "../trade/spoken-trade.js";
import { allWords, assertOwnPayout, priceable, readPay, tradeWords } from "../trade/swap-request.js";

/** What the user gets, after the fee; or the price of a whole one of the other token, in this one. */
export type AskedPrice = { readonly get: Amount } | { readonly price: DecimalText; readonly in: Token };

/** A typed limit, or a stop: a limit is at that price or better, a stop asks once it is that low. */
export interface PriceOrderRequest {
  readonly kind: "limit" | "stop";
  readonly pay: Pay;
  readonly from: Token;
  readonly to: Token;
  readonly at: AskedPrice;
  /** When it ends; absent: after {@link DEFAULT_LIFE}. */
  readonly until?: Until;
}

/** The command of each kind. */
export const priceCommands = { limit: "limit", stop: "stoploss" } as const;

/** What an amount is exchanged for at a price: rounded up for a limit, which is never undercut, and down for a stop. */
export function netAt(kind: "limit" | "stop", pay: Amount, to: Token, at: AskedPrice): Amount {
  if ("get" in at) return at.get;
  const { over, under } = at.in.id === to.id ? worthAtPrice(pay, at.price, to) : worthPerPrice(pay, at.price, to);
  const units = kind === "limit" ? dividedUp(over, under) : over / under;
  if (units === 0n) throw new Fault("standing-price-zero", {});
  if (units > MAX_NET_UNITS) throw new Fault("amount-too-large", { text: at.price });
  return amountOf(to, units);
}

const MAX_NET_UNITS = 10n ** 39n;

/** The exact number of whole `to` that an amount pays for, in base units, as a fraction. */
function worthPerPrice({ token, units }: Amount, price: DecimalText, to: Token) {
  const decimals = price.split(".")[1]?.length ?? 0;
  const over = units * 10n ** BigInt(decimals + (to.precision ?? 0));
  return { over, under: unitsIn(price, decimals) * 10n ** BigInt(token.precision ?? 0) };
}

/** Words before what is got, before a price, and before either, in any of the bot's languages. */
const FOR = /^(?:for|get|por)$/i;
const AT = /^(?:at|@|a|em|when|quando)$/i;
const PRICE_BELOW = /^(?:below|under|abaixo|menos)$/i;
const PRICE_ABOVE = /^(?:above|over|acima|mais)$/i;
const PRICE_FILLING = /^(?:of|than|de|do|que|is|=|it|falls|rises|to|price|preço)$/i;
const BEFORE_END = /^(?:until|till|to|for|within|até|ate|por)$/i;
const PRICE_END = /^(?:[0-9]{1,6}[hdwy]|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}(?:mo?|months?|m[eê]s|meses))$/i;

/** More than any order takes. */
export const MAX_WORDS = 24;

/** Parses `500 KLV KFI for 5.2`, `500 KLV KFI at 96 KLV 30d` and so on. */
export const readLimit = readPriceOrder.bind(undefined, "limit");
/** Parses `5 KFI KLV at 90 KLV` and so on. */
export const readStopLoss = readPriceOrder.bind(undefined, "stop");

function readPriceOrder(kind: "limit" | "stop", line: string, tokens: TokenList): Parsed<PriceOrderRequest> {
  const { faults, attempt } = collectFaults();
  attempt(() => assertOwnPayout(line));
  if (faults.length > 0) return { faults };
  const words = orderWords(line, tokens);
  if (words.length > MAX_WORDS) return "unreadable";
  const [head, mark, tail] = splitAtPrice(words);
  const trade = tradeWords(head.join(" "), tokens);
  const { number, token: named, span, isMore } = tailWords(tail);
  if (trade === undefined || isMore) return "unreadable";
  const { amount, tokenIn, tokenOut } = trade;
  const from = attempt(() => tokenIn && priceable(tokenIn, tokens)) || undefined;
  const to = attempt(() => tokenOut && priceable(tokenOut, tokens)) || undefined;
  if (from !== undefined && from.id === to?.id) faults.push(new Fault("tokens-identical", { token: from.id }));
  const pay = attempt(() => amount && readPay(amount, from)) || undefined;
  const until = attempt(() => span && parseUntil(span)) || undefined;
  const priceToken = attempt(() => named && priceable(named, tokens)) || undefined;
  const isGot = FOR.test(mark);
  const got = attempt(() => isGot && number && to && parseAmount(number, to)) || undefined;
  const price = attempt(() => (isGot || number === undefined ? undefined : readPrice(number)));
  if (faults.length > 0) return { faults };
  if (from === undefined || to === undefined || pay === undefined || number === undefined) return "incomplete";
  const asked = { kind, pay, from, to, ...(until && { until }) };
  if (got !== undefined)
    return priceToken === undefined || priceToken.id === to.id ? { ...asked, at: { get: got } } : "unreadable";
  if (price === undefined) return "incomplete";
  if (priceToken === undefined) return { faults: [eitherPrice(asked, price)] };
  const isOfTrade = priceToken.id === from.id || priceToken.id === to.id;
  return isOfTrade ? { ...asked, at: { price, in: priceToken } } : "unreadable";
}

const orderWords = (line: string, tokens: TokenList) => allWords(line.replace(/@(?=[0-9])/g, "@ "), tokens);

/** What is traded, and its price with what follows, as far as a line says them: `KLV KFI` and `at 96 KLV 30d`. */
export function priceOrderParts(line: string, tokens: TokenList) {
  const [head, mark, tail] = splitAtPrice(orderWords(line, tokens));
  return { trade: head.join(" "), price: [mark, ...tail].join(" ") };
}

/** The words before the last mark that a number follows, the mark, and the words from the number on. */
function splitAtPrice(
  words: readonly string[],
): readonly [head: readonly string[], mark: string, tail: readonly string[]] {
  for (let at = words.length - 2; at > 0; at -= 1) {
    const mark = words[at] ?? "";
    if (![FOR, AT, PRICE_BELOW, PRICE_ABOVE].some((isMark) => isMark.test(mark))) continue;
    const rest = words.slice(at + 1);
    const skipped = rest.findIndex((word) => !PRICE_FILLING.test(word));
    if (skipped >= 0 && isNumeric(rest[skipped] ?? "")) return [words.slice(0, at), mark, rest.slice(skipped)];
  }
  return [words, "", []];
}

/** `96 KLV 30d` */
function tailWords([number, ...rest]: readonly string[]) {
  const words = rest.filter((word, at) => !(BEFORE_END.test(word) && PRICE_END.test(rest[at + 1] ?? "")));
  const spans = words.filter((word) => PRICE_END.test(word));
  const [token, ...more] = words.filter((word) => !PRICE_END.test(word));
  return { number, token, span: spans[0], isMore: more.length > 0 || spans.length > 1 };
}

function readPrice(text: string): DecimalText {
  const { typed } = assertDecimal(plainAmount(text, ""));
  if (!isPositive(typed)) throw new Fault("standing-price-zero", {});
  return trimDecimal(typed);
}

/** A price without a token may be of either. */
function eitherPrice(asked: Omit<PriceOrderRequest, "at">, price: DecimalText): Fault {
  const { from, to, kind } = asked;
  const choices = [from, to].map((priced) => ({
    label: `1 ${priced.id === from.id ? to.id : from.id} = ${price} ${priced.id}`,
    command: `${priceCommands[kind]} ${priceOrderLine({ ...asked, at: { price, in: priced } })}`,
  }));
  return new Fault("trade-unclear", { choices });
}

/** The typed form: `500 KLV KFI at 96 KLV 30d`. */
export function priceOrderLine({ pay, from, to, at, until }: PriceOrderRequest): string {
  const price = "get" in at ? `for ${formatAmount(at.get)}` : `at ${at.price} ${at.in.id}`;
  return `${payText(pay)} ${from.id} ${to.id} ${price} ${until === undefined ? "" : formatUntil(until)}`.trim();
}

/**
 * Reads `buy 500 KLV of KFI below 96`, `sell 5 KFI above 110 KLV` (limits) and `sell 5 KFI below 90` (a stop), in any of
 * the bot's languages, as the command that means it. Undefined for any other text.
 */
export function readSpokenOrder(text: string, tokens: TokenList) {
  const spoken = spokenTrade(text);
  if (spoken === undefined) return undefined;
  const [head, mark, tail] = splitAtPrice(allWords(spoken.what.replace(/[<>]=?/g, signWord), tokens));
  const [isBelow, isAbove] = [PRICE_BELOW.test(mark), PRICE_ABOVE.test(mark)];
  const { number = "", span = "" } = tailWords(tail);
  if (!(isBelow || (isAbove && !spoken.isBuy)) || !/^[0-9.]+$/.test(number)) return undefined;
  const trade = readSpoken(spoken.isBuy, head.filter((word) => !ONCE.test(word)).join(" "), tokens);
  if (trade === undefined || trade === "unsaid" || trade instanceof Fault) return undefined;
  const words = trade.line.split(" ");
  if (trade.command === "swap") {
    // What isn't named is the native token, as in all that is spoken.
    const [amount = "", first = "", second = ""] = words;
    if (second === "") return undefined;
    const command = spoken.isBuy || isAbove ? "limit" : "stoploss";
    return {
      command,
      line: `${amount} ${first} ${second} at ${number} ${spoken.isBuy ? first : second} ${span}`.trim(),
    };
  }
  const [, from = "", wanted = ""] = words;
  const [to = "", exact = ""] = wanted.split("=");
  const [paid, got] = [tokens.byId(from.toUpperCase()), tokens.byId(to.toUpperCase())];
  if (!spoken.isBuy || paid?.precision === undefined || got?.precision === undefined || !/^[0-9.]+$/.test(exact))
    return undefined;
  const { over, under } = worthAtPrice(parseAmount(exact, got), readPrice(number), paid);
  if (over < under) return undefined;
  const pay = formatAmount(amountOf(paid, over / under));
  return { command: "limit" as const, line: `${pay} ${paid.id} ${got.id} for ${exact} ${span}`.trim() };
}

/** Words before a price that say no more than the price does. */
const ONCE = /^(?:when|once|if|its?|price|falls|rises|goes|is|quando|se|preço|cair|cai|subir|sobe|estiver|ficar)$/i;

const signWord = (sign: string): string => (sign.startsWith("<") ? " below " : " above ");
