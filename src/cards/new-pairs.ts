import { amountOf, NATIVE_TOKEN } from "../encoding/amount.js";
import type { WatchedPairs } from "../services/alerts/new-pairs.js";
import type { NewPair } from "../services/alerts/pair-readings.js";
import type { PairFacts } from "../services/history/pair-facts.js";
import type { ToldRights } from "../services/market/token-rights.js";
import { aboutWithToken, figure, rateOf, withToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import {
  bold,
  card,
  hasQuietHours,
  labelled,
  momentOf,
  say,
  type Card,
  type Line,
  type Lines,
  type View,
} from "./card.js";
import { rightsLines } from "./rights.js";
import { unclearLine } from "./unclear.js";
import { lockedLine, reservesText, type TokenFacts } from "./token.js";

/** In whole native tokens. */
const OFFERED_DEPTHS = ["1000", "10000", "100000"];

/** Whether the user is told of new pairs, and from which depth on: `least` is in base units of the native token. */
export function newPairsCard({ least, unclear }: WatchedPairs, view: View): Card {
  const { newPairs: words, help } = view.words;
  const depth = least === undefined ? undefined : amountOf(view.tokenOf(NATIVE_TOKEN), least);
  const state = depth === undefined ? words.off : words.on(withToken(depth, view.words));
  const offered = OFFERED_DEPTHS.map((amount) =>
    commandButton(`${figure(amount, view.words)} ${NATIVE_TOKEN}`, `newpairs ${amount} ${NATIVE_TOKEN}`),
  );
  const lines: Lines = [
    bold(help.commands.newpairs),
    state,
    unclearLine(unclear, view),
    "",
    words.explain,
    hasQuietHours(view) && words.quietWait,
    words.usage,
  ];
  return card(lines, [offered, [depth && commandButton(words.turnOff, "newpairs off")]]);
}

/** The tokens of a pair, the native one last: whatever isn't it may be new. */
export function tokensOf({ first, second }: Pick<NewPair, "first" | "second">): readonly [string, string] {
  return first === NATIVE_TOKEN ? [second, first] : [first, second];
}

/** The tokens of a pair that somebody has issued. */
export const issuedIn = (pair: Pick<NewPair, "first" | "second">) => tokensOf(pair).filter((id) => id !== NATIVE_TOKEN);

export interface NewPairsNews {
  readonly pairs: readonly {
    readonly pair: NewPair;
    /** The greatest that it has had. */
    readonly depth: bigint;
    /** As it is now; undefined if it can't be read. */
    readonly facts: PairFacts | undefined;
    /** Of each token that somebody has issued. */
    readonly told: readonly ToldRights[];
  }[];
  readonly between: TokenFacts["rights"]["between"];
  /** Number of others. */
  readonly more: number;
}

/** Below a tenth of what it was, a pair isn't what it was found to be. */
const DRAINED = 10n;

/** Each pair by itself: its own price, reserves and LP tokens, whatever other pools its tokens have. */
export function newPairsNewsCard({ pairs, between, more }: NewPairsNews, view: View): Card {
  const { newPairs: words, common } = view.words;
  const shown = pairs.map(({ pair, depth, facts, told }): Lines => {
    const [token, counter] = tokensOf(pair);
    const isListed = [pair.first, pair.second].every((id) => view.tokenOf(id).precision !== undefined);
    const rights = issuedIn(pair).map(
      (id, at) => rightsLines(view.tokenOf(id), told[at] ?? "untold", [pair], between, view).warnings,
    );
    return [
      "",
      bold(`${token} / ${counter}`),
      depthLine(depth, facts, view),
      say(words.opened, momentOf(pair.openedAt, view)),
      facts && ownLines(facts, token, view),
      !isListed && words.unlisted,
      rights,
    ];
  });
  const rows = pairs.map(({ pair }) => issuedIn(pair).map((id) => button(id, buttons.token, id)));
  const lines = [
    bold(words.title(pairs.length + more)),
    shown,
    more > 0 && ["", common.andMore(more)],
    "",
    words.beware,
  ];
  return card(lines, [...rows, [commandButton(words.change, "newpairs")]]);
}

function depthLine(was: bigint, facts: PairFacts | undefined, view: View): Line {
  const { newPairs: words } = view.words;
  const text = (units: bigint) => aboutWithToken(amountOf(view.tokenOf(NATIVE_TOKEN), units), view.words);
  if (facts === undefined) return words.unread(text(was));
  if (facts.depth === 0n) return words.empty(text(was));
  return facts.depth * DRAINED < was
    ? words.drained(text(facts.depth), text(was))
    : labelled(words.depth, text(facts.depth));
}

/** What anybody can check in the pair itself. */
function ownLines({ pool, locked }: PairFacts, token: string, view: View): Lines {
  const { newPairs: words, price } = view.words;
  const sides = [
    amountOf(view.tokenOf(pool.first), pool.reserveFirst),
    amountOf(view.tokenOf(pool.second), pool.reserveSecond),
  ] as const;
  const [own, other] = pool.first === token ? sides : [sides[1], sides[0]];
  const isEmpty = pool.reserveFirst === 0n || pool.reserveSecond === 0n;
  const rate = isEmpty ? undefined : rateOf(own, other, view.words);
  return [
    rate !== undefined && labelled(price.poolPrice, rate),
    labelled(words.holds, reservesText(pool, view)),
    lockedLine(locked, view),
  ];
}
