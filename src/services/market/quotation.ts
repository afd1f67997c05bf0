import * as z from "zod";
import { amountFromAnswer, formatAmount, isZero, type Amount, type Token } from "../../encoding/amount.js";
import { Fault, isFault } from "../../fault.js";
import { expectSuccess, type Http, parseAs } from "../base/http.js";

/** The quotation service, as `docs/interfaces.md` has it. */
export interface Quotation {
  /**
   * What a swap would bring, before slippage. Takes the precision from the answer if the token list has none. @throws Fault `quote-none`, `quote-…`,
   * `token-precision-unknown`, `service-…`.
   */
  readonly quote: (amountIn: Amount, tokenOut: Token) => Promise<Amount>;
}

/** @param parts.retry whether to retry a failed request. */
export function createQuotation(parts: { url: string; http: Http; retry: boolean }): Quotation {
  const { url, http, retry } = parts;
  return {
    quote: async (amountIn: Amount, tokenOut: Token): Promise<Amount> => {
      const tokenIn = amountIn.token;
      const body = JSON.stringify({ amountIn: formatAmount(amountIn), tokenIn: tokenIn.id, tokenOut: tokenOut.id });
      const answer = await http.request({ service: "quotation", url: `${url}/quotation`, body, retry });
      if (answer.status === 404) throw new Fault("quote-none", { from: tokenIn.id, to: tokenOut.id });
      expectSuccess("quotation", answer);
      return readQuote(answer.text, tokenIn, tokenOut);
    },
  };
}

const digits = z.string().regex(/^(?:0|[1-9][0-9]?)$/);
const decimalPlaces = digits.pipe(z.coerce.number()).nullish();
const quoteSchema = z.object({
  amountOut: z.string(),
  tokenInPrecision: decimalPlaces,
  tokenOutPrecision: decimalPlaces,
});
const wrapped = z.object({ amountOut: z.undefined().optional(), data: quoteSchema }).transform(({ data }) => data);
const quoteAnswerSchema = z.union([quoteSchema, wrapped]);

/** The quote may be under `data`. @throws Fault `quote-unreadable`, `quote-zero`, `token-precision-unknown`. */
export function readQuote(text: string, tokenIn: Token, tokenOut: Token): Amount {
  try {
    const quote = parseAs(quoteAnswerSchema, text, String, "an answer that is no quote");
    agreedPrecision(tokenIn, quote.tokenInPrecision);
    const precision = agreedPrecision(tokenOut, quote.tokenOutPrecision);
    const token = precision === undefined ? tokenOut : { ...tokenOut, precision };
    const quoted = amountFromAnswer(quote.amountOut, token);
    if (isZero(quoted)) throw new Fault("quote-zero", { token: tokenOut.id });
    return quoted;
  } catch (error) {
    throw isFault(error, "answer-unreadable") ? new Fault("quote-unreadable", {}, { cause: error }) : error;
  }
}

/** @throws Fault `answer-unreadable` if the token list and the answer disagree. */
function agreedPrecision(token: Token, answered: number | null | undefined): number | undefined {
  const precision = answered ?? token.precision;
  if (precision === (token.precision ?? precision)) return precision;
  throw new Fault("answer-unreadable", { reason: "a precision other than the token list's" });
}
