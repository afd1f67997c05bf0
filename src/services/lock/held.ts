import type { Address } from "../../encoding/address.js";
import { amountOf, type Amount } from "../../encoding/amount.js";
import { formatAssetId } from "../../encoding/asset.js";
import type { Lock } from "./record.js";
import type { Balances } from "../gateway/balances.js";
import type { TokenList } from "../token/list.js";
import type { Locking } from "./locking.js";
import { lockedToken } from "./request.js";

/** Locked tokens in an account of which the bot has no record. */
export interface HeldLocks {
  readonly amounts: readonly Amount[];
  /** The locked token, and up to which number it was looked for: nodes list no account's numbers, so each is asked for. */
  readonly lockedToken: string;
  readonly upTo: number;
}

/** Numbers asked for at once; where the last ones were held, more are asked for, up to the most. */
const AT_ONCE = 32;
const MOST = 192;

/** What an account holds of the lock contract's token besides the locks on record; undefined where that can't be known in a moment. */
export async function heldLocks(
  parts: { readonly balances: Balances; readonly locking: Pick<Locking, "lockedTokenId">; readonly tokens: TokenList },
  address: Address,
  locks: readonly Lock[],
): Promise<HeldLocks | undefined> {
  const { balances, tokens } = parts;
  const tokenId = await parts.locking.lockedTokenId();
  if (tokenId === undefined) return undefined;
  const onRecord = new Set(locks.map(({ locked }) => formatAssetId(locked)));
  const amounts: Amount[] = [];
  let upTo = 0;
  for (let isOften = true; isOften && upTo < MOST; upTo += AT_ONCE) {
    const locked = Array.from({ length: AT_ONCE }, (_, at) => ({ tokenId, nonce: BigInt(upTo + at + 1) }));
    const holdings = await balances.known(address, locked.map(formatAssetId));
    if (holdings === undefined) return undefined;
    const held = locked.filter((asset) => (holdings[formatAssetId(asset)] ?? 0n) > 0n);
    for (const asset of held.filter((each) => !onRecord.has(formatAssetId(each)))) {
      amounts.push(amountOf(lockedToken(tokens, asset), holdings[formatAssetId(asset)] ?? 0n));
    }
    isOften = held.some(({ nonce }) => nonce > BigInt(upTo + AT_ONCE / 2));
  }
  return { amounts, lockedToken: tokenId, upTo };
}
