import type { Implementation } from "../call.js";
import { anyPayment } from "../call.js";
import { ZERO_ADDRESS } from "../address.js";
import { share } from "../amm.js";
import { check, required } from "../failure.js";
import { referralRoute } from "../route.js";

/**
 * The referral contract: a router swap whose output is split between a referral address and the user. Its source is not
 * public: the rules are from docs.defi.bitcoin.me/smart-contracts/referral, the checks' order and texts are our own.
 */
export const referral: Implementation<"referral"> = {
  swap: (call, inputs) => {
    const { referral_percentage: percentage, token_in: tokenIn, token_out: tokenOut } = inputs;
    check(inputs.referral_address !== ZERO_ADDRESS, "Invalid referral address");
    check(percentage >= 100n && percentage <= 5000n, "Invalid referral percentage");
    const paid = anyPayment(call);
    check(paid.tokenId === tokenIn && paid.nonce === 0n, "Invalid payment token");
    check(paid.units > 0n, "Invalid amount. Should not be zero");
    check(tokenIn !== tokenOut, "Identical tokens");
    const route = required(referralRoute(call.state, tokenIn, tokenOut), "No route between the tokens");

    // The minimum applies to the whole output, before the split; pairs refuse a minimum of zero.
    const operations = route.map((hop, index) => ({
      pair_address: hop.pair,
      function: "swapTokensFixedInput" as const,
      token_wanted: hop.tokenOut,
      amount_wanted: index === route.length - 1 ? inputs.amount_out_min : 1n,
    }));
    const router = call.state.world.router.address;
    const [results] = call.execute("router", router, "multiPairSwap", { swap_operations: operations }, [paid]);
    const total = required(results.at(-1), "No route between the tokens");

    const referralAmount = share(total.units, percentage);
    const rest = total.units - referralAmount;
    call.send(inputs.referral_address, { ...total, units: referralAmount });
    call.send(inputs.amount_out_destination ?? call.caller, { ...total, units: rest });
    return [referralAmount, rest];
  },

  getRouterAddress: (call) => [call.state.world.router.address],
};
