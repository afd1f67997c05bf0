import { expect, test } from "vitest";
import type { Address } from "../../../src/encoding/address.js";
import { contractCall, type ContractCall } from "../../../src/encoding/call.js";
import { isConfigured } from "../../../src/services/chain/checks.js";
import { poolAddress } from "../market/pool-samples.js";
import { referralContract } from "../samples.js";

const [routerContract, lockContract, listed, delisted] = [
  poolAddress(1),
  poolAddress(2),
  poolAddress(3),
  poolAddress(4),
];
const config = { referralContract, routerContract, lockContract };
const areListed = async (pairs: readonly string[]) => pairs.every((pair) => pair === listed);
const isAllowed = (call: ContractCall) => isConfigured(call, config, areListed);
const klv = [{ tokenId: "KLV", units: 1n }];
const swapTo = (address: Address) =>
  contractCall(
    { contract: "referral", address: referralContract },
    "swap",
    { referral_address: address, referral_percentage: 1000n, token_in: "KLV", token_out: "KFI", amount_out_min: 1n },
    klv,
  );
const call = {
  referral: (address: Address) => ({ ...swapTo(delisted), address }),
  router: (address: Address) =>
    contractCall({ contract: "router", address }, "createPair", { first_token_id: "KLV", second_token_id: "KFI" }),
  simpleLock: (address: Address) =>
    contractCall(
      { contract: "simpleLock", address },
      "lockTokens",
      { unlock_epoch: 1n, opt_destination: delisted },
      klv,
    ),
  pair: (address: Address) =>
    contractCall({ contract: "pair", address }, "addInitialLiquidity", {}, [...klv, { tokenId: "KFI", units: 1n }]),
};

test.each([
  ["referral", referralContract],
  ["router", routerContract],
  ["simpleLock", lockContract],
  ["pair", listed],
] as const)("a call may go to the current %s, and to no other", async (contract, address) => {
  expect(await isAllowed(call[contract](address))).toBe(true);
  expect(await isAllowed(call[contract](delisted))).toBe(false);
});

test("the router may be given listed pairs, and no others", async () => {
  const router = { contract: "router", address: routerContract } as const;
  const hop = { function: "swapTokensFixedInput", token_wanted: "KFI", amount_wanted: 1n } as const;
  const through = (...pairs: readonly Address[]) => ({
    swap_operations: pairs.map((pair) => ({ ...hop, pair_address: pair })),
  });
  expect(await isAllowed(contractCall(router, "multiPairSwap", through(listed, listed), klv))).toBe(true);
  expect(await isAllowed(contractCall(router, "multiPairSwap", through(listed, delisted), klv))).toBe(false);
  expect(await isAllowed(contractCall(router, "setLocalRoles", { pair_address: listed }))).toBe(true);
  expect(await isAllowed(contractCall(router, "setLocalRoles", { pair_address: delisted }))).toBe(false);
});

test("a swap may name a referral address that the router doesn't list", async () => {
  expect(await isAllowed(swapTo(delisted))).toBe(true);
});
