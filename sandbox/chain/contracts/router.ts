import { deployedAddress, ZERO_ADDRESS } from "../address.js";
import type { Call, Implementation } from "../call.js";
import { check, required } from "../failure.js";
import { issuedTokenId, isTicker, isTokenId, NATIVE_TOKEN } from "../token-id.js";
import { findPair, registeredPair, type Pair } from "../state.js";
import { enableSwap } from "./enable-swap.js";
import { multiPairSwap } from "./multi-pair-swap.js";

/** Fees of a new pair, base 100000. */
const DEFAULT_FEES = { totalFeePercent: 300n, specialFeePercent: 50n };
/** Units of an LP token issued to the router; they have no share in the pair's reserves. */
const LP_INITIAL_SUPPLY = 1000n;
/** As with LPKLVKFI-3I0N; the reference's 18 decimals don't fit Klever's amounts. */
const LP_PRECISION = 6;

/** The router (multiversx/mx-exchange-sc dex/router); `createPair` takes the documented interface's two arguments. */
export const router: Implementation<"router"> = {
  ...enableSwap,
  multiPairSwap,

  createPair: (call, { first_token_id: firstToken, second_token_id: secondToken }) => {
    checkMayCreate(call);
    check(firstToken !== secondToken, "Identical tokens");
    check(isTokenId(firstToken), "First Token ID is not a valid esdt token ID");
    check(isTokenId(secondToken), "Second Token ID is not a valid esdt token ID");
    const { registry, pairs, temporaryOwners } = call.state;
    check(findPair(call.state, firstToken, secondToken) === undefined, "Pair already exists");
    const address = deployedAddress(call.self, pairs.size());
    registry.set(`${firstToken} ${secondToken}`, address);
    temporaryOwners.set(address, { creator: call.caller, block: call.block });
    pairs.set(address, {
      firstToken,
      secondToken,
      reserveFirst: 0n,
      reserveSecond: 0n,
      lpSupply: 0n,
      hasLpRoles: false,
      ...DEFAULT_FEES,
      state: "Inactive",
      // `createPair` has no argument for it, and without an adder nobody could ever enable swaps.
      initialLiquidityAdder: call.caller,
      feeDestinations: [],
    });
    return [address];
  },

  issueLpToken: (call, { pair_address: address, lp_token_display_name: name, lp_token_ticker: ticker }) => {
    const { ledger, pairs, temporaryOwners, issuedTokens, world } = call.state;
    checkMayCreate(call);
    const pair = required(registeredPair(call.state, address), "Not a pair SC");
    const owner = temporaryOwners.get(address);
    const isOwned = owner !== undefined && call.block < owner.block + world.router.temporaryOwnerBlocks;
    check(!isOwned || owner.creator === call.caller, "Temporary owner differs");
    check(pair.lpToken === undefined, "LP Token already issued");
    check(isTicker(ticker), "invalid ticker");
    ledger.burn(call.caller, { tokenId: NATIVE_TOKEN, nonce: 0n, units: world.router.lpIssueCost });
    const tokenId = issuedTokenId(ticker, issuedTokens.size());
    issuedTokens.set(tokenId, { name, precision: LP_PRECISION });
    ledger.mint(call.self, { tokenId, nonce: 0n, units: LP_INITIAL_SUPPLY });
    pairs.set(address, { ...pair, lpToken: tokenId });
    temporaryOwners.delete(address);
    return [];
  },

  setLocalRoles: (call, { pair_address: address }) => {
    check(call.state.world.router.active, "Not active");
    const pair = required(registeredPair(call.state, address), "Not a pair SC");
    check(pair.lpToken !== undefined, "LP token not issued");
    call.state.pairs.set(address, { ...pair, hasLpRoles: true });
    return [];
  },

  getPair: (call, { first_token_id: first, second_token_id: second }) => [
    findPair(call.state, first, second) ?? ZERO_ADDRESS,
  ],
  getAllPairContractMetadata: (call) => allPairs(call),
  getState: (call) => [call.state.world.router.active],
  getCommonTokensForUserPairs: (call) => call.state.world.router.commonTokens,
};

function checkMayCreate(call: Call): void {
  const { active, owner, pairCreationEnabled } = call.state.world.router;
  check(active, "Not active");
  check(call.caller === owner || pairCreationEnabled, "Pair creation is disabled");
}

function allPairs(call: Call): readonly (Pair & { readonly address: Call["self"] })[] {
  return call.state.registry.entries().flatMap(([, address]) => {
    const pair = call.state.pairs.get(address);
    return pair === undefined ? [] : [{ ...pair, address }];
  });
}
