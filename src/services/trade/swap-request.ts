import type { Config } from "../../config.js";
import { ADDRESS_LIKE } from "../../encoding/address.js";
import { assertDecimal, parseAmount, plainAmount, isNumeric, isShare, parseShare } from "../../encoding/typed.js";
import { type Amount, type Token, amountOf, NATIVE_TOKEN, parseAssetId, shareOfAmount } from "../../encoding/amount.js";
import { Fault, unlessFaultSync } from "../../fault.js";
import { type MultihopRequest, type Stop, type Pay, type SwapRequest, WHAT_IT_TAKES } from "../terms/swap-terms.js";
import { MAX_HOPS } from "../market/route.js";
import { mostPayable } from "../market/most-payable.js";
import type { TokenList } from "../market/token-list.js";
import type { RightsReader } from "../market/token-rights.js";
import { collectFaults, type Parsed, splitWords } from "../base/typed-line.js";
import { payoutOf, type Person } from "../person/person.js";
import type { Balances } from "../chain/query-gateway.js";

/** Words and arrows between two tokens, in any of the bot's languages. */
export const BETWEEN = /^(?:to|for|into|por|para|em|→|[-=]?>)$/i;

/** Splits a line into words. `100KLV`, `KLV/KFI` and `KLV-KFI` are two words each. */
export function allWords(line: string, tokens: TokenList): readonly string[] {
  return splitWords(line.replace(/→/g, " → ")).flatMap((word) => partsOf(word, tokens));
}

/** {@link allWords} without those between tokens. */
export function lineWords(line: string, tokens: TokenList): readonly string[] {
  return allWords(line, tokens).filter((word, at) => at === 0 || !BETWEEN.test(word));
}

function partsOf(word: string, tokens: TokenList): readonly string[] {
  if (tokens.knows(word)) return [word];
  const [first = "", ...names] = word.split("/");
  // The number behind a slash belongs to a locked token.
  if (first !== "" && names.length > 0 && names.every((name) => /^\p{L}[^=]+$/u.test(name))) {
    const parts = [first, ...names].flatMap((name) => partsOf(name, tokens));
    if (parts.some(tokens.knows)) return parts;
  }
  const dashes = word.length > MAX_PAIR ? [] : [...word.matchAll(/-/g)];
  const dash = dashes.find(({ index }) => [word.slice(0, index), word.slice(index + 1)].every(tokens.knows));
  if (dash !== undefined) return [word.slice(0, dash.index), word.slice(dash.index + 1)];
  const [, number = "", suffix = "", name = ""] = GLUED.exec(word) ?? [];
  const readings = [[number, suffix + name] as const, [number + suffix, name] as const];
  const known = readings.filter(([, token], at) => (at === 0 || suffix !== "") && isName(token, tokens));
  // `100kfi` could also be 100k of a token that somebody named “fi”: then only an id decides.
  const [sure, ...others] = known.length > 1 ? known.filter(([, token]) => hasId(token, tokens)) : known;
  return sure === undefined || others.length > 0 ? [word] : sure;
}

/** Two ids, and a dash. */
const MAX_PAIR = 31;
const GLUED = /^([-−+.,]?[0-9][0-9.,]*)([km%]?)(.+)$/i;
/** Shorter ones could be mistaken for a unit of time, as in `30d`. */
const isName = (text: string, tokens: TokenList) => /^\p{L}.{2}/u.test(text) && tokens.knows(text);
const hasId = (text: string, tokens: TokenList) => tokens.byId(text.toUpperCase()) !== undefined;

const isAmount = (word = "") => isNumeric(word) || isShare(word);

/**
 * Splits `100 KLV KFI`, `100 klv to kfi`, `KFI KLV 1`, `100 KLV` or `KFI`; undefined if there are too many words, or an
 * amount could be of either token. With `isTimed`, a time is in the place of the second token.
 */
export function tradeWords(line: string, tokens: TokenList, isTimed = false) {
  const words = lineWords(line, tokens);
  const [first, second, third, ...rest] = words;
  if (rest.length > 0) return undefined;
  if (isAmount(first)) return { amount: first, tokenIn: second, tokenOut: third };
  if (isTimed && isAmount(second) && third !== undefined) return { amount: second, tokenIn: first, tokenOut: third };
  if (!isTimed && third === undefined && isAmount(second)) return { amount: second, tokenIn: first, tokenOut: third };
  if (!isTimed && isAmount(third)) return { amount: third, tokenIn: first, tokenOut: second };
  // Treat three words without an amount as `100 KLV KFI` with a typo in the amount.
  return third === undefined
    ? { amount: undefined, tokenIn: first, tokenOut: second }
    : { amount: first, tokenIn: second, tokenOut: third };
}

/** Whether a line without a command was meant as a trade, right or wrong: an amount and two tokens, one of them known. */
export function isTradeLine(line: string, tokens: TokenList): boolean {
  const { amount = "", tokenIn = "", tokenOut = "" } = tradeWords(line, tokens) ?? {};
  const [one, other] = isAmount(tokenIn) ? [amount, tokenOut] : [tokenIn, tokenOut];
  const isWhole = isAmount(amount) || isAmount(tokenIn);
  return isWhole && one !== "" && other !== "" && (tokens.knows(one) || tokens.knows(other));
}

/** Trades and locks have no recipient. @throws Fault `payout-own` if the line names one. */
export function assertOwnPayout(line: string): void {
  const words = line.trim().split(/\s+/);
  const at = words.findIndex((word) => ADDRESS_LIKE.test(word));
  if (at < 0) return;
  const rest = words.filter((word, index) => index !== at && !(index === at - 1 && BETWEEN.test(word)));
  throw new Fault("payout-own", { text: line.trim(), meant: rest.length > 0 ? [rest.join(" ")] : [] });
}

/** “KFI 1 KLV” may be 1 KFI or 1 KLV. */
export function eitherAmount(amount: string, from: string, to: string): Fault {
  const paid = { label: `${amount} ${from} → ${to}`, command: `swap ${amount} ${from} ${to}` };
  const bought = { label: `${from} → ${amount} ${to}`, command: `multihop ${WHAT_IT_TAKES} ${from} ${to}=${amount}` };
  return new Fault("trade-unclear", { choices: [paid, bought] });
}

export function readSwap(line: string, tokens: TokenList): Parsed<SwapRequest> {
  const { faults, attempt } = collectFaults();
  attempt(() => assertOwnPayout(line));
  if (faults.length > 0) return { faults };
  const words = tradeWords(line, tokens);
  if (words === undefined) return "unreadable";
  const { amount, tokenIn = "", tokenOut = "" } = words;
  if (isAmount(tokenIn) && tokens.knows(amount ?? "") && tokens.knows(tokenOut)) {
    return { faults: [eitherAmount(tokenIn, amount ?? "", tokenOut)] };
  }
  const from = attempt(() => tokenIn && swappable(tokenIn, tokens)) || undefined;
  const to = attempt(() => tokenOut && swappable(tokenOut, tokens)) || undefined;
  if (from !== undefined && from.id === to?.id) faults.push(new Fault("tokens-identical", { token: from.id }));
  if (from !== undefined && from.precision === undefined)
    faults.push(new Fault("token-precision-unknown", { token: from.id }));
  const pay = attempt(() => amount && readPay(amount, from)) || undefined;
  if (faults.length > 0) return { faults };
  return pay && from && to ? { kind: "swap", pay, from, to } : "incomplete";
}

/** Reads `100 KLV DVK-34ZH KFI`, or with an exact amount `100 KLV DVK-34ZH=25 KFI` or `any KLV KFI=25`. */
export function readMultihop(line: string, tokens: TokenList): Parsed<MultihopRequest> {
  const { faults, attempt } = collectFaults();
  attempt(() => assertOwnPayout(line));
  if (faults.length > 0) return { faults };
  const [amount, first, ...rest] = lineWords(line, tokens);
  if (amount === undefined || first === undefined || rest.length === 0) return "incomplete";
  const from = attempt(() => swappable(first, tokens));
  const stops = rest.slice(0, MAX_HOPS).map((word) => attempt(() => stopOf(word, tokens)));
  const along = [from, ...stops.map((stop) => stop?.token)];
  along.forEach((token, index) => {
    if (token !== undefined && token.id === along[index - 1]?.id)
      faults.push(new Fault("tokens-identical", { token: token.id }));
  });
  if (rest.length > MAX_HOPS) faults.push(new Fault("route-too-long", { maximum: MAX_HOPS }));
  const isFound = amount.toLowerCase() === WHAT_IT_TAKES && rest.length === 1 && rest[0]?.includes("=") === true;
  const pay = attempt(() => (isFound ? from && amountOf(from, 0n) : readPay(amount, from)));
  if (from === undefined || pay === undefined || faults.length > 0) return { faults };
  const path = stops.filter((stop) => stop !== undefined);
  return { kind: "multihop", pay, from, stops: path, ...(isFound && { isFound }) };
}

function stopOf(word: string, tokens: TokenList): Stop {
  const [name = "", amount, ...more] = word.split("=");
  const token = swappable(name, tokens);
  if (amount === undefined) return { token };
  if (more.length > 0) throw new Fault("amount-not-a-number", { text: word.slice(0, 40) });
  return { token, exactly: parseAmount(amount, token) };
}

/** What is to be received exactly, if a text such as `5 KFI` names the token that is bought. @throws Fault `amount-…`. */
export function readWanted(text: string, to: Token, tokens: TokenList): Amount | undefined {
  const [figure = "", name = "", ...rest] = allWords(text, tokens);
  const isNamed = rest.length === 0 && isNumeric(figure) && unlessFaultSync(() => tokens.find(name))?.id === to.id;
  return isNamed ? parseAmount(figure, to) : undefined;
}

/** The route whose payment is found for what is to be received exactly. */
export function exactRequest(from: Token, exactly: Amount): MultihopRequest {
  return { kind: "multihop", pay: amountOf(from, 0n), isFound: true, from, stops: [{ token: exactly.token, exactly }] };
}

/** Of one token, or of all that the user holds. */
const SPOKEN_SHARES: Readonly<Record<string, { readonly asked: string; readonly share: string }>> = {
  "½": { asked: "0.5", share: "50%" },
  "¼": { asked: "0.25", share: "25%" },
  "¾": { asked: "0.75", share: "75%" },
};

/** Reads an amount or a share; without a token, an amount is only checked. @throws Fault `amount-…`. */
export function readPay<Known extends Token | undefined>(text: string, token: Known): Pay | Extract<Known, undefined> {
  const fraction = SPOKEN_SHARES[text.trim()];
  if (fraction !== undefined) throw new Fault("amount-unclear", { text: text.trim(), ...fraction });
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
  readonly rights: Pick<RightsReader, "known">;
  readonly settings: Pick<Config, "callIncludesCaller" | "keptForFees">;
}

/**
 * Converts a share to an amount, exact to the unit, keeping back the maximum network fee in KLV if the user's wallet
 * pays one, and the royalties that a token's issuer takes on top, as far as they are known. @throws Fault `wallet-missing`, `balances-untold`, `balance-empty`, `amount-zero`, `service-…`.
 */
export async function amountPaid({ balances, rights, settings }: PayParts, person: Person, pay: Pay, token: Token) {
  if ("units" in pay) return pay;
  const payout = payoutOf(person);
  if (!settings.callIncludesCaller) throw new Fault("balances-untold", {});
  const isNative = token.id === NATIVE_TOKEN;
  const [{ [token.id]: held = 0n }, told] = await Promise.all([
    balances.read(payout, [token.id]),
    isNative ? undefined : rights.known(parseAssetId(token.id).tokenId),
  ]);
  const kept = isNative ? settings.keptForFees : 0n;
  const bands = (typeof told === "object" && told.now.bands) || [];
  const wanted = held === 0n ? 0n : shareOfAmount(amountOf(token, held), pay.shareBps).units;
  const most = held > kept ? mostPayable(held - kept, bands) : 0n;
  const units = wanted < most ? wanted : most;
  if (units === 0n) throw new Fault("balance-empty", { token: token.id });
  return amountOf(token, units);
}
