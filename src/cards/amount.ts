import { formatAmount, formatRate, type Amount, formatBps, formatUnits } from "../encoding/amount.js";
import { grouped, shortened, type DecimalText } from "../encoding/decimal.js";
import type { Messages } from "../locales/messages.js";

/**
 * `12.5 KLV`: the id, since names can be imitated; at most 8 significant digits, rounded down. Where the decimals are
 * unknown it counts base units, and says so.
 */
export const withToken = writing(shortened);
/** Like {@link withToken}, rounded up: nobody pays more than they read. */
export const paidWithToken = writing((text) => shortened(text, "up"));
/** Like {@link withToken}, with fewer digits: at most 6. */
export const aboutWithToken = writing((text) => shortened(text, "down", 6));
/** Like {@link withToken}, to the last digit. */
export const exactWithToken = writing((text) => text);

function writing(round: (text: DecimalText) => DecimalText) {
  return (amount: Amount, words: Messages): string => {
    const { id, precision } = amount.token;
    return precision === undefined
      ? words.common.smallestUnits(figure(amount.units.toString(), words), id)
      : `${figure(round(formatAmount(amount)), words)} ${id}`;
  };
}

/** `1 KLV = 0.5 KFI`; undefined where one of them is nothing. */
export function rateOf(first: Amount, second: Amount, words: Messages): string | undefined {
  const rate = formatRate(first, second);
  return rate && `1 ${first.token.id} = ${figure(rate, words)} ${second.token.id}`;
}

/** As the language writes it: `1,250.5`. */
export const figure = (value: DecimalText, { decimalMark }: Messages): string => grouped(value, decimalMark);

export const percent = (value: DecimalText, words: Messages): string => `${figure(value, words)}%`;

/** Of a fee as the contracts state it, a referral percentage or a pair's fee: 1000 is 1%. */
export function referralPercent(referralPercentage: number | bigint, words: Messages): string {
  return percent(formatUnits(referralPercentage, 3), words);
}

/** Of hundredths of a percent, whatever their sign. */
export function percentOfBps(bps: number | bigint, words: Messages): string {
  return percent(formatBps(bps < 0 ? -bps : bps), words);
}

/** `+1.5%`, of hundredths of a percent; `equal` stands before nothing. */
export function signedPercent(bps: bigint, words: Messages, equal = ""): string {
  const sign = bps < 0n ? "−" : bps === 0n ? equal : "+";
  return `${sign}${percentOfBps(bps, words)}`;
}
