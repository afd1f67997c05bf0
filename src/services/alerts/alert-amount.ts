import { compareAmounts, formatAmount, multiplied, type Amount } from "../../encoding/amount.js";
import { Fault, isFault } from "../../fault.js";
import type { Quotation } from "../market/quotation.js";
import { enlarged, timesTooLittle, type PriceQuestion } from "../price-watches/price-rule.js";
import { quoteWith } from "../price-watches/price-watches.js";
import { alertLine, type AlertRequest } from "./price-alert-request.js";

/** Zero if the amount is worth less than one unit. */
async function unitsOrNone(quotation: Quotation, question: PriceQuestion): Promise<bigint> {
  try {
    return (await quoteWith(quotation, question)).units;
  } catch (error) {
    if (!isFault(error, "quote-zero")) throw error;
    return 0n;
  }
}

/** @throws Fault `alert-too-fine` for an answer of too few units for the rule, which names a larger amount. */
export async function fineQuote(quotation: Quotation, request: PriceQuestion & Pick<AlertRequest, "rule" | "until">) {
  const units = await unitsOrNone(quotation, request);
  const times = timesTooLittle(request.rule, request, units);
  if (times === 1n) return { units };
  const amount = enlarged(request.amount, times);
  const named = { amount: formatAmount(request.amount), larger: formatAmount(amount), token: amount.token.id };
  throw new Fault("alert-too-fine", { ...named, line: alertLine({ ...request, amount }) });
}

/** The first of these amounts of a token that is enough for the rule, or else the first a power of ten times over. */
export async function enoughOf(
  quotation: Quotation,
  { out, rule }: Pick<AlertRequest, "out" | "rule">,
  offered: readonly [Amount, ...Amount[]],
): Promise<Amount> {
  const [amount] = offered;
  const times = timesTooLittle(rule, { amount, out }, await unitsOrNone(quotation, { amount, out }));
  const least = multiplied(amount, times);
  return offered.find((one) => compareAmounts(one, least) >= 0) ?? enlarged(amount, times);
}
