import { amountOf, BPS, compareAmounts, KLV, type Amount } from "../../encoding/amount.js";
import type { Royalty } from "../terms/swap-terms.js";
import { mostPayable, type RoyaltyBand } from "./most-payable.js";
import type { ToldRights, TokenRights } from "./token-rights.js";

type RoyaltyRule = Pick<NonNullable<TokenRights["now"]>, "bands" | "royalties">;

/** What a trade's card says of royalties. */
export interface TradeRoyalties {
  readonly royalty?: Royalty | "unknown";
  readonly resaleRoyalty?: Royalty;
}

/**
 * What an issuer takes if an account sends this, and what selling all of what it buys would cost. Contracts send without
 * a royalty, and so do accounts the chain's own tokens (klever-go, data/transaction/transaction.go).
 */
export function royaltiesIn(told: ReadonlyMap<string, ToldRights>, pay: Amount, bought: Amount): TradeRoyalties {
  const [ofPayment, ofBought] = [told.get(pay.token.id), told.get(bought.token.id)];
  const royalty = takenOf(ofPayment, pay.token.id) === "unknown" ? "unknown" : royaltyOn(ofPayment, pay);
  const resaleRoyalty = royaltyOnAll(ofBought, bought);
  return { ...(royalty && { royalty }), ...(resaleRoyalty && { resaleRoyalty }) };
}

/** Undefined if nothing is taken, or it isn't known. */
export function royaltyOn(told: ToldRights, sent: Amount): Royalty | undefined {
  const taken = takenOf(told, sent.token.id);
  if (taken === undefined || taken === "unknown") return undefined;
  const share = amountOf(sent.token, shareOn(taken.bands, sent.units));
  return takenIn(taken, share);
}

/** What is taken if a holding is sent whole: no more can be sent than leaves the royalty. Undefined as {@link royaltyOn}. */
export const royaltyOnAll = (told: ToldRights, held: Amount): Royalty | undefined =>
  royaltyOn(told, wholeSale(told, held).sent);

/** How much of a holding can be sent, and what that takes of the native token; all of it if no royalty is known. */
export function wholeSale(told: ToldRights, held: Amount): { readonly sent: Amount; readonly fixed?: Amount } {
  const taken = takenOf(told, held.token.id);
  if (taken === undefined || taken === "unknown") return { sent: held };
  const fixed = taken.royalties?.fixed ?? 0n;
  const sent = amountOf(held.token, mostPayable(held.units, taken.bands));
  return fixed === 0n ? { sent } : { sent, fixed: amountOf(KLV, fixed) };
}

function takenIn({ royalties }: RoyaltyRule, share: Amount): Royalty {
  return { share, fixed: amountOf(KLV, royalties?.fixed ?? 0n) };
}

function takenOf(told: ToldRights, tokenId: string): RoyaltyRule | "unknown" | undefined {
  if (!tokenId.includes("-") || told === "no-such-token") return undefined;
  const now = typeof told === "object" ? told.now : undefined;
  return now === undefined ? "unknown" : now.royalties && now;
}

/** Rounds each band's part down, and what lies beyond the last one by itself (klever-go, kapps/kda.go). */
function shareOn(bands: readonly RoyaltyBand[], units: bigint): bigint {
  let [left, share, last] = [units, 0n, 0n];
  for (const { width, bps } of bands) {
    const part = left < width ? left : width;
    share += (part * bps) / BPS;
    [left, last] = [left - part, bps];
  }
  return share + (left * last) / BPS;
}

/** Whether what is taken is known now, and isn't what a card said. */
export function isOtherRoyalty(before: TradeRoyalties, now: TradeRoyalties): boolean {
  const [said, is] = [before.royalty, now.royalty];
  if (is === "unknown") return false;
  if (is === undefined) return said !== undefined && said !== "unknown";
  if (said === undefined || said === "unknown") return true;
  return !isSameRoyalty(said, is);
}

export const isSameRoyalty = (one: Royalty, other: Royalty): boolean =>
  compareAmounts(one.share, other.share) === 0 && compareAmounts(one.fixed, other.fixed) === 0;
