import { summaryOf } from "./intent.js";
import { commandOf, isTrade } from "../services/terms/terms.js";
import { formatAmount, type Amount, addAmounts, formatRate, isZero } from "../encoding/amount.js";
import type { HistoryPage } from "../services/intent/queries.js";
import { isUnresolved, isProven, isDone, type Intent } from "../services/intent/intent.js";
import { figure, withToken, referralPercent } from "./amount.js";
import {
  buttons,
  button,
  commandButton,
  historyFilters,
  marked,
  type HistoryFilter,
  taxForms,
  taxPrograms,
} from "./buttons.js";
import { card, bold, line, textOf, momentOf, type Card, type Lines, type View } from "./card.js";
import { listCard, type Entry, type List, csvHead, csvLines, type Columns } from "./list.js";
import { type Flow, sentOf } from "../services/intent/trade-kind.js";
import { asListed } from "../services/market/token-list.js";
import { flowOf } from "../services/trade/kinds.js";
import { localTime, offsetText, type Zone, zoneOf } from "../services/person/zone.js";

export const HISTORY_PAGE_SIZE = 8;
/** As many names as fit side by side on a phone. */
const FILTERS_IN_A_ROW = 3;
const MAX_FEE_TOKENS = 30;

export function historyCard({ items, page, hasOlder }: HistoryPage, filter: HistoryFilter, view: View): Card {
  const { history, help, common } = view.words;
  const title = bold(help.commands.history);
  if (items.length === 0 && page === 0 && filter === "all") return card([title, history.empty]);
  const choices = historyFilters.map((one) =>
    button(marked(history.filters[one], one === filter), buttons.history, { filter: one, page: 0 }),
  );
  const toPage = (text: string, to: number) => button(text, buttons.history, { filter, page: to });
  const list: List = { layout: "close", entries: items.map((intent) => entry(intent, view)) };
  return listCard(
    [title, "", items.length === 0 && history.nothingHere, list],
    [
      [page > 0 && toPage(common.newer, page - 1), hasOlder && toPage(common.older, page + 1)],
      choices.slice(0, FILTERS_IN_A_ROW),
      choices.slice(FILTERS_IN_A_ROW),
      [button(history.file, buttons.historyFile, "csv")],
      taxForms.map((form) => button(`📄 ${taxPrograms[form]}`, buttons.historyFile, form)),
    ],
  );
}

/** Counts only fees that the node's answer or the user's balance shows. */
export function feesNotice(paid: readonly Amount[], referralPercentage: number, view: View): Lines {
  const { history } = view.words;
  const explained = history.feesExplain(referralPercent(referralPercentage, view.words));
  const heading = paid.length === 0 ? history.feesNone : history.feesPaid;
  return [bold(history.feesTitle), explained, heading, paidLines(paid, MAX_FEE_TOKENS, view)];
}

/** What was paid of each token, a line each. */
export function paidLines(paid: readonly Amount[], maximum: number, { words }: View): Lines {
  const more = paid.length - maximum;
  const lines = paid.slice(0, maximum).map((amount) => bold(withToken(amount, words)));
  return [lines, more > 0 && words.history.feesMore(more)];
}

function entry(intent: Intent, view: View): Entry {
  const { history } = view.words;
  const { times, state, quotedAt } = intent;
  const standing = standingOf(intent);
  const what = line(`${standings[standing][0]} `, summaryOf(intent, view));
  const since = line(momentOf(times[state] ?? quotedAt, view), ` · ${history[standing]}`);
  return { lines: [what, since] };
}

/** The state of a call: its sign on the card, and its name in the file. */
const standings = {
  done: ["✅", "done"],
  accepted: ["☑️", "accepted by the node"],
  refused: ["❌", "refused"],
  notSent: ["✖️", "not sent"],
  unknown: ["⚠️", "unknown"],
  arrived: ["✅", "done"],
  filed: ["✖️", "filed as not carried out"],
  signing: ["✍️", "under way"],
  underWay: ["⏳", "under way"],
} as const;

/** A node's answer is only its word, not proof. */
function standingOf(intent: Intent): keyof typeof standings {
  switch (intent.outcome?.kind) {
    case "ok":
      return isProven(intent) ? "done" : "accepted";
    case "failed":
      return "refused";
    case "not-sent":
      return "notSent";
    case "unknown":
      if (isUnresolved(intent)) return "unknown";
      if (isProven(intent)) return "arrived";
      return intent.check?.by === "owner" ? "filed" : "refused";
    case undefined:
      return intent.state === "SIGNING" ? "signing" : "underWay";
  }
}

const MAX_LISTED_TRADES = 5;

export function repeatCard(intents: readonly Intent[], { words }: View): Card {
  const { nothingToRepeat, repeatTitle, swapButton } = words.help;
  const trades = intents.filter(isDone).flatMap(({ terms }) => {
    if (!isTrade(terms)) return [];
    const { amountIn } = terms;
    const out = terms.kind === "swap" ? terms.quotedOut : terms.expectedOut;
    const label = `${figure(formatAmount(amountIn), words)} ${amountIn.token.id} → ${out.token.id}`;
    return [[commandOf(terms.request), label] as const];
  });
  const rows = [...new Map(trades)].slice(0, MAX_LISTED_TRADES).map(([line, label]) => [commandButton(label, line)]);
  return rows.flat().some((again) => again !== undefined)
    ? card([bold(repeatTitle)], rows)
    : card([nothingToRepeat], [[button(swapButton, buttons.command, "swap")]]);
}

/** When a call reached its state, in milliseconds since 1970. */
export const momentIn = ({ times, state, quotedAt }: Intent): number => times[state] ?? quotedAt;

export function kindName({ terms }: Intent): string {
  return terms.kind === "launch" ? `launch ${terms.step}` : terms.kind;
}

/** What the chain has certainly charged for a call. */
export function networkFeeOf({ state, transaction, outcome, check }: Intent): Amount | undefined {
  const costsFee = outcome?.kind === "failed" && outcome.costsFee === true;
  const isOnChain = state === "OK" || check?.by === "chain" || costsFee;
  return transaction && isOnChain ? transaction.networkFee : undefined;
}

export function hashOf({ transaction, outcome }: Intent): string | undefined {
  return outcome?.kind === "not-sent" ? undefined : transaction?.hash;
}

function callOf(intent: Intent, view: View, zone: Zone) {
  const at = momentIn(intent);
  /** Empty unless the call was executed, proven or not. */
  const flow: Flow = isDone(intent) ? flowOf(intent, view.returnDataEncoding) : { paid: [] };
  const { paid, leastPaid, received, fee, royalty, saidRoyalty } = flow;
  const listed = (amount: Amount) => asListed(amount, view.tokenOf);
  const isKnown = leastPaid === undefined;
  const sent = isTrade(intent.terms) && isKnown ? [sentOf(flow)].flatMap((amount) => amount ?? []) : paid;
  const moved = {
    ...{ paid: isKnown ? paid.map(listed) : [], sent: isKnown ? sent.map(listed) : [] },
    ...{ received: received && listed(received), fee, royalty, saidRoyalty },
  };
  return { ...intent, at, local: localMoment(zone, at), summary: textOf(summaryOf(intent, view)), moved };
}

export const amountsText = (amounts: readonly Amount[]): string => amounts.map(formatAmount).join(" + ");
export const tokensText = (amounts: readonly Amount[]): string => amounts.map(({ token }) => token.id).join(" + ");

/** `unknown`, or what is taken. */
export function royaltyText(royalty: Flow["royalty"], text: (amounts: readonly Amount[]) => string) {
  if (royalty === undefined || royalty === "unknown") return royalty;
  return text([royalty.share, royalty.fixed].filter((amount) => !isZero(amount)));
}

/** In this order. Tokens are in the same order as their amounts. */
const callColumns: Columns<ReturnType<typeof callOf>> = {
  date_utc: ({ at }) => new Date(at).toISOString().replace(/\.[0-9]+Z$/, "Z"),
  date_local: ({ local }) => local,
  kind: kindName,
  about: ({ summary }) => summary,
  // One amount in each, as programs read them.
  paid: ({ moved }) => amountsText(moved.paid.slice(0, 1)),
  paid_token: ({ moved }) => tokensText(moved.paid.slice(0, 1)),
  besides: ({ moved }) => amountsText(moved.paid.slice(1)),
  besides_token: ({ moved }) => tokensText(moved.paid.slice(1)),
  received: ({ moved: { received } }) => received && formatAmount(received),
  received_token: ({ moved }) => moved.received?.token.id,
  fee: ({ moved: { fee } }) => fee && formatAmount(fee),
  fee_token: ({ moved }) => moved.fee?.token.id,
  price: ({ moved: { sent, received, fee } }) => {
    const [only] = sent.length === 1 ? sent : [];
    return only && received && formatRate(only, fee === undefined ? received : addAmounts(received, fee));
  },
  royalty: ({ moved: { royalty } }) => royaltyText(royalty, amountsText),
  royalty_token: ({ moved: { royalty } }) => royaltyText(royalty, tokensText),
  royalty_said: ({ moved: { saidRoyalty } }) => royaltyText(saidRoyalty, amountsText),
  network_fee_klv: (intent) => {
    const fee = networkFeeOf(intent);
    return fee && formatAmount(fee);
  },
  // Without a transaction, even a call that balances confirm is reported as the node's word.
  outcome: (intent) =>
    standings[intent.outcome?.kind === "ok" && !intent.transaction ? "accepted" : standingOf(intent)][1],
  reason: ({ outcome }) =>
    outcome?.kind === "failed" ? outcome.text : outcome && "code" in outcome ? outcome.code : undefined,
  hash: hashOf,
};

export const historyFileHead = csvHead(callColumns);

/** Exact decimals with a point. Only executed calls have amounts. */
export function historyLines(intents: readonly Intent[], view: View): string {
  const zone = zoneOf(view);
  const calls = intents.map((intent) => callOf(intent, view, zone));
  return csvLines(callColumns, calls);
}

/** `2026-12-31T23:59:12+01:00` */
function localMoment(zone: Zone, at: number): string {
  const { date, time } = localTime(zone, at);
  return `${date}T${time}${offsetText(zone, at)}`;
}
