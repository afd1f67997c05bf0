import { type Amount, BPS } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";

/** `floor(quoted * (10000 - bps) / 10000)`, at least 1 unit. @throws Fault `slippage-out-of-range`, `quote-zero`. */
export function slippageFloor(quoted: Amount, slippageBps: number, maximumBps: number): Amount {
  if (!Number.isInteger(slippageBps) || slippageBps < 0 || slippageBps > maximumBps || slippageBps >= 10_000) {
    throw new Fault("slippage-out-of-range", { bps: slippageBps, maximum: maximumBps });
  }
  if (quoted.units <= 0n) throw new Fault("quote-zero", { token: quoted.token.id });
  const floor = (quoted.units * (BPS - BigInt(slippageBps))) / BPS;
  return { token: quoted.token, units: floor > 0n ? floor : 1n };
}

/** `floor(needed * (10000 + bps) / 10000) + 1`. */
export function slippageCeiling(needed: Amount, slippageBps: number): Amount {
  return { token: needed.token, units: (needed.units * (BPS + BigInt(slippageBps))) / BPS + 1n };
}
