import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { alice, emptyWorld, localChain, numberOf, pairAddresses, paymentsOf, type LocalChain } from "./local-chain.js";
import { fc, often } from "../../support/property.js";

// The ES modules of these packages cannot be loaded by Node; their CommonJS builds can.
const load = createRequire(import.meta.url);
const { CurrencyAmount, Token } = load("@uniswap/sdk-core") as typeof import("@uniswap/sdk-core");
const { Pair } = load("@uniswap/v2-sdk") as typeof import("@uniswap/v2-sdk");

const FIRST = new Token(1, "0x0000000000000000000000000000000000000001", 6, "KLV");
const SECOND = new Token(1, "0x0000000000000000000000000000000000000002", 6, "KFI");
const PAIR = pairAddresses[0];

interface Case {
  readonly reserves: readonly [bigint, bigint];
  readonly amount: bigint;
}

const reserve = fc.bigInt({ min: 1n, max: 1n << 100n });
const cases: fc.Arbitrary<Case> = fc
  .tuple(reserve, reserve, fc.bigInt({ min: 1n, max: 1n << 90n }), fc.bigInt({ min: 1n, max: 1000n }), fc.boolean())
  .map(([first, second, large, small, isSmall]) => ({ reserves: [first, second], amount: isSmall ? small : large }));

const amount = (token: typeof FIRST, units: bigint) => CurrencyAmount.fromRawAmount(token, units.toString());
const unitsOf = (value: { readonly quotient: { toString(): string } }) => BigInt(value.quotient.toString());

function poolOf({ reserves: [first, second] }: Case) {
  return new Pair(amount(FIRST, first), amount(SECOND, second));
}

function worldOf({ reserves: [first, second] }: Case, lpSupply = 0n): LocalChain {
  const balances = { KLV: 1n << 110n, KFI: 1n << 110n, "LPT-0000": lpSupply };
  return localChain(
    emptyWorld({
      accounts: [{ address: alice, balances }],
      pairs: [
        {
          address: PAIR,
          firstToken: "KLV",
          secondToken: "KFI",
          reserveFirst: first,
          reserveSecond: second,
          lpSupply,
          lpToken: "LPT-0000",
        },
      ],
    }),
  );
}

/** What the other implementation returns; undefined if it throws. */
function attempt<Value>(compute: () => Value): Value | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}

describe("the pair at a fee of 0.3 %, compared with @uniswap/v2-sdk", () => {
  it("swaps a fixed input for the same output", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const expected = attempt(() => unitsOf(poolOf(each).getOutputAmount(amount(FIRST, each.amount))[0]));
        const options = { caller: alice, value: `KLV=${each.amount}` };
        const local = worldOf(each);
        const result = await local.call(PAIR, "swapTokensFixedInput", ["string:KFI", "BigUint:1"], options);
        // A reserve of one unit can never be paid out in either; the sandbox then names the reserve.
        if (expected === undefined) expect(result.ok).toBe(false);
        else if (each.reserves[1] === 1n) expect(result.text).toBe("Not enough reserve");
        else expect(paymentsOf(result.data[0])).toEqual([`KFI=${expected}`]);
      }),
      { numRuns: often(400) },
    );
  });

  it("needs the same input for a fixed output", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const expected = attempt(() => unitsOf(poolOf(each).getInputAmount(amount(SECOND, each.amount))[0]));
        const result = await worldOf(each).call(PAIR, "getAmountIn", ["string:KFI", `BigUint:${each.amount}`]);
        if (expected === undefined) expect(result.text).toBe("Not enough reserve");
        else expect(numberOf(result.data[0])).toBe(expected);
      }),
      { numRuns: often(400) },
    );
  });

  it("mints the same LP tokens for a deposit in the pool's proportion, and values them the same", async () => {
    const supply = fc.bigInt({ min: 1000n, max: 1n << 100n });
    await fc.assert(
      fc.asyncProperty(cases, supply, async (each, lpSupply) => {
        const [first, second] = each.reserves;
        const other = (each.amount * second) / first;
        fc.pre(other > 0n && other < 1n << 110n);
        const expected = attempt(() => minted(each, other, lpSupply));
        const local = worldOf(each, lpSupply);
        const options = { caller: alice, value: `KLV=${each.amount},KFI=${other}` };
        const result = await local.call(PAIR, "addLiquidity", ["BigUint:1", "BigUint:1"], options);
        if (expected === undefined) {
          expect(result.text).toBe("Insufficient liquidity minted");
          return;
        }
        expect(paymentsOf(result.data[0])).toEqual([`LPT-0000=${expected}`]);

        const half = lpSupply / 2n;
        const values = await worldOf(each, lpSupply).call(PAIR, "getTokensForGivenPosition", [`BigUint:${half}`]);
        const worth = [FIRST, SECOND].map((token) => valueOf(each, token, lpSupply, half));
        expect(values.data.flatMap(paymentsOf)).toEqual([`KLV=${worth[0]}`, `KFI=${worth[1]}`]);
      }),
      { numRuns: often(300) },
    );
  });
});

// The SDK computes an LP token's address from its pair, so LP amounts are in that token.

function minted(each: Case, other: bigint, lpSupply: bigint): bigint {
  const pool = poolOf(each);
  const supply = amount(pool.liquidityToken, lpSupply);
  return unitsOf(pool.getLiquidityMinted(supply, amount(FIRST, each.amount), amount(SECOND, other)));
}

function valueOf(each: Case, token: typeof FIRST, lpSupply: bigint, liquidity: bigint): bigint {
  const pool = poolOf(each);
  const { liquidityToken: lp } = pool;
  return unitsOf(pool.getLiquidityValue(token, amount(lp, lpSupply), amount(lp, liquidity)));
}
