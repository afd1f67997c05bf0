import type { Address } from "../../encoding/address.js";
import { Fault } from "../../fault.js";
import type { TokenSign } from "../terms/swap-terms.js";
import type { Pool } from "./pool.js";
import type { ToldRights, TokenRights } from "./token-rights.js";

/** A pair, by its address and its tokens. */
export type PairEnds = Pick<Pool, "address" | "first" | "second">;

/** Who stands between a person's account, if it is known, and a pair: all contracts that a trade may pass through. */
export interface Between {
  readonly contracts: readonly Address[];
  readonly account: Address | undefined;
}

/**
 * Of pairs that give a token out, one that doesn't take it back; `unknown` if that can't be told, undefined if all do.
 * @param pairs undefined if they are unknown.
 */
export function oneWayPair(told: ToldRights, pairs: readonly PairEnds[] | undefined, between: Between) {
  if (told === "untold") return undefined;
  if (typeof told !== "object") return "unknown";
  if (!told.isLimited) return undefined;
  if (told.now === undefined || pairs === undefined || pairs.length === 0) return "unknown";
  const { senders, receivers } = told.now;
  const { contracts, account } = between;
  if (account !== undefined && senders.has(account)) return undefined;
  // With a role for one of them alone, the token would get no further than to the next.
  const passOn = contracts.every((contract) => receivers.has(contract) && senders.has(contract));
  if (contracts.length > 0 && passOn) return undefined;
  const pair = pairs.find(({ address }) => !receivers.has(address));
  return pair && { ...pair, isGivenOut: senders.has(pair.address) };
}

/** A trade's tokens, and the pairs that give them out on its way. */
export interface TokensOfTrade {
  readonly paid: string;
  readonly bought: string;
  readonly givenOut: readonly { readonly tokenId: string; readonly pairs: readonly PairEnds[] | undefined }[];
}

/** What a trade's card says of its tokens' issuers. */
export interface TradeRights {
  readonly rights?: readonly TokenSign[];
  readonly isResaleUnknown?: true;
}

/** @throws Fault `token-one-way`, `token-limited` for a token that couldn't be sold again. */
export function rightsInTrade(
  told: ReadonlyMap<string, ToldRights>,
  { paid, bought, givenOut }: TokensOfTrade,
  between: Between,
): TradeRights {
  let isResaleUnknown = false;
  for (const { tokenId, pairs } of givenOut) {
    const pair = oneWayPair(told.get(tokenId), pairs, between);
    if (pair === "unknown") isResaleUnknown = true;
    else if (pair !== undefined) {
      const { address, first, second } = pair;
      const parameters = { token: tokenId, pair: `${first}/${second}`, address };
      throw new Fault(pair.isGivenOut ? "token-one-way" : "token-limited", parameters);
    }
  }
  const known = [...told.values()].filter((each) => typeof each === "object");
  const signs = known.map((rights) => signOf(rights, [paid, bought].indexOf(rights.tokenId)));
  const rights = signs.filter(isTelling);
  return { ...(rights.length > 0 && { rights }), ...(isResaleUnknown && { isResaleUnknown }) };
}

/** @param place 1 for what is bought, 0 for what is paid; what is only passed on matters if it doesn't move now. */
function signOf(told: TokenRights, place: number): TokenSign {
  const { tokenId, readAt, canDestroy, canPause, isLimited, now } = told;
  const powers: TokenSign["powers"] = [
    ...(now?.isPaused === true ? (["paused"] as const) : []),
    ...(place === 1 && canDestroy ? (["destroy"] as const) : []),
    ...(place === 1 && canPause ? (["pause"] as const) : []),
    ...(place === 1 && isLimited ? (["limit"] as const) : []),
  ];
  const royalties = place < 0 ? undefined : now?.royalties;
  return { tokenId, readAt, powers, ...(royalties && { royalties }) };
}

const isTelling = ({ powers, royalties }: TokenSign) => powers.length > 0 || royalties !== undefined;

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

/** Whether a card's owner decides again. */
export function isRiskier(before: TradeRights, now: TradeRights): boolean {
  return (!before.isResaleUnknown && now.isResaleUnknown === true) || unsaidSigns(before, now).length > 0;
}
