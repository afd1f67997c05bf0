import { stringify } from "csv-stringify/sync";
import { addAmounts, formatAmount, formatRate } from "../encoding/amount.js";
import { isDone, isOpenQuestion, isProven, type Intent } from "../services/intent/intent.js";
import type { Movement } from "../services/intent/finding.js";
import { movementOf } from "../services/trade/kinds.js";
import { textOf, type View } from "./card.js";
import { summaryOf } from "./kinds.js";
import { offsetMoment } from "./time.js";

interface Call extends Intent {
  readonly at: number;
  readonly localMoment: (at: number) => string;
  readonly summary: string;
  /** Empty unless it is proven. */
  readonly moved: Movement;
}

/** In order. Where there are several amounts, their tokens follow the same order. */
const columns: Readonly<Record<string, (call: Call) => string>> = {
  date_utc: ({ at }) => new Date(at).toISOString().replace(/\.[0-9]+Z$/, "Z"),
  date_local: ({ at, localMoment }) => localMoment(at),
  kind: ({ terms }) => (terms.kind === "launch" ? `launch ${terms.step}` : terms.kind),
  about: ({ summary }) => summary,
  paid: ({ moved }) => moved.paid.map(formatAmount).join(" + "),
  paid_token: ({ moved }) => moved.paid.map(({ token }) => token.id).join(" + "),
  received: ({ moved: { received } }) => (received ? formatAmount(received) : ""),
  received_token: ({ moved }) => moved.received?.token.id ?? "",
  fee: ({ moved: { fee } }) => (fee ? formatAmount(fee) : ""),
  fee_token: ({ moved }) => moved.fee?.token.id ?? "",
  price: ({ moved }) => priceOf(moved),
  network_fee_klv: ({ state, transaction, outcome, check }) => {
    const costsFee = outcome?.kind === "failed" && outcome.costsFee === true;
    const isOnChain = state === "OK" || check?.by === "chain" || costsFee;
    return transaction !== undefined && isOnChain ? formatAmount(transaction.networkFee) : "";
  },
  outcome: (intent) => {
    const { outcome, transaction, check } = intent;
    if (outcome?.kind === "unknown" && !isOpenQuestion(intent)) {
      if (isProven(intent)) return "done";
      return check?.by === "owner" ? "filed as not carried out" : "refused";
    }
    if (outcome?.kind === "ok") return transaction === undefined ? "accepted by the node" : "done";
    return outcome === undefined ? "under way" : outcomeWords[outcome.kind];
  },
  reason: ({ outcome }) =>
    outcome?.kind === "failed" ? outcome.text : outcome !== undefined && "code" in outcome ? outcome.code : "",
  hash: ({ transaction, outcome }) => (transaction && outcome?.kind !== "not-sent" ? transaction.hash : ""),
};

const outcomeWords = { failed: "refused", "not-sent": "not sent", unknown: "unknown" } as const;

/** With the mark by which spreadsheets recognise UTF-8. */
export const historyFileHead = `\uFEFF${Object.keys(columns).join(",")}\r\n`;

/**
 * RFC 4180; exact decimals with a point; unproven calls have no amounts. Cells that could be formulas begin with an
 * apostrophe. Fixed words are English, since programs read them.
 */
export function historyLines(intents: readonly Intent[], view: View): string {
  const localMoment = offsetMoment(view.timeZone);
  const rows = intents.map((intent) => {
    const at = intent.times[intent.state] ?? intent.quotedAt;
    const moved = isDone(intent) ? movementOf(intent, view.returnDataEncoding) : { paid: [] };
    const summary = textOf(summaryOf(intent, view));
    return Object.values(columns).map((write) => write({ ...intent, at, localMoment, summary, moved }));
  });
  return stringify(rows, { record_delimiter: "windows", escape_formulas: true });
}

function priceOf({ paid: [paid, ...others], received, fee }: Movement): string {
  if (paid === undefined || others.length > 0 || received === undefined) return "";
  return formatRate(paid, fee === undefined ? received : addAmounts(received, fee)) ?? "";
}
