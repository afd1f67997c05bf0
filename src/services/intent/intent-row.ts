import { type SelectQueryBuilder, sql } from "kysely";
import * as z from "zod";
import { launchIdOf, paymentsOf, standingIn, termsSchema } from "../terms/terms.js";
import type { Amount } from "../../encoding/amount.js";
import { callSchema } from "../../encoding/call.js";
import { cardSchema, findingsSchema, intentStates, isUnresolved, outcomeSchema, transactionSchema } from "./intent.js";
import type { Intent, IntentOutcome, IntentState, IntentTransaction, SignedIntent } from "./intent.js";
import { dueAt, isFinal, isOpen } from "./machine.js";
import { packed, unpacked } from "./packed.js";
import { oldTransactionSchema, transactionFrom } from "./old-transaction.js";
import {
  fromJson,
  isRecord,
  paddedKeys,
  type Reader,
  readRow,
  type Tables,
  toJson,
  type Transaction,
} from "../../store/store.js";

export type IntentRow = Tables["intents"];

export function intentRow(intent: Intent): Omit<IntentRow, "fee_token" | "fee_units"> {
  const { terms, state, times, outcome, transaction, balances, check } = intent;
  const { estimatedFee, openedAt, origin, proposed, arrived, actsFrom, settlesAt } = intent;
  const hasSpentNothing = state === "SUPERSEDED" && transaction === undefined;
  return {
    id: intent.id,
    owner: intent.owner,
    kind: terms.kind,
    state,
    open: isOpen(intent) ? 1 : null,
    unresolved: isUnresolved(intent) ? 1 : null,
    due_at: dueAt(intent),
    run: intent.run,
    chat_id: intent.chatId,
    message_id: intent.messageId ?? null,
    replaced_by: intent.replacedBy ?? null,
    payout: terms.payout,
    paid: toJson(paymentsOf(terms)),
    terms: toJson(terms),
    call: toJson(intent.call),
    card: toJson({ estimatedFee, openedAt, origin, proposed, arrived, actsFrom, settlesAt }),
    quoted_at: intent.quotedAt,
    expires_at: intent.expiresAt,
    claimed_at: hasSpentNothing ? null : (times.CLAIMED ?? null),
    ended_at: outcome === undefined ? null : (times[state] ?? null),
    times: toJson(times),
    outcome: outcome === undefined ? null : toJson(outcome),
    findings: toJson({ balances, check }),
    sign_token: transaction?.token ?? null,
    tx_hash: transaction?.hash ?? null,
    tx_nonce: transaction === undefined ? null : storedNonce(transaction.nonce),
    tx: transaction === undefined ? null : jsonOf(transaction),
    launch_id: launchIdOf(terms.request) ?? null,
    standing: standingIn(terms.request)?.id ?? null,
    occurrence: standingIn(terms.request)?.occurrence?.n ?? null,
    pack_at: packAtOf(intent),
    packed: null,
  };
}

/** The phase comes first, by which rows without one are found; see {@link oldRows}. */
function jsonOf({ phase, ...others }: IntentTransaction): string {
  return toJson({ phase, ...others });
}

const HOUR_MS = 3_600_000;
/** The chain is asked about ends for two days, and cards are shown and looked at again soon after, if at all. */
export const PACKED_AFTER_MS = 49 * HOUR_MS;

/** By the hour, so that calls are packed in lots. */
function packAtOf(intent: Intent): number | null {
  const ended = intent.times[intent.state];
  return ended === undefined || !isFinal(intent) ? null : ended - (ended % HOUR_MS) + PACKED_AFTER_MS;
}

export function storedNonce(nonce: bigint): number {
  // oxlint-disable-next-line money/no-floating-point -- not an amount
  return Number(nonce);
}

const json = <Value>(schema: z.ZodType<Value>) => z.string().transform((text) => schema.parse(fromJson(text)));
export const timesSchema = z.partialRecord(z.enum(intentStates), z.number());
const rowSchema = z.object({
  state: z.enum(intentStates),
  terms: json(termsSchema),
  call: json(callSchema),
  card: json(cardSchema),
  times: json(timesSchema),
  outcome: json(outcomeSchema).nullable(),
  findings: json(findingsSchema),
  tx: z.string().nullable(),
});

/** @throws Fault `store-unreadable`. */
export function intentOf(row: IntentRow): Intent {
  const { card, findings, outcome, tx, ...read } = readable(row, () => rowSchema.parse(unpacked(row)));
  const { id, owner, run, chat_id: chatId, quoted_at: quotedAt, expires_at: expiresAt } = row;
  const { message_id: messageId, replaced_by: replacedBy } = row;
  return {
    ...{ id, owner, run, chatId, quotedAt, expiresAt, ...read, ...card, ...findings },
    ...(messageId !== null && { messageId }),
    ...(replacedBy !== null && { replacedBy }),
    ...(outcome !== null && { outcome }),
    ...(tx !== null && { transaction: readable(row, () => transactionIn(tx, read.state, outcome)) }),
  };
}

/** @param tx JSON; without a phase if version 1.0.0 wrote it. */
function transactionIn(tx: string, state: IntentState, outcome: IntentOutcome | null): IntentTransaction {
  const read = fromJson(tx);
  if (isRecord(read) && "phase" in read) return transactionSchema.parse(read);
  return transactionFrom(oldTransactionSchema.parse(read), state, outcome);
}

/**
 * Rows of version 1.0.0 after an id. Packed ones, which are `on-chain`, are read as they are: rewriting them would leave
 * gaps.
 */
export function oldRows(db: Reader, after: string, limit: number): Promise<IntentRow[]> {
  // As the index has it.
  const isOld = sql<boolean>`substr(tx, 1, 9) <> '{"phase":'`;
  return intents(db).where(isOld).where("id", ">", after).orderBy("id").limit(limit).execute();
}

/** Writes the transaction of a row of version 1.0.0 with its phase. */
export async function writePhase(tx: Transaction, { id, transaction }: SignedIntent): Promise<void> {
  await tx
    .updateTable("intents")
    .set({ tx: jsonOf(transaction) })
    .where("id", "=", id)
    .execute();
}

export const intents = (db: Reader) => db.selectFrom("intents").selectAll();
type IntentSelect = SelectQueryBuilder<Tables, "intents", IntentRow>;

export async function first(found: IntentSelect): Promise<Intent | undefined> {
  const row = await found.executeTakeFirst();
  return row && intentOf(row);
}

export async function each(found: IntentSelect): Promise<readonly Intent[]> {
  return (await found.execute()).map(intentOf);
}

/** @throws Fault `store-unreadable`, naming the owner and the row. */
export function readable<Value>({ owner, id }: Pick<IntentRow, "id" | "owner">, read: () => Value): Value {
  return readRow(`intents/${owner}/${id}`, read);
}

export async function insertIntent(tx: Transaction, intent: Intent): Promise<void> {
  await tx.insertInto("intents").values(intentRow(intent)).execute();
}

/** @param fee what the operator earned from the call. */
export async function updateIntent(tx: Transaction, before: Intent, after: Intent, fee?: Amount): Promise<void> {
  const { due_at, unresolved, ...row } = intentRow(after);
  const change = {
    ...row,
    // Unless these change, keep the loops' own schedule, and the mark that operators have been notified.
    ...(dueAt(after) !== dueAt(before) && { due_at }),
    ...(isUnresolved(after) !== isUnresolved(before) && { unresolved }),
    fee_token: fee?.token.id ?? null,
    fee_units: fee?.units.toString() ?? null,
  };
  await tx.updateTable("intents").set(change).where("id", "=", after.id).execute();
}

/** Records which message shows a card. @returns the row's owner and state; undefined if there is no row. */
export function noteMessage(tx: Transaction, id: string, messageId: number) {
  const noted = tx.updateTable("intents").set({ message_id: messageId }).where("id", "=", id);
  return noted.returning(["owner", "state"]).executeTakeFirst();
}

/** Reschedules an intent, unless its due time has changed since `seen` was read. */
export async function noteDue(
  tx: Transaction,
  seen: Pick<IntentRow, "due_at" | "id">,
  dueAt: number | null,
): Promise<void> {
  const same = tx.updateTable("intents").set({ due_at: dueAt }).where("id", "=", seen.id);
  await same.where("due_at", "is not distinct from", seen.due_at).execute();
}

/** Schedules an intent to be looked at now. */
export async function makeDue(tx: Transaction, id: string): Promise<void> {
  await tx.updateTable("intents").set({ due_at: 0 }).where("id", "=", id).execute();
}

/** Rows whose ends nothing can contradict any more. */
export const toPack = (db: Reader) => db.selectFrom("intents").select(["id", "pack_at"]).orderBy("pack_at");

/**
 * Packs up to `limit` of the rows that are due, from `first` on. Each is inserted again, behind all others: one that shrank
 * where it is would leave a gap that SQLite fills with nothing else.
 */
export async function packDue(tx: Transaction, first: number, now: number, limit: number): Promise<void> {
  const due = intents(tx).where("pack_at", ">=", first).where("pack_at", "<=", Math.max(first, now));
  const rows = await due.orderBy("pack_at").limit(limit).execute();
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await tx.deleteFrom("intents").where("id", "in", paddedKeys(ids)).execute();
  for (const row of rows) await tx.insertInto("intents").values(packed(row)).execute();
}

/** Deletes up to `limit` of the oldest cards that spent nothing. */
export async function deleteUnspent(tx: Transaction, before: number, limit: number): Promise<void> {
  const unspent = tx.selectFrom("intents").select("id").where("claimed_at", "is", null).where("quoted_at", "<", before);
  await tx.deleteFrom("intents").where("id", "in", unspent.orderBy("quoted_at").limit(limit)).execute();
}

/**
 * Deletes up to `limit` of a user's ended cards that spent nothing, but for the newest `kept`. A standing order's stay, and
 * those whose end the chat may not show yet.
 */
export async function deleteOwnUnspent(tx: Transaction, owner: number, kept: number, limit: number): Promise<void> {
  const cards = tx.selectFrom("intents").select("id").where("owner", "=", owner).where("claimed_at", "is", null);
  const ended = cards.where("open", "is", null).where("standing", "is", null);
  const queued = tx
    .selectFrom("outbox")
    .select("subject")
    .where("user_id", "=", owner)
    .where("topic", "in", CARD_TOPICS);
  const shown = ended.where("id", "not in", queued);
  const over = shown.orderBy("quoted_at", "desc").orderBy("id").limit(limit).offset(kept);
  await tx.deleteFrom("intents").where("id", "in", over).execute();
}

/** The outbox's topics about cards. */
const CARD_TOPICS = ["card", "call"];

/** More cards aren't counted. */
const MAX_UNSPENT = 100_000;

/** Number of cards that are kept and have spent nothing, counted up to 100,000. */
export async function countUnspent(db: Reader): Promise<number> {
  const unspent = db
    .selectFrom("intents")
    .select("quoted_at")
    .where("claimed_at", "is", null)
    .where("quoted_at", ">", 0);
  const some = db.selectFrom(unspent.limit(MAX_UNSPENT).as("unspent"));
  const { count } = await some.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return count;
}

/** Deletes up to `limit` of a user's finished intents. @returns whether there were any. */
export async function forgetOver(tx: Transaction, owner: number, limit: number): Promise<boolean> {
  const over = tx.selectFrom("intents").select("id").where("owner", "=", owner).where("open", "is", null).limit(limit);
  const { numDeletedRows } = await tx.deleteFrom("intents").where("id", "in", over).executeTakeFirst();
  return numDeletedRows > 0n;
}
