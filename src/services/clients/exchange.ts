import { z } from "zod";
import { readDecimal } from "../../encoding/decimal.js";
import { Fault } from "../../fault.js";
import type { Order } from "./order.js";
import { plainText } from "../text/plain.js";
import { endpoint, expectSuccess, type Http } from "./http.js";
import { parseAs } from "./json.js";

export type Exchange = ReturnType<typeof createExchange>;

/** The client of `GET {url}/v1/order/{id}`. */
export function createExchange(parts: {
  readonly url: string;
  readonly apiKey: string;
  readonly http: Http;
  /** Takes secrets out of the exchange's words, which people read: it may repeat the key. */
  readonly hide: (text: string) => string;
}) {
  return {
    /**
     * The order as it is now. Asked once, without retries: whoever asks keeps the exchange's pace.
     * @throws Fault `order-id-invalid` before anything is sent; `order-not-found`, `order-refused`, `answer-unreadable`,
     * `service-unauthorized`, `service-rate-limited`, `service-status`, `service-timeout`, `service-unreachable`.
     */
    order: async (text: string): Promise<Order> => {
      const id = readOrderId(text);
      const answer = await parts.http.request({
        service: "exchange",
        method: "GET",
        url: endpoint(parts.url, `v1/order/${id}`),
        headers: { apikey: parts.apiKey },
        retry: false,
      });
      if (answer.status === 404) throw new Fault("order-not-found", { id });
      expectSuccess("exchange", answer);
      return readOrder(answer.text, id, parts.hide);
    },
  };
}

const wordIn = (text: string) => plainText(text, 40);
const NATIVE_FEE = /^feePayWith([A-Za-z0-9]{1,20})$/;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads an order id that a person gave, in either case. @throws Fault `order-id-invalid`. */
export function readOrderId(text: string): string {
  const id = text.trim().toLowerCase();
  if (!ID.test(id)) throw new Fault("order-id-invalid", { text: wordIn(text) });
  return id;
}

/** Numbers arrive here as the text they were in the JSON, so that no digit is lost. */
const word = z.string().transform(wordIn).pipe(z.string().min(1));
const decimal = z.string().transform(readDecimal).pipe(z.string());
const amount = decimal.refine((text) => !text.startsWith("-"), "is negative");
const seconds = z
  .string()
  .regex(/^[0-9]{1,11}$/)
  .pipe(z.coerce.number());

/** A field that may be missing, null, empty, or new in a way that we can't read: none of that hides the order. */
function lenient<Value>(schema: z.ZodType<Value>): z.ZodType<Value | undefined> {
  return schema.optional().catch(undefined);
}

const orderSchema = z
  .record(z.string(), z.unknown())
  .transform(({ orderId: id, typeOrder: type, typeTrade: trade, ...fields }) => {
    return { ...fields, id, type, trade, nativeFee: nativeFeeOf(fields) };
  })
  .pipe(
    z.object({
      id: z.string().toLowerCase(),
      status: word,
      symbol: word,
      side: word,
      price: lenient(amount),
      averagePrice: lenient(amount),
      quantity: amount,
      filled: amount,
      type: lenient(word),
      trade: lenient(word),
      fee: lenient(decimal),
      feeToken: lenient(word),
      nativeFee: z.custom<Order["nativeFee"]>(),
      createdAt: lenient(seconds),
      updatedAt: lenient(seconds),
    }),
  );

const answerSchema = z.union([
  z.object({ success: z.literal(true), data: orderSchema }),
  z.object({ success: z.literal(false), message: lenient(word), error: lenient(word) }),
]);

/**
 * Reads the body that answers the status query for the order `id`.
 * @param hide takes secrets out of the exchange's words.
 * @throws Fault `order-refused` for `success: false`; `answer-unreadable` when it is no order, or another one.
 */
export function readOrder(text: string, id: string, hide = (words: string) => words): Order {
  const read = parseAs(answerSchema, text, String, "an answer that is no order");
  if (!read.success) throw new Fault("order-refused", { reason: hide(read.message ?? read.error ?? "") });
  if (read.data.id !== id) throw new Fault("answer-unreadable", { reason: "an answer about another order" });
  return read.data;
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
