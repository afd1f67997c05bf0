import { amountOf, unlistedToken, type Token } from "../../encoding/amount.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { countRows, findsAny, paddedKeys, readRow, whole } from "../../store/store.js";
import { MAX_SHARES, nextTurn, type Taken } from "../base/fair-turns.js";
import type { PriceQuestion } from "./price-rule.js";

type QuestionRow = Tables["price_questions"];

/** A question with its failures and its unsettled answer. */
export type PriceQuestionRow = NonNullable<Awaited<ReturnType<typeof questionOf>>>;

/** @returns its id. */
export async function putQuestion(tx: Transaction, question: PriceQuestion): Promise<string> {
  const { amount, out } = question;
  const id = questionId(question);
  const asked = tx.insertInto("price_questions").values({
    id,
    token_in: amount.token.id,
    precision_in: amount.token.precision ?? 0,
    units_in: String(amount.units),
    token_out: out.id,
    precision_out: out.precision ?? 0,
    failures: 0,
  });
  await asked.onConflict((conflict) => conflict.column("id").doNothing()).execute();
  return id;
}

async function questionTurn(tx: Transaction, question: string, taken?: Taken): Promise<number> {
  const watches = tx.selectFrom("price_watches").select("share").where("question", "=", question);
  const most = watches.where("share", "is not", null).orderBy("share", "desc").limit(MAX_SHARES);
  const shares = (await most.execute()).map(({ share }) => share ?? 0);
  return nextTurn(tx, { polled: "price_questions", id: question }, shares, taken);
}

/** Number of questions that somebody watches, each asked in turn. */
export const countAsked = (db: Reader) =>
  countRows(db.selectFrom("price_questions").where("due_at", "is not", null).where("turn", "is not", null));

/** The columns of a question that was just asked. @param isSeldom whether how often it is asked says nothing. */
export async function afterAsking(
  tx: Transaction,
  { id, askedAt }: PriceQuestionRow,
  taken: Taken,
  now: number,
  isSeldom = false,
) {
  const every_ms = askedAt === null || isSeldom ? null : Math.max(0, now - askedAt);
  return { turn: await questionTurn(tx, id, taken), asked_at: now, every_ms };
}

/** Makes a question due now if it is watched, otherwise never; deletes it if it has no watches. */
export async function lookAgain(tx: Transaction, question: string, now: number): Promise<void> {
  const row = tx.updateTable("price_questions").where("id", "=", question);
  if (!(await findsAny(tx.selectFrom("price_watches").where("question", "=", question)))) {
    await tx.deleteFrom("price_questions").where("id", "=", question).execute();
  } else if (await isWatched(tx, question)) {
    const asked = tx.selectFrom("price_questions").select("turn").where("id", "=", question);
    const before = (await asked.executeTakeFirst())?.turn ?? null;
    const turn = await questionTurn(tx, question);
    const begins = { turn, asked_at: null, every_ms: null, missing_since: null };
    // Nobody can put off what others watch already.
    await row.set({ due_at: now, ...(before === null ? begins : { turn: Math.min(before, turn) }) }).execute();
  } else {
    await row.set({ due_at: null, turn: null }).execute();
  }
}

/** Has a question asked by then, unless the service has failed to answer it. */
export async function askBy(tx: Transaction, by: number, question: string): Promise<void> {
  const asked = tx.updateTable("price_questions").set({ due_at: by }).where("id", "=", question);
  await asked.where("due_at", ">", by).where("failures", "=", 0).execute();
}

/** Has up to `limit` questions that are due later asked by then. @returns whether there may be more. */
export async function askSomeBy(tx: Transaction, by: number, limit: number): Promise<boolean> {
  const later = tx.selectFrom("price_questions").select("id").where("due_at", "is not", null).where("due_at", ">", by);
  const lot = (await later.orderBy("due_at", "desc").limit(limit).execute()).map(({ id }) => id);
  if (lot.length === 0) return false;
  const asked = tx.updateTable("price_questions").set({ due_at: by });
  await asked.where("id", "in", paddedKeys(lot)).execute();
  return lot.length === limit;
}

/** Whether anybody can be notified of its answers. */
export function isWatched(db: Reader, question: string): Promise<boolean> {
  return findsAny(db.selectFrom("price_watches").where("question", "=", question).where("paused", "is", null));
}

/** After the clock was set ahead by `step` milliseconds. */
export async function moveMissingPrices(tx: Transaction, step: number): Promise<void> {
  const missing = tx.updateTable("price_questions").where("missing_since", "is not", null);
  await missing.set((row) => ({ missing_since: row("missing_since", "+", step) })).execute();
}

export async function questionOf(db: Reader, id: string) {
  const row = await db.selectFrom("price_questions").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  return readRow(`price_questions/${id}`, () => ({
    id,
    ...pricedBy(row),
    failures: row.failures,
    askedAt: row.asked_at,
    missingSince: row.missing_since,
    steady: answerOf({ units: row.steady_units, seen_at: row.steady_at }),
    /** An answer that was not compared with all watches yet. */
    unsettled: row.unsettled === 1 ? answerOf(row) : undefined,
  }));
}

export function changeQuestion(tx: Transaction, id: string, change: Partial<Tables["price_questions"]>) {
  return tx.updateTable("price_questions").set(change).where("id", "=", id).execute();
}

export function questionId({ amount, out }: PriceQuestion): string {
  return `${amount.token.id}/${out.id}/${amount.units}`;
}

/** The last answer and its time in milliseconds since 1970; undefined before the first. */
export function answerOf({ units, seen_at: at }: Pick<QuestionRow, "seen_at" | "units">) {
  return units === null || at === null ? undefined : { units: whole.parse(units), at };
}

/** What a question is about. */
export function pricedBy(
  row: Pick<QuestionRow, "precision_in" | "precision_out" | "token_in" | "token_out" | "units_in">,
) {
  const token = { ...unlistedToken(row.token_in), precision: row.precision_in };
  const out: Token = { ...unlistedToken(row.token_out), precision: row.precision_out };
  return { amount: amountOf(token, whole.parse(row.units_in)), out };
}
