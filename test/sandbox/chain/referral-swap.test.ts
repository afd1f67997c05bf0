import { describe, expect, it } from "vitest";
import { ZERO_ADDRESS } from "../../../sandbox/chain/address.js";
import { addresses, alice, bob, carol, defaultWorld, localChain, numberOf, operator } from "./local-chain.js";

const swapArgs = (tokenIn: string, tokenOut: string, minimum = 1n, percentage = 1000n) => [
  `address:${operator}`,
  `u64:${percentage}`,
  `string:${tokenIn}`,
  `string:${tokenOut}`,
  `BigUint:${minimum}`,
];

describe("the referral swap", () => {
  it("splits the output of a direct swap between the referral address and the destination", async () => {
    const local = localChain(defaultWorld());
    const [pool] = local.chain.pools();
    const [reserveIn, reserveOut] = [BigInt(pool!.reserveFirst), BigInt(pool!.reserveSecond)];
    const total = (100_000_000n * 99_700n * reserveOut) / (reserveIn * 100_000n + 100_000_000n * 99_700n);
    const referral = (total * 1000n) / 100_000n;

    const args = [...swapArgs("KLV", "KFI", total), `address:${alice}`];
    const result = await local.call("referral", "swap", args, { value: "KLV=100000000" });

    expect(result).toMatchObject({ status: 200, ok: true, text: "" });
    expect(result.data.map(numberOf)).toEqual([referral, total - referral]);
    expect(local.balance(alice, "KLV")).toBe(10_000_000_000n - 100_000_000n);
    expect(local.balance(alice, "KFI")).toBe(500_000_000n + total - referral);
    expect(local.balance(operator, "KFI")).toBe(10_000_000n + referral);
    expect(local.balance(addresses.referral, "KFI")).toBe(0n);
    expect(local.balance(addresses.router, "KFI")).toBe(0n);
  });

  it("goes over the native token where there is no pair of both, and leaves none of it behind", async () => {
    const local = localChain(defaultWorld());
    const before = local.balance(alice, "KLV");
    const quoted = await local.post("/quotation", { amountIn: "0.01", tokenIn: "BTC-9K3F", tokenOut: "KFI" });
    const args = [...swapArgs("BTC-9K3F", "KFI"), `address:${alice}`];
    const result = await local.call("referral", "swap", args, { value: "BTC-9K3F=1000000" });

    const [referral = 0n, rest = 0n] = result.data.map(numberOf);
    expect(quoted.json).toMatchObject({
      amountOut: decimal(referral + rest),
      tokenInPrecision: 8,
      tokenOutPrecision: 6,
    });
    expect(local.balance(alice, "BTC-9K3F")).toBe(4_000_000n);
    expect(local.balance(alice, "KFI")).toBe(500_000_000n + rest);
    expect(local.balance(alice, "KLV")).toBe(before);
    expect(local.balance(addresses.referral, "KLV")).toBe(0n);
  });

  it("pays the caller when there is no destination, and another destination when there is one", async () => {
    const local = localChain(defaultWorld());
    const result = await local.call("referral", "swap", swapArgs("KLV", "KFI"), { caller: bob, value: "KLV=1000000" });
    expect(local.balance(bob, "KFI")).toBe(200_000_000n + numberOf(result.data[1]));
    const args = [...swapArgs("KLV", "KFI"), `address:${carol}`];
    const second = await local.call("referral", "swap", args, { caller: bob, value: "KLV=1000000" });
    expect(local.balance(carol, "KFI")).toBe(100_000_000n + numberOf(second.data[1]));
    expect(local.balance(bob, "KLV")).toBe(50_000_000_000n - 2_000_000n);
  });

  it("lets the world's default caller pay when nobody else is named", async () => {
    const local = localChain(defaultWorld());
    await local.call("referral", "swap", swapArgs("KLV", "KFI"), { value: "KLV=1000000" });
    expect(local.balance(operator, "KLV")).toBe(999_000_000n);
  });

  it.each([
    ["a floor above the output", swapArgs("KLV", "KFI", 10_000_000n), "KLV=100000000", "Slippage exceeded"],
    ["a floor of zero", swapArgs("KLV", "KFI", 0n), "KLV=100000000", "Invalid args"],
    ["a percentage below 100", swapArgs("KLV", "KFI", 1n, 99n), "KLV=100", "Invalid referral percentage"],
    ["a percentage above 5000", swapArgs("KLV", "KFI", 1n, 5001n), "KLV=100", "Invalid referral percentage"],
    ["another token than announced", swapArgs("KLV", "KFI"), "KFI=100", "Invalid payment token"],
    ["nothing", swapArgs("KLV", "KFI"), "KLV=0", "Invalid amount. Should not be zero"],
    ["the same token", swapArgs("KLV", "KLV"), "KLV=100", "Identical tokens"],
    ["a token without pairs", swapArgs("KLV", "LPKLVKFI-3I0N"), "KLV=100", "No route between the tokens"],
    ["two payments", swapArgs("KFI", "KLV"), "DVK-34ZH=100,KFI=100", "incorrect number of KDA transfers"],
    [
      "a referral address of zero",
      [`address:${ZERO_ADDRESS}`, ...swapArgs("KLV", "KFI").slice(1)],
      "KLV=100",
      "Invalid referral address",
    ],
  ])("refuses %s and changes nothing", async (_, args, value, text) => {
    const local = localChain(defaultWorld());
    const before = local.fingerprint();
    const result = await local.call("referral", "swap", args, { caller: alice, value });
    expect(result).toEqual({ status: 200, ok: false, code: "VMUserError", text, data: [] });
    expect(local.fingerprint()).toBe(before);
  });

  it("takes the lowest and the highest percentage", async () => {
    for (const percentage of [100n, 5000n]) {
      const local = localChain(defaultWorld());
      const args = swapArgs("KLV", "KFI", 1n, percentage);
      const result = await local.call("referral", "swap", args, { caller: alice, value: "KLV=100000000" });
      const [referral = 0n, rest = 0n] = result.data.map(numberOf);
      expect(referral).toBeGreaterThan(0n);
      expect(referral).toBe(((referral + rest) * percentage) / 100_000n);
    }
  });

  it("names its router", async () => {
    const result = await localChain(defaultWorld()).call("referral", "getRouterAddress");
    expect(result.data).toEqual(["00000000000000000500c819a05a85be3271717be50533dde740dadc1c40c3e6"]);
  });
});

function decimal(units: bigint): string {
  const digits = units.toString().padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "");
}
