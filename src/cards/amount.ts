import { formatAmount, formatRate, type Amount, formatBps, formatUnits } from "../encoding/amount.js";
import { grouped, shortened, type DecimalText } from "../encoding/decimal.js";
import type { Messages } from "../locales/messages.js";

/**
 * `12.5 KLV`: shows the id, since names can be imitated, and at most 8 significant digits, rounded down. If the
 * precision is unknown, shows base units and says so.
 */
export const withToken = writing(shortened);
/** Like {@link withToken}, but rounded up, so that users never pay more than they read. */
export const paidWithToken = writing((text) => shortened(text, "up"));
/** Like {@link withToken}, with at most 6 significant digits. */
export const aboutWithToken = writing((text) => shortened(text, "down", 6));
/** Like {@link withToken}, with every digit. */
export const exactWithToken = writing((text) => text);

/** `≈ 12.5 KLV`, or `thin: about 12.5 KLV` for what is worth that only by a pool that anybody could have filled. */
export function aboutText(worth: string, { isThin = false }: { isThin?: boolean }, { words }: { words: Messages }) {
  return isThin ? words.common.thin(worth) : `≈ ${worth}`;
}

function writing(round: (text: DecimalText) => DecimalText) {
  return (amount: Amount, words: Messages): string => {
    const { id, precision } = amount.token;
    return precision === undefined
      ? words.common.smallestUnits(figure(amount.units.toString(), words), id)
      : `${figure(round(formatAmount(amount)), words)} ${id}`;
  };
}

/** `1 KLV = 0.5 KFI`; undefined if {@link formatRate} is. */
export function rateOf(first: Amount, second: Amount, words: Messages): string | undefined {
  const rate = formatRate(first, second);
  return rate && `1 ${first.token.id} = ${figure(rate, words)} ${second.token.id}`;
}

/** In the language's notation: `1,250.5`. */
export const figure = (value: DecimalText, { decimalMark }: Messages): string => grouped(value, decimalMark);

export const percent = (value: DecimalText, words: Messages): string => `${figure(value, words)}%`;

/** Formats a fee in the contracts' unit, such as the referral percentage or a pair's fee: 1000 is 1%. */
export function referralPercent(referralPercentage: number | bigint, words: Messages): string {
  return percent(formatUnits(referralPercentage, 3), words);
}

/** Formats basis points without their sign. */
export function percentOfBps(bps: number | bigint, words: Messages): string {
  return percent(formatBps(bps < 0 ? -bps : bps), words);
}

/** Formats basis points with their sign: `+1.5%`. @param equal sign of zero. */
export function signedPercent(bps: bigint, words: Messages, equal = ""): string {
  const sign = bps < 0n ? "−" : bps === 0n ? equal : "+";
  return `${sign}${percentOfBps(bps, words)}`;
}

/** Network fees get a warning from this share of the payment, in basis points. */
const LARGE_FEE_BPS = 500n;

export const isLargeFee = (shareBps: bigint): boolean => shareBps >= LARGE_FEE_BPS;
