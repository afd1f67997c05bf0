import { addAmounts, amountOf, compareAmounts, sameWhole, smallerAmount, type Amount } from "../encoding/amount.js";
import type { Token } from "../encoding/token.js";
import type { Intent } from "./intent.js";
import { paymentsOf } from "./terms.js";

/** The most of a token that a person lets be paid; what is absent is not limited. */
export interface Most {
  /** In one call, whatever it is for: the name is older than limits of anything but swaps. */
  readonly inOneSwap?: Amount | undefined;
  readonly inADay?: Amount | undefined;
}

/** A person's limit for one token. A higher one waits for a day, so that whoever holds the phone for a moment cannot lift it. */
export interface Limit {
  readonly most: Most;
  readonly later?: { readonly most: Most; readonly from: number };
}

/** What calls that have left the person's document paid of a token within a quarter of an hour. */
export interface Spent {
  /** The beginning of the quarter, in milliseconds since 1970: days begin with one in every zone. */
  readonly at: number;
  readonly amount: Amount;
}

const QUARTER_MILLISECONDS = 900_000;
export const DAY_MILLISECONDS = 86_400_000;
/** No day is as long. */
const REMEMBERED_MILLISECONDS = 2 * DAY_MILLISECONDS;

/** What holds at a moment. */
export function mostNow({ most, later }: Limit, now: number): Most {
  return later !== undefined && now >= later.from ? later.most : most;
}

/** The limit in a token's units as they are now: it is what the person typed, in whole tokens. */
export function limitIn({ most, later }: Limit, token: Token): Limit {
  const inUnits = ({ inOneSwap, inADay }: Most): Most => ({
    inOneSwap: inOneSwap && sameWhole(inOneSwap, token),
    inADay: inADay && sameWhole(inADay, token),
  });
  return { most: inUnits(most), ...(later !== undefined && { later: { ...later, most: inUnits(later.most) } }) };
}

/** The limit after a person asked for another: lower figures hold at once, higher ones after a day. Undefined where nothing is left. */
export function changedLimit(before: Limit | undefined, wanted: Most, now: number): Limit | undefined {
  const held = before === undefined ? {} : mostNow(before, now);
  const most = { inOneSwap: lower(held.inOneSwap, wanted.inOneSwap), inADay: lower(held.inADay, wanted.inADay) };
  const isRaised = !isSame(most.inOneSwap, wanted.inOneSwap) || !isSame(most.inADay, wanted.inADay);
  if (most.inOneSwap === undefined && most.inADay === undefined) return undefined;
  return { most, ...(isRaised && { later: { most: wanted, from: now + DAY_MILLISECONDS } }) };
}

function lower(left: Amount | undefined, right: Amount | undefined): Amount | undefined {
  return left === undefined || right === undefined ? (left ?? right) : smallerAmount(left, right);
}

function isSame(left: Amount | undefined, right: Amount | undefined): boolean {
  return left === undefined || right === undefined ? left === right : compareAmounts(left, right) === 0;
}

/** What was spent by a call that may leave or has left; nothing by one that certainly paid nothing. */
function spentBy({ terms, state, times, quotedAt }: Intent): readonly Spent[] {
  if (!["CLAIMED", "SIGNING", "SENT", "OK", "UNKNOWN"].includes(state)) return [];
  const at = times.CLAIMED ?? quotedAt;
  return paymentsOf(terms).map((amount) => ({ at: at - (at % QUARTER_MILLISECONDS), amount }));
}

/** What was spent with what intents add that leave the person's document; the same token and quarter become one. */
export function withSpent(spent: readonly Spent[], leaving: readonly Intent[], now: number): readonly Spent[] {
  const sums = new Map<string, Spent>();
  for (const one of [...spent, ...leaving.flatMap(spentBy)]) {
    if (now - one.at > REMEMBERED_MILLISECONDS) continue;
    const key = `${one.at} ${one.amount.token.id}`;
    const before = sums.get(key);
    sums.set(key, before === undefined ? one : { at: one.at, amount: addAmounts(before.amount, one.amount) });
  }
  return [...sums.values()];
}

/** Whose spending it is. */
interface Spender {
  readonly timeZone: string;
  /** Since when they have that zone, in milliseconds since 1970; absent: always. */
  readonly timeZoneSince?: number;
  readonly intents: Readonly<Record<string, Intent>>;
  readonly spent?: readonly Spent[];
}

/**
 * How much of a token was paid on the present day of the person's zone. For a day after they changed their zone the last 24 hours count
 * too, so that no zone makes a day shorter; what seems to lie ahead, since the machine's clock was set back, always does.
 */
export function spentToday(spender: Spender, token: Token, now: number): Amount {
  const { timeZone, timeZoneSince = 0, intents, spent = [] } = spender;
  const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone });
  const today = dayOf.format(now);
  const isNewZone = now - timeZoneSince < DAY_MILLISECONDS;
  return [...spent, ...Object.values(intents).flatMap(spentBy)]
    .filter(({ amount }) => amount.token.id === token.id)
    .filter(
      ({ at }) =>
        at > now || dayOf.format(at) === today || (isNewZone && now - at < DAY_MILLISECONDS + QUARTER_MILLISECONDS),
    )
    .reduce((sum, { amount }) => addAmounts(sum, amount), amountOf(token, 0n));
}
