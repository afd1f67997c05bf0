import type { Codes, FaultCode } from "../../fault.js";
import type { MissReason } from "./standing-queries.js";

/** Why a card can't be made; `price-back`: it can, at another price than its order asks for. */
export type Refusal =
  | Extract<MissReason, "balance" | "impossible" | "limit" | "no-price" | "one-way" | "royalties">
  | "price-back";

/** Gives each code of a list the same reason. */
function are<List extends string>(reason: Refusal, list: List): Readonly<Record<Codes<List>, Refusal>> {
  return Object.fromEntries(list.split(" ").map((code) => [code, reason])) as Record<Codes<List>, Refusal>;
}

/**
 * The reason of every fault: a new one doesn't compile without. Only those of a price say that there is none, since such
 * an order asks again by itself, while its owner is told of the others.
 */
const offerRefusals: Readonly<Record<FaultCode, Refusal>> = {
  ...are("price-back", "standing-price-back"),
  ...are("no-price", "service-unreachable service-timeout service-status service-rate-limited service-unauthorized"),
  ...are("no-price", "quote-unreadable quote-none quote-zero answer-unreadable too-often pools-unknown"),
  ...are("no-price", "route-none pair-unknown pair-inactive pair-empty pool-none"),
  ...are("balance", "balance-too-small balance-empty funds-missing"),
  ...are("limit", "limit-per-transaction limit-per-day limit-day-below limit-unreadable limits-full"),
  ...are("one-way", "token-one-way token-limited token-royalty token-unsellable"),
  ...are("royalties", "royalties-unsigned"),
  ...are("impossible", "blocks-closed lock-mismatch token-stuck"),
  ...are("impossible", "account-permissions account-unknown address-invalid address-is-contract"),
  ...are("impossible", "address-not-contract address-wrong-chain address-zero alert-percent alert-price-zero"),
  ...are("impossible", "alert-too-fine alert-too-long alert-unclear alert-without-direction alert-without-price"),
  ...are("impossible", "alert-without-token alerts-full amount-comma amount-empty amount-exponent amount-hex"),
  ...are("impossible", "amount-negative amount-not-a-number amount-too-large amount-too-many-decimals"),
  ...are("impossible", "amount-unclear amount-zero arguments-invalid asset-invalid assets-untold balances-untold"),
  ...are("impossible", "call-ended chain-mismatch contract-changed contract-failed database-unusable"),
  ...are("impossible", "epoch-length-unknown file-exists forgotten frozen launch-step-not-due launch-unknown"),
  ...are("impossible", "launches-full liquidity-too-small lock-too-long locked-token-foreign"),
  ...are("impossible", "locked-token-invalid locks-full lp-name-invalid lp-ticker-invalid network-fee-too-high"),
  ...are("impossible", "node-refused nonce-used order-id-invalid order-not-found order-refused order-unreadable"),
  ...are("impossible", "pair-exists payment-order payout-own percentage-out-of-range pools-file-invalid"),
  ...are("impossible", "price-moved route-too-expensive route-too-long router-mismatch sent-too-late"),
  ...are("impossible", "share-too-large signing-declined slippage-out-of-range standing-bot-full standing-busy"),
  ...are("impossible", "standing-far standing-full standing-met standing-over standing-past standing-paused"),
  ...are(
    "impossible",
    "standing-begins standing-price-zero standing-span standing-twice standing-time standing-times standing-town standing-zone",
  ),
  ...are("impossible", "store-damaged store-locked store-lost store-newer store-not-empty store-read-failed"),
  ...are("impossible", "store-slow store-unmigrated store-unreadable store-write-failed text-nul token-ambiguous"),
  ...are("impossible", "token-list-invalid token-nonexistent token-not-lockable token-not-swappable"),
  ...are(
    "impossible",
    "token-precision-unknown token-unknown token-unlisted tokens-identical trade-unclear trade-watches-full",
  ),
  ...are("impossible", "trading-paused transaction-altered transaction-replaced unlock-epoch-past"),
  ...are("impossible", "unlock-time-ambiguous unlock-time-invalid unlock-time-months unlock-time-past"),
  ...are("impossible", "value-out-of-range view-missing wallet-busy wallet-changed wallet-missing"),
  ...are("impossible", "watch-only-full watch-only-name watch-only-named watch-only-own watches-full"),
  ...are("impossible", "link-full link-name link-named exit-exists exit-percent exit-shares"),
};

export const offerRefusal = (code: FaultCode): Refusal => offerRefusals[code];
