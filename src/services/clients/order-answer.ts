import { z } from "zod";
import { Fault } from "../../fault.js";
import { digitsOf, parseAs } from "./json.js";
import { plainText } from "../plain-text.js";
import { readDecimal } from "../../encoding/decimal-text.js";
import type { Order } from "../../model/order.js";

const MAX_WORD = 40;
const NATIVE_FEE = /^feePayWith([A-Za-z0-9]{1,20})$/;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads an order id that a person gave, in either case. @throws Fault `order-id-invalid`. */
export function readOrderId(text: string): string {
  const id = text.trim().toLowerCase();
  if (!ID.test(id)) throw new Fault("order-id-invalid", { text: plainText(text, MAX_WORD) });
  return id;
}

/** Numbers arrive here as the text they were in the JSON, so that no digit is lost. */
const word = z
  .string()
  .transform((text) => plainText(text, MAX_WORD))
  .refine((text) => text !== "");
const decimal = z.string().transform((text, context) => {
  const read = readDecimal(text);
  if (read === undefined) context.addIssue({ code: "custom", message: "is no decimal" });
  return read ?? z.NEVER;
});
const amount = decimal.refine((text) => !text.startsWith("-"), "is negative");
const seconds = z
  .string()
  .regex(/^[0-9]{1,11}$/)
  .pipe(z.coerce.number());

/** A field that may be missing, null, empty, or new in a way that we can't read: none of that hides the order. */
function lenient<Value>(schema: z.ZodType<Value>): z.ZodType<Value | undefined> {
  return schema.optional().catch(undefined);
}

const orderSchema = z.looseObject({
  orderId: z.string().transform((text) => text.toLowerCase()),
  status: word,
  symbol: word,
  side: word,
  quantity: amount,
  filled: amount,
  price: lenient(amount),
  averagePrice: lenient(amount),
  typeOrder: lenient(word),
  typeTrade: lenient(word),
  fee: lenient(decimal),
  feeToken: lenient(word),
  createdAt: lenient(seconds),
  updatedAt: lenient(seconds),
});

const answerSchema = z.union([
  z.looseObject({ success: z.literal(true), data: orderSchema }),
  z.looseObject({ success: z.literal(false), message: lenient(word), error: lenient(word) }),
]);

/**
 * Reads the body that answers the status query for the order `id`.
 * @param hide takes secrets out of the exchange's words.
 * @throws Fault `order-refused` for `success: false`; `answer-unreadable` when it is no order, or another one.
 */
export function readOrder(text: string, id: string, hide = (words: string) => words): Order {
  const read = parseAs(answerSchema, text, digitsOf, "an answer that is no order");
  if (!read.success) throw new Fault("order-refused", { reason: hide(read.message ?? read.error ?? "") });
  const { data } = read;
  if (data.orderId !== id) throw new Fault("answer-unreadable", { reason: "an answer about another order" });
  return {
    id,
    status: data.status,
    symbol: data.symbol,
    side: data.side,
    price: data.price,
    averagePrice: data.averagePrice,
    quantity: data.quantity,
    filled: data.filled,
    type: data.typeOrder,
    trade: data.typeTrade,
    fee: data.fee,
    feeToken: data.feeToken,
    nativeFee: nativeFeeOf(data),
    createdAt: data.createdAt,
    updatedAt: data.updatedAt,
  };
}

/** The field has the native token's ticker in its name, so it is found by what comes before it. */
function nativeFeeOf(fields: Readonly<Record<string, unknown>>): Order["nativeFee"] {
  for (const [name, value] of Object.entries(fields)) {
    const token = NATIVE_FEE.exec(name)?.[1];
    const amount = typeof value === "string" ? readDecimal(value) : undefined;
    if (token !== undefined && amount !== undefined) return { amount, token };
  }
  return undefined;
}
