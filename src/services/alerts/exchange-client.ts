import * as z from "zod";
import { isPositive, readDecimal } from "../../encoding/decimal.js";
import { Fault } from "../../fault.js";
import { plainText } from "../base/display-text.js";
import { expectSuccess, type Http, parseAs } from "../base/http.js";
import { readStatus } from "./order-status.js";

/** The exchange that orders are looked up at, as `docs/interfaces.md` has it. */
export interface Exchange {
  /**
   * An order in its newest state, by its id. Doesn't retry: the caller paces requests to the exchange. @throws Fault `order-id-invalid` before sending
   * anything; `order-not-found`, `order-refused`, `order-unreadable`, `answer-unreadable`, `service-…`.
   */
  readonly order: (text: string) => Promise<Order>;
}

export function createExchange(parts: {
  readonly url: string;
  readonly apiKey: string;
  readonly http: Http;
  /** Removes secrets from the exchange's error messages, which may repeat the key. */
  readonly hide: (text: string) => string;
}): Exchange {
  const { apiKey, http } = parts;
  return {
    order: async (text: string): Promise<Order> => {
      const id = readOrderId(text);
      const url = `${parts.url}/v1/order/${id}`;
      const answer = await http.request({ service: "exchange", url, headers: { apikey: apiKey }, retry: false });
      if (answer.status === 404) throw new Fault("order-not-found", { id });
      expectSuccess("exchange", answer);
      return readOrder(answer.text, id, parts.hide);
    },
  };
}

const wordIn = (text: string) => plainText(text, 40);
const NATIVE_FEE = /^feePayWith([A-Za-z0-9]{1,20})$/;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** @throws Fault `order-id-invalid`. */
export function readOrderId(text: string): string {
  const id = text.trim().toLowerCase();
  if (!ID.test(id)) throw new Fault("order-id-invalid", { text: wordIn(text) });
  return id;
}

/** `parseAs` passes numbers on as they are written in the JSON, so that no digit is lost. */
const word = z.string().transform(wordIn).pipe(z.string().min(1));
const exchangeDecimal = z.string().transform(readDecimal).pipe(z.string());
const amount = exchangeDecimal.refine((text) => !text.startsWith("-"), "is negative");
/** Exchanges write 0 for a price that they don't have (yet). */
const priceField = amount.refine(isPositive, "is no price");
/** An order that isn't counted in its base token, such as one that spends a sum at the market, may say no quantity. */
const quantity = z
  .string()
  .nullable()
  .transform((text) => text || "0")
  .pipe(amount);
const time = z
  .string()
  .transform(readTime)
  .pipe(z.union([z.number(), z.string()]));
/** A term of the interface in whatever case; the sides of some exchanges are those of their book. */
const term = word.transform((text) => terms.get(text.toLowerCase()) ?? text);
const terms = new Map([
  ["bid", "BUY"],
  ["ask", "SELL"],
  ...["BUY", "SELL", "LIMIT", "MARKET", "MAKER", "TAKER"].map((name) => [name.toLowerCase(), name] as const),
]);

/** For fields that may be missing, null, empty, or in a form we can't read: none of that hides the order. */
const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const orderFields = z.object({
  id: z.string().toLowerCase(),
  /** OPEN, PARTIALLY, CANCELED or DONE, EXPIRED, REJECTED or FAILED; any other value is shown as it is. */
  status: word,
  /** `<base>-<quote>`. */
  symbol: word,
  side: term,
  price: lenient(priceField),
  averagePrice: lenient(priceField),
  /** 0 if the exchange doesn't say. */
  quantity,
  filled: amount,
  type: lenient(term),
  trade: lenient(term),
  fee: lenient(exchangeDecimal),
  feeToken: lenient(word),
  /** The reduced fee, paid in the native token, from `feePayWith<ticker>`. */
  nativeFee: z.object({ amount: z.string(), token: z.string() }).optional(),
  /** Seconds since 1970, with a fraction if the exchange gives one; or as it came, if that doesn't say its zone. */
  createdAt: lenient(time),
  updatedAt: lenient(time),
});

/** Amounts are in whole tokens, as decimal text (interface, section 2.5). */
export type Order = Readonly<z.output<typeof orderFields>>;

const orderSchema = z
  .record(z.string(), z.unknown())
  .transform(({ orderId: id, typeOrder: type, typeTrade: trade, ...fields }): unknown => {
    return { ...fields, id, type, trade, nativeFee: nativeFeeOf(fields) };
  })
  .pipe(orderFields)
  .transform((order) => ({ ...order, status: readStatus(order.status, order) }));

const orderAnswerSchema = z.union([
  z.object({ success: z.literal(true), data: z.looseObject({ orderId: z.string().toLowerCase() }) }),
  z.object({ success: z.literal(false), message: lenient(word), error: lenient(word) }),
]);

/** @throws Fault `order-refused`, `order-unreadable`, `answer-unreadable`. */
export function readOrder(text: string, id: string, hide = (words: string) => words): Order {
  const read = parseAs(orderAnswerSchema, text, String, "an answer that is no order");
  if (!read.success) throw new Fault("order-refused", { reason: hide(read.message ?? read.error ?? "") });
  if (read.data.orderId !== id) throw new Fault("answer-unreadable", { reason: "an answer about another order" });
  const order = orderSchema.safeParse(read.data);
  if (order.success) return order.data;
  const fields = new Set(order.error.issues.map(({ path: [field] }) => String(field)));
  throw new Fault("order-unreadable", { fields: [...fields].join(", ") }, { cause: order.error });
}

const COUNTED = /^(?<whole>[1-9][0-9]{9})(?:[0-9]{3}){0,3}(?:\.[0-9]+)?$/;
const WRITTEN =
  /^(?<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?<time>[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.(?<part>[0-9]{1,9}))? ?(?<zone>Z|[+-][0-9]{2}:?[0-9]{2})?$/;

/** Ten digits are seconds (2001 to 2286), and three more each milliseconds and finer. Other numbers are no times. */
function readTime(text: string): number | string | undefined {
  const { whole } = COUNTED.exec(text)?.groups ?? {};
  if (whole !== undefined) return secondsIn(whole, text.slice(whole.length).replace(".", ""));
  const { date, time: ofDay, part = "", zone } = WRITTEN.exec(text)?.groups ?? {};
  if (date === undefined || ofDay === undefined) return undefined;
  const moment = Date.parse(`${date}T${ofDay}${(zone ?? "Z").replace(/^(...)([0-9]{2})$/, "$1:$2")}`);
  if (Number.isNaN(moment)) return undefined;
  return zone === undefined ? text : secondsIn(String(moment / 1000), part);
}

function secondsIn(whole: string, part: string): number {
  // oxlint-disable-next-line money/no-floating-point -- a time, not money
  return Number(`${whole}.${part}`);
}

/** The field's name ends in the native token's ticker, so it is found by its prefix. */
function nativeFeeOf(fields: Readonly<Record<string, unknown>>): Order["nativeFee"] {
  for (const [name, value] of Object.entries(fields)) {
    const token = NATIVE_FEE.exec(name)?.[1];
    const amount = typeof value === "string" ? readDecimal(value) : undefined;
    if (token !== undefined && amount !== undefined) return { amount, token };
  }
  return undefined;
}
