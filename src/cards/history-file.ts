import { stringify } from "csv-stringify/sync";
import { addAmounts, formatAmount, type Amount } from "../encoding/amount.js";
import { formatRate } from "../encoding/rate.js";
import type { Intent } from "../model/intent.js";
import type { Movement } from "../model/movement.js";
import { offsetMoment } from "./time.js";

/** One call as a line of the file. */
export interface HistoryEntry {
  readonly intent: Intent;
  readonly movement: Movement;
  /** What it was about, in the person's language. */
  readonly summary: string;
}

const columns = [
  "date_utc",
  "date_local",
  "kind",
  "about",
  "paid",
  "paid_token",
  "received",
  "received_token",
  "fee",
  "fee_token",
  "price",
  "network_fee_klv",
  "outcome",
  "reason",
  "hash",
] as const;
type Row = Readonly<Record<(typeof columns)[number], string>>;

/** The first line of the file, with the mark by which spreadsheets know that it is UTF-8. */
export const historyFileHead = `\uFEFF${columns.join(",")}\r\n`;

/**
 * Lines of the file (RFC 4180): decimals are exact, with a point and ungrouped; what did not happen for certain has no amounts. Cells that
 * a spreadsheet would take for a formula begin with an apostrophe. Column names and fixed words are English in every language, since
 * programs read them.
 */
export function historyLines(entries: readonly HistoryEntry[], timeZone: string): string {
  const localMoment = offsetMoment(timeZone);
  const rows = entries.map((entry) => rowOf(entry, localMoment));
  return stringify(rows, { columns: [...columns], record_delimiter: "windows", escape_formulas: true });
}

function rowOf({ intent, movement, summary }: HistoryEntry, localMoment: (at: number) => string): Row {
  const { state, terms, transaction, outcome, times, quotedAt } = intent;
  const at = times[state] ?? quotedAt;
  const isDone = state === "OK";
  const { paid, received, fee } = movement;
  const isOnChain = isDone || (outcome?.kind === "failed" && outcome.costsFee === true);
  return {
    date_utc: new Date(at).toISOString().replace(/\.[0-9]+Z$/, "Z"),
    date_local: localMoment(at),
    kind: terms.kind === "launch" ? `launch ${terms.step}` : terms.kind,
    about: summary,
    ...cells("paid", isDone ? paid : []),
    ...cells("received", isDone && received !== undefined ? [received] : []),
    ...cells("fee", isDone && fee !== undefined ? [fee] : []),
    price: isDone ? priceOf(movement) : "",
    network_fee_klv: transaction !== undefined && isOnChain ? formatAmount(transaction.networkFee) : "",
    outcome: outcomeWord(intent),
    reason: outcome?.kind === "failed" ? outcome.text : outcome !== undefined && "code" in outcome ? outcome.code : "",
    hash: transaction !== undefined && outcome?.kind !== "not-sent" ? transaction.hash : "",
  };
}

/** Two columns of amounts and their tokens; where there are several they stand in the same order in both. */
function cells<const Name extends "paid" | "received" | "fee">(name: Name, amounts: readonly Amount[]) {
  return {
    [name]: amounts.map(formatAmount).join(" + "),
    [`${name}_token`]: amounts.map(({ token }) => token.id).join(" + "),
  } as Record<Name | `${Name}_token`, string>;
}

/** What one paid token gave, before the fee. */
function priceOf({ paid: [paid, ...others], received, fee }: Movement): string {
  if (paid === undefined || others.length > 0 || received === undefined) return "";
  return formatRate(paid, fee === undefined ? received : addAmounts(received, fee)) ?? "";
}

const outcomeWords = { failed: "refused", "not-sent": "not sent", unknown: "unknown" } as const;

function outcomeWord({ outcome, transaction }: Intent): string {
  if (outcome?.kind === "ok") return transaction === undefined ? "accepted by the node" : "done";
  return outcome === undefined ? "under way" : outcomeWords[outcome.kind];
}
