import type { Address } from "../../encoding/address.js";
import { parseAssetId } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import type { ClosedStep, TokenSign, TradeRights } from "../terms/swap-terms.js";
import type { ListedPair } from "./pools.js";
import { rightsFor, type RightsReader, type ToldRights, type TokenRights } from "./token-rights.js";
import { certainlyClosed, closedSteps, type Between, type BlockedStep, type Closure, type Hand } from "./token-way.js";

/** A token that a pair gives out on a trade's way. */
export interface GivenOut {
  readonly tokenId: string;
  /** Those that may give it out; undefined if they are unknown. */
  readonly pairs: readonly ListedPair[] | undefined;
  /** The pair that a route takes it to next. Without one, it goes to the person's account. */
  readonly taker?: ListedPair | undefined;
}

/** Whether a token could get to its buyer, and back the same way. */
export interface Passage {
  /** What closes it whatever the order in which its contracts hand the token on. */
  readonly closed?: BlockedStep & { readonly why: Closure };
  /** Steps that aren't allowed if they hand it on as {@link Between} has it. */
  readonly doubts: readonly ClosedStep[];
}

/** Maximum number of doubts that are told: any one of them is reason enough. */
const MAX_DOUBTS = 3;

/** That first which says most: what can't be bought at all needn't be sold. */
const CLOSURES = ["not-given", "not-taken", "not-sent"] as const satisfies readonly Closure[];

/** `unknown` if it can't be told. */
export function passageOf(
  told: ToldRights,
  { tokenId, pairs, taker }: GivenOut,
  between: Between,
): Passage | "unknown" {
  if (told === "untold") return { doubts: [] };
  if (typeof told !== "object") return "unknown";
  if (!told.isLimited) return { doubts: [] };
  const roles = told.now;
  if (pairs === undefined || pairs.length === 0) return "unknown";
  const [called] = between.contracts;
  const fee: readonly Hand[] =
    called === undefined || taker !== undefined || between.fee === undefined
      ? []
      : [called, { is: "fee", address: between.fee }];
  const ways = pairs.map((pair) => {
    const back = [taker ? handOf(taker) : accountOf(between), ...between.contracts, handOf(pair)];
    return { there: back.toReversed(), back };
  });
  const closures = ways.flatMap(({ there, back }) => [there, back].map((way) => certainlyClosed(way, roles)));
  const [closed] = CLOSURES.flatMap((why) => closures.find((closure) => closure?.why === why) ?? []);
  // What was closed stays so until it is read again; what was open may not be.
  if (closed !== undefined) return { closed, doubts: [] };
  if (told.isUnread) return "unknown";
  const steps = (way: readonly Hand[], isBack: boolean) =>
    closedSteps(way, roles).map(({ from, to }) => ({ tokenId, from: handKey(from), to: handKey(to), isBack }));
  const all = [
    ...ways.flatMap(({ there, back }) => [...steps(back, true), ...steps(there, false)]),
    ...steps(fee, false),
  ];
  const distinct = new Map(all.map((step) => [`${step.from} ${step.to}`, step]));
  return { doubts: [...distinct.values()].slice(0, MAX_DOUBTS) };
}

const accountOf = ({ account: address }: Pick<Between, "account">) => ({ is: "account", address }) as const;
const handOf = (pair: ListedPair) => ({ is: "pair", ...pair }) as const;
/** A pair's tokens with a slash between them, or what a hand is. */
export const handKey = (hand: Hand) => (hand.is === "pair" ? `${hand.first}/${hand.second}` : hand.is);

/** A trade's tokens, and the pairs that give them out on its way. */
export interface TokensOfTrade {
  readonly paid: string;
  readonly bought: string;
  readonly givenOut: readonly GivenOut[];
}

/** What a trade's card says of its tokens' issuers. @throws Fault `token-limited`, `token-one-way` or `token-unsellable`. */
export function rightsInTrade(
  told: ReadonlyMap<string, ToldRights>,
  { paid, bought, givenOut }: TokensOfTrade,
  between: Between,
): TradeRights {
  const passages = givenOut.map((each) => ({ ...each, passage: passageOf(told.get(each.tokenId), each, between) }));
  for (const { tokenId: token, passage } of passages) {
    if (passage === "unknown" || passage.closed === undefined) continue;
    throw closureFault(token, passage.closed);
  }
  const steps = passages.flatMap(({ passage }) => (passage === "unknown" ? [] : passage.doubts));
  const known = [...told.values()].filter((each) => typeof each === "object");
  const signs = known.map((rights) => signOf(rights, [paid, bought].indexOf(rights.tokenId)));
  const rights = signs.filter(isTelling);
  return {
    ...(rights.length > 0 && { rights }),
    ...((isUnread(told.get(bought)) || passages.some(({ passage }) => passage === "unknown")) && {
      isResaleUnknown: true,
    }),
    ...(paid.includes("-") && isUnread(told.get(paid)) && { isCostUnknown: true }),
    ...(steps.length > 0 && { closedSteps: steps }),
  };
}

function closureFault(token: string, { why, from, to }: NonNullable<Passage["closed"]>): Fault {
  const pair = why === "not-taken" ? to : from;
  if (pair.is !== "pair") return new Fault("token-unsellable", { token, from: handKey(from), to: handKey(to) });
  return new Fault(why === "not-taken" ? "token-one-way" : "token-limited", {
    token,
    pair: handKey(pair),
    address: pair.address,
  });
}

/**
 * Whether it can't be told that tokens could go straight from where they are kept to an account.
 * @throws Fault `token-stuck` for one that couldn't.
 */
export async function wayOut(reader: RightsReader, ids: readonly string[], from: Hand, to: Address, maxAge?: number) {
  // What belongs to the chain itself goes anywhere.
  const issued = ids.map((id) => parseAssetId(id).tokenId).filter((id) => id.includes("-"));
  const told = await rightsFor(reader, issued, maxAge);
  const unknown = [...told].filter(([token, rights]) => {
    if (rights === "untold" || (typeof rights === "object" && !rights.isLimited)) return false;
    if (typeof rights !== "object") return true;
    const [closed] = closedSteps([from, accountOf({ account: to })], rights.now);
    if (closed !== undefined) throw new Fault("token-stuck", { token, from: handKey(from), to: "account" });
    return rights.isUnread === true;
  });
  return unknown.length > 0 ? ({ isReturnUnknown: true } as const) : {};
}

/** @param place 1 for what is bought, 0 for what is paid; what is only passed on matters if it doesn't move now. */
function signOf(told: TokenRights, place: number): TokenSign {
  const { tokenId, readAt, canDestroy, canPause, isLimited, now } = told;
  const powers: TokenSign["powers"] = [
    ...(now.isPaused ? (["paused"] as const) : []),
    ...(place === 1 && canDestroy ? (["destroy"] as const) : []),
    ...(place === 1 && canPause ? (["pause"] as const) : []),
    ...(place === 1 && isLimited ? (["limit"] as const) : []),
  ];
  const royalties = place < 0 ? undefined : now.royalties;
  return { tokenId, readAt, powers, ...(royalties && { royalties }) };
}

export const issuerRightsOf = (told: TokenRights) => ({
  sign: signOf(told, 1),
  canMint: told.canMint,
});

/** Whether a node that serves tokens doesn't say what this one's issuer can do now. */
const isUnread = (told: ToldRights) => told === undefined || (typeof told === "object" && told.isUnread === true);

const isTelling = ({ powers, royalties }: TokenSign) => powers.length > 0 || royalties !== undefined;

/** Of a trade's terms, what they say of its tokens' issuers. */
export function tradeRightsIn({
  rights,
  isCostUnknown,
  isResaleUnknown,
  closedSteps: steps,
}: TradeRights): TradeRights {
  return {
    ...(rights && { rights }),
    ...(isCostUnknown && { isCostUnknown }),
    ...(isResaleUnknown && { isResaleUnknown }),
    ...(steps && { closedSteps: steps }),
  };
}

/** What there is to say that a card, once shown, didn't. */
export function unsaidSigns(before: TradeRights, now: TradeRights): readonly TokenSign[] {
  const unsaid = (now.rights ?? []).map(({ powers, royalties, ...sign }) => {
    const said = before.rights?.find(({ tokenId }) => tokenId === sign.tokenId);
    const { leastBps = 0, mostBps = 0, fixed = 0n } = said?.royalties ?? {};
    const isDearer =
      royalties && (royalties.leastBps > leastBps || royalties.mostBps > mostBps || royalties.fixed > fixed);
    const gained = powers.filter((power) => !said?.powers.includes(power));
    return { ...sign, powers: gained, ...(isDearer && { royalties }) };
  });
  return unsaid.filter(isTelling);
}

/** The same of steps that aren't allowed. */
function unsaidSteps(before: TradeRights, now: TradeRights): readonly ClosedStep[] {
  const isSame = (one: ClosedStep, { tokenId, from, to }: ClosedStep) =>
    one.tokenId === tokenId && one.from === from && one.to === to;
  return (now.closedSteps ?? []).filter((step) => !before.closedSteps?.some((said) => isSame(said, step)));
}

/** Whether a card's owner decides again. */
export function isRiskier(before: TradeRights, now: TradeRights): boolean {
  const isLessKnown =
    (!before.isResaleUnknown && now.isResaleUnknown === true) || (!before.isCostUnknown && now.isCostUnknown === true);
  return isLessKnown || unsaidSigns(before, now).length > 0 || unsaidSteps(before, now).length > 0;
}
