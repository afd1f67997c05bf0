import { figure } from "../cards/amount.js";
import { card, type Card } from "../cards/card.js";
import { setAnswers } from "../cards/standing.js";
import { amountOf, formatAmount, isZero, NATIVE_TOKEN, type Amount, type Token } from "../encoding/amount.js";
import { Decimal, shortened, type DecimalText } from "../encoding/decimal.js";
import { formatUntil } from "../encoding/typed.js";
import { isFault } from "../fault.js";
import { errorMessage, type Messages } from "../locales/messages.js";
import { isParsed, type Parsed } from "../services/base/line.js";
import type { TokenList } from "../services/market/token-list.js";
import { dcaParts, readDca, type DcaRequest } from "../services/standing/dca-request.js";
import { priceCommands, priceOrderParts, readLimit, readStopLoss } from "../services/standing/standing-request.js";
import { payText } from "../services/terms/terms.js";
import { createForm, type AnswerParser, type FormOf, type Interview } from "./interview.js";
import { untilQuestion } from "./lock.js";
import { amountQuestion, pick, readingLine, tokenQuestion, typedAlready, withWallet } from "./questions.js";
import { zoneQuestion } from "./settings.js";

/** The command of each kind of standing order. */
export const standingCommands = { ...priceCommands, dca: "dca" } as const;
export type StandingKindAsked = keyof typeof standingCommands;

/** Reads the words after each kind's command. */
export const standingReaders = { limit: readLimit, stop: readStopLoss, dca: readDca } as const;

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

type StandingInterview = Interview<StandingFilled>;

/** The dialog of `/limit` or `/stoploss`. With `id`, changes that order. */
export function priceOrderForm(kind: "limit" | "stop", parts: StandingFormParts) {
  return createForm(`${standingCommands[kind]}.1`, parts, async (begun, typed: string = "", id?: string) => {
    const interview = await withWallet(begun, parts);
    const isWhole = isParsed(standingReaders[kind](typed, interview.tokens));
    const line = isWhole ? typed : await collectPrice(kind, interview, parts, typed, id === undefined);
    return setUp(kind, interview, parts, line, id);
  });
}

/** The dialog of `/dca`. With `id`, changes that order. */
export function dcaForm(parts: StandingFormParts) {
  return createForm("dca.1", parts, async (begun, typed: string = "", id?: string) => {
    const interview = await withWallet(begun, parts);
    const read = readDca(typed, interview.tokens);
    if (isParsed(read)) {
      if (read.zone === undefined) await askedZone(interview, parts);
      return setUp("dca", interview, parts, typed, id);
    }
    return setUp("dca", interview, parts, await collectSchedule(interview, parts, typed), id);
  });
}

/** Shows what would be set, and sets it only once its button is tapped. */
async function setUp(
  kind: StandingKindAsked,
  { userId, words, say, external, askAndSubmit }: StandingInterview,
  parts: StandingFormParts,
  typed: string,
  id: string | undefined,
): Promise<unknown> {
  const { card: prompt, line, isFar = false } = await external(() => parts.preview(userId, { kind, line: typed, id }));
  if (line === undefined) return say(prompt);
  const answer = isFar ? setAnswers.sure : setAnswers.set;
  const read: AnswerParser<string> = (text) =>
    text === answer ? { ok: true, value: line } : { ok: false, card: card([words.standing.tapToSet]) };
  return askAndSubmit({ isTapped: true, prompt, read }, (value) => ({ kind, line: value, id, isSure: isFar }));
}

/** Asks what is paid for what, unless it was typed. @returns the beginning of the line. */
async function askedTrade(interview: StandingInterview, line: string, askAmount: (from: Token, to: Token) => string) {
  const { words, tokens, ask } = interview;
  const { market, token: from, pay, rest } = await typedAlready(interview, line, words.swap.askIn);
  const asksOut = tokenQuestion(interview, words.swap.askOut(from.id), { market, other: from });
  const to = rest === undefined ? await ask(asksOut) : tokens.find(rest);
  const amount = pay ?? (await ask(await amountQuestion(interview, from, askAmount(from, to), market)));
  return { from, to, head: `${payText(amount)} ${from.id} ${to.id}` };
}

/** Ready choices of a price, in percent away from the one now. */
const APART = { limit: [2, 5, 10], stop: [5, 10, 20] } as const;

async function collectPrice(
  kind: "limit" | "stop",
  interview: StandingInterview,
  parts: StandingFormParts,
  typed: string,
  asksEnd: boolean,
): Promise<string> {
  const { words, tokens, ask } = interview;
  const said = priceOrderParts(typed, tokens);
  const trade = await askedTrade(interview, said.trade, (from, to) => words.swap.askAmount(from.id, to.id));
  const whole = `${trade.head} ${said.price}`;
  const isWhole = isParsed(standingReaders[kind](whole, tokens));
  const line = isWhole ? whole : await askedPrice(kind, interview, parts, trade, said.price);
  if (!asksEnd || standingEnd(kind, line, tokens)) return line;
  const until = await ask({ name: "until", ...untilQuestion(words, [words.standing.askUntil]) });
  return `${line} ${formatUntil(until)}`;
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

function standingEnd(kind: "limit" | "stop", line: string, tokens: TokenList): boolean {
  const read = standingReaders[kind](line, tokens);
  return isParsed(read) && read.until !== undefined;
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

interface PriceNow {
  /** Ids of the token that the price is of, and of the one that it is in: the native one, if it is one of them. */
  readonly priced: string;
  readonly counted: string;
  readonly price: DecimalText;
}

/** As many significant digits as a price on a button has. */
const PRICE_DIGITS = 6;

function pairPriceNow(pay: Amount, net: Amount): PriceNow | undefined {
  const [priced, counted] = pay.token.id === NATIVE_TOKEN ? [net, pay] : [pay, net];
  if (isZero(priced) || pay.token.precision === undefined || net.token.precision === undefined) return undefined;
  const price = shortened(new Decimal(formatAmount(counted)).div(formatAmount(priced)).toFixed(), "down", PRICE_DIGITS);
  return { priced: priced.token.id, counted: counted.token.id, price };
}

/** A price so many percent away from the one now. */
function apart(now: PriceNow | undefined, percent: string) {
  const times = new Decimal(percent.replace("−", "-")).plus(100).div(100);
  const price = shortened(new Decimal(now?.price ?? "0").times(times).toFixed(), "down", PRICE_DIGITS);
  return { price, answer: `at ${price} ${now?.counted ?? ""}` };
}

/** `5%` or `+5%` as a price. */
function percentPrice(text: string, now: PriceNow, sign: string): string | undefined {
  const [, typed = sign, percent] = /^\s*([+\-−])?([0-9]{1,3}(?:\.[0-9]{1,2})?)\s?%\s*$/.exec(text) ?? [];
  return percent === undefined ? undefined : apart(now, `${typed}${percent}`).answer;
}

/** A bare number is a price. */
const atPrice = (text: string): string => (/^\s*[0-9.]/.test(text) ? `at ${text.trim()}` : text.trim());

const DAY_CHOICES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTH_DAYS = ["1", "5", "10", "15", "20", "31"];
const HOUR_CHOICES = ["07:00", "08:00", "09:00", "12:00", "18:00", "21:00"];
const TIMES_CHOICES = ["4", "8", "12", "26", "52"];

/** Asks how often, on which day, when and how many times. An answer that says it all ends the questions. */
async function collectSchedule(interview: StandingInterview, parts: StandingFormParts, typed: string): Promise<string> {
  const { words, tokens, ask } = interview;
  const { standing } = words;
  const { trade, when } = dcaParts(typed, tokens);
  const { head } = await askedTrade(interview, trade, (from, to) => standing.askPayEach(from.id, to.id));
  /** Reads what comes next in a line. */
  const next = (before: string, written = (text: string) => text.trim()): AnswerParser<string> => {
    const reading = readingLine(words, standing.usage.dca, (text) => readBegun(`${before} ${written(text)}`, tokens));
    return (text) => {
      const made = reading(text);
      return made.ok ? { ok: true, value: `${before} ${written(text)}` } : made;
    };
  };
  const isWhole = (line: string) => isParsed(readDca(line, tokens));
  const often = Object.entries(standing.oftenAs).map(([answer, label]) => [pick(answer, label)]);
  const told = when === "" ? undefined : next(head)(when);
  const asksEvery = { name: "every", prompt: card([standing.askEvery], often), read: next(head) };
  let line = told?.ok === true ? told.value : await ask(asksEvery);
  const begun = readBegun(line, tokens);
  const { every, on, zone: named } = isParsed(begun) ? begun : {};
  const zone = named ?? (await askedZone(interview, parts));
  if (isWhole(line)) return line;

  if (every?.unit === "w" && on === undefined) {
    const days = DAY_CHOICES.map((day, at) => [pick(day, standing.weekdays[(at + 1) % 7])]);
    line = await ask({
      name: "day",
      prompt: card([standing.askWeekday], inRows(days.flat(), 2)),
      read: next(line),
    });
  } else if (every?.unit === "m" && on === undefined) {
    const days = inRows(
      MONTH_DAYS.map((day) => pick(day)),
      3,
    );
    line = await ask({ name: "day", prompt: card([standing.askDay], days), read: next(line) });
  }
  if (isWhole(line)) return line;

  const isTimed = isParsed(readDca(`${line} x1`, tokens));
  if (!isTimed) {
    const hour = (text: string) => text.trim().replace(/^([01]?[0-9]|2[0-3])$/, "$1:00");
    const hours = inRows(
      HOUR_CHOICES.map((time) => pick(time)),
      3,
    );
    line = await ask({ name: "time", prompt: card([standing.askTime(zone)], hours), read: next(line, hour) });
  }
  if (isWhole(line)) return line;
  const count = (text: string) =>
    text
      .trim()
      .replace(/^([0-9]{1,6})$/, "x$1")
      .replace(/^(?=[0-9]{4}-[0-9]{2}-[0-9]{2}$)/, "until ");
  const times = [TIMES_CHOICES.map((times) => pick(times, `${times}×`))];
  return ask({ name: "times", prompt: card([standing.askTimes], times), read: next(line, count) });
}

/** Reads a line that may still lack its time, or how many times. Words that mean nothing are no time zone here. */
function readBegun(line: string, tokens: TokenList): Parsed<DcaRequest> {
  const [whole = "unreadable", ...made] = ["", " x1", " 09:00", " 09:00 x1"].map((end) => readDca(line + end, tokens));
  const read = [whole, ...made].find(isParsed) ?? whole;
  const isZone =
    typeof read === "object" && "faults" in read && read.faults.some((fault) => isFault(fault, "standing-zone"));
  return isZone ? "unreadable" : read;
}

/** Asks for the user's city, unless they have a time zone. */
async function askedZone({ userId, words, ask, external }: StandingInterview, parts: StandingFormParts) {
  const known = await external(() => parts.zoneOf(userId));
  if (known !== undefined) return known;
  const zone = await ask({ name: "zone", ...zoneQuestion(words) });
  await external(() => parts.saveZone(userId, zone));
  return zone;
}

function inRows<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return items.flatMap((_, at) => (at % size === 0 ? [items.slice(at, at + size)] : []));
}
