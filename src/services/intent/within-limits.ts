import {
  addAmounts,
  amountOf,
  compareAmounts,
  formatAmount,
  subtractAmounts,
  type Amount,
} from "../../encoding/amount.js";
import { parseAmount } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import type { Terms } from "./terms.js";
import { changedLimit, limitIn, mostNow, spentToday, type Spent } from "./limits.js";
import { paymentsOf } from "./terms.js";
import type { Person } from "../person/person.js";
import type { TokenList } from "../token/list.js";

const MAX_LIMITS = 20;

/** Why a call would go beyond the person's own limits at a moment, after what they spent; undefined where it would not. */
export function beyondLimit(
  person: Person,
  terms: Terms,
  spentLately: readonly Spent[],
  now: number,
): Fault | undefined {
  return paymentsOf(terms)
    .map((payment) => beyondLimitOf(payment, person, spentLately, now))
    .find((fault) => fault !== undefined);
}

function beyondLimitOf(payment: Amount, person: Person, spentLately: readonly Spent[], now: number): Fault | undefined {
  const { token } = payment;
  const limit = person.limits?.[token.id];
  if (limit === undefined) return undefined;
  const { inOneSwap, inADay } = mostNow(limitIn(limit, token), now);
  const asked = formatAmount(payment);
  if (inOneSwap !== undefined && compareAmounts(payment, inOneSwap) > 0) {
    return new Fault("limit-in-one-swap", { asked, most: formatAmount(inOneSwap), token: token.id });
  }
  if (inADay === undefined) return undefined;
  const spent = spentToday(person, spentLately, token, now);
  if (compareAmounts(addAmounts(spent, payment), inADay) <= 0) return undefined;
  const left = compareAmounts(inADay, spent) > 0 ? subtractAmounts(inADay, spent) : amountOf(token, 0n);
  return new Fault("limit-in-a-day", { asked, most: formatAmount(inADay), left: formatAmount(left), token: token.id });
}

/**
 * The person with the limit that they typed: a token, the most at a time and the most in a day (`KLV 100 / 500`), a dash for none.
 * @throws Fault `limit-unreadable`, `limits-full`, `token-…`, `amount-…`.
 */
export function withLimit(person: Person, typed: string, tokens: TokenList, now: number): Person {
  const [first = "", inADay = "", ...more] = typed.split("/").map((part) => part.trim());
  const [name = "", ...figure] = first.split(/\s+/);
  const inOneSwap = figure.join(" ");
  if (inOneSwap === "" || inADay === "" || more.length > 0) throw new Fault("limit-unreadable", {});
  const token = tokens.find(name);
  const amount = (text: string) => (text === "-" || text === "–" ? undefined : parseAmount(text, token));
  const wanted = { inOneSwap: amount(inOneSwap), inADay: amount(inADay) };
  const { [token.id]: before, ...others } = person.limits ?? {};
  if (before === undefined && Object.keys(others).length >= MAX_LIMITS) {
    throw new Fault("limits-full", { maximum: MAX_LIMITS });
  }
  const limit = changedLimit(before && limitIn(before, token), wanted, now);
  return { ...person, limits: limit === undefined ? others : { ...others, [token.id]: limit } };
}
