import { addAmounts, compareAmounts, formatAmount, isZero, subtractAmounts, type Amount } from "../encoding/amount.js";
import { isDone, isProven, isUnresolved, type Intent } from "../services/intent/intent.js";
import { sentOf } from "../services/intent/trade-kind.js";
import { asListed } from "../services/market/token-list.js";
import { isTrade } from "../services/terms/terms.js";
import { flowOf } from "../services/trade/kinds.js";
import type { TaxForm } from "./buttons.js";
import type { View } from "./card.js";
import { hashOf, kindName, momentIn, networkFeeOf } from "./history.js";
import { csvLines, csvNames, type Columns } from "./list.js";

/** What a call has certainly changed: a trade, what the chain charged, or both. */
interface Booking {
  readonly at: number;
  readonly about: string;
  readonly hash: string | undefined;
  /** `sent` is without the royalty on it, `received` what arrived: the contract's own fee is already gone. */
  readonly trade?: { readonly sent: Amount; readonly received: Amount } | undefined;
  /** What else left the account: an issuer's share and fixed royalty, and what the network charged. */
  readonly charges: readonly Amount[];
}

function bookingOf(intent: Intent, view: View): Booking | undefined {
  const trade = tradeIn(intent, view);
  const networkFee = networkFeeOf(intent);
  if (trade === undefined && networkFee === undefined) return undefined;
  const charges = [...(trade?.royalties ?? []), ...(networkFee ? [networkFee] : [])];
  const about =
    trade === undefined ? `network fee of: ${kindName(intent)}` : [kindName(intent), ...trade.notes].join("; ");
  return { at: momentIn(intent), about, hash: hashOf(intent), trade, charges };
}

const withId = (amount: Amount): string => `${formatAmount(amount)} ${amount.token.id}`;

/** Undefined unless it is proven that both amounts moved, and they are known in whole tokens. */
function tradeIn(intent: Intent, view: View) {
  if (!isTrade(intent.terms) || !isProven(intent)) return undefined;
  const flow = flowOf(intent, view.returnDataEncoding);
  if (flow.leastPaid !== undefined) return undefined;
  const [sent, received] = [sentOf(flow), flow.received].map((amount) => amount && asListed(amount, view.tokenOf));
  if (sent?.token.precision === undefined || received?.token.precision === undefined) return undefined;
  const { fee, royalty, saidRoyalty } = flow;
  const taken = royalty === undefined || royalty === "unknown" ? [] : [royalty.share, royalty.fixed];
  const royalties = taken.filter((amount) => !isZero(amount)).map((amount) => asListed(amount, view.tokenOf));
  const said = saidRoyalty && [saidRoyalty.share, saidRoyalty.fixed].filter((amount) => !isZero(amount)).map(withId);
  const notes = [
    ...(fee ? [`received after a fee of ${withId(fee)}`] : []),
    ...(royalties.length > 0 ? [`royalty of ${royalties.map(withId).join(" + ")}`] : []),
    ...(royalty === "unknown" ? ["without a royalty that is not known"] : []),
    ...(said ? [`by balances, the card said ${said.join(" + ") || "no royalty"}`] : []),
  ];
  return { sent, received, royalties, notes };
}

/** `2026-12-31 23:59:12`, in UTC. */
const moment = ({ at }: { readonly at: number }) => new Date(at).toISOString().slice(0, 19).replace("T", " ");
const currency = (amount: Amount | undefined) => amount?.token.id;

/** With a decimal point in any case: Koinly asks for one. */
function decimal(amount: Amount | undefined): string | undefined {
  const text = amount && formatAmount(amount);
  return text === undefined || text.includes(".") ? text : `${text}.0`;
}

const unknown = () => undefined;

interface KoinlyRow extends Pick<Booking, "about" | "at" | "hash"> {
  readonly sent: Amount;
  readonly received?: Amount;
  /** Besides what is sent. */
  readonly fee?: Amount | undefined;
}

/** Koinly has one fee in a row, which leaves besides what is sent; each further one is a cost of its own. */
function koinlyRows({ trade, charges, ...rest }: Booking): readonly KoinlyRow[] {
  if (trade === undefined) return charges.map((sent) => ({ ...rest, sent }));
  const [fee, ...others] = charges;
  return [{ ...rest, ...trade, fee }, ...others.map((sent) => ({ ...rest, sent }))];
}

const koinlyColumns: Columns<KoinlyRow> = {
  Date: moment,
  "Sent Amount": ({ sent }) => decimal(sent),
  "Sent Currency": ({ sent }) => currency(sent),
  "Received Amount": ({ received }) => decimal(received),
  "Received Currency": ({ received }) => currency(received),
  "Fee Amount": ({ fee }) => decimal(fee),
  "Fee Currency": ({ fee }) => currency(fee),
  "Net Worth Amount": unknown,
  "Net Worth Currency": unknown,
  Label: ({ received }) => (received ? undefined : "cost"),
  Description: ({ about }) => about,
  TxHash: ({ hash }) => hash,
};

interface TaxEntry extends Pick<Booking, "about" | "at" | "hash"> {
  readonly type: "Other Fee" | "Trade";
  readonly bought?: Amount;
  readonly sold?: Amount;
  /** Told besides: what is bought and sold already counts it. */
  readonly fee?: Amount;
}

/**
 * CoinTracking counts a fee in a trade's own tokens in its amounts, one for each entry, and any other is an entry of its
 * own.
 */
function entriesOf({ trade, charges, ...rest }: Booking): readonly TaxEntry[] {
  const charged = (fees: readonly Amount[]): readonly TaxEntry[] =>
    fees.map((sold) => ({ ...rest, type: "Other Fee", sold }));
  if (trade === undefined) return charged(charges);
  const { sent: sold, received: bought } = trade;
  const one: TaxEntry = { ...rest, type: "Trade", bought, sold };
  const [fee, ...others] = charges;
  if (fee?.token.id === sold.token.id) return [{ ...one, sold: addAmounts(sold, fee), fee }, ...charged(others)];
  const isCovered = fee?.token.id === bought.token.id && compareAmounts(bought, fee) > 0;
  return isCovered
    ? [{ ...one, bought: subtractAmounts(bought, fee), fee }, ...charged(others)]
    : [one, ...charged(charges)];
}

const cointrackingColumns: Columns<TaxEntry> = {
  Type: ({ type }) => type,
  "Buy Amount": ({ bought }) => decimal(bought),
  "Buy Currency": ({ bought }) => currency(bought),
  "Sell Amount": ({ sold }) => decimal(sold),
  "Sell Currency": ({ sold }) => currency(sold),
  Fee: ({ fee }) => decimal(fee),
  "Fee Currency": ({ fee }) => currency(fee),
  Exchange: () => "Klever",
  "Trade-Group": unknown,
  Comment: ({ about }) => about,
  Date: moment,
  "Tx-ID": ({ hash }) => hash,
};

/** Without a byte order mark, which a program may take for part of the first name: all is in ASCII. */
export const taxFileHeads: Readonly<Record<TaxForm, string>> = {
  koinly: csvNames(koinlyColumns),
  cointracking: csvNames(cointrackingColumns),
};

const keptOnTheWay = (intent: Intent, view: View): boolean =>
  (flowOf(intent, view.returnDataEncoding).change ?? []).length > 0;

/**
 * Lines for a tax program, in the columns that it publishes. `leftOut`: trades that aren't proven, or not in full;
 * `keeping`: those in the file that left some of a token on the way in the account, which has no cost and no row.
 */
export function taxLines(form: TaxForm, intents: readonly Intent[], view: View) {
  const bookings = intents.flatMap((intent) => bookingOf(intent, view) ?? []);
  const traded = intents.filter((intent) => isTrade(intent.terms) && (isDone(intent) || isUnresolved(intent)));
  const leftOut = traded.length - bookings.filter(({ trade }) => trade !== undefined).length;
  const text =
    form === "koinly"
      ? csvLines(koinlyColumns, bookings.flatMap(koinlyRows))
      : csvLines(cointrackingColumns, bookings.flatMap(entriesOf));
  const keeping = intents.filter((intent) => tradeIn(intent, view) && keptOnTheWay(intent, view));
  return { text, leftOut, keeping: keeping.length };
}
