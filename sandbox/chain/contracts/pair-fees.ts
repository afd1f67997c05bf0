import { amountOutWithoutFee, share } from "../amm.js";
import type { Call } from "../call.js";
import { check, required } from "../failure.js";
import type { Payment } from "../ledger.js";
import type { Pair } from "../state.js";
import { ownPair, poolOf, setReserves } from "./pair-pool.js";

/** The part of an input that leaves the pool; zero without a collector or destination. */
export function specialFee(pair: Pair, units: bigint): bigint {
  return isFeeOn(pair) ? share(units, pair.specialFeePercent) : 0n;
}

function isFeeOn(pair: Pair): boolean {
  return pair.feesCollector !== undefined || pair.feeDestinations.length > 0;
}

/**
 * Distributes the special fee (mx-exchange-sc dex/pair fee.rs): first the collector's cut, then equal slices, which are
 * swapped into the wanted tokens and burned. The rest stays in the balance, outside the reserves.
 */
export function giveAwayFee(call: Call, fee: Payment): void {
  const { feesCollector, feeDestinations } = ownPair(call);
  const cut = feesCollector === undefined ? 0n : share(fee.units, feesCollector.cutPercentage);
  if (feesCollector !== undefined) call.send(feesCollector.address, { ...fee, units: cut });
  if (feeDestinations.length === 0) return;
  const slice = { ...fee, units: (fee.units - cut) / BigInt(feeDestinations.length) };
  if (slice.units === 0n) return;
  for (const wanted of feeDestinations) {
    call.state.ledger.burn(call.self, wanted === fee.tokenId ? slice : swapInside(call, slice, wanted));
  }
}

/** Swaps a slice inside the pool, without a fee. */
function swapInside(call: Call, slice: Payment, wanted: string): Payment {
  const pool = required(poolOf(ownPair(call), slice.tokenId, wanted), "Nothing to do with fee slice");
  const units = amountOutWithoutFee(slice.units, pool.reserveIn, pool.reserveOut);
  check(units > 0n, "Zero amount");
  setReserves(call, pool, pool.reserveIn + slice.units, pool.reserveOut - units);
  return { tokenId: wanted, nonce: 0n, units };
}
