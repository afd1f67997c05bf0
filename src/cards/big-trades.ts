import { amountOf, NATIVE_TOKEN } from "../encoding/amount.js";
import { type BigTrade, type TradeWatch, tradeWatchOf, type TradeWatches } from "../services/alerts/big-trades.js";
import type { ToldNews } from "../services/alerts/news.js";
import { aboutWithToken, figure, withToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import { readingLines } from "./reading.js";
import { unclearLine } from "./unclear.js";
import { bold, card, hasQuietHours, line, momentOf, type Card, type Lines, type View } from "./card.js";

/** In whole tokens of the pair's second one. */
const OFFERED_LEAST = ["1000", "10000", "100000"];

type WatchedPair = Pick<TradeWatch, "base" | "quote">;

const pairText = ({ base, quote }: WatchedPair): string => `${base} / ${quote}`;

/**
 * The pairs whose large swaps the user is told of.
 * @param asked a pair for which amounts are offered. @param choices ids of tokens to begin with, if there are none yet.
 */
export function bigTradesCard(
  { watches, unclear, ...reading }: TradeWatches,
  asked: WatchedPair | undefined,
  choices: readonly string[],
  view: View,
) {
  const { bigTrades: words, help } = view.words;
  const offers = reading.isClosed ? undefined : asked;
  const lines: Lines = [
    bold(help.commands.bigtrades),
    watches.length === 0 && words.none,
    watches.map((watch) =>
      words.from(pairText(watch), withToken(amountOf(view.tokenOf(watch.quote), watch.least), view.words)),
    ),
    unclearLine(unclear, view),
    (watches.length > 0 || reading.isClosed) && ["", readingLines(reading, view)],
    offers && ["", words.ask(pairText(offers))],
    "",
    words.explain,
    hasQuietHours(view) && words.quietWait,
    words.usage,
  ];
  const offered = OFFERED_LEAST.map(
    (amount) =>
      offers &&
      commandButton(
        `${figure(amount, view.words)} ${offers.quote}`,
        `bigtrades ${offers.base} ${offers.quote} ${amount}`,
      ),
  );
  const rows = watches.map((watch) => [
    commandButton(`🔕 ${pairText(watch)}`, `bigtrades off ${watch.base} ${watch.quote}`),
  ]);
  const isFirst = watches.length === 0 && asked === undefined && !reading.isClosed;
  const first = isFirst ? choices.map((id) => commandButton(id, `bigtrades ${id} ${NATIVE_TOKEN}`)) : [];
  return card(lines, [offered, first, ...rows]);
}

/** Large swaps in a pair. Tokens go by their IDs, since anybody can choose any name. */
export function bigTradesNewsCard({ watch: of, named, more }: ToldNews<BigTrade["what"]>, view: View): Card {
  const { bigTrades: words, common, intent } = view.words;
  const { explorerUrl } = view;
  const watch = tradeWatchOf(of);
  const sentence = ({ units, what: { isBuy, baseUnits } }: BigTrade): string => {
    const [base, quote] = [amountOf(view.tokenOf(watch.base), baseUnits), amountOf(view.tokenOf(watch.quote), units)];
    return (isBuy ? words.bought : words.sold)(aboutWithToken(base, view.words), aboutWithToken(quote, view.words));
  };
  const lines: Lines = [
    bold(words.title(named.length + more, pairText(watch))),
    named.map((trade) => line(sentence(trade), " · ", momentOf(trade.what.at, view))),
    more > 0 && common.andMore(more),
  ];
  const links = named.map(({ what: { hash } }, at) => {
    if (explorerUrl === undefined) return undefined;
    const text = named.length === 1 ? intent.explorer : `${intent.explorer} ${at + 1}`;
    return [{ text, url: `${explorerUrl}/transaction/${hash}` }];
  });
  return card(lines, [
    ...links.map((row) => row ?? []),
    [button(watch.base, buttons.token, watch.base), commandButton(words.change, "bigtrades")],
  ]);
}
