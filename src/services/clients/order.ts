import type { DecimalText } from "../../encoding/decimal.js";

/** An exchange order as its status query answers it (interface, section 2.5). Figures are whole tokens as decimal text. */
export interface Order {
  readonly id: string;
  /** OPEN, PARTIALLY, CANCELED or DONE, or whatever else the exchange says: shown as it is. */
  readonly status: string;
  /** `<base>-<quote>`. */
  readonly symbol: string;
  readonly side: string;
  readonly price?: DecimalText | undefined;
  /** Over all that was filled so far. */
  readonly averagePrice?: DecimalText | undefined;
  readonly quantity: DecimalText;
  readonly filled: DecimalText;
  readonly type?: string | undefined;
  /** MAKER or TAKER. */
  readonly trade?: string | undefined;
  readonly fee?: DecimalText | undefined;
  readonly feeToken?: string | undefined;
  /** The reduced fee that is paid in the native token, from `feePayWith<ticker>`. */
  readonly nativeFee?: { readonly amount: DecimalText; readonly token: string } | undefined;
  /** Seconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
}

/** An order that will not change any more. */
export function isFinal(order: Pick<Order, "status">): boolean {
  return order.status === "DONE" || order.status === "CANCELED";
}
