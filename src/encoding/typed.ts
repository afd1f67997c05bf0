import * as z from "zod";
import { Fault } from "../fault.js";
import { BPS, MAX_U64, unitsIn, type Amount, type Token } from "./amount.js";
import { Decimal, trimDecimal, type DecimalMark } from "./decimal.js";

/** Unambiguous grouping: both marks occur, or one of them more than once. */
const GROUPED =
  /^[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+\.[0-9]+|(?:\.[0-9]{3})+,[0-9]+|(?:,[0-9]{3}){2,}|(?:\.[0-9]{3}){2,})$/;
/** Apostrophes group digits only, so that a mark behind them is a decimal one. */
const APOSTROPHES = /^[1-9][0-9]{0,2}(?:['’][0-9]{3})+(?:[.,][0-9]+)?$/;
/** One mark before exactly three digits: decimals in one language, thousands in another. */
const TWO_WAYS = /^[1-9][0-9]{0,2}[.,][0-9]{3}$/;
const MAX_TYPED_LENGTH = 120;

/**
 * Converts numbers typed in the language's notation to plain decimals (`1234.5`), and full-width characters to plain
 * ones. An ambiguous number gets or keeps a comma, so that {@link parseAmount} rejects it with both readings (decision
 * 16): convert a line only once.
 */
export function plainNumbers(line: string, mark: DecimalMark): string {
  return line
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/(?<=[0-9])[ \u00a0\u202f\u3000]{1,3}(?=%)/g, "")
    .split(/([\s=<>≥≤/]+)/)
    .map((word) => plainNumber(word, mark))
    .join("");
}

function plainNumber(word: string, mark: DecimalMark): string {
  const [, number, rest = ""] = /^([0-9.,'’]*[0-9])(?![0-9.,'’])(.*)$/s.exec(word) ?? [];
  return number === undefined || word.length > MAX_TYPED_LENGTH ? word : withPoint(number, mark) + rest;
}

function withPoint(number: string, mark: DecimalMark): string {
  if (APOSTROPHES.test(number)) return number.replace(/['’]/g, "").replace(",", ".");
  if (GROUPED.test(number)) {
    // If both marks occur, the last one is the decimal mark.
    const areBoth = number.includes(",") && number.includes(".");
    return areBoth ? number.replace(/[.,](?=.*[.,])/g, "").replace(",", ".") : number.replace(/[.,]/g, "");
  }
  if (TWO_WAYS.test(number)) return number.replace(mark === "." ? "," : ".", "").replace(/[.,]/, ",");
  return mark === "," && /^[0-9]*,[0-9]+$/.test(number) ? number.replace(",", ".") : number;
}

/** More digits than any supply has; anything longer is a mistake or an attack. */
const MAX_DIGITS = 60;
/** The chain's signed 64-bit limit on base units (klever-go, CallValue), applied to whole tokens. */
const MAX_WHOLE_TOKENS = 2n ** 63n - 1n;

const SPACED = /^[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+(?:\.[0-9]+)?$/;
const FRACTIONS: Readonly<Record<string, string>> = { "½": "5", "¼": "25", "¾": "75" };
const MULTIPLES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** Whether a word is meant as a number, right or wrong: `100`, `-5`, `1k`, `1½`. */
export function isNumeric(word: string): boolean {
  return /^[-−+.,]?[0-9][0-9.,'’]*(?:[km½¼¾]|e[+-]?[0-9]+)?$|^[½¼¾]$/i.test(word);
}

/**
 * Strips the token's id (`5 KLV`, `5KLV`) and spaces between digit groups, writes out `1k`, `2.5m` and `1½`, and turns
 * `.5` into `0.5`.
 */
export function plainAmount(text: string, tokenId: string): string {
  const typed = text.trim();
  const isNamed = tokenId !== "" && typed.toUpperCase().endsWith(tokenId.toUpperCase());
  const figure = isNamed ? typed.slice(0, -tokenId.length).trimEnd() : "";
  const amount = /[0-9km½¼¾]$/i.test(figure) ? figure : typed;
  const digits = SPACED.test(amount) ? amount.replace(/\s/g, "") : amount;
  const [number, times] = [digits.slice(0, -1), MULTIPLES[digits.slice(-1).toLowerCase()]];
  const isWrittenOut =
    times === undefined || number.length > MAX_DIGITS || !/^(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)$/.test(number);
  if (!isWrittenOut) return new Decimal(number).times(times).toFixed();
  const [, whole, fraction = ""] = /^([0-9]*)([½¼¾])$/.exec(digits) ?? [];
  if (whole !== undefined) return `${whole || "0"}.${FRACTIONS[fraction] ?? ""}`;
  return /^\.[0-9]/.test(digits) ? `0${digits}` : digits;
}

/** Possible readings of a number with a comma, the likelier first; empty if there are none. */
export function amountsMeant(text: string): readonly string[] {
  const [, number = "", suffix = ""] = /^(.*?)([km%]?)$/is.exec(text) ?? [];
  const decimals = /^([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]*),([0-9]+)$/.exec(number);
  const grouped = /^[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?$/.test(number);
  const readings = [
    ...(decimals === null ? [] : [trimDecimal(`${decimals[1]?.replaceAll(".", "") || "0"}.${decimals[2]}`)]),
    ...(grouped ? [number.replaceAll(",", "")] : []),
  ];
  return readings.map((reading) => reading + suffix);
}

/**
 * Parses exact whole tokens, or base units if the precision is unknown. Rejects signs, exponents, hex, commas and zero.
 * @throws Fault `amount-…`
 */
export function parseAmount(text: string, token: Token): Amount {
  const { typed, decimals } = assertDecimal(plainAmount(text, token.id));
  const precision = token.precision ?? 0;
  if (decimals.length > precision) {
    throw new Fault("amount-too-many-decimals", { text: typed.slice(0, 40), token: token.id, precision });
  }
  const units = unitsIn(typed, precision);
  if (units === 0n) throw new Fault("amount-zero", {});
  return { token, units };
}

export function assertDecimal(typed: string): { readonly typed: string; readonly decimals: string } {
  const shown = typed.slice(0, 40);
  if (typed === "") throw new Fault("amount-empty", {});
  if (/^-/.test(typed)) throw new Fault("amount-negative", { text: shown });
  if (/^[+]?0x/i.test(typed)) throw new Fault("amount-hex", { text: shown });
  if (/^[+]?[0-9.,]+e[+-]?[0-9]+$/i.test(typed)) throw new Fault("amount-exponent", { text: shown });
  if (/^[0-9.]*,[0-9.,]*[km%]?$/i.test(typed)) {
    throw new Fault("amount-comma", { text: shown, meant: amountsMeant(shown) });
  }
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(typed);
  if (match === null) throw new Fault("amount-not-a-number", { text: shown });
  const [, whole = "", decimals = ""] = match;
  if (whole.length + decimals.length > MAX_DIGITS || BigInt(whole) > MAX_WHOLE_TOKENS) {
    throw new Fault("amount-too-large", { text: shown });
  }
  return { typed, decimals };
}

/** Parses a percentage: `0.5` is 50. Undefined for anything else, including a third decimal. */
export function parseBps(text: string): number | undefined {
  const match = /^([0-9]{1,3})(?:\.([0-9]{1,2}))?\s*%?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, whole = "0", decimals = ""] = match;
  // oxlint-disable-next-line money/no-floating-point -- five digits at most, and no amount
  return Number(`${whole}${decimals.padEnd(2, "0")}`);
}

const ALL = /^(?:max|all|m[aá]x(?:imo)?|tud[oa]|tod[oa]s?)$/i;
const HALF = /^(?:half|metade)$/i;

/**
 * Parses `50%`, `half` or `max`, in any of the bot's languages, into basis points.
 * @throws Fault `amount-zero`, `share-too-large` above 100 %.
 */
export function parseShare(text: string): bigint | undefined {
  const typed = text.trim();
  if (ALL.test(typed)) return BPS;
  if (HALF.test(typed)) return BPS / 2n;
  const bps = typed.endsWith("%") ? parseBps(typed) : undefined;
  if (bps === undefined) return undefined;
  if (bps === 0) throw new Fault("amount-zero", {});
  if (BigInt(bps) > BPS) throw new Fault("share-too-large", { text: typed });
  return BigInt(bps);
}

export function isShare(text: string): boolean {
  return ALL.test(text) || HALF.test(text) || /^[0-9.]{1,8}%$/.test(text);
}

/** When a lock ends: at an epoch, on a date at midnight UTC, or after a duration from now. */
export const untilSchema = z.union([
  /** `isBare`: typed without a mark, so that it could be something else. */
  z.object({ epoch: z.bigint(), isBare: z.literal(true).exactOptional() }),
  z.object({ date: z.string() }),
  z.object({ count: z.number(), unit: z.enum(["h", "d", "w", "y"]) }),
]);
export type Until = Readonly<z.infer<typeof untilSchema>>;

const HOURS_IN = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 } as const;

/** In an amount, an m is a million. */
const TYPED_MONTHS = /^([0-9]{1,2})\s?(?:m|mo|months?|m[eê]s|meses)$/;
const DAYS_IN_MONTH = 30n;

/**
 * Parses `5500`, `2026-12-31`, `12h`, `30d`, `4w` or `1y` (365 days).
 * @throws Fault `unlock-time-invalid`, `unlock-time-ambiguous`, `unlock-time-months`.
 */
export function parseUntil(text: string): Until {
  const words = text.trim().toLowerCase();
  const typed = words.replace(/(?<!\s)\s+(?=[hdwy]$)/, "");
  // A bare number, or one marked as an epoch: `#5500`.
  const [, mark, digits] = /^(#?)([0-9]{1,20})$/.exec(typed) ?? [];
  if (digits !== undefined) {
    const date = digits.replace(/^([0-9]{4})([0-9]{2})([0-9]{2})$/, "$1-$2-$3");
    if (mark === "" && isDate(date)) throw new Fault("unlock-time-ambiguous", { digits, date });
    const epoch = BigInt(digits);
    if (epoch > MAX_U64) throw new Fault("unlock-time-invalid", { text: typed });
    return { epoch, ...(mark === "" && { isBare: true }) };
  }
  // Six digits at most, so that milliseconds stay exact.
  const [, count, unit] = /^([0-9]{1,6})([hdwy])$/.exec(typed) ?? [];
  // oxlint-disable-next-line money/no-floating-point -- a length of time, never an amount
  if (count !== undefined) return { count: Number(count), unit: unit as keyof typeof HOURS_IN };
  const [, months] = TYPED_MONTHS.exec(words) ?? [];
  if (months !== undefined) {
    throw new Fault("unlock-time-months", { text: text.trim(), days: `${BigInt(months) * DAYS_IN_MONTH}d` });
  }
  if (!isDate(typed)) throw new Fault("unlock-time-invalid", { text: typed.slice(0, 40) });
  return { date: typed };
}

export function formatUntil(until: Until): string {
  if ("epoch" in until) return `${until.isBare ? "" : "#"}${until.epoch}`;
  return "date" in until ? until.date : `${until.count}${until.unit}`;
}

export function untilToTime(until: Exclude<Until, { epoch: bigint }>, now: number): number {
  if ("date" in until) return Date.parse(`${until.date}T00:00:00Z`);
  return now + until.count * HOURS_IN[until.unit] * 3_600_000;
}

function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}
