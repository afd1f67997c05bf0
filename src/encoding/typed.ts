import * as z from "zod";
import { Fault } from "../fault.js";
import { BPS, MAX_U64, unitsIn, type Amount, type Token } from "./amount.js";
import { Decimal, trimDecimal, type DecimalMark } from "./decimal.js";

/** Unambiguous grouping: both marks occur, or one of them more than once. */
const GROUPED = /^[0-9]{1,3}(?:(?:,[0-9]{3})+\.[0-9]+|(?:\.[0-9]{3})+,[0-9]+|(?:,[0-9]{3}){2,}|(?:\.[0-9]{3}){2,})$/;
const MAX_LENGTH = 120;

/**
 * Converts numbers typed in the language's notation to plain decimals (`1234.5`); `1k` is a thousand. An ambiguous
 * number keeps a comma, so that {@link parseAmount} rejects it with both readings (decision 16).
 */
export function plainNumbers(line: string, mark: DecimalMark): string {
  return line
    .replace(/(?<=[0-9])[ \u00a0\u202f]{1,3}(?=%)/g, "")
    .split(/([\s=]+)/)
    .map((word) => plainNumber(word, mark))
    .join("");
}

function plainNumber(word: string, mark: DecimalMark): string {
  const [, number, thousands = "", percent = ""] = /^([0-9.,]*[0-9])(k?)(%?)$/i.exec(word) ?? [];
  if (number === undefined || word.length > MAX_LENGTH) return word;
  const plain = withPoint(number, mark);
  if (thousands === "") return plain + percent;
  return percent === "" && /^[0-9]*\.?[0-9]+$/.test(plain) ? new Decimal(plain).times(1000).toFixed() : word;
}

function withPoint(number: string, mark: DecimalMark): string {
  if (GROUPED.test(number)) {
    // If both marks occur, the last one is the decimal mark.
    const areBoth = number.includes(",") && number.includes(".");
    return areBoth ? number.replace(/[.,](?=.*[.,])/g, "").replace(",", ".") : number.replace(/[.,]/g, "");
  }
  const [, single] = /^[1-9][0-9]{0,2}([.,])[0-9]{3}$/.exec(number) ?? [];
  if (single === "." && mark === ",") return number.replace(".", ",");
  if (single === "," && mark === ".") return number.replace(",", "");
  return mark === "," && /^[0-9]*,[0-9]+$/.test(number) ? number.replace(",", ".") : number;
}

/** More digits than any supply has; anything longer is a mistake or an attack. */
const MAX_DIGITS = 60;
/** The chain's signed 64-bit limit on base units (klever-go, CallValue), applied to whole tokens. */
const MAX_WHOLE_TOKENS = 2n ** 63n - 1n;

const SPACED = /^[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+(?:\.[0-9]+)?$/;

/** Strips the token's id (`5 KLV`) and spaces between digit groups, and turns `.5` into `0.5`. */
export function plainAmount(text: string, tokenId: string): string {
  const typed = text.trim();
  const [figure = "", unit] = /^(.*[0-9])\s+(\S+)$/s.exec(typed)?.slice(1) ?? [];
  const amount = unit?.toUpperCase() === tokenId.toUpperCase() ? figure : typed;
  const digits = SPACED.test(amount) ? amount.replace(/\s/g, "") : amount;
  return /^\.[0-9]/.test(digits) ? `0${digits}` : digits;
}

/** Possible readings of a number with a comma, the likelier first; empty if there are none. */
export function amountsMeant(text: string): readonly string[] {
  const decimals = /^([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]*),([0-9]+)$/.exec(text);
  const grouped = /^[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$/.test(text);
  return [
    ...(decimals === null ? [] : [trimDecimal(`${decimals[1]?.replaceAll(".", "") || "0"}.${decimals[2]}`)]),
    ...(grouped ? [text.replaceAll(",", "")] : []),
  ];
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
  if (/^[0-9.]*,[0-9.,]*$/.test(typed)) {
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
 * @throws Fault `amount-zero`, `amount-too-large` above 100 %.
 */
export function parseShare(text: string): bigint | undefined {
  const typed = text.trim();
  if (ALL.test(typed)) return BPS;
  if (HALF.test(typed)) return BPS / 2n;
  const bps = typed.endsWith("%") ? parseBps(typed) : undefined;
  if (bps === undefined) return undefined;
  if (bps === 0) throw new Fault("amount-zero", {});
  if (BigInt(bps) > BPS) throw new Fault("amount-too-large", { text: typed });
  return BigInt(bps);
}

export function isShare(text: string): boolean {
  return ALL.test(text) || HALF.test(text) || /^[0-9.]{1,8}%$/.test(text);
}

/** When a lock ends: at an epoch, on a date at midnight UTC, or after a duration from now. */
export const untilSchema = z.union([
  z.object({ epoch: z.bigint() }),
  z.object({ date: z.string() }),
  z.object({ count: z.number(), unit: z.enum(["h", "d", "w", "y"]) }),
]);
export type Until = Readonly<z.infer<typeof untilSchema>>;

const HOURS_IN = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 } as const;

/**
 * Parses `5500`, `2026-12-31`, `12h`, `30d`, `4w` or `1y` (365 days).
 * @throws Fault `unlock-time-invalid`, `unlock-time-ambiguous`.
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
    return { epoch };
  }
  // Six digits at most, so that milliseconds stay exact.
  const [, count, unit] = /^([0-9]{1,6})([hdwy])$/.exec(typed) ?? [];
  // oxlint-disable-next-line money/no-floating-point -- a length of time, never an amount
  if (count !== undefined) return { count: Number(count), unit: unit as keyof typeof HOURS_IN };
  if (!isDate(typed)) throw new Fault("unlock-time-invalid", { text: typed.slice(0, 40) });
  return { date: typed };
}

export function formatUntil(until: Until): string {
  if ("epoch" in until) return `#${until.epoch}`;
  return "date" in until ? until.date : `${until.count}${until.unit}`;
}

export function momentOf(until: Exclude<Until, { epoch: bigint }>, now: number): number {
  if ("date" in until) return Date.parse(`${until.date}T00:00:00Z`);
  return now + until.count * HOURS_IN[until.unit] * 3_600_000;
}

function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}
