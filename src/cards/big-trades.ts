import { amountOf } from "../encoding/amount.js";
import type { BigTrade, TradeWatch } from "../services/alerts/big-trade-queries.js";
import type { BigTradesTold, TradeWatches } from "../services/alerts/big-trades.js";
import { aboutWithToken, figure, withToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import { bold, card, line, momentOf, say, type Card, type Lines, type View } from "./card.js";

/** In whole tokens of the pair's second one. */
const OFFERED_LEAST = ["1000", "10000", "100000"];

type WatchedPair = Pick<TradeWatch, "base" | "quote">;

const pairText = ({ base, quote }: WatchedPair): string => `${base} / ${quote}`;

/** The pairs whose large swaps the user is told of. @param asked a pair for which amounts are offered. */
export function bigTradesCard({ watches, isLive, since }: TradeWatches, asked: WatchedPair | undefined, view: View) {
  const { bigTrades: words, help } = view.words;
  const missed = watches.map(
    (watch): Lines => [
      watch.isLeft && words.left(pairText(watch)),
      watch.missedAt !== undefined && say((at) => words.missed(pairText(watch), at), momentOf(watch.missedAt, view)),
    ],
  );
  const lines: Lines = [
    bold(help.commands.bigtrades),
    watches.length === 0 && words.none,
    watches.map((watch) =>
      words.from(pairText(watch), withToken(amountOf(view.tokenOf(watch.quote), watch.least), view.words)),
    ),
    watches.length > 0 && ["", say(isLive ? words.live : words.silent, momentOf(since, view))],
    missed,
    asked && ["", words.ask(pairText(asked))],
    "",
    words.explain,
    words.usage,
  ];
  const offered = OFFERED_LEAST.map(
    (amount) =>
      asked &&
      commandButton(`${figure(amount, view.words)} ${asked.quote}`, `bigtrades ${asked.base} ${asked.quote} ${amount}`),
  );
  const rows = watches.map((watch) => [
    commandButton(`🔕 ${pairText(watch)}`, `bigtrades off ${watch.base} ${watch.quote}`),
  ]);
  return card(lines, [offered, ...rows]);
}

/** Large swaps in a pair. Tokens go by their IDs, since anybody can choose any name. */
export function bigTradesNewsCard({ watch, largest, more }: BigTradesTold, view: View): Card {
  const { bigTrades: words, common, intent } = view.words;
  const { explorerUrl } = view;
  const sentence = ({ isBuy, baseUnits, quoteUnits }: BigTrade): string => {
    const [base, quote] = [
      amountOf(view.tokenOf(watch.base), baseUnits),
      amountOf(view.tokenOf(watch.quote), quoteUnits),
    ];
    return (isBuy ? words.bought : words.sold)(aboutWithToken(base, view.words), aboutWithToken(quote, view.words));
  };
  const lines: Lines = [
    bold(words.title(largest.length + more, pairText(watch))),
    largest.map((trade) => line(sentence(trade), " · ", momentOf(trade.at, view))),
    more > 0 && common.andMore(more),
  ];
  const links = largest.map(({ hash }, at) => {
    if (explorerUrl === undefined) return undefined;
    const text = largest.length === 1 ? intent.explorer : `${intent.explorer} ${at + 1}`;
    return [{ text, url: `${explorerUrl}/transaction/${hash}` }];
  });
  return card(lines, [
    ...links.map((row) => row ?? []),
    [button(watch.base, buttons.token, watch.base), commandButton(words.change, "bigtrades")],
  ]);
}
