import { addAmounts, compareAmounts, formatAmount, subtractAmounts, type Amount } from "../encoding/amount.js";
import { isDone, isProven, isUnresolved, type Intent } from "../services/intent/intent.js";
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
  /** `received` is what arrived: the contract's own fee is already gone. */
  readonly trade?: { readonly paid: Amount; readonly received: Amount } | undefined;
  readonly networkFee: Amount | undefined;
}

function bookingOf(intent: Intent, view: View): Booking | undefined {
  const trade = tradeIn(intent, view);
  const networkFee = networkFeeOf(intent);
  if (trade === undefined && networkFee === undefined) return undefined;
  const taken = trade?.fee && `; received after a fee of ${formatAmount(trade.fee)} ${trade.fee.token.id}`;
  const about = trade === undefined ? `network fee of: ${kindName(intent)}` : kindName(intent) + (taken ?? "");
  return { at: momentIn(intent), about, hash: hashOf(intent), trade, networkFee };
}

/** Undefined unless it is proven that both amounts moved, and they are known in whole tokens. */
function tradeIn(intent: Intent, view: View) {
  if (!isTrade(intent.terms) || !isProven(intent)) return undefined;
  const flow = flowOf(intent, view.returnDataEncoding);
  if (flow.leastPaid !== undefined) return undefined;
  const [paid, received] = [flow.paid[0], flow.received].map((amount) => amount && asListed(amount, view.tokenOf));
  if (paid?.token.precision === undefined || received?.token.precision === undefined) return undefined;
  return { paid, received, fee: flow.fee };
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

const koinlyColumns: Columns<Booking> = {
  Date: moment,
  "Sent Amount": ({ trade, networkFee }) => decimal(trade?.paid ?? networkFee),
  "Sent Currency": ({ trade, networkFee }) => currency(trade?.paid ?? networkFee),
  "Received Amount": ({ trade }) => decimal(trade?.received),
  "Received Currency": ({ trade }) => currency(trade?.received),
  "Fee Amount": ({ trade, networkFee }) => trade && decimal(networkFee),
  "Fee Currency": ({ trade, networkFee }) => trade && currency(networkFee),
  "Net Worth Amount": unknown,
  "Net Worth Currency": unknown,
  Label: ({ trade }) => (trade ? undefined : "cost"),
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

/** CoinTracking counts a fee in a trade's own tokens in its amounts, and any other as an entry of its own. */
function entriesOf({ trade, networkFee: fee, ...rest }: Booking): readonly TaxEntry[] {
  const charged: TaxEntry[] = fee === undefined ? [] : [{ ...rest, type: "Other Fee", sold: fee }];
  if (trade === undefined) return charged;
  const { paid: sold, received: bought } = trade;
  const one: TaxEntry = { ...rest, type: "Trade", bought, sold };
  if (fee?.token.id === sold.token.id) return [{ ...one, sold: addAmounts(sold, fee), fee }];
  const isCovered = fee?.token.id === bought.token.id && compareAmounts(bought, fee) > 0;
  return isCovered ? [{ ...one, bought: subtractAmounts(bought, fee), fee }] : [one, ...charged];
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

/** Lines for a tax program, in the columns that it publishes. `leftOut`: trades that aren't proven, or not in full. */
export function taxLines(form: TaxForm, intents: readonly Intent[], view: View) {
  const bookings = intents.flatMap((intent) => bookingOf(intent, view) ?? []);
  const traded = intents.filter((intent) => isTrade(intent.terms) && (isDone(intent) || isUnresolved(intent)));
  const leftOut = traded.length - bookings.filter(({ trade }) => trade !== undefined).length;
  const text =
    form === "koinly" ? csvLines(koinlyColumns, bookings) : csvLines(cointrackingColumns, bookings.flatMap(entriesOf));
  return { text, leftOut };
}
