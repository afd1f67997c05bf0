import { stringify } from "csv-stringify/sync";
import { summaryOf } from "./intent.js";
import { commandOf } from "../services/request.js";
import { formatAmount, type Amount, addAmounts, formatRate } from "../encoding/amount.js";
import { formatReferralPercentage } from "../encoding/percent.js";
import type { Messages } from "../locales/messages.js";
import { historyFilters, type HistoryFilter, type HistoryPage } from "../services/intent/history.js";
import { isOpenQuestion, isProven, isDone, type Intent } from "../services/intent/intent.js";
import { figure, percent, withToken } from "./amount.js";
import { buttons, button, commandButton, repeatButton } from "./buttons.js";
import { card, type Card, type View } from "./card.js";
import { bold, line, type Line, textOf, momentOf } from "./line.js";
import { INDENTED, listCard, type Entry, type List, turnRow } from "./list.js";
import type { Movement } from "../services/intent/kind.js";
import { movementOf } from "../services/trade/kinds.js";

export const HISTORY_PAGE_SIZE = 8;
/** Their names have room side by side on a phone. */
const FILTERS_IN_A_ROW = 3;
const MAX_FEE_TOKENS = 30;

export function historyCard({ items, page, hasOlder }: HistoryPage, filter: HistoryFilter, view: View): Card {
  const { history, common, help } = view.words;
  const title = bold(help.commands.history);
  if (items.length === 0 && page === 0 && filter === "all") return card([title, history.empty]);
  const choices = historyFilters.map((one) => {
    const name = history.filters[one];
    return button(one === filter ? `• ${name}` : name, buttons.history, { filter: one, page: 0 });
  });
  const toPage = (to: number, isNext: boolean) =>
    button(isNext ? common.older : common.newer, buttons.history, { filter, page: to });
  const list = {
    columns: historyColumns,
    entries: items.map((intent) => entry(intent, summaryOf(intent, view), view)),
  };
  return listCard(
    [title, "", items.length === 0 && history.nothingHere, list],
    [
      turnRow(page, hasOlder, toPage),
      choices.slice(0, FILTERS_IN_A_ROW),
      choices.slice(FILTERS_IN_A_ROW),
      [button(history.file, buttons.historyFile, "csv")],
    ],
    view,
  );
}

/** Only what the node's answers prove is counted. */
export function feesCard(paid: readonly Amount[], referralPercentage: number, view: View): Card {
  const { history } = view.words;
  return listCard(
    [
      bold(history.feesTitle),
      history.feesExplain(percent(formatReferralPercentage(referralPercentage), view.words)),
      "",
      paid.length === 0 ? history.feesNone : history.feesPaid,
      ...feeList(paid, MAX_FEE_TOKENS, view.words),
    ],
    [],
    view,
  );
}

export function feeList(
  paid: readonly Amount[],
  maximum: number,
  words: Messages,
): readonly [List, more: string | false] {
  const more = paid.length - maximum;
  const entries = paid.slice(0, maximum).map((amount) => ({ cells: [bold(withToken(amount, words))] }));
  return [{ columns: [{ isFigure: true }], entries }, more > 0 && words.history.feesMore(more)];
}

const historyColumns = [{}, { before: INDENTED }];

function entry(intent: Intent, summary: Line, view: View): Entry {
  const [sign, text] = standing(intent, view);
  const { balance, common } = view.words;
  const { terms } = intent;
  const isTrade = terms.kind === "swap" || terms.kind === "multihop";
  return {
    cells: [
      line(`${sign} `, summary),
      line(momentOf(intent.times[intent.state] ?? intent.quotedAt, view), ` · ${text}`),
    ],
    tableButtons: [
      isOpenQuestion(intent) && button(balance.check, buttons.check, intent.id),
      isTrade && isDone(intent) && repeatButton(terms.request, common.repeat),
    ],
  };
}

/** The node's answer is its word; only the chain's is proof. */
function standing(intent: Intent, view: View): readonly [sign: string, text: string] {
  const words = view.words.history;
  const { state, outcome } = intent;
  switch (outcome?.kind) {
    case "ok":
      return isProven(intent) ? ["✅", words.done] : ["☑️", words.accepted];
    case "failed":
      return ["❌", words.refused];
    case "not-sent":
      return ["✖️", words.notSent];
    case "unknown":
      if (isOpenQuestion(intent)) return ["⚠️", words.unknown];
      if (isProven(intent)) return ["✅", words.arrived];
      return intent.check?.by === "owner" ? ["✖️", words.filed] : ["❌", words.refused];
    case undefined:
      return state === "SIGNING" ? ["✍️", words.signing] : ["⏳", words.underWay];
  }
}

const MAX_TRADES = 5;

export function repeatCard(intents: readonly Intent[], words: Messages): Card {
  const trades = new Map(intents.map((intent) => tradeOf(intent, words)).filter((trade) => trade !== undefined));
  const rows = [...trades].slice(0, MAX_TRADES).flatMap(([line, label]) => {
    const again = commandButton(label, line);
    return again === undefined ? [] : [[again]];
  });
  return rows.length === 0
    ? card([words.help.nothingToRepeat], [[button(words.help.swapButton, buttons.command, "swap")]])
    : card([bold(words.help.repeatTitle)], rows);
}

/** Undefined for anything but a trade that happened. */
function tradeOf(intent: Intent, words: Messages): [line: string, label: string] | undefined {
  const { terms } = intent;
  if (!isDone(intent) || (terms.kind !== "swap" && terms.kind !== "multihop")) return undefined;
  const { amountIn } = terms;
  const out = terms.kind === "swap" ? terms.quotedOut : terms.expectedOut;
  return [commandOf(terms.request), `${figure(formatAmount(amountIn), words)} ${amountIn.token.id} → ${out.token.id}`];
}

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

/**
 * Writes moments with the zone's offset: `2026-12-31T23:59:12+01:00`. Made once for many: finding a zone's rules costs
 * more than applying them.
 */
function offsetMoment(timeZone: string): (at: number) => string {
  const two = "2-digit";
  const parts = { year: "numeric", month: two, day: two, hour: two, minute: two, second: two } as const;
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, ...parts, timeZoneName: "longOffset" });
  return (at) => format.format(at).replace(/^(..).(..).(....), (\S+) GMT/, "$3-$2-$1T$4");
}
