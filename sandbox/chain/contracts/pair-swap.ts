import { amountIn, amountOut } from "../amm.js";
import { fungiblePayment, type Call, type Implementation } from "../call.js";
import { check, required } from "../failure.js";
import type { Payment } from "../ledger.js";
import type { Pair } from "../state.js";
import { giveAwayFee, specialFee } from "./pair-fees.js";
import { ownPair, poolOf, setReserves, type Pool } from "./pair-pool.js";

type Swaps = Pick<Implementation<"pair">, "swapTokensFixedInput" | "swapTokensFixedOutput">;

/** Swaps of a pair (mx-exchange-sc dex/pair pair_actions/swap.rs). */
export const pairSwaps: Swaps = {
  swapTokensFixedInput: (call, { token_out: tokenOut, amount_out_min: minimum }) => {
    const { pair, pool, paid } = openSwap(call, tokenOut, minimum);
    const out = amountOut(paid.units, pool.reserveIn, pool.reserveOut, pair.totalFeePercent);
    check(out >= minimum, "Slippage exceeded");
    exchange(call, pool, paid.units, out);
    return [payOut(call, { tokenId: tokenOut, nonce: 0n, units: out })];
  },

  swapTokensFixedOutput: (call, { token_out: tokenOut, amount_out: out }) => {
    const { pair, pool, paid } = openSwap(call, tokenOut, out);
    const needed = amountIn(out, pool.reserveIn, pool.reserveOut, pair.totalFeePercent);
    check(needed <= paid.units, "Slippage exceeded");
    exchange(call, pool, needed, out);
    const residuum = { ...paid, units: paid.units - needed };
    const wanted = payOut(call, { tokenId: tokenOut, nonce: 0n, units: out });
    call.send(call.caller, residuum);
    // A residuum of zero is still returned.
    return [wanted, residuum];
  },
};

/** The initial checks of both kinds of swap; `atLeast` is the minimum output. */
function openSwap(call: Call, tokenOut: string, atLeast: bigint): { pair: Pair; pool: Pool; paid: Payment } {
  check(atLeast > 0n, "Invalid args");
  const paid = fungiblePayment(call);
  const pair = ownPair(call);
  const pool = required(poolOf(pair, paid.tokenId, tokenOut), "Invalid tokens");
  check(pair.state === "Active", "Swap is not enabled");
  check(pool.reserveOut > atLeast, "Not enough reserve");
  return { pair, pool, paid };
}

/** Updates the reserves; the special fee, if on, stays out of them. */
function exchange(call: Call, pool: Pool, unitsIn: bigint, unitsOut: bigint): void {
  check(pool.reserveOut > unitsOut, "Not enough reserve");
  const fee = specialFee(ownPair(call), unitsIn);
  setReserves(call, pool, pool.reserveIn + unitsIn - fee, pool.reserveOut - unitsOut);
  if (fee > 0n) giveAwayFee(call, { tokenId: pool.tokenIn, nonce: 0n, units: fee });
}

/** Sends the output to the caller, locked if the pair locks its outputs in this epoch. */
function payOut(call: Call, out: Payment): Payment {
  const { lockedOutput } = ownPair(call);
  if (lockedOutput === undefined || call.epoch >= lockedOutput.deadlineEpoch) {
    call.send(call.caller, out);
    return out;
  }
  const [locked] = call.execute(
    "simpleLock",
    call.state.world.simpleLock.address,
    "lockTokens",
    { unlock_epoch: lockedOutput.unlockEpoch, opt_destination: call.caller },
    [out],
  );
  return locked;
}
