import { amountOf, NATIVE_TOKEN, type Token } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";
import { type Royalties, type ToldRights, type TokenRights } from "../services/market/token-rights.js";
import { isRiskier, oneWayPair, unsaidSigns, type Between, type PairEnds } from "../services/market/trade-rights.js";
import type { TokenSign, MultihopTerms } from "../services/terms/swap-terms.js";
import type { SwapQuote } from "../services/trade/swap.js";
import { paidWithToken, percentOfBps, withToken } from "./amount.js";
import { bold, line, linesIn, sayWhen, type Line, type Lines, type View } from "./card.js";
import type { Acknowledgement } from "./subject.js";

type RatedTrade = Pick<SwapQuote | MultihopTerms, "isResaleUnknown" | "rights">;

/** The small sign on a quote: whose issuer can take coins away or stop them. */
export function rightsSigns({ rights = [] }: RatedTrade, { publicUrl, words }: View): Lines {
  return rights.map(({ tokenId, powers, royalties }) => {
    const unsold = royalties && publicUrl !== undefined ? [words.rights.notSoldHere] : [];
    const told = [...powers.map((power) => words.rights.signs[power]), ...unsold];
    return told.length > 0 && `🔑 ${tokenId}: ${told.join(", ")}`;
  });
}

/** The same in sentences, folded away. */
export function rightsDetails({ rights = [] }: RatedTrade, view: View): Lines {
  const { words } = view;
  return rights.map((sign) => [signSentences(sign, view), sayWhen(words.rights.readAt, sign.readAt, view)]);
}

function signSentences({ tokenId, powers, royalties }: TokenSign, view: View): Lines {
  const { rights: words } = view.words;
  const costs = royalties && words.royalties(tokenId, royaltiesText(royalties, view));
  const unsold = royalties && view.publicUrl !== undefined && words.notSignedHere(tokenId);
  return [powers.map((power) => words.sentences[power](tokenId)), costs, unsold];
}

/** What wasn't so, or wasn't known, when a card was shown; undefined if nothing. What has a headline of its own is left out. */
export function rightsNews(before: RatedTrade, now: RatedTrade, view: View): string | undefined {
  if (!isRiskier(before, now)) return undefined;
  const unsaid = unsaidSigns(before, now).map((sign) => {
    return signSentences({ ...sign, powers: sign.powers.filter((power) => power !== "paused") }, view);
  });
  return [view.words.rights.changed, ...linesIn(unsaid)].join("\n");
}

/** Asks once more before a trade that could end badly by what an issuer does. */
export function rightsAcknowledgement(trade: RatedTrade, bought: string, view: View): Acknowledgement | undefined {
  const { rights: words } = view.words;
  const isStopped = ({ powers }: TokenSign) => powers.includes("paused");
  const stopped = (trade.rights ?? []).filter(isStopped).map(({ tokenId }) => words.sentences.paused(tokenId));
  const unknown = trade.isResaleUnknown === true && words.resaleUnknown(bought);
  const [headline, ...others] = linesIn([unknown, stopped]) as string[];
  if (headline === undefined) return undefined;
  const sentences = [others, unknown && words.resaleUnknownExplain, stopped.length > 0 && words.pausedExplain];
  return { headline, sentences, button: unknown ? words.buyAnyway : words.sendAnyway, mayPass: true };
}

/** One extra confirmation for two reasons says both. */
export function bothAcknowledged(one: Acknowledgement | undefined, other: Acknowledgement | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  const { headline, sentences } = other;
  return { ...one, sentences: [one.sentences, "", headline !== undefined && bold(headline), sentences] };
}

/** What a token's card says of its issuer: warnings, and everything else for the fold. */
export interface RightsLines {
  readonly warnings: Lines;
  readonly details: Lines;
  /** Whether a purchase would be refused, since it couldn't be sold again. */
  readonly isOneWay: boolean;
}

/** @param pairs those in which the token trades; undefined if they can't be read. */
export function rightsLines(
  token: Token,
  told: ToldRights,
  pairs: readonly PairEnds[] | undefined,
  between: Between,
  view: View,
): RightsLines {
  const { rights: words } = view.words;
  if (typeof told !== "object") {
    const why = { "no-such-token": words.noSuchToken, untold: words.untold };
    return { warnings: [], details: [told === undefined ? words.unreadable : why[told]], isOneWay: false };
  }
  const { canDestroy, canPause, canMint, isLimited, now, readAt } = told;
  const pair = oneWayPair(told, pairs, between);
  const isOneWay = typeof pair === "object";
  const { id } = token;
  const warnings: Lines = [
    isOneWay && (pair.isGivenOut ? words.oneWay : words.notMoved)(id, `${pair.first}/${pair.second}`),
    now?.isPaused === true && line(words.sentences.paused(id), !canPause && ` ${words.onceResumed}`),
    canDestroy && words.sentences.destroy(id),
    canPause && words.sentences.pause(id),
    isLimited && words.sentences.limit(id),
    isLimited && pair === "unknown" && words.resaleUnknown(id),
    now?.royalties && view.publicUrl !== undefined && words.notSignedHere(id),
  ];
  const { nevers } = words;
  const never = [!canDestroy && nevers.destroy, !canPause && nevers.pause, !canMint && nevers.mint].filter(
    (each) => each !== false,
  );
  const details: Lines = [
    bold(words.title),
    !id.includes("-") && words.builtIn(id),
    canMint && mintLine(told, token, view.words),
    never.length > 0 && words.never(never.join(", ")),
    now === undefined ? words.changesUnknown : royaltiesLine(now, id, view),
    sayWhen(words.readAt, readAt, view),
  ];
  return { warnings, details, isOneWay };
}

function mintLine({ now, precision }: TokenRights, token: Token, words: Messages): string {
  const { mintLimited, mintUnlimited, mintUnknown, minters } = words.rights;
  if (now === undefined) return mintUnknown;
  const shown = (units: bigint) => withToken(amountOf({ ...token, precision }, units), words);
  const [who, circulating] = [minters(now.minters), shown(now.circulating)];
  return now.maximum === 0n ? mintUnlimited(who, circulating) : mintLimited(who, shown(now.maximum), circulating);
}

function royaltiesLine(now: NonNullable<TokenRights["now"]>, id: string, view: View): Line {
  const { rights: words } = view.words;
  const told = now.royalties ? words.royalties(id, royaltiesText(now.royalties, view)) : words.royaltiesNone;
  return `${told} ${now.areRoyaltiesFinal ? words.royaltiesFinal : words.royaltiesMayChange}`;
}

function royaltiesText({ leastBps, mostBps, fixed }: Royalties, { words, tokenOf }: View): string {
  const { both, share, shares } = words.rights;
  const [least, most] = [percentOfBps(leastBps, words), percentOfBps(mostBps, words)];
  const ofAmount = mostBps === 0 ? undefined : leastBps === mostBps ? share(most) : shares(least, most);
  const ofNative = fixed === 0n ? undefined : paidWithToken(amountOf(tokenOf(NATIVE_TOKEN), fixed), words);
  return ofAmount !== undefined && ofNative !== undefined ? both(ofAmount, ofNative) : (ofAmount ?? ofNative ?? "");
}
