import { kdaPayment, type Call, type Implementation } from "../call.js";
import { check, required } from "../failure.js";
import { isTokenId } from "../token-id.js";
import { assetText } from "../ledger.js";
import { registeredPair, type Pair } from "../state.js";

type EnableSwap = Pick<
  Implementation<"router">,
  "configEnableByUserParameters" | "getEnableSwapByUserConfig" | "setSwapEnabledByUser"
>;

/** Fees of a pair that its creator enabled, base 100000. */
const USER_PAIR_FEES = { totalFeePercent: 1000n, specialFeePercent: 50n };

/** Lets a pair's creator enable swaps by locking liquidity (mx-exchange-sc dex/router enable_swap_by_user.rs). */
export const enableSwap: EnableSwap = {
  configEnableByUserParameters: (call, inputs) => {
    const { common_token_id: commonToken, locked_token_id: lockedToken } = inputs;
    const { owner, commonTokens } = call.state.world.router;
    check(call.caller === owner, "Endpoint can only be called by owner");
    // The reference contract has the same text for both.
    check(isTokenId(commonToken) && isTokenId(lockedToken), "Invalid locked token ID");
    check(commonTokens.includes(commonToken), "Common token not whitelisted");
    call.state.enableConfigs.set(commonToken, {
      lockedToken,
      minValue: inputs.min_locked_token_value,
      minPeriodEpochs: inputs.min_lock_period_epochs,
    });
    return [];
  },

  getEnableSwapByUserConfig: (call, { token_id: token }) => [
    required(call.state.enableConfigs.get(token), "No config set"),
  ],

  setSwapEnabledByUser: (call, { pair_address: address }) => {
    check(call.state.world.router.active, "Not active");
    const pair = required(registeredPair(call.state, address), "Not a pair SC");
    check(pair.state === "PartialActive", "Pair not in ActiveNoSwaps state");
    const paid = kdaPayment(call);
    const attributes = required(call.state.lockedAttributes.get(assetText(paid)), "Error decoding attributes");
    const lpToken = required(pair.lpToken, "Invalid LP token received from pair");
    check(attributes.originalTokenId === lpToken, "Invalid locked LP token");
    const { token, value } = commonSide(call, pair, paid.units);
    const config = required(call.state.enableConfigs.get(token), "No config set");
    check(paid.tokenId === config.lockedToken, "Invalid locked token");
    check(value >= config.minValue, "Not enough value locked");
    const period = attributes.unlockEpoch > call.epoch ? attributes.unlockEpoch - call.epoch : 0n;
    check(period >= config.minPeriodEpochs, "Token not locked for long enough");
    const adder = required(pair.initialLiquidityAdder, "No initial liq adder was set for pair");
    check(call.caller === adder, "Caller is not the initial liq adder");

    call.state.pairs.set(address, { ...pair, ...USER_PAIR_FEES, state: "Active" });
    call.send(call.caller, paid);
    return [];
  },
};

/** Value of the liquidity in the pair's common token: its share of that reserve alone. */
function commonSide(call: Call, pair: Pair, liquidity: bigint): { token: string; value: bigint } {
  const { commonTokens } = call.state.world.router;
  const { firstToken, secondToken, reserveFirst, reserveSecond, lpSupply } = pair;
  const firstIsCommon = commonTokens.includes(firstToken);
  check(firstIsCommon || commonTokens.includes(secondToken), "Invalid tokens in Pair contract");
  const [token, reserve] = firstIsCommon ? [firstToken, reserveFirst] : [secondToken, reserveSecond];
  return { token, value: lpSupply === 0n ? 0n : (liquidity * reserve) / lpSupply };
}
