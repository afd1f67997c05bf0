import { DAY_MS } from "../../clock.js";
import { parseAmount } from "../../encoding/typed.js";
import { addAmounts, amountOf, compareAmounts, smallerAmount, subtractAmounts } from "../../encoding/amount.js";
import { formatAmount, sameWhole, type Amount, type Token } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import { paymentsOf, type Terms } from "../terms/terms.js";
import type { Limit, LimitAmounts, Person } from "../person/person.js";
import { localTime, zoneOf } from "../person/zone.js";

/** What a call paid, or may still pay, and when it was claimed. */
export type Spent = { readonly at: number; readonly amount: Amount };

/** The amounts that apply at `now`. */
export function activeLimit({ most, later }: Limit, now: number): LimitAmounts {
  return later !== undefined && now >= later.from ? later.most : most;
}

const ofBoth = (read: (which: keyof LimitAmounts) => Amount | undefined): LimitAmounts => ({
  perTransaction: read("perTransaction"),
  perDay: read("perDay"),
});

/** Converts a limit to the token's current precision: users set limits in whole tokens. */
export function limitIn({ most, later }: Limit, token: Token): Limit {
  const inUnits = (amounts: LimitAmounts): LimitAmounts =>
    ofBoth((which) => amounts[which] && sameWhole(amounts[which], token));
  return { most: inUnits(most), ...(later !== undefined && { later: { ...later, most: inUnits(later.most) } }) };
}

/** Applies a requested limit: lower amounts at once, higher ones after a day. Undefined if no limit is left. */
export function changedLimit(before: Limit | undefined, wanted: LimitAmounts, now: number): Limit | undefined {
  const held = before === undefined ? {} : activeLimit(before, now);
  const most = ofBoth((which) => {
    const [left, right] = [held[which], wanted[which]];
    return left && right ? smallerAmount(left, right) : (left ?? right);
  });
  if (most.perTransaction === undefined && most.perDay === undefined) return undefined;
  const isRaised = !isSame(most.perTransaction, wanted.perTransaction) || !isSame(most.perDay, wanted.perDay);
  return { most, ...(isRaised && { later: { most: wanted, from: now + DAY_MS } }) };
}

/** Also true if both are undefined. */
export function isSame(left: Amount | undefined, right: Amount | undefined): boolean {
  return left === undefined || right === undefined ? left === right : compareAmounts(left, right) === 0;
}

type PersonZone = Pick<Person, "timeZone" | "timeZoneSince">;

/**
 * How much of a token was spent today in the user's time zone. For a day after a change of time zone the last 24 hours
 * count too, so that no change shortens the day. Payments dated in the future (a clock set back) always count.
 */
export function spentToday(
  { timeZone, timeZoneSince = 0 }: PersonZone,
  spent: readonly Spent[],
  token: Token,
  now: number,
) {
  const zone = zoneOf({ timeZone });
  const dayOf = (at: number) => localTime(zone, at).date;
  const today = dayOf(now);
  const isNewZone = now - timeZoneSince < DAY_MS;
  return spent
    .filter(({ amount }) => amount.token.id === token.id)
    .filter(({ at }) => at > now || dayOf(at) === today || (isNewZone && now - at < DAY_MS))
    .reduce((sum, { amount }) => addAmounts(sum, amount), amountOf(token, 0n));
}

const MAX_LIMITS = 20;

/** Returns the Fault if a call would exceed the user's own limits, otherwise undefined. */
export function limitFault(person: Person, terms: Terms, spentLately: readonly Spent[], now: number) {
  for (const payment of paymentsOf(terms)) {
    const { token } = payment;
    const limit = person.limits?.[token.id];
    const { perTransaction, perDay } = limit === undefined ? {} : activeLimit(limitIn(limit, token), now);
    const asked = formatAmount(payment);
    if (perTransaction !== undefined && compareAmounts(payment, perTransaction) > 0) {
      return new Fault("limit-per-transaction", { asked, most: formatAmount(perTransaction), token: token.id });
    }
    if (perDay === undefined) continue;
    const spent = spentToday(person, spentLately, token, now);
    if (compareAmounts(addAmounts(spent, payment), perDay) <= 0) continue;
    const left = compareAmounts(perDay, spent) > 0 ? subtractAmounts(perDay, spent) : amountOf(token, 0n);
    const figures = { asked, most: formatAmount(perDay), left: formatAmount(left) };
    return new Fault("limit-per-day", { ...figures, token: token.id });
  }
  return undefined;
}

/**
 * Sets a typed limit: a token, the maximum per call and the maximum per day (`KLV 100 / 500`); a dash means none.
 * @throws Fault `limit-unreadable`, `limit-day-below`, `limits-full`, `token-…`, `amount-…`.
 */
export function withLimit(
  person: Person,
  typed: string,
  tokens: { readonly find: (typed: string) => Token },
  now: number,
): Person {
  const [first = "", perDay = "", ...more] = typed.split("/").map((part) => part.trim());
  const [name = "", ...figure] = first.split(/\s+/);
  const perTransaction = figure.join(" ");
  if (perTransaction === "" || perDay === "" || more.length > 0) throw new Fault("limit-unreadable", {});
  const token = tokens.find(name);
  const amount = (text: string) => (text === "-" || text === "–" ? undefined : parseAmount(text, token));
  const wanted = { perTransaction: amount(perTransaction), perDay: amount(perDay) };
  assertDayHoldsTransaction(wanted, typed);
  const { [token.id]: before, ...others } = person.limits ?? {};
  if (Object.keys(others).length >= MAX_LIMITS) throw new Fault("limits-full", { maximum: MAX_LIMITS });
  const limit = changedLimit(before && limitIn(before, token), wanted, now);
  return { ...person, limits: limit === undefined ? others : { ...others, [token.id]: limit } };
}

function assertDayHoldsTransaction({ perTransaction, perDay }: LimitAmounts, text: string): void {
  if (perTransaction === undefined || perDay === undefined || compareAmounts(perTransaction, perDay) <= 0) return;
  const token = perDay.token.id;
  const [transaction, day] = [formatAmount(perTransaction), formatAmount(perDay)];
  const meant = [`${token} ${day} / ${transaction}`];
  throw new Fault("limit-day-below", { text: text.trim(), meant, perTransaction: transaction, perDay: day, token });
}

/**
 * What was spent today of a token, if a change lowers its limit per day to no more than that: nothing of it could be
 * traded until tomorrow.
 */
export function usedUp(before: Person, after: Person, spentLately: readonly Spent[], now: number) {
  const perDayOf = ({ limits = {} }: Person, id: string) => limits[id] && activeLimit(limits[id], now).perDay;
  for (const id of Object.keys(after.limits ?? {})) {
    const [was, perDay] = [perDayOf(before, id), perDayOf(after, id)];
    if (perDay === undefined || (was !== undefined && compareAmounts(sameWhole(was, perDay.token), perDay) <= 0))
      continue;
    const spent = spentToday(after, spentLately, perDay.token, now);
    if (compareAmounts(spent, perDay) >= 0) return { spent, perDay };
  }
  return undefined;
}
