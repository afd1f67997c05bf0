import { formatAmount, type Amount } from "../encoding/amount.js";

/** An amount with its token's id: `12.5 KLV`. The id, not the name: names can be imitated. */
export function withToken(amount: Amount): string {
  return `${formatAmount(amount)} ${amount.token.id}`;
}
