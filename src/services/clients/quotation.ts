import { z } from "zod";
import { amountFromAnswer, isZero, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { Fault, isFault } from "../../fault.js";
import { endpoint, expectSuccess, type Http } from "./http.js";
import { digitsOf, parseJson } from "./json.js";

export interface QuoteRequest {
  /** Whole tokens, as the person typed it. */
  readonly amountInText: string;
  readonly tokenIn: Token;
  readonly tokenOut: Token;
}

/** A few numbers, and whatever else a service adds to them. */
const MAX_QUOTE_BYTES = 64 * 1024;

export type Quotation = ReturnType<typeof createQuotation>;

/** The client of `POST {url}/quotation`. */
export function createQuotation(parts: { readonly url: string; readonly http: Http }) {
  return {
    /**
     * What the service would give for an amount now. The amount's token carries the precision that the answer supplied when the
     * token list had none.
     * @throws Fault `quote-none` where the service knows no such trade; `quote-unreadable`, `quote-zero`,
     * `token-precision-unknown`, `service-…`.
     */
    quote: async ({ amountInText, tokenIn, tokenOut }: QuoteRequest): Promise<Amount> => {
      const answer = await parts.http.request({
        service: "quotation",
        method: "POST",
        url: endpoint(parts.url, "quotation"),
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ amountIn: amountInText, tokenIn: tokenIn.id, tokenOut: tokenOut.id }),
        retry: true,
        maximumBytes: MAX_QUOTE_BYTES,
      });
      if (answer.status === 404) throw new Fault("quote-none", { from: tokenIn.id, to: tokenOut.id });
      expectSuccess("quotation", answer);
      return readQuote(answer.text, tokenIn, tokenOut);
    },
  };
}

/**
 * Reads `amountOut`, in whole tokens, at the top of the answer or under `data`. Numbers are read from their text, so no
 * digit is lost; exponents are refused. A precision in the answer must agree with the token list's.
 * @throws Fault `quote-unreadable`, `quote-zero`, `token-precision-unknown` (neither the list nor the answer has it).
 */
export function readQuote(text: string, tokenIn: Token, tokenOut: Token): Amount {
  const answer = fieldsOf(text);
  const amountOut = answer?.["amountOut"];
  if (typeof amountOut !== "string") throw new Fault("quote-unreadable", {});
  agreedPrecision(tokenIn, answer?.["tokenInPrecision"]);
  const precision = agreedPrecision(tokenOut, answer?.["tokenOutPrecision"]);
  const token = precision === undefined ? tokenOut : { ...tokenOut, precision };
  const quoted = readable(() => amountFromAnswer(amountOut, token));
  if (isZero(quoted)) throw new Fault("quote-zero", { token: tokenOut.id });
  return quoted;
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const outer = asRecord(readable(() => parseJson(text, digitsOf)));
  return outer !== undefined && outer["amountOut"] === undefined ? asRecord(outer["data"]) : outer;
}

function readable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (isFault(error, "answer-unreadable")) throw new Fault("quote-unreadable", {}, { cause: error });
    throw error;
  }
}

const precisionText = z
  .string()
  .regex(/^(?:0|[1-9][0-9]?)$/)
  .pipe(z.coerce.number());

/** The precision that list and answer agree on, or the one that is there. @throws Fault `quote-unreadable`. */
function agreedPrecision(token: Token, answered: unknown): number | undefined {
  if (answered === undefined || answered === null) return token.precision;
  const precision = precisionText.safeParse(answered);
  if (!precision.success || (token.precision ?? precision.data) !== precision.data) {
    throw new Fault("quote-unreadable", {});
  }
  return precision.data;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return z.record(z.string(), z.unknown()).safeParse(value).data;
}
