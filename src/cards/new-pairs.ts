import { amountOf, NATIVE_TOKEN } from "../encoding/amount.js";
import type { NewPair } from "../services/alerts/new-pair-queries.js";
import type { TokenMarket } from "../services/history/token-market.js";
import { aboutWithToken, figure, withToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import { bold, card, labelled, momentOf, say, type Card, type Lines, type View } from "./card.js";
import { rightsLines } from "./rights.js";
import { tokenMarketLines, type TokenFacts } from "./token.js";

/** In whole native tokens. */
const OFFERED_DEPTHS = ["1000", "10000", "100000"];

/** Whether the user is told of new pairs, and from which depth on. @param least in base units of the native token. */
export function newPairsCard(least: bigint | undefined, view: View): Card {
  const { newPairs: words, help } = view.words;
  const depth = least === undefined ? undefined : amountOf(view.tokenOf(NATIVE_TOKEN), least);
  const state = depth === undefined ? words.off : words.on(withToken(depth, view.words));
  const offered = OFFERED_DEPTHS.map((amount) =>
    commandButton(`${figure(amount, view.words)} ${NATIVE_TOKEN}`, `newpairs ${amount} ${NATIVE_TOKEN}`),
  );
  const lines: Lines = [bold(help.commands.newpairs), state, "", words.explain, words.usage];
  return card(lines, [offered, [depth && commandButton(words.turnOff, "newpairs off")]]);
}

/** The token that is new in a pair: not the native one. */
export function newTokenOf({ first, second }: Pick<NewPair, "first" | "second">) {
  return first === NATIVE_TOKEN ? { token: second, counter: first } : { token: first, counter: second };
}

export interface NewPairsNews {
  /** `market` is undefined if the list doesn't have both tokens. */
  readonly pairs: readonly {
    readonly pair: NewPair;
    readonly market: TokenMarket | undefined;
    readonly rights: TokenFacts["rights"];
  }[];
  /** Number of others. */
  readonly more: number;
}

export function newPairsNewsCard({ pairs, more }: NewPairsNews, view: View): Card {
  const { newPairs: words, common } = view.words;
  const told = pairs.map(({ pair, market, rights }): Lines => {
    const { token, counter } = newTokenOf(pair);
    const depth = aboutWithToken(amountOf(view.tokenOf(NATIVE_TOKEN), pair.depth), view.words);
    return [
      "",
      bold(`${token} / ${counter}`),
      labelled(words.depth, depth),
      say(words.opened, momentOf(pair.openedAt, view)),
      market ? tokenMarketLines(view.tokenOf(token), { ...market, firstSeen: undefined }, view) : words.unlisted,
      rightsLines(view.tokenOf(token), rights.told, [pair], rights.between, view).warnings,
    ];
  });
  const rows = pairs.map(({ pair }) => {
    const { token } = newTokenOf(pair);
    return [button(token, buttons.token, token)];
  });
  const lines = [
    bold(words.title(pairs.length + more)),
    told,
    more > 0 && ["", common.andMore(more)],
    "",
    words.beware,
  ];
  return card(lines, [...rows, [commandButton(words.change, "newpairs")]]);
}
