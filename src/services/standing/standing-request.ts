import {
  amountOf,
  NATIVE_TOKEN,
  dividedUp,
  inProportion,
  formatAmount,
  unitsIn,
  worthAtPrice,
  type Amount,
  type Token,
} from "../../encoding/amount.js";
import { isPositive, trimDecimal, type DecimalText } from "../../encoding/decimal.js";
import { assertDecimal, formatUntil, isNumeric, parseAmount, parseUntil, plainAmount } from "../../encoding/typed.js";
import type { Until } from "../../encoding/typed.js";
import { Fault, unlessFaultSync } from "../../fault.js";
import { collectFaults, type Parsed } from "../base/typed-line.js";
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
  /** Whether the token that the price is in wasn't said: it is the native one. */
  readonly isAssumed?: true;
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

/** An order that pays something else, at the price that it has. */
export function withPay(order: PriceOrderRequest, pay: Amount): PriceOrderRequest {
  const { at, kind } = order;
  if ("price" in at || !("units" in order.pay)) return { ...order, pay };
  const { over, under } = inProportion(at.get, pay, order.pay);
  const units = kind === "limit" ? dividedUp(over, under) : over / under;
  return { ...order, pay, at: { get: amountOf(at.get.token, units > 1n ? units : 1n) } };
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
  const said = saidParts(words, tokens);
  if (said === undefined) return "unreadable";
  const { amount, tokenIn, mark, number, named, span } = said;
  const tokenOut = said.tokenOut ?? said.counter;
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
  const isEitherWay = kind === "limit" && said.counter !== undefined && price !== undefined;
  if (isEitherWay && from !== undefined && to !== undefined) return { faults: [eitherWay(said, from, to, price)] };
  if (from === undefined || to === undefined || pay === undefined || number === undefined) return "incomplete";
  const asked = { kind, pay, from, to, ...(until && { until }) };
  if (got !== undefined)
    return priceToken === undefined || priceToken.id === to.id ? { ...asked, at: { get: got } } : "unreadable";
  if (price === undefined) return "incomplete";
  if (priceToken === undefined) {
    const native = [from, to].find(({ id }) => id === NATIVE_TOKEN);
    if (native === undefined) return { faults: [eitherPrice(asked, price)] };
    return { ...asked, at: { price, in: native }, isAssumed: true };
  }
  const isOfTrade = priceToken.id === from.id || priceToken.id === to.id;
  return isOfTrade ? { ...asked, at: { price, in: priceToken } } : "unreadable";
}

const orderWords = (line: string, tokens: TokenList) => allWords(line.replace(/@(?=[0-9])/g, "@ "), tokens);

/**
 * What is traded, and its price with what follows, as far as a line says them: `KLV KFI` and `at 96 KLV 30d`. Of one
 * token with a price, the other is the one that the price is in, and it is sold.
 */
export function priceOrderParts(line: string, tokens: TokenList) {
  const [head, mark, tail] = splitOrder(orderWords(line, tokens));
  const { counter = "" } = saidParts(orderWords(line, tokens), tokens) ?? {};
  return { trade: `${head.join(" ")} ${counter}`.trim(), price: [mark, ...tail].join(" ") };
}

/** The words of an order by what they mean; undefined if there are too many of them. */
function saidParts(words: readonly string[], tokens: TokenList) {
  const [head, mark, tail] = splitOrder(words);
  const trade = tradeWords(head.join(" "), tokens);
  const { number, token: named, span, isMore } = tailWords(tail);
  if (trade === undefined || isMore) return undefined;
  const { tokenIn, tokenOut } = trade;
  const isOne = number !== undefined && tokenIn !== undefined && tokenOut === undefined;
  const own = isOne ? unlessFaultSync(() => tokens.find(tokenIn))?.id : undefined;
  const other = named ?? (FOR.test(mark) ? undefined : NATIVE_TOKEN);
  const counter = own !== undefined && own !== other?.toUpperCase() ? other : undefined;
  return { ...trade, mark, number, named, span, counter };
}

type AtPrice = readonly [head: readonly string[], mark: string, tail: readonly string[]];

/** Behind a command, the last number that isn't the first word is a price, too: `KFI 90`, `5 KFI KLV 90 30d`. */
function splitOrder(words: readonly string[]): AtPrice {
  const split = splitAtPrice(words);
  const last = words.findLastIndex((word) => isNumeric(word) && !PRICE_END.test(word));
  return split[1] === "" && last > 0 ? [words.slice(0, last), "at", words.slice(last)] : split;
}

/** The words before the last mark that a number follows, the mark, and the words from the number on. */
function splitAtPrice(words: readonly string[]): AtPrice {
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

/** One token and a price: it may be bought or sold at that. */
function eitherWay(
  { amount, span = "" }: { readonly amount?: string | undefined; readonly span?: string | undefined },
  from: Token,
  to: Token,
  price: DecimalText,
): Fault {
  const end = ` at ${price} ${to.id} ${span}`.trimEnd();
  const isExact = amount !== undefined && isNumeric(amount);
  const bought = isExact ? exactLimit(parseAmount(amount, from), to, price, span) : `${to.id} ${from.id}${end}`;
  const sold = `${amount ?? ""} ${from.id} ${to.id}${end}`.trim();
  const sized = [amount ?? "", from.id].join(" ").trim();
  const choices = [
    { label: `${to.id} → ${isExact ? sized : from.id}`, command: `limit ${bought ?? ""}` },
    { label: `${sized} → ${to.id}`, command: `limit ${sold}` },
  ];
  return new Fault("trade-unclear", { choices: bought === undefined ? choices.slice(1) : choices });
}

/** Buys an amount for at most what it costs at a price; undefined if that is nothing. */
function exactLimit(get: Amount, paid: Token, price: DecimalText, span: string): string | undefined {
  const { over, under } = worthAtPrice(get, price, paid);
  if (over < under) return undefined;
  return `${formatAmount(amountOf(paid, over / under))} ${paid.id} ${get.token.id} for ${formatAmount(get)} ${span}`.trim();
}

/** A price without a token may be of either. */
export function eitherPrice(asked: Omit<PriceOrderRequest, "at">, price: DecimalText): Fault {
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
 * Reads `buy 500 KLV of KFI below 96`, `buy 100 KFI at 90`, `sell 5 KFI above 110 KLV` (limits) and `sell 5 KFI below 90`
 * (a stop), in any of the bot's languages, as the command that means it. Undefined for any other text.
 */
export function readSpokenOrder(text: string, tokens: TokenList) {
  const spoken = spokenTrade(text);
  if (spoken === undefined) return undefined;
  const { isBuy } = spoken;
  const [head, mark, tail] = splitAtPrice(allWords(spoken.what.replace(/[<>]=?|@/g, signWord), tokens));
  const [isBelow, isAbove] = [PRICE_BELOW.test(mark), PRICE_ABOVE.test(mark)];
  const isAt = AT.test(mark) && head.some(tokens.knows);
  const { number = "", token: named, span = "", isMore } = tailWords(tail);
  if (isMore || !(isBelow || isAt || (isAbove && !isBuy)) || !/^[0-9.]+$/.test(number)) return undefined;
  const asked = head.filter((word) => !ONCE.test(word));
  // “Sell 5 KFI at 110 USDT” is for USDT.
  const other = named !== undefined && asked.filter(tokens.knows).length === 1 && !asked.includes(named);
  const trade = readSpoken(isBuy, [...asked, ...(other ? ["with", named] : [])].join(" "), tokens);
  if (trade === undefined || trade === "unsaid" || trade instanceof Fault) return undefined;
  const words = trade.line.split(" ");
  if (trade.command === "swap") {
    const command = isBuy || isAbove || isAt ? "limit" : "stoploss";
    const line = `${words.slice(0, 3).join(" ")} at ${number} ${named ?? ""} ${span}`;
    return { command, line: line.replace(/ +/g, " ").trim() } as const;
  }
  const [, from = "", wanted = ""] = words;
  const [to = "", exact = ""] = wanted.split("=");
  const [paid, got] = [tokens.byId(from.toUpperCase()), tokens.byId(to.toUpperCase())];
  if (!isBuy || paid?.precision === undefined || got?.precision === undefined || !/^[0-9.]+$/.test(exact))
    return undefined;
  if (named !== undefined && named.toUpperCase() !== paid.id) return undefined;
  const line = exactLimit(parseAmount(exact, got), paid, readPrice(number), span);
  return line === undefined ? undefined : ({ command: "limit", line } as const);
}

/** Words before a price that say no more than the price does. */
const ONCE = /^(?:when|once|if|its?|price|falls|rises|goes|is|quando|se|preço|cair|cai|subir|sobe|estiver|ficar)$/i;

const signWord = (sign: string): string => (sign === "@" ? " at " : sign.startsWith("<") ? " below " : " above ");

/** Orders in words, as the command that means each, in any of the bot's languages. */
const NAMED_ORDERS = [
  [/^stop[ -]?loss|^(?:ordem )?stop(?: order)?/i, "stoploss"],
  [/^take[ -]?profit|^realizar lucro/i, "takeprofit"],
  [/^limit(?: order)?|^ordem limitada/i, "limit"],
  [/^dca/i, "dca"],
] as const;

/** Reads `stop loss KFI 90` and the like as the command that means it. Undefined if no token is named. */
export function readNamedOrder(text: string, tokens: TokenList) {
  for (const [name, command] of NAMED_ORDERS) {
    const line = name.test(text) ? text.replace(name, "") : "";
    if (/^\s/.test(line) && allWords(line, tokens).some(tokens.knows)) return { command, line: line.trim() };
  }
  return undefined;
}
