import { BPS, dividedUp } from "../../encoding/amount.js";

/** A royalty on each `width` of a transfer, in base units; the last one's share is also of all beyond. */
export interface RoyaltyBand {
  readonly width: bigint;
  readonly bps: bigint;
}

/**
 * The most of a holding that can be sent if royalties are taken on top. The chain rounds each band's down (klever-go,
 * kapps/kda.go).
 */
export function mostPayable(held: bigint, bands: readonly RoyaltyBand[]): bigint {
  let [sent, left, bps] = [0n, held, 0n];
  for (const band of bands) {
    bps = band.bps;
    const whole = band.width + (band.width * bps) / BPS;
    if (left < whole) break;
    [sent, left] = [sent + band.width, left - whole];
  }
  return sent + dividedUp((left + 1n) * BPS, BPS + bps) - 1n;
}
