import { DAY_MS, dayOf } from "../../clock.js";
import * as z from "zod";
import { amountSchema, unlistedToken, type Amount } from "../../encoding/amount.js";
import { addAmounts, amountOf, subtractAmounts } from "../../encoding/amount.js";
import { outcomeStates, type Intent } from "./intent.js";
import { isSame } from "./limits.js";
import type { Reader, StoredSetting, Transaction } from "../../store/store.js";
import { readSetting, setting, stored, unlessUnreadable, writeSetting } from "../../store/store.js";
import { personIn, putPerson } from "../person/person.js";

const feesSchema = z.record(z.string(), amountSchema).readonly();
type FeeSums = z.infer<typeof feesSchema>;

/** Totals of a period. */
const sums = {
  /** Number of calls that ended in each state. */
  reached: z.partialRecord(z.enum(outcomeStates), z.int()).readonly(),
  /** The operator's earnings by token, as far as the node's answers prove them. */
  fees: feesSchema,
  /** Number of users who asked for a card. */
  people: z.int(),
};
export type Sums = Readonly<z.infer<z.ZodObject<typeof sums>>>;

/** All-time totals, and the number of users who asked for a card on `day`. */
const totals = setting("totals", stored({ ...sums, day: z.string(), peopleToday: z.int() }), {
  reached: {},
  fees: {},
  people: 0,
  day: "",
  peopleToday: 0,
});
/** The operator's earnings from one user's calls. */
export const earnedFees = (owner: number) => setting(`fees/${owner}`, feesSchema, {});
/** Maximum number of tokens in a total, since anybody can issue tokens. */
const MAX_TOKENS = 500;

/** Returns the totals of the current UTC day and of all time. @throws Fault `store-unreadable`. */
export async function readSums(db: Reader, now: number): Promise<{ readonly today: Sums; readonly total: Sums }> {
  const total = await readSetting(db, totals);
  const ended = db.selectFrom("intents").where("ended_at", ">=", now - (now % DAY_MS));
  const counted = ended.select(["state", ({ fn }) => fn.countAll<number>().as("count")]).groupBy("state");
  const reached = Object.fromEntries((await counted.execute()).map(({ state, count }) => [state, count]));
  const paid = ended.select(["fee_token as id", "fee_units as units"]).where("fee_units", "is not", null);
  const fees = await paid.$narrowType<{ id: string; units: string }>().execute();
  // Not limited like the all-time total, since the result would depend on the order of the rows.
  const earned = new Map<string, Amount>();
  for (const { id, units } of fees) {
    const fee = amountOf(total.fees[id]?.token ?? unlistedToken(id), BigInt(units));
    const before = earned.get(id);
    earned.set(id, before === undefined ? fee : addAmounts(before, fee));
  }
  const people = total.day === dayOf(now) ? total.peopleToday : 0;
  return { today: { reached, fees: Object.fromEntries(earned), people }, total };
}

/** Counts a user who opens a card: once a day, and once in total. */
export async function countPerson(tx: Transaction, owner: number, now: number): Promise<void> {
  const day = dayOf(now);
  const person = await personIn(tx, owner);
  const before = person.tradedOn;
  if (before === day) return;
  await putPerson(tx, owner, { ...person, tradedOn: day });
  await changeSum(tx, totals, (sums) => ({
    ...sums,
    people: sums.people + (before === undefined ? 1 : 0),
    day,
    peopleToday: sums.day === day ? sums.peopleToday + 1 : 1,
  }));
}

/** Moves a call from one count of ends to another, and replaces the fee that it was proven to have earned (`was`) by `is`. */
export async function countEnd(tx: Transaction, before: Intent, after: Intent, was?: Amount, is?: Amount) {
  const [left, reached] = before.state === after.state ? [] : [outcomeStateOf(before), outcomeStateOf(after)];
  const isSameFee = isSame(was, is);
  if (left === undefined && reached === undefined && isSameFee) return;
  const withFees = (fees: FeeSums): FeeSums => {
    const known = was && fees[was.token.id];
    return withFee(known ? { ...fees, [known.token.id]: subtractAmounts(known, was) } : fees, is);
  };
  await changeSum(tx, totals, (sums) => ({
    ...sums,
    reached: {
      ...sums.reached,
      ...(left && { [left]: Math.max(0, (sums.reached[left] ?? 0) - 1) }),
      ...(reached && { [reached]: (sums.reached[reached] ?? 0) + 1 }),
    },
    fees: withFees(sums.fees),
  }));
  if (!isSameFee) await changeSum(tx, earnedFees(after.owner), withFees);
}

const outcomeStateOf = (intent: Intent) => outcomeStates.find((state) => state === intent.state);

/** Leaves unreadable totals alone: recording a call's end matters more. */
async function changeSum<Value>(
  tx: Transaction,
  sum: StoredSetting<Value>,
  next: (value: Value) => Value,
): Promise<void> {
  const now = await unlessUnreadable(() => readSetting(tx, sum));
  if (now !== undefined) await writeSetting(tx, sum, next(now));
}

function withFee(fees: FeeSums, fee: Amount | undefined): FeeSums {
  const known = fee && fees[fee.token.id];
  if (fee === undefined || (known === undefined && Object.keys(fees).length >= MAX_TOKENS)) return fees;
  return { ...fees, [fee.token.id]: known === undefined ? fee : addAmounts(known, fee) };
}
