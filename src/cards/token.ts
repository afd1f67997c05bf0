import type { Token } from "../encoding/amount.js";
import { otherToken, type Pool } from "../services/market/pool.js";
import { totalCostOf } from "../services/trade/swap-cost.js";
import type { SwapQuote } from "../services/trade/swap.js";
import type { TokenList } from "../services/market/token-list.js";
import { figure, rateOf, referralPercent, withToken } from "./amount.js";
import { commandButton } from "./buttons.js";
import { card, bold, code, labelled, type ButtonRows, type View, type Lines } from "./card.js";
import { priceButtons, priceWords } from "./swap.js";

const MAX_POOLS = 8;
const MAX_NAMESAKES = 10;

/** Each is undefined if it could not be read. */
type TokenMarket = { readonly pools: readonly Pool[] | undefined; readonly price: SwapQuote | undefined };

/** Amounts to offer, in whole tokens: of the token, and of the one that its price is in. */
type Presets = { readonly own: readonly string[]; readonly other: readonly string[] };

export function tokenCard(token: Token, tokens: TokenList, market: TokenMarket, presets: Presets, view: View) {
  const words = view.words.token;
  const { pools, price } = market;
  const namesakes = tokens.namesakes(token.id).map(({ id }) => id);
  const listed = `${namesakes.slice(0, MAX_NAMESAKES).join(", ")}${namesakes.length > MAX_NAMESAKES ? "…" : ""}`;
  const share = pools?.find((pool) => pool.lpTokenId === token.id);
  const cost = price && totalCostOf(price);
  const rate = price && rateOf(price.amountIn, cost?.worth ?? price.quotedOut, view.words);
  const lines: Lines = [
    bold(token.id),
    rate && [
      priceWords(price, view).warning,
      cost ? labelled(view.words.price.poolPrice, rate) : labelled(words.price, words.priceNow(rate)),
    ],
    labelled(words.name, token.name),
    labelled(words.kind, token.kind === "fungible" ? words.ordinary : words.semiFungible),
    labelled(words.decimals, token.precision === undefined ? words.decimalsUnknown : String(token.precision)),
    namesakes.length > 0 && words.namesakes(listed),
    share && words.shareOf(share.first, share.second),
    token.kind === "fungible" && poolList(token, tokens, pools, view),
    "",
    words.commands,
    code(token.kind === "semi-fungible" ? `/unlock ${token.id}/1 5` : `/lock 5 ${token.id} 30d`),
  ];
  if (price === undefined) return card(lines);
  return card(lines, [...tradeRows(presets, price, view), orderRow(price, view), priceButtons(price, view, "")]);
}

function tradeRows({ own, other }: Presets, { amountIn, quotedOut }: SwapQuote, { words }: View): ButtonRows {
  const trade = (amount: string | undefined, from: string, to: string) =>
    amount !== undefined && commandButton(`${figure(amount, words)} ${from} → ${to}`, `swap ${amount} ${from} ${to}`);
  const [token, quoted] = [amountIn.token.id, quotedOut.token.id];
  const longer = own.length > other.length ? own : other;
  return longer.map((_, at) => [trade(other[at], quoted, token), trade(own[at], token, quoted)]);
}

/** Buttons that begin an order to buy the token. */
function orderRow({ amountIn, quotedOut }: SwapQuote, { words: { standing } }: View): ButtonRows[number] {
  const pair = `${quotedOut.token.id} ${amountIn.token.id}`;
  return [commandButton(standing.title.limit, `limit ${pair}`), commandButton(standing.title.dca, `dca ${pair}`)];
}

function poolList(token: Token, tokens: TokenList, pools: readonly Pool[] | undefined, { words }: View): Lines {
  if (pools === undefined) return ["", words.token.poolsUnknown];
  const own = pools.filter((pool) => otherToken(pool, token.id) !== undefined);
  if (own.length === 0) return ["", words.token.poolsNone];
  return [
    "",
    bold(words.token.pools),
    own.slice(0, MAX_POOLS).map((pool) => {
      const first = withToken({ token: tokens.named(pool.first), units: pool.reserveFirst }, words);
      const second = withToken({ token: tokens.named(pool.second), units: pool.reserveSecond }, words);
      const fee = words.token.fee(referralPercent(pool.feePercent, words));
      return [bold(words.token.reserves(first, second)), `${fee} · ${words.token.states[pool.state]}`];
    }),
    own.length > MAX_POOLS && words.common.andMore(own.length - MAX_POOLS),
  ];
}
