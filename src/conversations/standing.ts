import { figure } from "../cards/amount.js";
import { card, type Card } from "../cards/card.js";
import { amountOf } from "../encoding/amount.js";
import { isFault } from "../fault.js";
import { errorMessage, type Messages } from "../locales/messages.js";
import { isParsed, type Parsed } from "../services/base/typed-line.js";
import type { TokenList } from "../services/market/token-list.js";
import { readDca } from "../services/standing/dca-request.js";
import { readExit } from "../services/standing/exit-request.js";
import { apart, pairPriceNow, type PriceNow } from "../encoding/price-apart.js";
import { setAnswers } from "../cards/standing.js";
import {
  priceCommands,
  priceOrderLine,
  priceOrderParts,
  readLimit,
  readStopLoss,
  withPay,
} from "../services/standing/standing-request.js";
import { payText } from "../services/terms/terms.js";
import { createForm, type AnswerParser, type FormOf, type Interview } from "./interview.js";
import { untilQuestion } from "./lock.js";
import { amountQuestion, pick, readingLine, tokenQuestion, typedAlready, withWallet } from "./questions.js";

/** The command of each kind of standing order. */
export const standingCommands = { ...priceCommands, dca: "dca", exit: "exit" } as const;
export type StandingKindAsked = keyof typeof standingCommands;

/** Reads the words after each kind's command. */
export const standingReaders = { limit: readLimit, stop: readStopLoss, dca: readDca, exit: readExit } as const;

/** An order whose set-up card was confirmed: the words after its command, and what else was said. */
export interface StandingFilled {
  readonly kind: StandingKindAsked;
  readonly line: string;
  /** The order that is changed; undefined for a new one. */
  readonly id: string | undefined;
  /** Whether a price far away is meant so. */
  readonly isSure: boolean;
}

/** What an order would be. Plain JSON. */
export interface SetUp {
  readonly card: Card;
  /** The order as it is shown, to the unit and the minute; absent if there is nothing to set. */
  readonly line?: string;
  readonly isFar?: boolean;
}

export interface StandingFormParts extends FormOf<StandingFilled> {
  readonly preview: (userId: number, asked: Omit<StandingFilled, "isSure">) => Promise<SetUp>;
  /** What a typed payment of a pair would bring now, after the fee, in base units; undefined if unknown. */
  readonly netNow: (
    userId: number,
    pair: string,
  ) => Promise<{ readonly pay: string; readonly net: string } | undefined>;
  /** The user's time zone, if they have chosen one. */
  readonly zoneOf: (userId: number) => Promise<string | undefined>;
  readonly saveZone: (userId: number, zone: string) => Promise<unknown>;
}

export type StandingInterview = Interview<StandingFilled>;

/** The dialog of `/limit` or `/stoploss`. With `id`, changes that order. */
export function priceOrderForm(kind: "limit" | "stop", parts: StandingFormParts) {
  return createForm(`${standingCommands[kind]}.2`, parts, async (begun, typed: string = "", id?: string) => {
    const interview = await withWallet(begun, parts);
    const isWhole = isParsed(standingReaders[kind](typed, interview.tokens));
    const line = isWhole ? typed : await collectPrice(kind, interview, parts, typed);
    return setUp(kind, interview, parts, line, id);
  });
}

/** Shows what would be set, and sets it only once its button is tapped. Its amount and its end can be changed first. */
export async function setUp(
  kind: StandingKindAsked,
  interview: StandingInterview,
  parts: StandingFormParts,
  typed: string,
  id: string | undefined,
): Promise<unknown> {
  const { userId, say, external, askAndSubmit } = interview;
  const { card: prompt, line, isFar = false } = await external(() => parts.preview(userId, { kind, line: typed, id }));
  if (line === undefined) return say(prompt);
  const read: AnswerParser<string> = (answer) => ({ ok: true, value: answer });
  const isChange = (answer: string) => answer === setAnswers.amount || answer === setAnswers.until;
  const tapped = await askAndSubmit({ isTapped: true, prompt, read }, (answer) =>
    isChange(answer) ? undefined : { kind, line, id, isSure: isFar },
  );
  if (kind === "dca" || kind === "exit" || !isChange(tapped)) return undefined;
  const change = tapped === setAnswers.amount ? askedAmount : askedEnd;
  return setUp(kind, interview, parts, await change(kind, interview, parts, line), id);
}

/** Asks for another amount of an order, at the price that it has. @returns its line. */
async function askedAmount(
  kind: "limit" | "stop",
  interview: StandingInterview,
  parts: StandingFormParts,
  line: string,
): Promise<string> {
  const { userId, words, tokens, ask, external, market } = interview;
  const order = standingReaders[kind](line, tokens);
  if (!isParsed(order)) return line;
  const { from, to } = order;
  const prompt = words.swap.askAmount(from.id, to.id);
  // Without a name, so that no earlier answer counts when the dialog is continued.
  const { name: _name, ...asks } = await amountQuestion(interview, from, prompt, await market());
  const pay = await ask(asks);
  const seen =
    "units" in pay ? undefined : await external(() => parts.netNow(userId, `${payText(pay)} ${from.id} ${to.id}`));
  const paid = "units" in pay ? pay : seen && amountOf(from, BigInt(seen.pay));
  return paid === undefined ? line : priceOrderLine(withPay(order, paid));
}

/** Asks until when an order waits. @returns its line. */
async function askedEnd(
  kind: "limit" | "stop",
  { words, tokens, ask }: StandingInterview,
  _parts: StandingFormParts,
  line: string,
): Promise<string> {
  const until = await ask(untilQuestion(words, [words.standing.askUntil]));
  const order = standingReaders[kind](line, tokens);
  return isParsed(order) ? priceOrderLine({ ...order, until }) : line;
}

interface TradeQuestions {
  readonly askIn: string;
  readonly askAmount: (from: string, to: string) => string;
  /** Whether shares of what is held are offered. */
  readonly hasShares?: boolean;
}

/** Asks what is paid for what, unless it was typed. @returns the beginning of the line. */
export async function askedTrade(
  interview: StandingInterview,
  line: string,
  { askIn, askAmount, hasShares = true }: TradeQuestions,
) {
  const { words, tokens, ask } = interview;
  const { market, token: from, pay, rest } = await typedAlready(interview, line, askIn);
  const asksOut = tokenQuestion(interview, words.swap.askOut(from.id), { market, other: from });
  const to = rest === undefined ? await ask(asksOut) : tokens.find(rest);
  const asksAmount = () => amountQuestion(interview, from, askAmount(from.id, to.id), market, { hasShares });
  const amount = pay ?? (await ask(await asksAmount()));
  return { from, to, head: `${payText(amount)} ${from.id} ${to.id}` };
}

/** Ready choices of a price, in percent away from the one now. */
const APART = { limit: [2, 5, 10], stop: [5, 10, 20] } as const;

async function collectPrice(
  kind: "limit" | "stop",
  interview: StandingInterview,
  parts: StandingFormParts,
  typed: string,
): Promise<string> {
  const { words, tokens } = interview;
  const said = priceOrderParts(typed, tokens);
  const askIn = kind === "stop" ? words.standing.askProtected : words.swap.askIn;
  const trade = await askedTrade(interview, said.trade, { askIn, askAmount: words.swap.askAmount });
  const whole = `${trade.head} ${said.price}`;
  const isWhole = isParsed(standingReaders[kind](whole, tokens));
  return isWhole ? whole : askedPrice(kind, interview, parts, trade, said.price);
}

/** Asks for the price of a trade. @param said what was typed as one, and isn't; empty if nothing was. */
async function askedPrice(
  kind: "limit" | "stop",
  { userId, words, tokens, ask, external }: StandingInterview,
  parts: StandingFormParts,
  { from, to, head }: Awaited<ReturnType<typeof askedTrade>>,
  said: string,
): Promise<string> {
  const seen = await external(() => parts.netNow(userId, head));
  const now = seen && pairPriceNow(amountOf(from, BigInt(seen.pay)), amountOf(to, BigInt(seen.net)));
  // Better than now, for a limit: dearer if the user sells what the price is of, cheaper if they buy it.
  const sign = (kind === "limit") === (now?.priced === from.id) ? "+" : "−";
  const picks = (now === undefined ? [] : APART[kind]).map((percent) => {
    const { answer, price } = apart(now, `${sign}${percent}`);
    return [pick(answer, `${sign}${percent}% · ${figure(price, words)} ${now?.counted ?? ""}`)];
  });
  const known = now && words.standing.priceNow(`1 ${now.priced} = ${figure(now.price, words)} ${now.counted}`);
  const whole = (text: string) =>
    `${head} ${now === undefined ? atPrice(text) : (percentPrice(text, now, sign) ?? atPrice(text))}`;
  const read = readingPrice(kind, words, tokens, head, whole);
  const told = said === "" ? undefined : read(said);
  const prompt = told?.ok === false ? told.card : card([words.standing.askPrice[kind], known], picks);
  return ask({ name: "price", hasNumbers: true, prompt, read });
}

/** Reads an answer as the rest of a line. One that could be two prices is asked about, within the dialog. */
function readingPrice(
  kind: "limit" | "stop",
  words: Messages,
  tokens: TokenList,
  head: string,
  whole: (text: string) => string,
): AnswerParser<string> {
  const reads = standingReaders[kind];
  const reading = readingLine(words, words.standing.askPrice[kind], (text) => reads(whole(text), tokens));
  return (text) => {
    const read: Parsed<object> = reads(whole(text), tokens);
    const [unclear] = typeof read === "object" && "faults" in read ? (read.faults as readonly unknown[]) : [];
    if (isFault(unclear, "trade-unclear")) {
      const beginning = `${standingCommands[kind]} ${head} `;
      const picks = unclear.parameters.choices.map(({ label, command }) => [
        pick(command.slice(beginning.length), label),
      ]);
      return { ok: false, card: card([errorMessage(unclear, words)], picks) };
    }
    const made = reading(text);
    return made.ok ? { ok: true, value: whole(text) } : made;
  };
}

/** `5%` or `+5%` as a price. */
function percentPrice(text: string, now: PriceNow, sign: string): string | undefined {
  const [, typed = sign, percent] = /^\s*([+\-−])?([0-9]{1,3}(?:\.[0-9]{1,2})?)\s?%\s*$/.exec(text) ?? [];
  return percent === undefined ? undefined : apart(now, `${typed}${percent}`).answer;
}

/** A bare number is a price. */
const atPrice = (text: string): string => (/^\s*[0-9.]/.test(text) ? `at ${text.trim()}` : text.trim());
