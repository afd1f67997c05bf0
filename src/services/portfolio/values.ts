import { addAmounts, amountOf, isZero, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import type { Reader, Transaction } from "../../store/queries.js";
import { DAY_MS } from "../intent/limits.js";
import type { Asset, Portfolio } from "./portfolio.js";

/** So many values of a person are kept, in whatever tokens: the latest ones, for a year at most. */
export const MAX_VALUES = 1000;
const KEPT_MS = 366 * DAY_MS;

/** What a portfolio was worth when it was last looked at on some day, which began at `at` in UTC. */
export interface DayValue {
  readonly at: number;
  readonly value: Amount;
}

/** What selling all of it would bring, as far as that is known, and how many assets have no known value. */
export function totalOf({ assets }: Pick<Portfolio, "assets">): { readonly total?: Amount; readonly open: number } {
  const values = assets.flatMap(({ sale }) => (sale === undefined ? [] : [sale.value]));
  if (values.length === 0) return { open: 0 };
  const isOpen = ({ held, sale, paid }: Asset) =>
    sale === undefined && (held === undefined ? paid !== undefined : !isZero(held));
  return { total: values.reduce(addAmounts), open: assets.filter(isOpen).length };
}

/** Keeps the total as the last one of its day. One that leaves something out is not kept: it would look like a loss. */
export async function noteValue(tx: Transaction, userId: number, portfolio: Portfolio): Promise<void> {
  const { total, open } = totalOf(portfolio);
  if (total === undefined || open > 0 || !portfolio.isSeen) return;
  const day = portfolio.at - (portfolio.at % DAY_MS);
  const units = String(total.units);
  await tx
    .insertInto("portfolio_values")
    .values({ user_id: userId, token: total.token.id, day, units })
    .onConflict((conflict) => conflict.columns(["user_id", "token", "day"]).doUpdateSet({ units }))
    .execute();
  const latest = tx.selectFrom("portfolio_values").select("day").where("user_id", "=", userId).orderBy("day", "desc");
  const beyond = await latest.offset(MAX_VALUES).limit(1).executeTakeFirst();
  await tx
    .deleteFrom("portfolio_values")
    .where("user_id", "=", userId)
    .where("day", "<=", Math.max(beyond?.day ?? 0, day - KEPT_MS))
    .execute();
}

/** The earliest day first. */
export async function valuesOf(db: Reader, userId: number, token: Token): Promise<readonly DayValue[]> {
  const rows = await db
    .selectFrom("portfolio_values")
    .select(["day", "units"])
    .where("user_id", "=", userId)
    .where("token", "=", token.id)
    .orderBy("day")
    .execute();
  return rows.map(({ day, units }) => ({ at: day, value: amountOf(token, BigInt(units)) }));
}
