import { type Amount, formatUnits, isZero, type Token } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";
import type { Intent, IntentTransaction } from "../services/intent/intent.js";
import type { Flow } from "../services/intent/trade-kind.js";
import type { TradeRoyalties } from "../services/market/royalty.js";
import type { PoolsPrice, Royalty } from "../services/terms/swap-terms.js";
import { costBps, isCostly, type TradeMoves, type TradeCost } from "../services/trade/trade-cost.js";
import { figure, paidWithToken, percentOfBps } from "./amount.js";
import { labelled, line, type Line, type Lines, type View } from "./card.js";

/** What is known of the network fee of a card; undefined where accounts pay none. */
export function cardFee({ estimatedFee, transaction }: Partial<Intent>, { publicUrl }: View): TradeMoves["networkFee"] {
  return publicUrl === undefined ? undefined : (transaction?.networkFee ?? estimatedFee?.amount ?? "unknown");
}

export function networkFeeLine({ networkFee }: Pick<IntentTransaction, "networkFee">, { words }: View): Line {
  return labelled(words.intent.networkFee, paidWithToken(networkFee, words));
}

/** `Total cost: 1.3% (13.1 KLV)` */
export function costLine(cost: Pick<TradeCost, "countedIn" | "paid" | "total">, { words }: View): Line {
  const { price } = words;
  const percent = percentOfBps(costBps(cost), words);
  if (cost.total < 0n) return labelled(price.totalCost, price.none(price.better(percent)));
  const { countedIn: token, total: units } = cost;
  return labelled(price.totalCost, `${percent} (${paidWithToken({ token, units }, words)})`);
}

/** The same, with a sign once it is much of the payment. */
export function warnedCost(cost: TradeCost, view: View): Line {
  return isCostly(cost) ? line("⚠️ ", costLine(cost, view)) : costLine(cost, view);
}

/** What a total is made of, to the unit, and what it is without. */
export function costParts({ countedIn, total, parts, unknown }: TradeCost, { words }: View): Lines {
  const { price } = words;
  const all = (["pools", "bot", "royalty", "network"] as const).filter((part) => parts[part] !== 0n);
  const [first, ...more] = all.map((part) => ({ units: parts[part], name: price.parts[part] }));
  const sum = more.map(
    ({ units, name }) => `${units < 0n ? "−" : "+"} ${exactly(magnitude(units), countedIn, words)} ${name}`,
  );
  const whole = `${signedUnits(total, countedIn, words)} ${countedIn.id}`;
  return [
    first && price.madeOf(whole, [`${signedUnits(first.units, countedIn, words)} ${first.name}`, ...sum].join(" ")),
    missingLine({ unknown }, words),
  ];
}

/** What a total is without, if anything. */
export function missingLine({ unknown }: Pick<TradeCost, "unknown">, { price }: Messages): string | undefined {
  return unknown.length === 0 ? undefined : price.without(unknown.map((part) => price.parts[part]).join(", "));
}

const magnitude = (units: bigint): bigint => (units < 0n ? -units : units);

function exactly(units: bigint, { precision = 0 }: Token, words: Messages): string {
  return figure(formatUnits(units, precision), words);
}

function signedUnits(units: bigint, token: Token, words: Messages): string {
  return `${units < 0n ? "−" : ""}${exactly(magnitude(units), token, words)}`;
}

/** What the pools of a trade take, and how far it moves their price. */
export function poolLines(own: PoolsPrice["own"], { words }: View): Lines {
  if (own === undefined) return [];
  const { price } = words;
  return [
    labelled(price.poolFee(own.path.length - 1), percentOfBps(own.feeBps, words)),
    labelled(price.impact, percentOfBps(own.impactBps, words)),
  ];
}

/** `49.345351 MOON-4R7T + 3 KLV` */
export const paidTogether = (amounts: readonly Amount[], words: Messages): string =>
  amounts.map((amount) => paidWithToken(amount, words)).join(" + ");

/** What issuers take: of the payment, which "You pay" has, and once what is bought is sold again. */
export function royaltyLines({ royalty, resaleRoyalty }: TradeRoyalties, { publicUrl, words }: View): Lines {
  const { royalty: told } = words.price;
  const text = (taken: Royalty | "unknown" | undefined): string => {
    const amounts = taken === undefined || taken === "unknown" ? [] : [taken.share, taken.fixed];
    const shown = amounts.filter((amount) => !isZero(amount));
    return paidTogether(shown, words);
  };
  const [paid, resold] = [text(royalty), text(resaleRoyalty)];
  return [
    paid !== "" && line(labelled(told.toIssuer, paid), ` (${told.included})`),
    resold !== "" && line(labelled(told.whenSold, resold), publicUrl !== undefined && ` (${told.notHere})`),
  ];
}

/** Says that balances show another royalty than the card. */
export function royaltyNote({ saidRoyalty }: Pick<Flow, "saidRoyalty">, { words }: View): string | undefined {
  if (saidRoyalty === undefined) return undefined;
  const said = [saidRoyalty.share, saidRoyalty.fixed].filter((amount) => !isZero(amount));
  return words.price.royalty.otherThanSaid(said.length === 0 ? "0" : paidTogether(said, words));
}
