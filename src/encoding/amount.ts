import * as z from "zod";
import { Fault } from "../fault.js";
import { Decimal } from "./decimal.js";

export const tokenSchema = z.object({
  id: z.string(),
  /** Not unique, unlike the id. */
  name: z.string(),
  /** Absent if unknown: amounts are then in base units. */
  precision: z.number().exactOptional(),
  kind: z.enum(["fungible", "semi-fungible"]),
});
export type Token = Readonly<z.infer<typeof tokenSchema>>;

/** The id of the chain's own token. */
export const NATIVE_TOKEN = "KLV";
export const KLV = { id: NATIVE_TOKEN, name: NATIVE_TOKEN, precision: 6, kind: "fungible" } as const satisfies Token;

export function unlistedToken(id: string, name = id): Token {
  return { id, name, kind: "fungible" };
}

/** `nonce` is at least 1, and absent for a fungible token. */
export const assetSchema = z.object({ tokenId: z.string(), nonce: z.bigint().positive().exactOptional() });
export type AssetId = Readonly<z.infer<typeof assetSchema>>;

/** Base units by asset (`KLV`, `LKTOK-1A2B/7`). */
export type Holdings = Readonly<Record<string, bigint>>;

export interface Payment extends AssetId {
  readonly units: bigint;
}

export const MAX_U64 = (1n << 64n) - 1n;
/** 32 bytes: above any amount on the chain, and a bound on the size of a request. */
export const MAX_BIG_UINT = (1n << 256n) - 1n;

/** KLV, KFI, or a ticker of 3 to 10 characters, a dash and 4 characters (klever-go `kdautils.IsTickerValid`). */
export function isTokenId(text: string): boolean {
  return /^(?:KLV|KFI|[A-Z0-9]{3,10}-[A-Z0-9]{4})$/.test(text);
}

/** A token that somebody issued, in any case: neither KLV nor KFI, nor a name. */
export const isIssuedId = (text: string): boolean => text.includes("-") && isTokenId(text.toUpperCase());

/** Parses `KFI` or `LKTOK-1A2B/7`, case-insensitively. @throws Fault `asset-invalid`. */
export function parseAssetId(text: string): AssetId {
  const [tokenId = "", nonce, ...rest] = text.trim().toUpperCase().split("/");
  const isReadable = nonce === undefined || (/^[1-9][0-9]{0,19}$/.test(nonce) && BigInt(nonce) <= MAX_U64);
  if (!isTokenId(tokenId) || !isReadable || rest.length > 0)
    throw new Fault("asset-invalid", { text: text.slice(0, 70) });
  return nonce === undefined ? { tokenId } : { tokenId, nonce: BigInt(nonce) };
}

export function formatAssetId(asset: AssetId): string {
  return asset.nonce === undefined ? asset.tokenId : `${asset.tokenId}/${asset.nonce}`;
}

export function checkPayment({ tokenId, nonce, units }: Payment): void {
  if (!isTokenId(tokenId)) throw new Fault("asset-invalid", { text: tokenId });
  if (nonce !== undefined) assertWithin("nonce", "u64", nonce, MAX_U64);
  assertWithin("payment", "BigUint", units, MAX_BIG_UINT);
}

/** Payments are at least one unit, nonces at least 1. @throws Fault `value-out-of-range`. */
export function assertWithin(name: string, type: string, value: bigint, maximum: bigint): void {
  if (value < 1n || value > maximum) throw new Fault("value-out-of-range", { name, type, value: `${value}` });
}

/** The `value` of a contract call: comma-separated `<asset>=<units>` (koperator's `--values`). */
export function formatPayments(payments: readonly Payment[]): string {
  return payments.map((payment) => `${formatAssetId(payment)}=${payment.units}`).join(",");
}

/** Arithmetic on amounts of different tokens throws a TypeError, since it is a bug. */
export const amountSchema = z.object({ token: tokenSchema, units: z.bigint().nonnegative() });
export type Amount = Readonly<z.infer<typeof amountSchema>>;

const MAX_ANSWER_LENGTH = 120;
export const BPS = 10_000n;

export function amountOf(token: Token, units: bigint): Amount {
  if (units < 0n) throw new Fault("value-out-of-range", { name: token.id, type: "amount", value: units.toString() });
  return { token, units };
}

/**
 * Parses a service's decimal in whole tokens, rounded down; zero is allowed.
 * @throws Fault `answer-unreadable`, `token-precision-unknown`.
 */
export function amountFromAnswer(text: string, token: Token): Amount {
  if (token.precision === undefined) throw new Fault("token-precision-unknown", { token: token.id });
  if (!/^[0-9]+(?:\.[0-9]+)?$/.test(text) || text.length > MAX_ANSWER_LENGTH) {
    throw new Fault("answer-unreadable", { reason: "an amount that is not a plain decimal" });
  }
  return { token, units: unitsIn(text, token.precision) };
}

/** Converts whole tokens to base units; excess decimals are truncated. */
export function unitsIn(text: string, precision: number): bigint {
  const [whole = "", decimals = ""] = text.split(".");
  return BigInt(whole + decimals.slice(0, precision).padEnd(precision, "0"));
}

/** Exact, without trailing zeros or grouping; in base units if the precision is unknown. */
export function formatAmount(amount: Amount): string {
  return formatUnits(amount.units, amount.token.precision ?? 0);
}

export function formatUnits(units: number | bigint, precision: number): string {
  const digits = String(units).padStart(precision + 1, "0");
  const whole = digits.slice(0, digits.length - precision);
  const decimals = digits.slice(whole.length).replace(/0+$/, "");
  return decimals === "" ? whole : `${whole}.${decimals}`;
}

/** Keeps the number of whole tokens, rounded down, when a token's precision has been corrected. */
export function sameWhole(amount: Amount, token: Token): Amount {
  const shift = (token.precision ?? 0) - (amount.token.precision ?? 0);
  const factor = 10n ** BigInt(Math.abs(shift));
  return amountOf(token, shift < 0 ? amount.units / factor : amount.units * factor);
}

export function addAmounts(left: Amount, right: Amount): Amount {
  assertSameToken(left, right);
  return { token: left.token, units: left.units + right.units };
}

export function subtractAmounts(left: Amount, right: Amount): Amount {
  assertSameToken(left, right);
  return amountOf(left.token, left.units - right.units);
}

export function compareAmounts(left: Amount, right: Amount): -1 | 0 | 1 {
  assertSameToken(left, right);
  return left.units < right.units ? -1 : left.units > right.units ? 1 : 0;
}

export function isZero(amount: Pick<Amount, "units">): boolean {
  return amount.units === 0n;
}

export function isSingleUnit(amount: Pick<Amount, "units">): boolean {
  return amount.units === 1n;
}

export function isPaid(payment: Payment, amount: Amount): boolean {
  return payment.tokenId === amount.token.id && payment.nonce === undefined && hasUnitsOf(payment, amount);
}

export function hasUnitsOf(payment: Payment, amount: Amount): boolean {
  return payment.units === amount.units;
}

export function smallerAmount(left: Amount, right: Amount): Amount {
  return compareAmounts(left, right) <= 0 ? left : right;
}

/** For non-negative numbers only. */
export function dividedUp(over: bigint, under: bigint): bigint {
  return (over + under - 1n) / under;
}

/** In basis points, rounded down; undefined if `than` is zero. */
export function gainBps(amount: Amount, than: Amount): bigint | undefined {
  assertSameToken(amount, than);
  if (than.units === 0n) return undefined;
  const parts = (amount.units - than.units) * BPS;
  return parts >= 0n ? parts / than.units : -dividedUp(-parts, than.units);
}

/** Rounded up; zero if `whole` is zero. */
export function shareInBps(part: Amount, whole: Amount): bigint {
  assertSameToken(part, whole);
  return whole.units === 0n ? 0n : dividedUp(part.units * BPS, whole.units);
}

/** Rounded to the nearest basis point, for display beside the exact amount; zero if `whole` is zero. */
export function nearestBps(part: Amount, whole: Amount): bigint {
  assertSameToken(part, whole);
  return whole.units === 0n ? 0n : (2n * part.units * BPS + whole.units) / (2n * whole.units);
}

/** Whether an amount is more than this many basis points above another. */
export function isAbove(amount: Amount, than: Amount, bps: bigint): boolean {
  assertSameToken(amount, than);
  return amount.units * BPS > than.units * (BPS + bps);
}

/** Rounded down; a zero `than` counts as one unit. */
export function timesAsMuch(amount: Amount, than: Amount): bigint {
  assertSameToken(amount, than);
  return amount.units / (than.units === 0n ? 1n : than.units);
}

/** Rounded down, at least one unit. */
export function partOf(amount: Amount, parts: bigint): Amount {
  const units = amount.units / parts;
  return { token: amount.token, units: units > 0n ? units : 1n };
}

export function multiplied({ token, units }: Amount, times: bigint): Amount {
  return { token, units: units * times };
}

/** As much of an amount as `to` is of `of`, as a fraction of base units. */
export function inProportion(
  amount: Amount,
  to: Amount,
  of: Amount,
): { readonly over: bigint; readonly under: bigint } {
  assertSameToken(to, of);
  return { over: amount.units * to.units, under: of.units };
}

export function paymentOf({ token, units }: Amount): Payment {
  return { tokenId: token.id, units };
}

function assertSameToken(left: Amount, right: Amount): void {
  if (left.token.id !== right.token.id)
    throw new TypeError(`amounts of ${left.token.id} and ${right.token.id} do not mix`);
}

/** The exact worth in base units of `out`, as a fraction. `price` is whole `out` tokens per whole token. */
export function worthAtPrice({ token, units }: Amount, price: string, out: Token) {
  const decimals = price.split(".")[1]?.length ?? 0;
  const over = unitsIn(price, decimals) * units * 10n ** BigInt(out.precision ?? 0);
  return { over, under: 10n ** BigInt(decimals + (token.precision ?? 0)) };
}

/** For display only: 8 significant digits, rounded down; undefined if a precision is unknown or `from` is zero. */
export function formatRate(from: Amount, to: Amount): string | undefined {
  if (from.token.precision === undefined || to.token.precision === undefined || from.units === 0n) return undefined;
  return new Decimal(formatAmount(to)).dividedBy(formatAmount(from)).precision(8).toFixed();
}

/**
 * For display only: by how many percent `to` differs from `from`, without a sign and rounded to one decimal, below 1 to
 * two; undefined for less than half of that, or if `from` is zero.
 */
export function formatChange(from: Amount, to: Amount): string | undefined {
  assertSameToken(from, to);
  if (from.units === 0n) return undefined;
  const percent = new Decimal(String((to.units - from.units) * 100n)).abs().dividedBy(String(from.units));
  const rounded = percent.decimalPlaces(percent.lt(1) ? 2 : 1, Decimal.ROUND_HALF_UP);
  return rounded.isZero() ? undefined : rounded.toFixed(rounded.lt(1) ? 2 : 1);
}

/** Formats basis points as a percentage: 150 is `1.5`. */
export function formatBps(bps: number | bigint): string {
  return formatUnits(bps, 2);
}

/** Rounded down. @throws Fault `amount-zero` if the share is less than one unit. */
export function shareOfAmount(amount: Amount, bps: bigint): Amount {
  const units = (amount.units * bps) / BPS;
  if (units === 0n) throw new Fault("amount-zero", {});
  return amountOf(amount.token, units);
}
