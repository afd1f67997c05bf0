import { amountOf, isZero, KLV, type Token } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";
import { type Royalties, type ToldRights, type TokenRights } from "../services/market/token-rights.js";
import { isOtherRoyalty, type TradeRoyalties } from "../services/market/royalty.js";
import type { Between } from "../services/market/token-way.js";
import { isRiskier, handKey, passageOf, unsaidSigns } from "../services/market/trade-rights.js";
import type { ListedPair } from "../services/market/pools.js";
import type { Passage } from "../services/market/trade-rights.js";
import type { ClosedStep, MultihopTerms, TokenSign, TradeRights } from "../services/terms/swap-terms.js";
import type { IssuerRights } from "../services/telegram/outbox.js";
import type { SwapQuote } from "../services/trade/swap.js";
import { resaleCost, type ResaleCost } from "../services/trade/trade-cost.js";
import { paidWithToken, percentOfBps, withToken } from "./amount.js";
import { bold, line, linesIn, sayWhen, type Line, type Lines, type View } from "./card.js";
import type { Acknowledgement } from "./subject.js";

/** The small sign on a quote: whose issuer can take coins away or stop them. */
export function rightsSigns({ rights = [], resaleRoyalty }: TradeRights & TradeRoyalties, view: View): Lines {
  const { publicUrl, words } = view;
  const { destroyAndPause, ...signs } = words.rights.signs;
  return rights.map(({ tokenId, powers, royalties }) => {
    // The line of what a sale would cost says so too.
    const isSaid = resaleRoyalty?.share.token.id === tokenId;
    const unsold = royalties && publicUrl !== undefined && !isSaid ? [words.rights.notSoldHere] : [];
    const both = ["destroy", "pause"] as const;
    const areBoth = both.every((power) => powers.includes(power));
    const others = powers.filter((power) => !areBoth || (power !== "destroy" && power !== "pause"));
    const told = [...(areBoth ? [destroyAndPause] : []), ...others.map((power) => signs[power]), ...unsold];
    return told.length > 0 && `🔑 ${tokenId}: ${told.join(", ")}`;
  });
}

/** What a trade pays and buys. */
interface TradedTokens {
  readonly paid: string;
  readonly bought: string;
}

/** What isn't sure of a trade's tokens, where nothing asks about it. */
export function doubtLines(trade: TradeRights, { paid, bought }: TradedTokens, view: View): Lines {
  const { rights: words } = view.words;
  const { isCostUnknown, isResaleUnknown, closedSteps: [step] = [] } = trade;
  return [
    isResaleUnknown && words.resaleUnknown(bought),
    isCostUnknown && words.costUnknown(paid),
    step && doubtHeadline(step, view),
  ];
}
const doubtHeadline = ({ tokenId, isBack }: ClosedStep, { words: { rights: words } }: View) =>
  (isBack ? words.mayNotBeSold : words.mayNotBeBought)(tokenId);

/** Which step isn't allowed, by the contract's name. */
const stepSentence = ({ tokenId, from, to }: ClosedStep, { words: { rights: words } }: View) =>
  words.closedStep(tokenId, words.handName(from), words.handName(to));

/** The same in sentences, folded away. */
export function rightsDetails({ rights = [] }: TradeRights, view: View): Lines {
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
export function rightsNews(
  before: TradeRights & TradeRoyalties,
  now: TradeRights & TradeRoyalties,
  view: View,
): string | undefined {
  if (!isRiskier(before, now) && !isOtherRoyalty(before, now)) return undefined;
  const unsaid = unsaidSigns(before, now).map((sign) => {
    return signSentences({ ...sign, powers: sign.powers.filter((power) => power !== "paused") }, view);
  });
  return [view.words.rights.changed, ...linesIn(unsaid)].join("\n");
}

/** Asks once more before a trade that could end badly by what an issuer does. */
export function rightsAcknowledgement(
  trade: TradeRights,
  tokens: TradedTokens,
  view: View,
): Acknowledgement | undefined {
  const { rights: words } = view.words;
  const isStopped = ({ powers }: TokenSign) => powers.includes("paused");
  const stopped = (trade.rights ?? []).filter(isStopped).map(({ tokenId }) => words.sentences.paused(tokenId));
  const steps = trade.closedSteps ?? [];
  const isUnknown = trade.isResaleUnknown === true || trade.isCostUnknown === true;
  const [headline, ...others] = linesIn([doubtLines(trade, tokens, view), stopped]) as string[];
  if (headline === undefined) return undefined;
  const isTrap = trade.isResaleUnknown === true || steps.some(({ isBack }) => isBack);
  const sentences = [
    others,
    isUnknown && [words.unread, lastKnown(trade, view)],
    steps.map((step) => stepSentence(step, view)),
    steps.length > 0 && words.orderUnknown,
    isTrap && words.loseAll,
    stopped.length > 0 && words.pausedExplain,
  ];
  return { headline, sentences, button: isTrap ? words.buyAnyway : words.sendAnyway, mayPass: true };
}

/** It can't be told whether tokens come out again of where they are kept. The chain's own always do. */
export function returnUnknownLine(tokens: readonly Token[], { words }: View): string {
  const issued = tokens.map(({ id }) => id).filter((id) => id.includes("-"));
  return words.rights.returnUnknown(issued.join(", "));
}

/** What is taken, and when that and a stop were so last. */
function lastKnown({ rights = [] }: TradeRights, view: View): Lines {
  const telling = rights.filter(({ powers, royalties }) => powers.includes("paused") || royalties);
  return rightsDetails({ rights: telling.map((sign) => ({ ...sign, powers: [] })) }, view);
}

/** What selling again all that a trade buys would cost in royalties, if that is much. */
export function resaleCostLine(cost: ResaleCost | undefined, { words }: View): string | undefined {
  if (cost === undefined) return undefined;
  const { bps, royalty } = cost;
  const parts = [royalty.share, royalty.fixed].filter((amount) => !isZero(amount));
  const costs = parts.map((amount) => paidWithToken(amount, words)).join(" + ");
  return words.rights.resaleRoyalty(bps === undefined ? costs : `${costs} (${percentOfBps(bps, words)})`);
}

/** Asks once more before a purchase that would cost much to sell again. */
export function resaleAcknowledgement(trade: SwapQuote | MultihopTerms, view: View): Acknowledgement | undefined {
  const headline = resaleCostLine(resaleCost(trade), view);
  if (headline === undefined) return undefined;
  return { headline, sentences: [], button: view.words.rights.buyAnyway, mayPass: true };
}

/** One extra confirmation for two reasons says both. */
export function bothAcknowledged(
  one: Acknowledgement | undefined,
  other: Acknowledgement | undefined,
): Acknowledgement | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const { headline, sentences } = other;
  return { ...one, sentences: [one.sentences, "", headline !== undefined && bold(headline), sentences] };
}

/** What a token's card says of its issuer: warnings, and everything else for the fold. */
export interface RightsLines {
  readonly warnings: Lines;
  readonly details: Lines;
  /** Whether there is nothing to buy now: it couldn't be sold again, or its issuer has stopped it. */
  readonly isClosed: boolean;
}

/** @param pairs those in which the token trades; undefined if they can't be read. */
export function rightsLines(
  token: Token,
  told: ToldRights,
  pairs: readonly ListedPair[] | undefined,
  between: Between,
  view: View,
): RightsLines {
  const { rights: words } = view.words;
  if (typeof told !== "object") {
    const why = { "no-such-token": words.noSuchToken, untold: words.untold };
    return { warnings: [], details: [told === undefined ? words.unreadable : why[told]], isClosed: false };
  }
  const { canDestroy, canPause, canMint, isLimited, isUnread, now, readAt } = told;
  const { id } = token;
  const passage = passageOf(told, { tokenId: id, pairs }, between);
  const { closed, doubts = [] } = passage === "unknown" ? {} : passage;
  const warnings: Lines = [
    closed && closedLine(id, closed, words),
    doubts.slice(0, 1).map((step) => [doubtHeadline(step, view), stepSentence(step, view)]),
    now.isPaused && line(words.sentences.paused(id), !canPause && ` ${words.onceResumed}`),
    canDestroy && words.sentences.destroy(id),
    canPause && words.sentences.pause(id),
    isLimited && words.sentences.limit(id),
    isLimited && passage === "unknown" && words.resaleUnknown(id),
    now.royalties && words.royalties(id, royaltiesText(now.royalties, view)),
    now.royalties && view.publicUrl !== undefined && words.notSignedHere(id),
    canMint && now.maximum === 0n && mintLine(told, token, view.words),
  ];
  const details: Lines = [
    bold(words.title),
    !id.includes("-") && words.builtIn(id),
    canMint && now.maximum !== 0n && mintLine(told, token, view.words),
    neverLines(told, words),
    royaltiesLine(now, view),
    isUnread && words.changesUnknown,
    sayWhen(words.readAt, readAt, view),
  ];
  return { warnings, details, isClosed: closed !== undefined || now.isPaused };
}

function neverLines(
  { canDestroy, canPause, canMint }: Pick<TokenRights, "canDestroy" | "canMint" | "canPause">,
  { never, nevers }: Messages["rights"],
): Lines {
  const all = [!canDestroy && nevers.destroy, !canPause && nevers.pause, !canMint && nevers.mint];
  const ruled = all.filter((each) => each !== false);
  return ruled.length > 0 ? [never(ruled.join(", "))] : [];
}

/** What operators see of a token that they are asked to list. */
export function issuerLines({ sign, canMint }: IssuerRights, view: View): Lines {
  const { rights: words } = view.words;
  const [canDestroy, canPause] = [sign.powers.includes("destroy"), sign.powers.includes("pause")];
  return [
    signSentences(sign, view),
    canMint && words.mints,
    neverLines({ canDestroy, canPause, canMint }, words),
    sayWhen(words.readAt, sign.readAt, view),
  ];
}

function closedLine(id: string, { why, from, to }: NonNullable<Passage["closed"]>, words: Messages["rights"]): string {
  if (why === "not-given") return words.notMoved(id, handKey(from));
  if (why === "not-taken") return words.oneWay(id, handKey(to));
  return words.unsellable(id, words.handName(handKey(from)), words.handName(handKey(to)));
}

function mintLine({ now, precision }: TokenRights, token: Token, words: Messages): string {
  const { mintLimited, mintUnlimited, minters } = words.rights;
  const shown = (units: bigint) => withToken(amountOf({ ...token, precision }, units), words);
  const [who, circulating] = [minters(now.minters), shown(now.circulating)];
  return now.maximum === 0n ? mintUnlimited(who, circulating) : mintLimited(who, shown(now.maximum), circulating);
}

/** What it costs is above the fold, where there is anything. */
function royaltiesLine({ royalties, areRoyaltiesFinal }: TokenRights["now"], view: View): Line {
  const { royaltiesNow, royaltiesNone, royaltiesFinal, royaltiesMayChange } = view.words.rights;
  return `${royalties ? royaltiesNow : royaltiesNone} ${areRoyaltiesFinal ? royaltiesFinal : royaltiesMayChange}`;
}

function royaltiesText({ leastBps, mostBps, fixed }: Royalties, { words }: View): string {
  const { both, share, shares } = words.rights;
  const [least, most] = [percentOfBps(leastBps, words), percentOfBps(mostBps, words)];
  const ofAmount = mostBps === 0 ? undefined : leastBps === mostBps ? share(most) : shares(least, most);
  const ofNative = fixed === 0n ? undefined : paidWithToken(amountOf(KLV, fixed), words);
  return ofAmount !== undefined && ofNative !== undefined ? both(ofAmount, ofNative) : (ofAmount ?? ofNative ?? "");
}
