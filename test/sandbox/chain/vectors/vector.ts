import { expect } from "vitest";
import * as z from "zod";
import { encodePayment } from "../../../../sandbox/chain/codec.js";
import type { WorldJson } from "../../../../sandbox/world.js";
import { alice, emptyWorld, pairAddresses, paymentsOf, type LocalChain, type Result } from "../local-chain.js";

/**
 * A case from the reference implementations' own tests (multiversx/mx-exchange-sc, Uniswap v2, klever-go-sdk and
 * others; the file's `source` names it). It runs through `POST /vm/query`, or against a module if no call shows it.
 */
export interface Vector {
  readonly id: string;
  readonly function: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
}

export const FIRST = "KFI";
export const SECOND = "DVK-34ZH";
export const LP = "LPT-0000";
export const RICH = "1".padEnd(40, "0");
export const PAIR = pairAddresses[0];

export type PairJson = NonNullable<WorldJson["pairs"]>[number];

/** One pair with the given figures, and Alice, who owns plenty of both tokens and the given LP tokens. */
export function pairWorld(pair: Partial<PairJson>, change: Partial<WorldJson> = {}, lpOfAlice = "0"): WorldJson {
  return emptyWorld({
    accounts: [{ address: alice, balances: { KLV: RICH, [FIRST]: RICH, [SECOND]: RICH, [LP]: lpOfAlice } }],
    pairs: [{ address: PAIR, firstToken: FIRST, secondToken: SECOND, lpToken: LP, ...pair }],
    ...change,
  });
}

export const figure = z.string().regex(/^[0-9]+$/);
export const text = (vector: Vector, side: "given" | "expect", name: string): string =>
  figure.parse(vector[side][name]);
export const given = (vector: Vector, name: string) => text(vector, "given", name);
export const units = (vector: Vector, name: string) => BigInt(text(vector, "expect", name));

/** Swaps are from the second token to the first, so that a wrong direction shows. */
export function swapWorld(vector: Vector, change: Partial<PairJson> = {}): WorldJson {
  const special = vector.given["specialFeePercent"];
  return pairWorld({
    reserveFirst: given(vector, "reserveOut"),
    reserveSecond: given(vector, "reserveIn"),
    lpSupply: "1000000",
    totalFeePercent: Number(given(vector, "totalFeePercent")),
    ...(special !== undefined && { specialFeePercent: Number(special) }),
    ...(vector.given["feeEnabled"] === true && { feeDestinations: [FIRST] }),
    ...change,
  });
}

export const swap = (
  local: LocalChain,
  kind: "Input" | "Output",
  amountIn: string,
  amountOut: string,
): Promise<Result> =>
  local.call(PAIR, `swapTokensFixed${kind}`, [`string:${FIRST}`, `BigUint:${amountOut}`], {
    caller: alice,
    value: `${SECOND}=${amountIn}`,
  });

export function expectError(vector: Vector, result: Result, expected = vector.expect["error"]): void {
  expect(result).toEqual({ status: 200, ok: false, code: "VMUserError", text: expected, data: [] });
}

/** Compares with the vector's bytes, if any, after replacing ids, as lower-case ones don't exist on this chain. */
export function expectHex(vector: Vector, entries: readonly string[], names: Readonly<Record<string, string>>): void {
  const expected = vector.expect["returnDataHex"];
  if (expected === undefined) return;
  const renamed = entries.flatMap(paymentsOf).map((payment) => {
    const [tokenId = "", amount = ""] = payment.split("=");
    return encodePayment({ tokenId: names[tokenId] ?? tokenId, nonce: 0n, units: BigInt(amount) }).toString("hex");
  });
  expect(renamed).toEqual(expected);
}
