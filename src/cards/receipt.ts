import { addAmounts, formatAmount, gainBps, type Amount } from "../encoding/amount.js";
import { formatBps } from "../encoding/percent.js";
import { isProven } from "../services/intent/intent.js";
import {
  endOf,
  monthOf,
  monthPattern,
  MOST_TRADES,
  startOf,
  type Receipt,
  type receiptsIn,
} from "../services/receipt/receipt.js";
import { figure, paidWithToken, percent, withToken } from "./amount.js";
import { buttons } from "./buttons.js";
import { bold, button, card, labelled, line, type Card, type View } from "./card.js";
import { csvOf, type Columns } from "./csv.js";
import { momentOf } from "./time.js";

/** More tokens than this have no room in a message; the file has them. */
const MAX_TOKENS = 12;

export type Receipts = Awaited<ReturnType<typeof receiptsIn>>;

/** What a trade got against its quote, the pools' price, and their best route. */
export function receiptCard({ intent, at, paid, received, quoted, pools, age }: Receipt, view: View): Card {
  const { receipt: words, swap, intent: reported } = view.words;
  const against = (label: string, than: Amount) =>
    line(labelled(label, difference(received, than, view)), ` (${withToken(than, view.words)})`);
  return card(
    [
      bold(words.title),
      momentOf(at, view),
      labelled(swap.paid, paidWithToken(paid, view.words)),
      labelled(isProven(intent) ? swap.received : reported.reported, withToken(received, view.words)),
      "",
      against(words.quote, quoted),
      pools && [against(words.price, pools.price), line(against(words.best, pools.best), ` ${pools.path.join(" → ")}`)],
      pools === undefined ? words.notCompared : words.explain(Math.ceil(age / 1000)),
    ],
    [[button(words.month, buttons.receipts, { month: monthOf(at), as: "card" })]],
  );
}

/** A month's trades by the token that they were for. */
export function receiptsCard(month: string, { receipts, unknown, isCut }: Receipts, view: View): Card {
  const { receipt: words, portfolio, history } = view.words;
  const tokens = [...new Set(receipts.map(({ received }) => received.token.id))];
  const groups = tokens.map((id) => [id, receipts.filter(({ received }) => received.token.id === id)] as const);
  const to = (label: string, of: string) => button(label, buttons.receipts, { month: of, as: "card" });
  const [before, after] = [monthOf(startOf(month) - 1), monthOf(endOf(month))];
  return card(
    [
      bold(words.monthTitle(month)),
      "",
      receipts.length === 0 && words.monthNone,
      groups
        .slice(0, MAX_TOKENS)
        .map(([token, group]) => [
          line(
            bold(words.trades(group.length, token)),
            ` · ${withToken(sum(group.map(({ received }) => received)), view.words)}`,
          ),
          `     ${sumsOf(group, view)}`,
        ]),
      groups.length > MAX_TOKENS && history.feesMore(groups.length - MAX_TOKENS),
      unknown > 0 && portfolio.uncounted(unknown),
      isCut && words.isCut(figure(String(MOST_TRADES), view.words)),
    ],
    [
      [monthPattern.test(before) && to(`‹ ${before}`, before), after <= monthOf(view.now) && to(`${after} ›`, after)],
      [receipts.length > 0 && button(words.file, buttons.receipts, { month, as: "csv" })],
    ],
  );
}

function sumsOf(group: readonly Receipt[], view: View): string {
  const words = view.words.receipt;
  const against = (rows: readonly Pick<Receipt, "received">[], than: readonly Amount[]) =>
    difference(sum(rows.map(({ received }) => received)), sum(than), view);
  const quote = against(
    group,
    group.map(({ quoted }) => quoted),
  );
  const compared = group.flatMap(({ received, pools }) => (pools === undefined ? [] : [{ received, ...pools }]));
  if (compared.length === 0) return words.sumsQuote(quote);
  const [price, best] = [compared.map((each) => each.price), compared.map((each) => each.best)];
  const sums = words.sums(quote, against(compared, price), against(compared, best));
  return compared.length === group.length ? sums : `${sums} (${words.compared(compared.length, group.length)})`;
}

function sum([first, ...others]: readonly Amount[]): Amount {
  if (first === undefined) throw new TypeError("a sum of nothing has no token");
  return others.reduce(addAmounts, first);
}

/** How much more or less it is, rounded down. */
function difference(amount: Amount, than: Amount, { words }: View): string {
  const bps = gainBps(amount, than) ?? 0n;
  return bps < 0n ? `−${percent(formatBps(-bps), words)}` : `+${percent(formatBps(bps), words)}`;
}

const columns: Columns<Receipt> = {
  date_utc: ({ at }) => new Date(at).toISOString().replace(/\.[0-9]+Z$/, "Z"),
  paid: ({ paid }) => formatAmount(paid),
  paid_token: ({ paid }) => paid.token.id,
  received: ({ received }) => formatAmount(received),
  received_token: ({ received }) => received.token.id,
  fee: ({ fee }) => fee && formatAmount(fee),
  quoted: ({ quoted }) => formatAmount(quoted),
  pool_price: ({ pools }) => pools && formatAmount(pools.price),
  best_route: ({ pools }) => pools && formatAmount(pools.best),
  route: ({ pools }) => pools?.path.join(" > "),
  age_seconds: ({ age }) => String(Math.ceil(age / 1000)),
  proven: ({ intent }) => (isProven(intent) ? "yes" : "reported"),
};

/** A month's trades as a file, one in a line. */
export function receiptsFile({ receipts }: Receipts): Buffer {
  return csvOf(columns, receipts);
}
