import { formatReferralPercentage } from "../encoding/percent.js";
import { unlistedToken, type Token } from "../encoding/token.js";
import { otherToken, type Pool } from "../services/routes/pool.js";
import type { TokenList } from "../services/tokens.js";
import { withToken } from "./amount.js";
import { bold, card, code, labelled, type Card, type Line } from "./card.js";
import type { View } from "./view.js";

const MAX_POOLS = 8;
const MAX_NAMESAKES = 10;

/**
 * Everything that is known about a token, and what can be sent with it.
 * @param pools all pools that are known; undefined when they could not be read.
 */
export function tokenCard(token: Token, tokens: TokenList, pools: readonly Pool[] | undefined, view: View): Card {
  const words = view.words.token;
  const namesakes = tokens.namesakes(token.id).map(({ id }) => id);
  const share = pools?.find((pool) => pool.lpTokenId === token.id);
  return card([
    bold(token.id),
    labelled(words.name, token.name),
    labelled(words.kind, token.kind === "fungible" ? words.ordinary : words.semiFungible),
    labelled(words.decimals, token.precision === undefined ? words.decimalsUnknown : String(token.precision)),
    namesakes.length === 0 ? undefined : words.namesakes(listed(namesakes)),
    share === undefined ? undefined : words.shareOf(share.first, share.second),
    ...(token.kind === "fungible" ? poolLines(token, tokens, pools, view) : []),
    "",
    words.commands,
    ...commandsFor(token, pools).map((command) => code(command)),
  ]);
}

function listed(ids: readonly string[]): string {
  return ids.length <= MAX_NAMESAKES ? ids.join(", ") : `${ids.slice(0, MAX_NAMESAKES).join(", ")}…`;
}

function poolLines(token: Token, tokens: TokenList, pools: readonly Pool[] | undefined, view: View): Line[] {
  const words = view.words.token;
  if (pools === undefined) return ["", words.poolsUnknown];
  const own = poolsOf(token, pools);
  if (own.length === 0) return ["", words.poolsNone];
  const named = (id: string): Token => tokens.byId(id) ?? unlistedToken(id);
  return [
    "",
    bold(words.pools),
    ...own.slice(0, MAX_POOLS).flatMap((pool) => {
      const first = withToken({ token: named(pool.first), units: pool.reserveFirst }, view.words);
      const second = withToken({ token: named(pool.second), units: pool.reserveSecond }, view.words);
      return [
        words.reserves(first, second),
        `     ${words.fee(formatReferralPercentage(pool.feePercent))} · ${words.states[pool.state]}`,
      ];
    }),
    ...(own.length > MAX_POOLS ? [words.poolsMore(own.length - MAX_POOLS)] : []),
  ];
}

function poolsOf(token: Token, pools: readonly Pool[]): Pool[] {
  return pools.filter((pool) => otherToken(pool, token.id) !== undefined);
}

/** Lines that work as they stand, once the amount is changed. */
function commandsFor(token: Token, pools: readonly Pool[] | undefined): string[] {
  if (token.kind === "semi-fungible") return [`/unlock ${token.id}/1 5`];
  const [pool] = poolsOf(token, pools ?? []);
  const other = pool && otherToken(pool, token.id);
  const trades = other === undefined ? [] : [`/swap 100 ${other} ${token.id}`, `/quote 100 ${token.id} ${other}`];
  return [...trades, `/lock 5 ${token.id} 30d`];
}
