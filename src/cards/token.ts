import { shortAddress } from "../encoding/address.js";
import {
  amountOf,
  compareAmounts,
  formatAmount,
  isZero,
  NATIVE_TOKEN,
  type Token,
  unlistedToken,
} from "../encoding/amount.js";
import type { TokenMarket } from "../services/history/token-market.js";
import type { TokenPosition } from "../services/history/token-position.js";
import { canSwap, otherToken, type Pool, sharesOf } from "../services/market/pool.js";
import type { StandingView } from "../services/standing/standing-news.js";
import type { ToldRights } from "../services/market/token-rights.js";
import type { Between } from "../services/market/token-way.js";
import { priceLossOf } from "../services/trade/trade-cost.js";
import type { SwapQuote } from "../services/trade/swap.js";
import type { TokenList } from "../services/market/token-list.js";
import { isolated } from "../services/base/display-text.js";
import { figure, percentOfBps, rateOf, referralPercent, signedPercent, withToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import { bold, card, foldedCard, labelled, line, momentOf } from "./card.js";
import type { ButtonRows, Card, Line, Lines, View } from "./card.js";
import { cardFee } from "./cost.js";
import { assetParts, standsFor } from "./portfolio.js";
import { rightsLines } from "./rights.js";
import { exitLinesIn } from "./standing-state.js";
import { positionButton } from "./position-button.js";
import { priceButtons, priceWords } from "./swap.js";

const MAX_POOLS = 8;
const MAX_NAMESAKES = 10;
/** So many fit beside the word in a row. */
const MAX_AMOUNTS = 3;

/** As long as a user hasn't set a stop. */
const STOP_PERCENT = "10";

export interface TokenFacts {
  readonly market: TokenMarket | undefined;
  /** Undefined if it could not be read. */
  readonly price: SwapQuote | undefined;
  /** What the user has of it; undefined if they have no account, or it has no amounts without a number. */
  readonly position: TokenPosition | undefined;
  readonly rights: { readonly told: ToldRights; readonly between: Between };
  /** The exit that is set for it. */
  readonly exit?: StandingView | undefined;
  /** How far below the price now a stop is offered, in percent. */
  readonly stopPercent?: string | undefined;
}

/**
 * Shows what a token's market and the user's account say of it, and the buttons to trade it.
 * @param amounts to pay for it, in whole tokens of the one that its price is in.
 */
export function tokenCard(
  token: Token,
  tokens: TokenList,
  { market, price, position, rights, exit, stopPercent = STOP_PERCENT }: TokenFacts,
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
  const own = isShown(position) && assetParts(position, position.countedIn, view);
  const lines: Lines = [
    line(
      bold(token.id),
      nameBeside(token),
      namesakes.length > 0 && ` · ${words.issuer(issuerText(rights.told, view))}`,
    ),
    namesakes.length > 0 && words.namesakes(listed),
    share && words.shareOf(share.first, share.second),
    issuer.warnings,
    price && priceWords(price, view, cardFee({}, view)).warning,
    isTraded && market && priceLines(token, market, view, price),
    own && ["", bold(words.position), own.head, own.gain, inPool && standsFor(inPool, view)],
    exit && exitLinesIn(exit, view),
    market?.pool === undefined ? share === undefined && facts : price === undefined && words.noQuote,
  ];
  const details: Lines = [
    own && [own.costs, own.more],
    // An app shows the first lines of what is folded.
    market?.pool && facts,
    !isTraded && words.semiFungible,
    position !== undefined && position.uncounted > 0 && view.words.portfolio.uncounted(position.uncounted),
    position !== undefined &&
      position.unknownRoyalties > 0 &&
      view.words.portfolio.unknownRoyalties(position.unknownRoyalties),
    position !== undefined && position.tooOld > 0 && view.words.portfolio.tooOld(position.tooOld),
    issuer.details,
    isTraded && pools !== undefined && poolList(token, pools, view),
  ];
  const rows =
    price === undefined
      ? []
      : tradeRows(token, issuer.isClosed ? undefined : amounts, price, position, exit, stopPercent, view);
  return foldedCard(view.words, lines, details, rows);
}

/** A name that says more than the id does. */
function nameBeside({ id, name }: Token): string {
  const [ticker] = id.split("-");
  return [id, ticker].includes(name.toUpperCase()) ? "" : ` · ${isolated(name)}`;
}

/** Whether there is anything to say of a position: of one that was sold, its gain. */
function isShown(position: TokenPosition | undefined): position is TokenPosition {
  return position !== undefined && (position.held === undefined || !isZero(position.held) || position.realised !== 0n);
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
  const owner = typeof told === "object" ? told.now.owner : undefined;
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
    lockedLine(locked, view),
    firstSeen && labelled(firstSeen.isOpening ? words.opened : words.seenSince, momentOf(firstSeen.at, view, "day")),
  ];
}

/** How many of a pool's LP tokens are locked. */
export function lockedLine(locked: TokenMarket["locked"], view: View): Line {
  const words = view.words.token;
  return line(labelled(words.locked, lockedText(locked, view)), locked?.isNone === false && ` (${words.lockedUntil})`);
}

/** Something never reads as nothing. */
function lockedText(locked: TokenMarket["locked"], { words }: View): string {
  if (locked === undefined) return words.token.unknown;
  if (locked.isNone) return words.token.none;
  return locked.bps === 0n ? words.token.less(percentOfBps(1n, words)) : percentOfBps(locked.bps, words);
}

export function reservesText(pool: Pool, { tokenOf, words }: View): string {
  const [first, second] = [
    { token: tokenOf(pool.first), units: pool.reserveFirst },
    { token: tokenOf(pool.second), units: pool.reserveSecond },
  ];
  return words.token.reserves(withToken(first, words), withToken(second, words));
}

function quoteLine(quote: SwapQuote, view: View): Line | undefined {
  const loss = priceLossOf(quote);
  const rate = rateOf(quote.amountIn, loss?.worth ?? quote.quotedOut, view.words);
  if (rate === undefined) return undefined;
  const { words } = view;
  return loss ? labelled(words.price.poolPrice, rate) : labelled(words.token.price, words.token.priceNow(rate));
}

/**
 * Buttons that open the ordinary card of a trade, for an amount counted when they are tapped.
 * @param amounts undefined if it can't be bought.
 */
function tradeRows(
  token: Token,
  amounts: readonly string[] | undefined,
  quote: SwapQuote,
  position: TokenPosition | undefined,
  exit: StandingView | undefined,
  stopPercent: string,
  view: View,
): ButtonRows {
  const { common, standing, token: words } = view.words;
  const { id } = token;
  const other = quote.quotedOut.token.id;
  const pays = amounts?.slice(0, MAX_AMOUNTS).map((amount) => {
    return commandButton(`${figure(amount, view.words)} ${other}`, `swap ${amount} ${other} ${id}`);
  });
  const sells = (
    [
      ["25%", "25%"],
      ["50%", "50%"],
      [words.all, "max"],
    ] as const
  ).map(([label, share]) => commandButton(label, `swap ${share} ${id} ${other}`));
  const isHeld = position?.held !== undefined && !isZero(position.held);
  const isPriced = other === NATIVE_TOKEN;
  const [alert, chart] = priceButtons(quote, view, "");
  return [
    pays === undefined ? [] : [commandButton(words.buy, `swap ${other} ${id}`), ...pays],
    isHeld ? [commandButton(words.sell, `swap ${id} ${other}`), ...sells] : [],
    [
      (pays !== undefined || isHeld) &&
        (isPriced
          ? button(standing.atPrice, buttons.atPrice, id)
          : commandButton(standing.atPrice, `limit ${other} ${id}`)),
      ...exitButtons(token, other, isHeld ? position : undefined, exit, stopPercent, view),
    ],
    [pays !== undefined && commandButton(standing.regularly, `dca ${other} ${id}`), alert],
    [
      chart,
      isHeld && position.paid !== undefined && positionButton(view.words.picture.position, id, other),
      button(common.refresh, buttons.tokenNow, id),
    ],
  ];
}

/** The exit that is set, whatever is known to be held; or one to set, and a stop as one, of all that is. */
function exitButtons(
  { id }: Token,
  other: string,
  position: TokenPosition | undefined,
  exit: StandingView | undefined,
  stopPercent: string,
  { words: { standing } }: View,
): ButtonRows[number] {
  if (exit !== undefined) return [button(standing.title.exit, buttons.standing, { action: "show", id: exit.order.id })];
  if (position === undefined) return [];
  const { paid, held } = position;
  const all = `exit max ${id} ${other}`;
  const isKnown = paid !== undefined && held !== undefined && compareAmounts(paid.known, held) === 0;
  const cost = isKnown && paid.cost.token.id === other ? ` paid ${formatAmount(paid.cost)}` : "";
  const { exit: label } = standing.title;
  return [
    commandButton(standing.stopBy(stopPercent), `${all} -${stopPercent}%`),
    commandButton(label, all + cost) ?? commandButton(label, all),
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

/** A token of the chain that isn't on the operator's list. @param canList whether there is an operator to ask. */
export function unlistedCard(id: string, { told, between }: TokenFacts["rights"], canList: boolean, view: View) {
  const { warnings, details } = rightsLines(unlistedToken(id), told, undefined, between, view);
  return foldedCard(view.words, [bold(id), view.words.rights.unlisted, warnings], details, [
    [canList && button(view.words.rights.askButton, buttons.askToList, id)],
  ]);
}
