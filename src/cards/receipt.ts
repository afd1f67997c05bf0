import { DAY_MS, dayOf } from "../clock.js";
import { addAmounts, formatAmount, gainBps, type Amount, amountOf, isZero, type Token } from "../encoding/amount.js";
import { isProven } from "../services/intent/intent.js";
import { chartPicture } from "../services/picture/picture.js";
import type { Receipt, receiptsIn, DayVolume } from "../services/history/receipt.js";
import { monthEndOf, monthOf, monthPattern, MAX_TRADES, startOf, MAX_ENDED } from "../services/history/receipt.js";
import { figure, signedPercent, withToken } from "./amount.js";
import { buttons, type VolumeAsked, button, shortButton, marked } from "./buttons.js";
import { captioned, bold, foldedCard, labelled, line, momentOf } from "./card.js";
import type { Card, Line, Lines, View } from "./card.js";
import { amountsText, royaltyText, tokensText } from "./history.js";
import { csvOf, type Columns } from "./list.js";
import { costLine, costParts, networkFeeLine, paidTogether, poolLines, royaltyLines, royaltyNote } from "./cost.js";
import { soldButton } from "./position-button.js";
import { receivedLine } from "./subject.js";
import { feePaidLine } from "./bot-fee.js";

export type Receipts = Awaited<ReturnType<typeof receiptsIn>>;

/** Compares what a trade received with its quote, the pools' price and their best route. */
export function receiptCard(receipt: Receipt, view: View): Card {
  const { intent, at, paid, isPaidAtMost, received, fee, besides = [], royalty, pools, cost, age } = receipt;
  const { receipt: words, swap, multihop } = view.words;
  const { terms, transaction } = intent;
  const lines: Lines = [
    bold(words.title),
    momentOf(at, view),
    labelled(isPaidAtMost ? multihop.paidAtMost : swap.paid, paidTogether([paid, ...besides], view.words)),
    royaltyLines({ ...(royalty && { royalty }) }, view),
    royaltyNote(receipt, view),
    receivedLine(intent, received, view),
    transaction && networkFeeLine(transaction, view),
    "",
    tradesComparison([receipt], view),
    pools === undefined ? words.notCompared : [pools.path.join(" → "), words.explain(Math.ceil(age / 1000))],
  ];
  const bot = terms.kind === "swap" ? fee && feePaidLine(intent, terms, fee, view) : view.words.multihop.noFee;
  const month = button(words.month, buttons.receipts, { month: monthOf(at), as: "card" });
  const parts = cost && costParts(cost, view);
  const sold = isProven(intent) && !isPaidAtMost && soldButton(intent.id, received.token.id, view);
  return foldedCard(view.words, lines, [bot, poolLines(pools?.own, view), parts], [[month, sold]]);
}

/** A month's trades by received token, most trades first, with a picture of the first; without trades there is none. */
export function receiptsPicture(month: string, { receipts, unknown, isCut }: Receipts, view: View) {
  const { receipt: words, portfolio, history } = view.words;
  const groups = [...new Set(receipts.map(({ received }) => received.token.id))]
    .map((id) => receipts.filter(({ received }) => received.token.id === id))
    .toSorted((one, other) => other.length - one.length);
  const [most] = groups;
  const drawn = (group: readonly Receipt[]) => {
    const title = `${words.monthTitle(month)} · ${words.quote}: ${gainOver(group, ({ quoted }) => quoted, view).percent}`;
    const parts = group.map(({ at, intent, received: { units } }) => ({ at: intent.times.CLAIMED ?? at, units }));
    return daysPicture(title, { total: receivedBy(group), parts }, startOf(month), monthEndOf(month) - DAY_MS, view);
  };
  const days = most && drawn(most);
  const to = (label: string, of: string) => button(label, buttons.receipts, { month: of, as: "card" });
  const [before, after] = [monthOf(startOf(month) - 1), monthOf(monthEndOf(month))];
  const cut = isCut && words.isCut(figure(String(MAX_TRADES), view.words));
  const caption = {
    before: [bold(words.monthTitle(month)), days === undefined ? ["", words.empty] : words.mostOnADay(days.highest)],
    entries: groups.map((group) => {
      const got = withToken(receivedBy(group), view.words);
      return ["", line(bold(words.trades(group.length)), ` · ${got}`), tradesComparison(group, view)];
    }),
    after: ["", unknown > 0 && portfolio.uncounted(unknown), cut],
  };
  const earlier = monthPattern.test(before) && to(`‹ ${before}`, before);
  const later = after <= monthOf(view.now) && to(`${after} ›`, after);
  const file = receipts.length > 0 && button(history.file, buttons.receipts, { month, as: "csv" });
  return { svg: days?.svg, card: captioned(caption, [[earlier, later], [file]], view.words) };
}

/** A token's total, and the parts that make it up. */
type Moved = { readonly total: Amount; readonly parts: readonly { readonly at: number; readonly units: bigint }[] };

/**
 * Draws one bar per day in UTC, including empty days, and returns the highest as text. @param first start of the first
 * day, in milliseconds since 1970; `last` is the start of the last one.
 */
function daysPicture(title: string, { total, parts }: Moved, first: number, last: number, view: View) {
  const points = Array.from({ length: 1 + (last - first) / DAY_MS }, (_, index) => {
    const at = first + index * DAY_MS;
    const ofDay = parts.filter((part) => part.at - (part.at % DAY_MS) === at);
    return { at, value: ofDay.reduce((sum, { units }) => sum + units, 0n) };
  });
  const most = points.reduce((high, { value }) => (value > high ? value : high), 0n);
  const [value, highest] = [withToken(total, view.words), withToken(amountOf(total.token, most), view.words)];
  const scale = { floor: 0n, ceiling: most === 0n ? 1n : most, highest, lowest: "0", dateOf: dayOf };
  return { svg: chartPicture({ form: "bars", theme: view.pictures, title, value, points, ...scale }), highest };
}

/** Compares what trades for one token received in total. Only trades whose pools were known are compared with pools. */
function tradesComparison(group: readonly Receipt[], view: View): Lines {
  const words = view.words.receipt;
  const against = (label: string, trades: readonly Receipt[], of: (trade: Receipt) => Amount | undefined) => {
    const { percent, than } = gainOver(trades, of, view);
    return line(labelled(label, percent), ` (${withToken(than, view.words)})`);
  };
  const compared = group.filter(({ pools }) => pools !== undefined);
  return [
    gainOver(group, ({ quoted }) => quoted, view).gain !== 0n && against(words.quote, group, ({ quoted }) => quoted),
    compared.length > 0 && [totalLine(compared, view), against(words.best, compared, ({ pools }) => pools?.best)],
    compared.length < group.length && group.length > 1 && words.compared(compared.length, group.length),
  ];
}

/** What trades cost in all. Of several, those that are counted in the same token as the first. */
function totalLine(compared: readonly Receipt[], view: View): Line | undefined {
  const costs = compared.flatMap(({ cost }) => cost ?? []);
  const same = costs.filter(({ countedIn }) => countedIn.id === costs[0]?.countedIn.id);
  const [first] = same;
  const sumOf = (of: "paid" | "total") => same.reduce((sum, cost) => sum + cost[of], 0n);
  return first && costLine({ countedIn: first.countedIn, paid: sumOf("paid"), total: sumOf("total") }, view);
}

/** The gain of trades over an alternative, `of`, rounded down, and the alternative's total. */
function gainOver(trades: readonly Receipt[], of: (trade: Receipt) => Amount | undefined, { words }: View) {
  const than = trades.flatMap((trade) => of(trade) ?? []).reduce(addAmounts);
  const gain = gainBps(receivedBy(trades), than) ?? 0n;
  return { than, gain, percent: signedPercent(gain, words) };
}

function receivedBy(trades: readonly Receipt[]): Amount {
  return trades.map(({ received }) => received).reduce(addAmounts);
}

const receiptColumns: Columns<Receipt> = {
  date_utc: ({ at }) => new Date(at).toISOString().replace(/\.[0-9]+Z$/, "Z"),
  paid: ({ paid, isPaidAtMost }) => (isPaidAtMost ? undefined : formatAmount(paid)),
  paid_token: ({ paid }) => paid.token.id,
  received: ({ received }) => formatAmount(received),
  received_token: ({ received }) => received.token.id,
  fee: ({ fee }) => fee && formatAmount(fee),
  besides: ({ besides = [] }) => amountsText(besides),
  besides_token: ({ besides = [] }) => tokensText(besides),
  royalty: ({ royalty }) => royaltyText(royalty, amountsText),
  royalty_token: ({ royalty }) => royaltyText(royalty, tokensText),
  network_fee_klv: ({ networkFee }) => networkFee && formatAmount(networkFee),
  total_cost: ({ cost }) => cost && signedText(cost.total, cost.countedIn),
  total_cost_token: ({ cost }) => cost?.countedIn.id,
  quoted: ({ quoted }) => formatAmount(quoted),
  pool_price: ({ pools }) => pools && formatAmount(pools.price),
  best_route: ({ pools }) => pools && formatAmount(pools.best),
  route: ({ pools }) => pools?.path.join(" > "),
  age_seconds: ({ age }) => String(Math.ceil(age / 1000)),
  proven: ({ intent }) => (isProven(intent) ? "yes" : "reported"),
};

const signedText = (units: bigint, token: Token): string =>
  (units < 0n ? "-" : "") + formatAmount(amountOf(token, units < 0n ? -units : units));

/** A month's trades as a file, one per line. */
export const receiptsFile = ({ receipts }: Receipts): Buffer => csvOf(receiptColumns, receipts);

/** Number of days, in UTC, that volumes cover before today. */
const DAYS_BEFORE = 29;
/** Maximum number of tokens with a button, three per row. */
const MAX_BUTTONS = 6;

export const firstDayOf = (now: number): number => now - (now % DAY_MS) - DAYS_BEFORE * DAY_MS;

type TokenOf = (id: string) => Token;

/** Draws a token's daily volume or earnings, above the most traded tokens. @param asked falls back to the first one. */
export function volumePicture(volumes: readonly DayVolume[], tokenOf: TokenOf, asked: VolumeAsked, view: View) {
  const { of, tokenId } = asked;
  const { admin, history, receipt } = view.words;
  const sums = [...new Set(volumes.map((each) => each.tokenId))]
    .map((id) => {
      const own = volumes.filter((each) => each.tokenId === id);
      const sumOf = (what: VolumeAsked["of"]) =>
        own.map((each) => amountOf(tokenOf(id), each[what])).reduce(addAmounts);
      const trades = own.reduce((count, each) => count + each.trades, 0);
      return { id, own, trades, volume: sumOf("volume"), earned: sumOf("earned") };
    })
    .toSorted((one, other) => other.trades - one.trades);
  const shown = sums.find(({ id }) => id === tokenId) ?? sums[0];
  if (shown === undefined) return undefined;
  const title = `${shown.id} · ${admin.volumeKinds[of]} · ${admin.volumeSpan}`;
  const first = firstDayOf(view.now);
  const moved = { total: shown[of], parts: shown.own.map((each) => ({ at: Date.parse(each.day), units: each[of] })) };
  const { svg, highest } = daysPicture(title, moved, first, first + DAYS_BEFORE * DAY_MS, view);
  const to = (text: string, asked: VolumeAsked) => shortButton(text, buttons.volume, asked);
  const tokens = sums.slice(0, MAX_BUTTONS).map(({ id }) => to(marked(id, id === shown.id), { of, tokenId: id }));
  const kinds = (["volume", "earned"] as const).map((each) =>
    to(marked(admin.volumeKinds[each], each === of), { of: each, tokenId: shown.id }),
  );
  const caption = {
    before: [bold(`${title}: ${withToken(shown[of], view.words)}`), receipt.mostOnADay(highest), ""],
    entries: sums.map(({ trades, volume, earned }) =>
      [
        ...(trades > 0 ? [`${receipt.trades(trades)} · ${withToken(volume, view.words)}`] : []),
        ...(isZero(earned) ? [] : [`${admin.volumeKinds.earned}: ${withToken(earned, view.words)}`]),
      ].join(" · "),
    ),
    after: ["", admin.volumeCaption(figure(String(MAX_ENDED), view.words))],
  };
  const file = button(history.file, buttons.volumeFile, "csv");
  const rows = [kinds, tokens.slice(0, MAX_BUTTONS / 2), tokens.slice(MAX_BUTTONS / 2), [file]];
  return { svg, card: captioned(caption, rows, view.words) };
}

/** Volume and earnings as a file, one line per day and token. */
export function volumeFile(volumes: readonly DayVolume[], tokenOf: TokenOf): Buffer {
  const amount = (id: string, units: bigint) => formatAmount(amountOf(tokenOf(id), units));
  const columns: Columns<DayVolume> = {
    day_utc: ({ day }) => day,
    token: ({ tokenId }) => tokenId,
    trades: ({ trades }) => String(trades),
    volume: ({ tokenId, volume }) => amount(tokenId, volume),
    earned: ({ tokenId, earned }) => amount(tokenId, earned),
  };
  return csvOf(columns, volumes);
}
