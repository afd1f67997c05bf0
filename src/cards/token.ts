import { shortAddress } from "../encoding/address.js";
import { amountOf, isZero, type Token, unlistedToken } from "../encoding/amount.js";
import type { TokenMarket } from "../services/history/token-market.js";
import type { TokenPosition } from "../services/history/token-position.js";
import { canSwap, otherToken, type Pool, sharesOf } from "../services/market/pool.js";
import type { ToldRights } from "../services/market/token-rights.js";
import type { Between } from "../services/market/trade-rights.js";
import { totalCostOf } from "../services/trade/swap-cost.js";
import type { SwapQuote } from "../services/trade/swap.js";
import type { TokenList } from "../services/market/token-list.js";
import { figure, percentOfBps, rateOf, referralPercent, signedPercent, withToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import { bold, card, code, foldedCard, labelled, line, momentOf } from "./card.js";
import type { ButtonRows, Card, Line, Lines, View } from "./card.js";
import { assetLines, standsFor } from "./portfolio.js";
import { rightsLines } from "./rights.js";
import { priceButtons, priceWords } from "./swap.js";

const MAX_POOLS = 8;
const MAX_NAMESAKES = 10;
/** So many fit beside the word in a row. */
const MAX_AMOUNTS = 3;

export interface TokenFacts {
  readonly market: TokenMarket | undefined;
  /** Undefined if it could not be read. */
  readonly price: SwapQuote | undefined;
  /** What the user has of it; undefined if they have no account, or it has no amounts without a number. */
  readonly position: TokenPosition | undefined;
  readonly rights: { readonly told: ToldRights; readonly between: Between };
}

/**
 * Shows what a token's market and the user's account say of it, and the buttons to trade it.
 * @param amounts to pay for it, in whole tokens of the one that its price is in.
 */
export function tokenCard(
  token: Token,
  tokens: TokenList,
  { market, price, position, rights }: TokenFacts,
  amounts: readonly string[],
  view: View,
) {
  const words = view.words.token;
  const namesakes = tokens.namesakes(token.id).map(({ id }) => id);
  const listed = `${namesakes.slice(0, MAX_NAMESAKES).join(", ")}${namesakes.length > MAX_NAMESAKES ? "…" : ""}`;
  const pools = market?.pools;
  const share = pools?.find((pool) => pool.lpTokenId === token.id);
  const held = position?.held;
  const [inPool] = share && held ? sharesOf([share], { [token.id]: held.units }, view.tokenOf) : [];
  const isTraded = token.kind === "fungible";
  const pairs = pools?.filter((pool) => canSwap(pool) && otherToken(pool, token.id) !== undefined);
  const issuer = rightsLines(token, rights.told, pairs, rights.between, view);
  const facts = isTraded && market && poolFacts(token, market, view);
  const lines: Lines = [
    line(bold(token.id), namesakes.length > 0 && ` · ${words.issuer(issuerText(rights.told, view))}`),
    namesakes.length > 0 && words.namesakes(listed),
    share && words.shareOf(share.first, share.second),
    issuer.warnings,
    price && priceWords(price, view).warning,
    isTraded && market && priceLines(token, market, view, price),
    position && [
      "",
      bold(words.position),
      assetLines(position, position.countedIn, view),
      inPool && standsFor(inPool, view),
    ],
    market?.pool === undefined ? facts : price === undefined && words.noQuote,
  ];
  const details: Lines = [
    // An app shows the first lines of what is folded.
    market?.pool && facts,
    labelled(words.name, token.name),
    labelled(words.kind, isTraded ? words.ordinary : words.semiFungible),
    labelled(words.decimals, token.precision === undefined ? words.decimalsUnknown : String(token.precision)),
    position !== undefined && position.uncounted > 0 && view.words.portfolio.uncounted(position.uncounted),
    position !== undefined && position.tooOld > 0 && view.words.portfolio.tooOld(position.tooOld),
    issuer.details,
    isTraded && pools !== undefined && poolList(token, pools, view),
    words.commands,
    code(isTraded ? `/lock 5 ${token.id} 30d` : `/unlock ${token.id}/1 5`),
  ];
  const rows =
    price === undefined ? [] : tradeRows(token.id, issuer.isOneWay ? undefined : amounts, price, position, view);
  return foldedCard(view.words, lines, details, rows);
}

/** A token's market in a few lines, without a quote. */
export function tokenMarketLines(token: Token, market: TokenMarket, view: View): Lines {
  return [priceLines(token, market, view), poolFacts(token, market, view)];
}

/** Maximum number of tokens to choose from. */
export const MAX_CHOICES = 8;

/** Tokens that a typed name means, by what nobody can imitate. */
export function whichTokenCard(
  text: string,
  choices: readonly { readonly id: string; readonly told: ToldRights }[],
  view: View,
): Card {
  const words = view.words.token;
  const entries = choices.map(({ id, told }) => line(bold(id), ` · ${words.issuer(issuerText(told, view))}`));
  return card(
    [words.which(text), entries],
    choices.map(({ id }) => [button(id, buttons.token, id)]),
  );
}

function issuerText(told: ToldRights, { words }: View): string {
  const owner = typeof told === "object" ? told.now?.owner : undefined;
  return owner === undefined ? words.token.unknown : shortAddress(owner);
}

/** @param quote says more about the price than the pools do. */
function priceLines(token: Token, market: TokenMarket, view: View, quote?: SwapQuote): Lines {
  const words = view.words.token;
  const { counter, price, isThin, changes } = market;
  const rate = price && rateOf(amountOf(token, price.unitsIn), amountOf(counter, price.unitsOut), view.words);
  const spans = (["day", "week"] as const).flatMap((span) => {
    const change = changes[span];
    return change === undefined ? [] : [`${words.spans[span]}: ${signedPercent(change, view.words)}`];
  });
  return [
    quote ? quoteLine(quote, view) : rate && labelled(view.words.price.poolPrice, rate),
    spans.length > 0 && spans.join(" · "),
    isThin && words.thinPrice,
  ];
}

function poolFacts(token: Token, { pools, pool, firstSeen, locked }: TokenMarket, view: View): Lines {
  const words = view.words.token;
  if (pools === undefined) return [words.poolsUnknown];
  const isInPools = pools.some((each) => otherToken(each, token.id) !== undefined);
  if (pool === undefined) return [isInPools ? words.poolsClosed : words.poolsNone];
  return [
    labelled(words.deepest, reservesText(pool, view)),
    line(labelled(words.locked, lockedText(locked, view)), locked?.isNone === false && ` (${words.lockedUntil})`),
    firstSeen && labelled(firstSeen.isOpening ? words.opened : words.seenSince, momentOf(firstSeen.at, view, "day")),
  ];
}

/** Something never reads as nothing. */
function lockedText(locked: TokenMarket["locked"], { words }: View): string {
  if (locked === undefined) return words.token.unknown;
  if (locked.isNone) return words.token.none;
  return locked.bps === 0n ? words.token.less(percentOfBps(1n, words)) : percentOfBps(locked.bps, words);
}

function reservesText(pool: Pool, { tokenOf, words }: View): string {
  const [first, second] = [
    { token: tokenOf(pool.first), units: pool.reserveFirst },
    { token: tokenOf(pool.second), units: pool.reserveSecond },
  ];
  return words.token.reserves(withToken(first, words), withToken(second, words));
}

function quoteLine(quote: SwapQuote, view: View): Line | undefined {
  const cost = totalCostOf(quote);
  const rate = rateOf(quote.amountIn, cost?.worth ?? quote.quotedOut, view.words);
  if (rate === undefined) return undefined;
  const { words } = view;
  return cost ? labelled(words.price.poolPrice, rate) : labelled(words.token.price, words.token.priceNow(rate));
}

/**
 * Buttons that open the ordinary card of a trade, for an amount counted when they are tapped.
 * @param amounts undefined if it can't be bought.
 */
function tradeRows(
  id: string,
  amounts: readonly string[] | undefined,
  quote: SwapQuote,
  position: TokenPosition | undefined,
  view: View,
): ButtonRows {
  const { bigTrades, standing, token } = view.words;
  const other = quote.quotedOut.token.id;
  const pays = amounts?.slice(0, MAX_AMOUNTS).map((amount) => {
    return commandButton(`${figure(amount, view.words)} ${other}`, `swap ${amount} ${other} ${id}`);
  });
  const sells = (
    [
      ["25%", "25%"],
      ["50%", "50%"],
      [token.all, "max"],
    ] as const
  ).map(([label, share]) => commandButton(label, `swap ${share} ${id} ${other}`));
  const isHeld = position?.held !== undefined && !isZero(position.held);
  return [
    pays === undefined ? [] : [commandButton(token.buy, `swap ${other} ${id}`), ...pays],
    isHeld ? [commandButton(token.sell, `swap ${id} ${other}`), ...sells] : [],
    pays === undefined
      ? []
      : [
          commandButton(standing.title.limit, `limit ${other} ${id}`),
          commandButton(standing.title.dca, `dca ${other} ${id}`),
        ],
    priceButtons(quote, view, ""),
    [view.hasFeed === true && commandButton(bigTrades.change, `bigtrades ${id} ${other}`)],
  ];
}

function poolList(token: Token, pools: readonly Pool[], view: View): Lines {
  const { common, token: words } = view.words;
  const own = pools.filter((pool) => otherToken(pool, token.id) !== undefined);
  if (own.length === 0) return [];
  return [
    bold(words.pools),
    own.slice(0, MAX_POOLS).map((pool) => {
      const fee = words.fee(referralPercent(pool.feePercent, view.words));
      return [bold(reservesText(pool, view)), `${fee} · ${words.states[pool.state]}`];
    }),
    own.length > MAX_POOLS && common.andMore(own.length - MAX_POOLS),
  ];
}

/** A token of the chain that isn't on the operator's list. */
export function unlistedCard(id: string, { told, between }: TokenFacts["rights"], view: View) {
  const { warnings, details } = rightsLines(unlistedToken(id), told, undefined, between, view);
  return foldedCard(view.words, [bold(id), view.words.rights.unlisted, warnings], details, []);
}
