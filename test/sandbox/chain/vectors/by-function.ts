import { expect } from "vitest";
import * as z from "zod";
import { bytesOf, readAddress, textOf } from "../../../../sandbox/chain/address.js";
import { encodePayment } from "../../../../sandbox/chain/codec.js";
import { isTokenId } from "../../../../sandbox/chain/token-id.js";
import { alice, localChain, numberOf, paymentsOf } from "../local-chain.js";
import {
  expectError,
  expectHex,
  FIRST,
  given,
  LP,
  PAIR,
  pairWorld,
  RICH,
  SECOND,
  swap,
  swapWorld,
  text,
  units,
  type PairJson,
  type Vector,
} from "./vector.js";

async function fixedInput(vector: Vector): Promise<void> {
  const local = localChain(swapWorld(vector));
  const result = await swap(local, "Input", given(vector, "amountIn"), given(vector, "amountOutMin"));
  if (vector.expect["error"] !== undefined) {
    expectError(vector, result);
    return;
  }
  const out = units(vector, "amountOut");
  expect(result.data.map(paymentsOf)).toEqual([[`${FIRST}=${out}`]]);
  expect(local.balance(alice, FIRST)).toBe(BigInt(RICH) + out);
  expect(local.balance(alice, SECOND)).toBe(BigInt(RICH) - BigInt(given(vector, "amountIn")));
  expect(local.chain.pools()[0]).toMatchObject({
    reserveFirst: text(vector, "expect", "reserveOutAfter"),
    reserveSecond: text(vector, "expect", "reserveInAfter"),
  });
}

async function fixedOutput(vector: Vector): Promise<void> {
  const local = localChain(swapWorld(vector));
  const result = await swap(local, "Output", given(vector, "amountInMax"), given(vector, "amountOut"));
  const [out, residuum, used] = [units(vector, "amountOut"), units(vector, "residuum"), units(vector, "amountInUsed")];
  expect(result.data.map(paymentsOf)).toEqual([[`${FIRST}=${out}`], [`${SECOND}=${residuum}`]]);
  expect(local.balance(alice, SECOND)).toBe(BigInt(RICH) - used);
  expectHex(vector, result.data, { [FIRST]: "WEGLD-abcdef", [SECOND]: "ALC-abcdef" });
}

export async function firstDeposit(vector: Vector, rules: readonly ("min" | "sqrt")[]): Promise<void> {
  for (const firstLiquidityRule of rules) {
    const adding = vector.function.startsWith("pair.addLiquidity");
    const state = adding ? ("Active" as const) : ("Inactive" as const);
    const local = localChain(pairWorld({ state }, { options: { firstLiquidityRule } }));
    const minima = [`BigUint:${vector.given["firstMin"] as string}`, `BigUint:${vector.given["secondMin"] as string}`];
    const result = await local.call(PAIR, adding ? "addLiquidity" : "addInitialLiquidity", adding ? minima : [], {
      caller: alice,
      value: `${FIRST}=${given(vector, "first")},${SECOND}=${given(vector, "second")}`,
    });
    if (vector.expect["error"] !== undefined) {
      expectError(vector, result, "First tokens needs to be greater than minimum liquidity");
      return;
    }
    const minted = units(vector, "lpMinted");
    expect(result.data.map(paymentsOf)).toEqual([
      [`${LP}=${minted}`],
      [`${FIRST}=${given(vector, "first")}`],
      [`${SECOND}=${given(vector, "second")}`],
    ]);
    expect(local.balance(alice, LP)).toBe(minted);
    expect(local.balance(PAIR, LP)).toBe(1000n);
    expect(local.chain.pools()[0]).toMatchObject({
      lpSupply: (minted + 1000n).toString(),
      state: adding ? "Active" : "PartialActive",
    });
    const supply = vector.expect["lpSupplyAfter"];
    if (supply !== undefined) expect(supply).toBe((minted + 1000n).toString());
  }
}

async function deposit(vector: Vector): Promise<void> {
  const local = localChain(pairWorld(reservesOf(vector)));
  const minima = ["firstMin", "secondMin"].map(
    (name) => `BigUint:${(vector.given[name] as string | undefined) ?? "1"}`,
  );
  const value = `${FIRST}=${given(vector, "first")},${SECOND}=${given(vector, "second")}`;
  const result = await local.call(PAIR, "addLiquidity", minima, { caller: alice, value });
  expect(paymentsOf(result.data[0])).toEqual([`${LP}=${units(vector, "lpMinted")}`]);
  const [pool] = local.chain.pools();
  const after = { lpSupply: "lpSupplyAfter", reserveFirst: "reserveFirstAfter", reserveSecond: "reserveSecondAfter" };
  for (const [name, expected] of Object.entries(after)) {
    if (vector.expect[expected] !== undefined) expect(pool).toHaveProperty(name, vector.expect[expected]);
  }
}

function reservesOf(vector: Vector): Pick<PairJson, "reserveFirst" | "reserveSecond" | "lpSupply"> {
  return {
    reserveFirst: given(vector, "reserveFirst"),
    reserveSecond: given(vector, "reserveSecond"),
    lpSupply: given(vector, "lpSupply"),
  };
}

async function withdrawal(vector: Vector): Promise<void> {
  const lpIn = given(vector, "lpIn");
  const local = localChain(pairWorld(reservesOf(vector), {}, lpIn));
  const minima = [`BigUint:${given(vector, "firstMin")}`, `BigUint:${given(vector, "secondMin")}`];
  const result = await local.call(PAIR, "removeLiquidity", minima, { caller: alice, value: `${LP}=${lpIn}` });
  if (vector.expect["error"] !== undefined) {
    expectError(vector, result);
    return;
  }
  const [first, second] = [units(vector, "firstOut"), units(vector, "secondOut")];
  expect(result.data.flatMap(paymentsOf)).toEqual([`${FIRST}=${first}`, `${SECOND}=${second}`]);
  expect([local.balance(alice, FIRST), local.balance(alice, SECOND), local.balance(alice, LP)]).toEqual([
    BigInt(RICH) + first,
    BigInt(RICH) + second,
    0n,
  ]);
  if (vector.expect["reserveFirstAfter"] !== undefined) {
    expect(local.chain.pools()[0]).toMatchObject({
      reserveFirst: text(vector, "expect", "reserveFirstAfter"),
      reserveSecond: text(vector, "expect", "reserveSecondAfter"),
    });
  }
  expectHex(vector, result.data, { [FIRST]: "WEGLD-abcdef", [SECOND]: "ALC-abcdef" });
}

/** The formulas alone, through the pair's views. */
async function formula(vector: Vector, name: "getAmountOut" | "getAmountIn"): Promise<void> {
  const local = localChain(swapWorld(vector));
  const isOut = name === "getAmountOut";
  const [token, amount] = isOut ? [SECOND, given(vector, "amountIn")] : [FIRST, given(vector, "amountOut")];
  const result = await local.call(PAIR, name, [`string:${token}`, `BigUint:${amount}`]);
  expect(result.data.map(numberOf)).toEqual([units(vector, isOut ? "amountOut" : "amountIn")]);
}

async function position(vector: Vector): Promise<void> {
  const local = localChain(pairWorld(reservesOf(vector)));
  const result = await local.call(PAIR, "getTokensForGivenPosition", [`BigUint:${given(vector, "liquidity")}`]);
  expect(paymentsOf(result.data[0])).toEqual([`${FIRST}=${units(vector, "first")}`]);
  if (vector.expect["second"] !== undefined) {
    expect(paymentsOf(result.data[1])).toEqual([`${SECOND}=${units(vector, "second")}`]);
  }
}

/** Runs the vectors of each function. */
export const byFunction: Readonly<Record<string, (vector: Vector) => Promise<void> | void>> = {
  "pair.swapTokensFixedInput": fixedInput,
  "pair.swapTokensFixedOutput": fixedOutput,
  "pair.addLiquidity": deposit,
  "amm.addLiquidityMint": deposit,
  "pair.removeLiquidity": withdrawal,
  "pair.getTokensForGivenPosition": position,
  "pair.addInitialLiquidity": (vector) => firstDeposit(vector, ["min"]),
  "amm.initialLiquidity(sqrt)": (vector) => firstDeposit(vector, ["sqrt"]),
  "amm.initialLiquidity": (vector) => firstDeposit(vector, ["min", "sqrt"]),
  "amm.getAmountOut": (vector) => formula(vector, "getAmountOut"),
  "amm.getAmountIn": (vector) => formula(vector, "getAmountIn"),
  "amm.quote": async (vector) => {
    const reserves = { reserveFirst: given(vector, "reserveA"), reserveSecond: given(vector, "reserveB") };
    const local = localChain(pairWorld(reserves));
    const args = [`string:${FIRST}`, `BigUint:${given(vector, "amountA")}`];
    expect((await local.call(PAIR, "getEquivalent", args)).data.map(numberOf)).toEqual([units(vector, "amountB")]);
  },
  "token.isValidKda": (vector) => {
    expect(isTokenId(z.string().parse(vector.given["id"]))).toBe(vector.expect["valid"]);
  },
  "codec.address": (vector) => {
    const [hex, bech32] = [z.string().parse(vector.given["hex"]), z.string().parse(vector.expect["bech32"])];
    expect(textOf(Buffer.from(hex, "hex"))).toBe(bech32);
    expect(bytesOf(readAddress(bech32)).toString("hex")).toBe(hex);
  },
  "codec.KdaTokenPayment": paymentBytes,
  "codec.EsdtTokenPayment": paymentBytes,
};

function paymentBytes(vector: Vector): void {
  const tokenId = z.string().parse(vector.given["tokenIdentifier"]);
  const payment = { tokenId, nonce: BigInt(given(vector, "nonce")), units: BigInt(given(vector, "amount")) };
  expect(encodePayment(payment).toString("hex")).toBe(vector.expect["hex"]);
}
