import { describe, expect, it } from "vitest";
import { textOf } from "../../../sandbox/chain/address.js";
import { addresses, alice, bob, defaultWorld, localChain, numberOf, operator, paymentsOf } from "./local-chain.js";

/** The documented launch sequence, from nothing to another person's swap and the liquidity back, on the default world. */
describe("a pair's launch", () => {
  it("ends with every balance right to the unit", async () => {
    const local = localChain(defaultWorld());
    const usdt = "USDT-2AB1";
    const ok = async (...parameters: Parameters<typeof local.call>) => {
      const result = await local.call(...parameters);
      expect(result).toMatchObject({ ok: true, text: "" });
      return result;
    };

    const created = await ok("router", "createPair", ["string:KFI", `string:${usdt}`], { caller: bob });
    const pair = textOf(Buffer.from(created.data[0]!, "hex"));
    await ok("router", "issueLpToken", [`address:${pair}`, "string:LpKfiUsdt", "string:LPKFIUSDT"], { caller: bob });
    const lpToken = Buffer.from((await ok(pair, "getLpTokenIdentifier")).data[0]!, "hex").toString();
    await ok("router", "setLocalRoles", [`address:${pair}`], { caller: bob });

    const initial = await ok(pair, "addInitialLiquidity", [], { caller: bob, value: `KFI=100000000,${usdt}=67000000` });
    // floor(sqrt(100000000 * 67000000)), of which 1000 stay in the pair.
    const liquidity = 81_853_527n - 1000n;
    expect(initial.data.flatMap(paymentsOf)).toEqual([`${lpToken}=${liquidity}`, "KFI=100000000", `${usdt}=67000000`]);

    const locked = await ok("simpleLock", "lockTokens", ["u64:5427"], {
      caller: bob,
      value: `${lpToken}=${liquidity}`,
    });
    const sft = paymentsOf(locked.data[0])[0]!;
    expect(sft).toBe(`LKTOK-1A2B/3=${liquidity}`);
    const swapArgs = [`address:${operator}`, "u64:1000", "string:KFI", `string:${usdt}`, "BigUint:1"];
    const quoted = { amountIn: "1", tokenIn: "KFI", tokenOut: usdt };
    const overNative = (await local.post("/quotation", quoted)).json;
    await ok("router", "setSwapEnabledByUser", [`address:${pair}`], { caller: bob, value: sft });
    expect((await local.post("/quotation", quoted)).json).not.toEqual(overNative);

    const before = { usdt: local.balance(alice, usdt), kfi: local.balance(alice, "KFI") };
    const swapped = await ok("referral", "swap", swapArgs, { caller: alice, value: "KFI=1000000" });
    // A user's pair takes 1 %: floor(1000000 * 99000 * 67000000 / (100000000 * 100000 + 1000000 * 99000)).
    const total = 656_797n;
    expect(swapped.data.map(numberOf)).toEqual([6567n, total - 6567n]);
    expect([local.balance(alice, usdt), local.balance(alice, "KFI")]).toEqual([
      before.usdt + total - 6567n,
      before.kfi - 1_000_000n,
    ]);

    expect((await local.call("simpleLock", "unlockTokens", [], { caller: bob, value: sft })).text).toBe(
      "Cannot unlock yet",
    );
    local.chain.advanceEpoch(30);
    await ok("simpleLock", "unlockTokens", [], { caller: bob, value: sft });
    expect(local.balance(bob, lpToken)).toBe(liquidity);
    const removed = await ok(pair, "removeLiquidity", ["BigUint:1", "BigUint:1"], {
      caller: bob,
      value: `${lpToken}=${liquidity}`,
    });
    const [kfi = "", dollars = ""] = removed.data.flatMap(paymentsOf).map((payment) => payment.split("=")[1]!);
    expect(BigInt(kfi)).toBe((liquidity * 101_000_000n) / 81_853_527n);
    expect(BigInt(dollars)).toBe((liquidity * (67_000_000n - total)) / 81_853_527n);
    expect(local.balance(bob, usdt)).toBe(5_000_000_000n - 67_000_000n + BigInt(dollars));
    expect(local.balance(pair, lpToken)).toBe(1000n);
    expect(local.balance(addresses.router, lpToken)).toBe(1000n);
  });
});
