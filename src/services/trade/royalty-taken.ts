import { type Amount, amountOf, isZero, KLV, NATIVE_TOKEN } from "../../encoding/amount.js";
import { type Answered, difference, type Flow } from "../intent/trade-kind.js";
import { isSameRoyalty } from "../market/royalty.js";
import { type MultihopTerms, type Royalty, type SwapTerms, takenFor } from "../terms/swap-terms.js";

type PaidTerms = Pick<MultihopTerms | SwapTerms, "amountIn" | "rights" | "royalty">;

/** What a card says of the royalty on its payment. One of version 1.0.0 knows it only if it isn't a share. */
export function saidRoyalty({ amountIn, rights, royalty }: PaidTerms): PaidTerms["royalty"] {
  if (royalty !== undefined) return royalty;
  const { token } = amountIn;
  const sign = rights?.find(({ tokenId }) => tokenId === token.id)?.royalties;
  if (sign === undefined) return undefined;
  const { mostBps, fixed: units } = sign;
  const known: Royalty = { share: amountOf(token, 0n), fixed: amountOf(KLV, units) };
  return mostBps === 0 ? known : "unknown";
}

/**
 * What a call took besides what was `sent`: the difference of the balances where the node tells them, otherwise what its
 * card says. A wallet's transaction has no royalty, and what it took of the native token is its network fee.
 * @param received as the call's answer reports it.
 */
export function royaltyTaken(
  { terms, balances, transaction }: Answered<PaidTerms>,
  sent: Amount,
  received: Amount | undefined,
): Pick<Flow, "royalty" | "saidRoyalty"> {
  const said = saidRoyalty(terms);
  const { token, units: least } = sent;
  const isSeen = balances?.finding === "arrived" && transaction === undefined && received !== undefined;
  if (!isSeen || !token.id.includes("-")) return { royalty: said };
  const { before, after = {} } = balances;
  const lost = difference(token.id, after, before);
  const lostNative = difference(NATIVE_TOKEN, after, before);
  const known = said === "unknown" ? undefined : said;
  const share = lost === undefined || lost < least ? known?.share : amountOf(token, lost - least);
  const taken = lostNative && lostNative + (received.token.id === NATIVE_TOKEN ? received.units : 0n);
  const fixed = taken === undefined || taken < 0n ? known?.fixed : amountOf(KLV, taken);
  if (share === undefined || (fixed === undefined && said !== undefined)) return { royalty: said };
  const seen: Royalty = { share, fixed: fixed ?? amountOf(KLV, 0n) };
  const isNone = isZero(seen.share) && isZero(seen.fixed);
  if (said === "unknown") return isNone ? {} : { royalty: seen };
  if (said === undefined && isNone) return {};
  if (said !== undefined && isSameRoyalty(said, seen)) return { royalty: said };
  return { royalty: seen, saidRoyalty: said ?? { share: amountOf(token, 0n), fixed: amountOf(KLV, 0n) } };
}

/** The royalty, and all that leaves the account for what was `sent`. */
export function withRoyalty(call: Answered<PaidTerms>, sent: Amount, received: Amount | undefined) {
  const taken = royaltyTaken(call, sent, received);
  return { paid: takenFor(sent, taken.royalty), ...taken };
}

/** What arrived as an answer reports it: what the balances of an unknown outcome show has the royalty in it already. */
export function reportedBy({ outcome }: Pick<Answered<unknown>, "outcome">, received: Amount | undefined) {
  return outcome?.kind === "ok" ? received : undefined;
}

export const fixedIn = (royalty: PaidTerms["royalty"]): Amount | undefined =>
  royalty === undefined || royalty === "unknown" ? undefined : royalty.fixed;
