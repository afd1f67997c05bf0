import { describe, expect, it } from "vitest";
import { alice, bob, emptyWorld, localChain, numberOf, pairAddresses, paymentsOf } from "./local-chain.js";
import type { WorldJson } from "../../../sandbox/world.js";

const PAIR = pairAddresses[0];
type PairJson = NonNullable<WorldJson["pairs"]>[number];

const ready = { reserveFirst: "1000000", reserveSecond: "4000000", lpSupply: "2000000", lpToken: "LPT-0000" } as const;

function start(pair: Partial<PairJson> = {}, change: Partial<WorldJson> = {}) {
  const balances = { KLV: "1000000000", KFI: "1000000000", "ABC-1A2B": "1000000000", "LPT-0000": "1000000" };
  return localChain(
    emptyWorld({
      accounts: [
        { address: alice, balances: { ...balances, "LKTOK-1A2B/1": "500" } },
        { address: bob, balances },
      ],
      lockedNonces: [{ tokenId: "LKTOK-1A2B", nonce: "1", originalTokenId: "ABC-1A2B", unlockEpoch: "9" }],
      pairs: [{ address: PAIR, firstToken: "KLV", secondToken: "KFI", ...pair }],
      ...change,
    }),
  );
}

/** A call that must fail: what the pair is like, what is called and paid, and the text of the first check that fails. */
type Refusal = readonly [why: string, pair: Partial<PairJson>, args: readonly string[], value: string, text: string];

function refuses(functionName: string, refusals: readonly Refusal[]): void {
  it.each(refusals)("refuses %s", async (_, pair, args, value, text) => {
    const local = start(pair);
    const before = local.fingerprint();
    const result = await local.call(PAIR, functionName, args, { caller: alice, value });
    expect(result).toEqual({ status: 200, ok: false, code: "VMUserError", text, data: [] });
    expect(local.fingerprint()).toBe(before);
  });
}

describe("swapTokensFixedInput", () => {
  const args = (token: string, minimum: string) => [`string:${token}`, `BigUint:${minimum}`];
  refuses("swapTokensFixedInput", [
    ["no floor, before anything else", { state: "Inactive" }, args("ABC-1A2B", "0"), "KFI=1,KLV=1", "Invalid args"],
    ["two payments", ready, args("KFI", "1"), "KFI=1,ABC-1A2B=1", "incorrect number of KDA transfers"],
    ["a semi-fungible payment", ready, args("KFI", "1"), "LKTOK-1A2B/1=1", "fungible KDA token expected"],
    [
      "a token that is not in the pool, before its state",
      { state: "Inactive" },
      args("KFI", "1"),
      "ABC-1A2B=1",
      "Invalid tokens",
    ],
    ["a wanted token that is not in the pool", ready, args("ABC-1A2B", "1"), "KLV=1", "Invalid tokens"],
    ["a paused pair, before its reserves", { state: "Inactive" }, args("KFI", "1"), "KLV=1", "Swap is not enabled"],
    ["a pair not yet enabled", { ...ready, state: "PartialActive" }, args("KFI", "1"), "KLV=1", "Swap is not enabled"],
    ["a floor of the whole reserve", ready, args("KFI", "4000000"), "KLV=1", "Not enough reserve"],
    ["an output below the floor", ready, args("KFI", "3985"), "KLV=1000", "Slippage exceeded"],
    ["an input that gives nothing", ready, args("KLV", "1"), "KFI=4", "Slippage exceeded"],
  ]);

  it("takes a floor of exactly the output", async () => {
    const local = start(ready);
    const result = await local.call(PAIR, "swapTokensFixedInput", args("KFI", "3984"), {
      caller: alice,
      value: "KLV=1000",
    });
    // floor(1000 * 99700 * 4000000 / (1000000 * 100000 + 1000 * 99700))
    expect(paymentsOf(result.data[0])).toEqual(["KFI=3984"]);
    expect(local.balance(alice, "KFI")).toBe(1_000_003_984n);
  });

  it("returns a plain output once the locking of outputs is over", async () => {
    const lockedOutput = { deadlineEpoch: "5", unlockEpoch: "10" };
    const local = start({ ...ready, lockedOutput }, { chain: { epoch: 5 } });
    const result = await local.call(PAIR, "swapTokensFixedInput", args("KFI", "1"), {
      caller: alice,
      value: "KLV=1000",
    });
    expect(paymentsOf(result.data[0])).toEqual(["KFI=3984"]);
  });

  it("cannot make anything of a fee slice in a token of another pair", async () => {
    const local = start({ ...ready, feeDestinations: ["ABC-1A2B"] });
    const result = await local.call(PAIR, "swapTokensFixedInput", args("KFI", "1"), {
      caller: alice,
      value: "KLV=10000",
    });
    expect(result.text).toBe("Nothing to do with fee slice");
  });

  it("burns a slice that is wanted in the token that was paid, and gives the collector its cut first", async () => {
    const feesCollector = { address: bob, cutPercentage: 50_000 };
    const local = start({ ...ready, feesCollector, feeDestinations: ["KLV"], specialFeePercent: 100 });
    const supply = local.chain.state.ledger.supply({ tokenId: "KLV", nonce: 0n });
    await local.call(PAIR, "swapTokensFixedInput", args("KFI", "1"), { caller: alice, value: "KLV=10000" });
    expect(local.balance(bob, "KLV")).toBe(1_000_000_005n);
    expect(local.chain.state.ledger.supply({ tokenId: "KLV", nonce: 0n })).toBe(supply - 5n);
    expect(local.chain.pools()[0]).toHaveProperty("reserveFirst", "1009990");
  });

  it("lets a swap pass whose special fee, or the slices of it, round to nothing", async () => {
    const local = start({ ...ready, feeDestinations: ["KFI", "KFI"] });
    for (const value of ["KLV=10", "KLV=2000"]) {
      const result = await local.call(PAIR, "swapTokensFixedInput", args("KFI", "1"), { caller: alice, value });
      expect(result.ok).toBe(true);
    }
  });

  it("keeps k where the special fee is greater than the whole fee", async () => {
    const local = start({ ...ready, totalFeePercent: 0, specialFeePercent: 1000, feeDestinations: ["KLV"] });
    const result = await local.call(PAIR, "swapTokensFixedInput", args("KFI", "1"), {
      caller: alice,
      value: "KLV=10000",
    });
    expect(result.text).toBe("K invariant failed");
  });
});

describe("swapTokensFixedOutput", () => {
  const args = (token: string, out: string) => [`string:${token}`, `BigUint:${out}`];
  refuses("swapTokensFixedOutput", [
    ["an output of nothing", { state: "Inactive" }, args("KFI", "0"), "KLV=1", "Invalid args"],
    ["the whole reserve", ready, args("KFI", "4000000"), "KLV=1000000000", "Not enough reserve"],
    ["a payment that is one unit short", ready, args("KFI", "3984"), "KLV=999", "Slippage exceeded"],
  ]);

  it("pays back what was not needed", async () => {
    const local = start(ready);
    const result = await local.call(PAIR, "swapTokensFixedOutput", args("KFI", "3984"), {
      caller: alice,
      value: "KLV=5000",
    });
    expect(result.data.flatMap(paymentsOf)).toEqual(["KFI=3984", "KLV=4000"]);
    expect(local.balance(alice, "KLV")).toBe(1_000_000_000n - 1000n);
  });
});

describe("addInitialLiquidity", () => {
  const fresh = { state: "Inactive", lpToken: "LPT-0000", initialLiquidityAdder: alice } as const;
  refuses("addInitialLiquidity", [
    ["anyone but the adder, first of all", { initialLiquidityAdder: bob }, [], "KLV=1", "Permission denied"],
    ["one payment", fresh, [], "KLV=5000", "incorrect number of KDA transfers"],
    ["payments in the other order", fresh, [], "KFI=5000,KLV=5000", "Bad payment tokens"],
    ["nothing of one token", fresh, [], "KLV=5000,KFI=0", "Bad payment tokens"],
    ["an active pair, before its supply", ready, [], "KLV=5000,KFI=5000", "Active state"],
    [
      "a second first deposit",
      { ...ready, state: "Inactive" },
      [],
      "KLV=5000,KFI=5000",
      "Initial liquidity was already added",
    ],
    [
      "no more than the minimum",
      fresh,
      [],
      "KLV=1000,KFI=1000",
      "First tokens needs to be greater than minimum liquidity",
    ],
    ["a pair without LP token", { state: "Inactive" }, [], "KLV=5000,KFI=5000", "LP token not issued"],
  ]);

  it("lets anyone add where no adder was set", async () => {
    const local = start({ state: "Inactive", lpToken: "LPT-0000" });
    const result = await local.call(PAIR, "addInitialLiquidity", [], { caller: bob, value: "KLV=1001,KFI=1001" });
    expect(result.data.flatMap(paymentsOf)).toEqual(["LPT-0000=1", "KLV=1001", "KFI=1001"]);
  });
});

describe("addLiquidity", () => {
  const args = (first: string, second: string) => [`BigUint:${first}`, `BigUint:${second}`];
  refuses("addLiquidity", [
    ["a floor of zero", { state: "Inactive" }, args("1", "0"), "KLV=1", "Invalid args"],
    [
      "payments in the other order, before the state",
      { state: "Inactive" },
      args("1", "1"),
      "KFI=1,KLV=1",
      "Bad payment tokens",
    ],
    ["an inactive pair, before its LP token", { state: "Inactive" }, args("1", "1"), "KLV=1,KFI=1", "Not active"],
    ["a pair without LP token", {}, args("1", "1"), "KLV=1,KFI=1", "LP token not issued"],
    [
      "an empty pair with an adder",
      { lpToken: "LPT-0000", initialLiquidityAdder: bob },
      args("1", "1"),
      "KLV=5000,KFI=5000",
      "Initial liquidity was not added",
    ],
    [
      "less of the first token than wanted",
      ready,
      args("101", "1"),
      "KLV=1000,KFI=400",
      "Insufficient first token computed amount",
    ],
    [
      "less of the second token than wanted",
      ready,
      args("1", "401"),
      "KLV=100,KFI=1000",
      "Insufficient second token computed amount",
    ],
  ]);

  it("refuses dust that gives no LP unit", async () => {
    const local = start({ ...ready, reserveFirst: "3000000", reserveSecond: "3000000" });
    const result = await local.call(PAIR, "addLiquidity", args("1", "1"), { caller: alice, value: "KLV=1,KFI=1" });
    expect(result.text).toBe("Insufficient liquidity minted");
  });

  it("returns what does not fit the pool's proportion", async () => {
    const local = start(ready);
    const result = await local.call(PAIR, "addLiquidity", args("1", "1"), {
      caller: alice,
      value: "KLV=1000,KFI=9999",
    });
    expect(result.data.flatMap(paymentsOf)).toEqual(["LPT-0000=2000", "KLV=1000", "KFI=4000"]);
    expect([local.balance(alice, "KLV"), local.balance(alice, "KFI")]).toEqual([999_999_000n, 999_996_000n]);
    const other = await local.call(PAIR, "addLiquidity", args("1", "1"), { caller: alice, value: "KLV=9999,KFI=4003" });
    // floor(4003 / 4) of the first token; LP for the smaller share.
    expect(other.data.flatMap(paymentsOf)).toEqual(["LPT-0000=2000", "KLV=1000", "KFI=4003"]);
  });
});

describe("removeLiquidity", () => {
  const args = (first: string, second: string) => [`BigUint:${first}`, `BigUint:${second}`];
  refuses("removeLiquidity", [
    ["a floor of zero", { state: "Inactive" }, args("0", "1"), "KLV=1", "Invalid args"],
    ["an inactive pair", { ...ready, state: "Inactive" }, args("1", "1"), "LPT-0000=1", "Not active"],
    ["a pair without LP token", {}, args("1", "1"), "LPT-0000=1", "LP token not issued"],
    ["another token than the LP token", ready, args("1", "1"), "KLV=1", "Bad payment tokens"],
    [
      "more than all but the minimum",
      { ...ready, lpSupply: "1000500" },
      args("1", "1"),
      "LPT-0000=999501",
      "Not enough LP token supply",
    ],
    ["an amount worth less than one unit", ready, args("1", "1"), "LPT-0000=1", "Insufficient liquidity burned"],
    ["a part below the first floor", ready, args("501", "1"), "LPT-0000=1000", "Slippage amount does not match"],
    ["a part below the second floor", ready, args("1", "2001"), "LPT-0000=1000", "Slippage amount does not match"],
  ]);

  it("pays both parts and burns the LP units", async () => {
    const local = start(ready);
    const lp = { tokenId: "LPT-0000", nonce: 0n };
    const before = local.chain.state.ledger.supply(lp);
    const result = await local.call(PAIR, "removeLiquidity", args("500", "2000"), {
      caller: alice,
      value: "LPT-0000=1001",
    });
    expect(result.data.flatMap(paymentsOf)).toEqual(["KLV=500", "KFI=2002"]);
    expect(local.chain.state.ledger.supply(lp)).toBe(before - 1001n);
    expect(local.chain.pools()[0]).toMatchObject({
      reserveFirst: "999500",
      reserveSecond: "3997998",
      lpSupply: "1998999",
    });
  });
});

describe("the pair's views", () => {
  it("answer in any state", async () => {
    const local = start({ ...ready, state: "Inactive", initialLiquidityAdder: bob });
    const asked = async (name: string, ...args: string[]) => (await local.call(PAIR, name, args)).data;
    const text = (value: string) => [Buffer.from(value).toString("hex")];
    expect((await asked("getReservesAndTotalSupply")).map(numberOf)).toEqual([1_000_000n, 4_000_000n, 2_000_000n]);
    expect((await asked("getAmountOut", "string:KLV", "BigUint:1000")).map(numberOf)).toEqual([3984n]);
    expect((await asked("getAmountIn", "string:KFI", "BigUint:3984")).map(numberOf)).toEqual([1000n]);
    expect((await asked("getEquivalent", "string:KLV", "BigUint:10")).map(numberOf)).toEqual([40n]);
    expect((await asked("getReserve", "string:KFI")).map(numberOf)).toEqual([4_000_000n]);
    expect((await asked("getReserve", "string:KLV")).map(numberOf)).toEqual([1_000_000n]);
    expect(await asked("getReserve", "string:ABC-1A2B")).toEqual([""]);
    expect((await asked("getTotalSupply")).map(numberOf)).toEqual([2_000_000n]);
    expect(await asked("getFirstTokenId")).toEqual(text("KLV"));
    expect(await asked("getSecondTokenId")).toEqual(text("KFI"));
    expect(await asked("getLpTokenIdentifier")).toEqual(text("LPT-0000"));
    expect((await asked("getTotalFeePercent")).map(numberOf)).toEqual([300n]);
    expect((await asked("getSpecialFee")).map(numberOf)).toEqual([50n]);
    expect(await asked("getState")).toEqual([""]);
    expect(await asked("getFeeState")).toEqual([""]);
    expect((await asked("getRouterManagedAddress"))[0]).toHaveLength(64);
    expect((await local.call(PAIR, "getAmountOut", ["string:ABC-1A2B", "BigUint:1"])).text).toBe("Unknown token");
    expect((await local.call(PAIR, "getAmountIn", ["string:ABC-1A2B", "BigUint:1"])).text).toBe("Unknown token");
  });

  it("show the state as its number, and an open fee switch", async () => {
    const states = [];
    for (const state of ["Inactive", "Active", "PartialActive"] as const) {
      states.push((await start({ ...ready, state }).call(PAIR, "getState")).data[0]);
    }
    expect(states).toEqual(["", "01", "02"]);
    expect((await start({ feeDestinations: ["KLV"] }).call(PAIR, "getFeeState")).data).toEqual(["01"]);
    expect((await start().call(PAIR, "getInitialLiquidtyAdder")).data).toEqual([""]);
    const empty = await start({ reserveFirst: "5" }).call(PAIR, "getTokensForGivenPosition", ["BigUint:7"]);
    expect(empty.data.flatMap(paymentsOf)).toEqual(["KLV=0", "KFI=0"]);
  });
});
