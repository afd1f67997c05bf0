import { expect, test } from "vitest";
import type { ContractCall } from "../../src/encoding/call.js";
import { isConfigured } from "../../src/services/configured-contracts.js";
import { poolAddress } from "./routes/samples.js";
import { referralContract } from "./samples.js";

const [routerContract, lockContract, listed, delisted] = [
  poolAddress(1),
  poolAddress(2),
  poolAddress(3),
  poolAddress(4),
];
const config = { referralContract, routerContract, lockContract };
const areListed = async (pairs: readonly string[]) => pairs.every((pair) => pair === listed);
const call = (contract: ContractCall["contract"], scAddress: ContractCall["scAddress"], args: readonly string[] = []) =>
  isConfigured({ contract, scAddress, args }, config, areListed);

test.each([
  ["referral", referralContract],
  ["router", routerContract],
  ["simpleLock", lockContract],
  ["pair", listed],
] as const)("a call goes to the %s of now and to no other", async (contract, address) => {
  expect(await call(contract, address)).toBe(true);
  expect(await call(contract, delisted)).toBe(false);
});

test("the router is handed pairs of now and no others", async () => {
  const hop = (pair: string) => [`address:${pair}`, "string:swapTokensFixedInput", "string:KFI", "BigUint:1"];
  expect(await call("router", routerContract, [...hop(listed), ...hop(listed)])).toBe(true);
  expect(await call("router", routerContract, [...hop(listed), ...hop(delisted)])).toBe(false);
});

test("a swap names people, of which the router knows nothing", async () => {
  expect(await call("referral", referralContract, [`address:${delisted}`])).toBe(true);
});
