import { z } from "zod";
import { launchIdOf } from "../request.js";
import { callSchema } from "../../encoding/call.js";
import {
  balancesSchema,
  checkSchema,
  feeEstimateSchema,
  intentStates,
  isLookedFor,
  isOpenQuestion,
  isUnderWay,
  outcomeSchema,
  transactionSchema,
  type Intent,
} from "./intent.js";
import { paymentsOf, termsSchema } from "./terms.js";
import { fromJson, readRow, toJson } from "../../store/json.js";
import type { Tables } from "../../store/schema.js";

export type Row = Tables["intents"];

export function unresolvedOf(intent: Intent): Pick<Row, "unresolved"> {
  return { unresolved: isOpenQuestion(intent) ? 1 : null };
}

export function rowOf(intent: Intent): Omit<Row, "fee_token" | "fee_units" | "unresolved"> {
  const { terms, state, times, outcome, transaction, balances, check } = intent;
  const { estimatedFee, openedAt, actsFrom, settlesAt } = intent;
  const isOpen = state === "QUOTED" || isUnderWay(state) || isLookedFor(intent);
  const hasSpentNothing = state === "SUPERSEDED" && transaction === undefined;
  return {
    id: intent.id,
    owner: intent.owner,
    kind: terms.kind,
    state,
    open: isOpen ? 1 : null,
    due_at: dueOf(intent),
    run: intent.run,
    chat_id: intent.chatId,
    message_id: intent.messageId ?? null,
    replaced_by: intent.replacedBy ?? null,
    payout: terms.payout,
    paid: toJson(paymentsOf(terms)),
    terms: toJson(terms),
    call: toJson(intent.call),
    card: toJson({ estimatedFee, openedAt, actsFrom, settlesAt }),
    quoted_at: intent.quotedAt,
    expires_at: intent.expiresAt,
    claimed_at: hasSpentNothing ? null : (times.CLAIMED ?? null),
    ended_at: outcome === undefined ? null : (times[state] ?? null),
    times: toJson(times),
    outcome: outcome === undefined ? null : toJson(outcome),
    findings: toJson({ balances, check }),
    sign_token: transaction?.token ?? null,
    tx_hash: transaction?.hash ?? null,
    tx_nonce: transaction === undefined ? null : numberOf(transaction.nonce),
    tx: transaction === undefined ? null : toJson(transaction),
    launch_id: launchIdOf(terms.request) ?? null,
  };
}

/** What ended otherwise on the chain is looked for only after so long. */
const ENDED_PAUSE_MS = 15_000;

/** When something happens to an intent by itself, once it has become this. Below zero are those that nobody waits longer for. */
function dueOf(intent: Intent): number | null {
  const { state, expiresAt, transaction, times } = intent;
  if (state === "QUOTED") return expiresAt;
  if (transaction === undefined) return null;
  if (state === "SENT") return -3;
  if (state === "SIGNING") return transaction.closing === undefined ? -1 : -2;
  return isLookedFor(intent) ? (times[state] ?? 0) + ENDED_PAUSE_MS : null;
}

export function numberOf(nonce: bigint): number {
  // oxlint-disable-next-line money/no-floating-point -- not an amount
  return Number(nonce);
}

const json = <Value>(schema: z.ZodType<Value>) => z.string().transform((text) => schema.parse(fromJson(text)));
export const timesSchema = z.partialRecord(z.enum(intentStates), z.number());
const rowSchema = z.object({
  state: z.enum(intentStates),
  terms: json(termsSchema),
  call: json(callSchema),
  card: json(
    z.object({
      estimatedFee: feeEstimateSchema.exactOptional(),
      openedAt: z.number().exactOptional(),
      actsFrom: z.number().exactOptional(),
      settlesAt: z.number().exactOptional(),
    }),
  ),
  times: json(timesSchema),
  outcome: json(outcomeSchema).nullable(),
  findings: json(z.object({ balances: balancesSchema.exactOptional(), check: checkSchema.exactOptional() })),
  tx: json(transactionSchema).nullable(),
});

export function intentIn(row: Row | undefined): Intent | undefined {
  return row && intentOf(row);
}

export function intentOf(row: Row): Intent {
  const { card, findings, ...read } = readable(row, () => rowSchema.parse(row));
  return {
    id: row.id,
    owner: row.owner,
    chatId: row.chat_id,
    terms: read.terms,
    call: read.call,
    quotedAt: row.quoted_at,
    expiresAt: row.expires_at,
    state: read.state,
    run: row.run,
    times: read.times,
    ...card,
    ...findings,
    ...(row.message_id !== null && { messageId: row.message_id }),
    ...(row.replaced_by !== null && { replacedBy: row.replaced_by }),
    ...(read.outcome !== null && { outcome: read.outcome }),
    ...(read.tx !== null && { transaction: read.tx }),
  };
}

export function isReadable(row: Row): boolean {
  try {
    intentOf(row);
    return true;
  } catch {
    return false;
  }
}

/** @throws Fault `store-unreadable`, which names whose row it is. */
export function readable<Value>({ owner, id }: Pick<Row, "id" | "owner">, read: () => Value): Value {
  return readRow(`intents/${owner}/${id}`, read);
}
