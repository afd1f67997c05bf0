/**
 * The exchange's figures: plain decimal text as it came, exact to the last digit. They are never brought into smallest
 * units, since the exchange's precision is not the chain's.
 */
export type Decimal = string;

/** An exchange order as its status query answers it (interface, section 2.5). Figures are whole tokens as decimal text. */
export interface Order {
  readonly id: string;
  /** OPEN, PARTIALLY, CANCELED or DONE, or whatever else the exchange says: shown as it is. */
  readonly status: string;
  /** `<base>-<quote>`. */
  readonly symbol: string;
  readonly side: string;
  readonly price?: Decimal | undefined;
  /** Over all that was filled so far. */
  readonly averagePrice?: Decimal | undefined;
  readonly quantity: Decimal;
  readonly filled: Decimal;
  readonly type?: string | undefined;
  /** MAKER or TAKER. */
  readonly trade?: string | undefined;
  readonly fee?: Decimal | undefined;
  readonly feeToken?: string | undefined;
  /** The reduced fee that is paid in the native token, from `feePayWith<ticker>`. */
  readonly nativeFee?: { readonly amount: Decimal; readonly token: string } | undefined;
  /** Seconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
}

/** An order that will not change any more. */
export function isFinal(order: Pick<Order, "status">): boolean {
  return order.status === "DONE" || order.status === "CANCELED";
}
