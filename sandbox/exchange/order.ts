import * as z from "zod";
import { divide, multiply, readFixed, writeFixed } from "./decimal.js";

export type Status = "OPEN" | "PARTIALLY" | "CANCELED" | "DONE";

/** An order of the sandbox's exchange. Figures are whole numbers of hundred-millionths. */
export interface MarketOrder {
  readonly orderId: string;
  readonly status: Status;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly typeOrder: "LIMIT" | "MARKET";
  readonly typeTrade: "MAKER" | "TAKER";
  readonly price: bigint;
  readonly quantity: bigint;
  readonly filled: bigint;
  /** In the quote token. */
  readonly paid: bigint;
  /** Whether the market moves it; false after a manual change. */
  readonly moves: boolean;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const fixed = z.string().transform((text, context) => {
  try {
    return readFixed(text);
  } catch (cause) {
    context.addIssue({ code: "custom", message: (cause as Error).message });
    return z.NEVER;
  }
});

/** An order as a world or a tester specifies it. */
export const orderSeed = z.strictObject({
  orderId: z.uuid().optional(),
  symbol: z
    .string()
    .regex(/^[A-Z0-9]+-[A-Z0-9]+$/)
    .default("KLV-USDT"),
  side: z.enum(["BUY", "SELL"]).default("BUY"),
  typeOrder: z.enum(["LIMIT", "MARKET"]).default("LIMIT"),
  price: fixed.prefault("0.00678"),
  quantity: fixed.prefault("100"),
  moves: z.boolean().default(false),
});
export type OrderSeed = z.input<typeof orderSeed>;

/** The fee is a thousandth of what is received. */
const FEE_DIVISOR = 1000n;
/** Paying in the native token costs a tenth of that on top; in the sandbox, every sale does. */
const NATIVE_FEE_DIVISOR = 10_000n;
const NATIVE = "KLV";

export function newOrder(seed: z.output<typeof orderSeed>, orderId: string, now: number): MarketOrder {
  return {
    orderId,
    status: "OPEN",
    symbol: seed.symbol,
    side: seed.side,
    typeOrder: seed.typeOrder,
    typeTrade: seed.typeOrder === "MARKET" ? "TAKER" : "MAKER",
    price: seed.price,
    quantity: seed.quantity,
    filled: 0n,
    paid: 0n,
    moves: seed.moves,
    createdAt: now,
    updatedAt: now,
  };
}

export function isOver({ status }: MarketOrder): boolean {
  return status === "DONE" || status === "CANCELED";
}

/** @throws Error if the order is over, or `quantity` is not positive or exceeds what is left. */
export function fillOrder(order: MarketOrder, quantity: bigint, price: bigint, now: number): MarketOrder {
  if (isOver(order)) throw new Error(`the order is ${order.status}`);
  const filled = order.filled + quantity;
  if (quantity <= 0n) throw new Error("nothing to fill");
  if (filled > order.quantity) throw new Error(`only ${writeFixed(order.quantity - order.filled)} is left`);
  const status = filled === order.quantity ? "DONE" : "PARTIALLY";
  return { ...order, status, filled, paid: order.paid + multiply(quantity, price), updatedAt: now };
}

/** @throws Error if the order is over. */
export function cancelOrder(order: MarketOrder, now: number): MarketOrder {
  if (isOver(order)) throw new Error(`the order is ${order.status}`);
  return { ...order, status: "CANCELED", updatedAt: now };
}

/** The order as the status query returns it. */
export function asAnswer(order: MarketOrder): Record<string, string | number> {
  const [base = "", quote = ""] = order.symbol.split("-");
  const received = order.side === "BUY" ? order.filled : order.paid;
  return {
    orderId: order.orderId,
    status: order.status,
    symbol: order.symbol,
    side: order.side,
    price: order.typeOrder === "MARKET" ? "0" : writeFixed(order.price),
    averagePrice: order.filled === 0n ? "0" : writeFixed(divide(order.paid, order.filled)),
    quantity: writeFixed(order.quantity),
    filled: writeFixed(order.filled),
    typeOrder: order.typeOrder,
    typeTrade: order.typeTrade,
    fee: writeFixed(received / FEE_DIVISOR),
    feeToken: order.side === "BUY" ? base : quote,
    [`feePayWith${NATIVE}`]: order.side === "SELL" ? writeFixed(order.filled / NATIVE_FEE_DIVISOR) : "0",
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}
