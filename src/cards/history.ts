import { summaryOf } from "./kinds.js";
import { commandOf } from "../services/request.js";
import { formatAmount, type Amount } from "../encoding/amount.js";
import { formatReferralPercentage } from "../encoding/percent.js";
import type { Messages } from "../locales/messages.js";
import { historyFilters, type HistoryFilter, type HistoryPage } from "../services/intent/history.js";
import { isOpenQuestion, isProven, isDone, type Intent } from "../services/intent/intent.js";
import { figure, percent, withToken } from "./amount.js";
import { buttons } from "./buttons.js";
import { bold, button, card, type Card, commandButton, line, type Line, repeatButton, type View } from "./card.js";
import { INDENTED, listCard, type Entry, type List } from "./list.js";
import { turnRow } from "./page.js";
import { momentOf } from "./time.js";

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
