import { z } from "zod";
import { Fault } from "../fault.js";
import type { Payment } from "./asset.js";
import { Decimal } from "./decimal.js";
import { tokenSchema, type Token } from "./token.js";

/** So many smallest units of one token. Amounts of two tokens cannot be added: a check says so. */
export interface Amount {
  readonly token: Token;
  readonly units: bigint;
}

/** An amount in what is stored. */
export const amountSchema: z.ZodType<Amount> = z.object({ token: tokenSchema, units: z.bigint().nonnegative() });

/** More digits than any supply has; a longer text is a mistake or an attack. */
const MAX_DIGITS = 60;
/**
 * No supply has more whole tokens: the chain counts payments in smallest units with 64 bits, one of them for the sign
 * (klever-go, CallValue). Counted in whole tokens here, because the interface itself sets no limit to smallest units.
 */
const MOST_WHOLE_TOKENS = 2n ** 63n - 1n;
const BPS = 10_000n;

/** Binds units to their token. @throws Fault `value-out-of-range` for negative units. */
export function amountOf(token: Token, units: bigint): Amount {
  if (units < 0n) throw new Fault("value-out-of-range", { name: token.id, type: "amount", value: units.toString() });
  return { token, units };
}

/** An ordinary space and those which group digits without a line breaking there, as cards write them. */
const GROUPED = /^[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+(?:\.[0-9]+)?$/;

/**
 * What a person typed, as plain decimal text: without the token's id behind it (`5 KLV`) or spaces between groups of three
 * digits (`1 000`), and with the zero that `.5` leaves out. Any other text stays as it is.
 */
export function plainAmount(text: string, tokenId: string): string {
  const typed = text.trim();
  const [figure = "", unit] = /^(.*[0-9])\s+(\S+)$/s.exec(typed)?.slice(1) ?? [];
  const amount = unit?.toUpperCase() === tokenId.toUpperCase() ? figure : typed;
  const digits = GROUPED.test(amount) ? amount.replace(/\s/g, "") : amount;
  return /^\.[0-9]/.test(digits) ? `0${digits}` : digits;
}

/**
 * What a number with commas may mean, the likelier reading first: a comma stands for the decimal point, or between groups of
 * three digits. None where it can be neither.
 */
export function amountsMeant(text: string): readonly string[] {
  const decimals = /^([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]*),([0-9]+)$/.exec(text);
  const grouped = /^[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$/.test(text);
  return [
    ...(decimals === null ? [] : [withoutZeros(`${decimals[1]?.replaceAll(".", "") || "0"}.${decimals[2]}`)]),
    ...(grouped ? [text.replaceAll(",", "")] : []),
  ];
}

function withoutZeros(text: string): string {
  return text.length > 2 * MAX_DIGITS ? text : new Decimal(text).toFixed();
}

/**
 * Reads what a person typed, in whole tokens (`12.5`), exactly. A token of unknown precision is read in smallest units.
 * Read as well: what {@link plainAmount} makes plain. Refused: signs, exponents, hex, a comma, a trailing point, more decimals
 * than the token has, zero.
 * @throws Fault `amount-…`, each naming what is wrong.
 */
export function parseAmount(text: string, token: Token): Amount {
  const { typed, decimals } = assertDecimal(plainAmount(text, token.id));
  const precision = token.precision ?? 0;
  if (decimals.length > precision) {
    throw new Fault("amount-too-many-decimals", { text: typed.slice(0, 40), token: token.id, precision });
  }
  const units = BigInt(new Decimal(typed).shiftedBy(precision).toFixed(0));
  if (units === 0n) throw new Fault("amount-zero", {});
  return { token, units };
}

/** What a text has to be to be an amount of any token. @throws Fault `amount-…`. */
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
  if (whole.length + decimals.length > MAX_DIGITS || BigInt(whole) > MOST_WHOLE_TOKENS) {
    throw new Fault("amount-too-large", { text: shown });
  }
  return { typed, decimals };
}

/**
 * Reads a decimal that a service answered in whole tokens, rounding down to smallest units. Zero is a value here.
 * @throws Fault `answer-unreadable` for anything but plain decimal text, `token-precision-unknown`.
 */
export function amountFromAnswer(text: string, token: Token): Amount {
  if (token.precision === undefined) throw new Fault("token-precision-unknown", { token: token.id });
  if (!/^[0-9]+(?:\.[0-9]+)?$/.test(text) || text.length > 2 * MAX_DIGITS) {
    throw new Fault("answer-unreadable", { reason: "an amount that is not a plain decimal" });
  }
  return { token, units: BigInt(new Decimal(text).shiftedBy(token.precision).toFixed(0)) };
}

/** The exact decimal text in whole tokens, without trailing zeros or grouping; raw units where the precision is unknown. */
export function formatAmount(amount: Amount): string {
  return new Decimal(amount.units.toString()).shiftedBy(-(amount.token.precision ?? 0)).toFixed();
}

/** As many whole tokens, rounded down, where the token's precision was corrected since; an unknown precision counts as none. */
export function sameWhole(amount: Amount, token: Token): Amount {
  const shift = (token.precision ?? 0) - (amount.token.precision ?? 0);
  const factor = 10n ** BigInt(Math.abs(shift));
  return amountOf(token, shift < 0 ? amount.units / factor : amount.units * factor);
}

/** The sum. @throws TypeError for two tokens, which is a mistake in the program. */
export function addAmounts(left: Amount, right: Amount): Amount {
  assertSameToken(left, right);
  return { token: left.token, units: left.units + right.units };
}

/** The difference. @throws TypeError for two tokens, Fault `value-out-of-range` below zero. */
export function subtractAmounts(left: Amount, right: Amount): Amount {
  assertSameToken(left, right);
  return amountOf(left.token, left.units - right.units);
}

/** Negative, zero or positive as `left` is below, equal to or above `right`. @throws TypeError for two tokens. */
export function compareAmounts(left: Amount, right: Amount): -1 | 0 | 1 {
  assertSameToken(left, right);
  return left.units < right.units ? -1 : left.units > right.units ? 1 : 0;
}

export function isZero(amount: Pick<Amount, "units">): boolean {
  return amount.units === 0n;
}

/** The least that there can be. */
export function isSingleUnit(amount: Pick<Amount, "units">): boolean {
  return amount.units === 1n;
}

/** Whether a contract paid exactly this amount of this fungible token. */
export function isPaid(payment: Payment, amount: Amount): boolean {
  return payment.tokenId === amount.token.id && payment.nonce === undefined && hasUnitsOf(payment, amount);
}

/** Whether a contract paid as many units, of whatever token: locked tokens are given and taken one for one. */
export function hasUnitsOf(payment: Payment, amount: Amount): boolean {
  return payment.units === amount.units;
}

/** The smaller of two amounts. @throws TypeError for two tokens. */
export function smallerAmount(left: Amount, right: Amount): Amount {
  return compareAmounts(left, right) <= 0 ? left : right;
}

/**
 * How much more `amount` is than `than`, in hundredths of a percent rounded down; negative when it is less. Undefined when
 * `than` is zero. A bigint, since nothing bounds it.
 * @throws TypeError for two tokens.
 */
export function gainBps(amount: Amount, than: Amount): bigint | undefined {
  assertSameToken(amount, than);
  if (than.units === 0n) return undefined;
  const parts = (amount.units - than.units) * BPS;
  // Division of bigints rounds towards zero.
  return parts >= 0n ? parts / than.units : -((-parts + than.units - 1n) / than.units);
}

/** How much of the whole it is, in hundredths of a percent, rounded up. Zero of a whole of zero. */
export function shareInBps(part: Amount, whole: Amount): bigint {
  assertSameToken(part, whole);
  return whole.units === 0n ? 0n : (part.units * BPS + whole.units - 1n) / whole.units;
}

/** How many times `amount` is `than`, rounded down; what is more than nothing counts as of one unit. @throws TypeError for two tokens. */
export function timesAsMuch(amount: Amount, than: Amount): bigint {
  assertSameToken(amount, than);
  return amount.units / (than.units === 0n ? 1n : than.units);
}

/** One of a number of equal parts, rounded down, at least one unit. */
export function partOf(amount: Amount, parts: bigint): Amount {
  const units = amount.units / parts;
  return { token: amount.token, units: units > 0n ? units : 1n };
}

/** An amount as it is sent along with a call. */
export function paymentOf({ token, units }: Amount): Payment {
  return { tokenId: token.id, units };
}

/**
 * The least that a swap may give: `floor(quoted * (10000 - bps) / 10000)`, at least 1 unit. Zero protection does not exist.
 * @param slippageBps 0 to `maximumBps`, in hundredths of a percent.
 * @throws Fault `slippage-out-of-range`; `quote-zero` when nothing was quoted.
 */
export function slippageFloor(quoted: Amount, slippageBps: number, maximumBps: number): Amount {
  if (!Number.isInteger(slippageBps) || slippageBps < 0 || slippageBps > maximumBps || slippageBps >= 10_000) {
    throw new Fault("slippage-out-of-range", { bps: slippageBps, maximum: maximumBps });
  }
  if (quoted.units <= 0n) throw new Fault("quote-zero", { token: quoted.token.id });
  const floor = (quoted.units * (BPS - BigInt(slippageBps))) / BPS;
  return { token: quoted.token, units: floor > 0n ? floor : 1n };
}

/** The most that something may cost which costs `needed` now: `floor(needed * (10000 + bps) / 10000) + 1`. */
export function slippageCeiling(needed: Amount, slippageBps: number): Amount {
  return { token: needed.token, units: (needed.units * (BPS + BigInt(slippageBps))) / BPS + 1n };
}

function assertSameToken(left: Amount, right: Amount): void {
  if (left.token.id !== right.token.id)
    throw new TypeError(`amounts of ${left.token.id} and ${right.token.id} do not mix`);
}
