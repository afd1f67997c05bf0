import { formatAmount, type Amount } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";

/**
 * An amount with its token's id: `12.5 KLV`. The id, not the name: names can be imitated. Where nobody knows the token's
 * decimals, the figure counts smallest units, and says so.
 */
export function withToken(amount: Amount, words: Messages): string {
  const { id, precision } = amount.token;
  return precision === undefined
    ? words.common.smallestUnits(amount.units.toString(), id)
    : `${formatAmount(amount)} ${id}`;
}
