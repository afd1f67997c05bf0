import { describe, expect, it } from "vitest";
import { decimalOf, unitsOf } from "../../sandbox/decimal.js";
import { alice, bob, defaultWorld, emptyWorld, localChain, numberOf, pairAddresses } from "./chain/local-chain.js";
import { fc } from "../support/property.js";

const quote = (world: Parameters<typeof localChain>[0], body: unknown) => localChain(world).post("/quotation", body);

describe("POST /quotation", () => {
  it("quotes in whole tokens what the referral swap then pays out", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("KLV", "KFI", "DVK-34ZH", "USDT-2AB1", "BTC-9K3F"),
        fc.constantFrom("KLV", "KFI", "DVK-34ZH", "USDT-2AB1", "BTC-9K3F"),
        fc.bigInt({ min: 1n, max: 5_000_000n }),
        async (tokenIn, tokenOut, units) => {
          fc.pre(tokenIn !== tokenOut);
          const local = localChain({ ...defaultWorld(), options: { defaultCaller: alice } });
          const [precisionIn, precisionOut] = [tokenIn, tokenOut].map((id) => (id === "BTC-9K3F" ? 8 : 6));
          const amountIn = decimalOf(units, precisionIn!);
          const { status, json } = await local.post("/quotation", { amountIn, tokenIn, tokenOut });
          expect(status).toBe(200);
          const { amountOut, ...rest } = json as { amountOut: string };
          expect(rest).toEqual({
            amountIn,
            tokenIn,
            tokenOut,
            tokenInPrecision: precisionIn,
            tokenOutPrecision: precisionOut,
          });
          const expected = unitsOf(amountOut, precisionOut!)!;
          const args = [
            `address:${bob}`,
            "u64:1000",
            `string:${tokenIn}`,
            `string:${tokenOut}`,
            `BigUint:${expected || 1n}`,
          ];
          const result = await local.call("referral", "swap", args, { value: `${tokenIn}=${units}` });
          // Dust that rounds down to zero on the way is quoted as zero, and its swap is refused.
          expect(result.ok).toBe(expected > 0n);
          if (result.ok) expect(numberOf(result.data[0]) + numberOf(result.data[1])).toBe(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each<[string, unknown, number, string | RegExp]>([
    ["a number as amount", { amountIn: 5, tokenIn: "KLV", tokenOut: "KFI" }, 400, /amountIn/],
    ["a missing field", { amountIn: "5", tokenIn: "KLV" }, 400, /tokenOut/],
    ["a field too many", { amountIn: "5", tokenIn: "KLV", tokenOut: "KFI", slippage: 1 }, 400, /slippage/],
    ["no object", "KLV", 400, /object/],
    [
      "more decimals than the token has",
      { amountIn: "0.0000001", tokenIn: "KLV", tokenOut: "KFI" },
      400,
      /amount of tokenIn/,
    ],
    ["an exponent", { amountIn: "1e3", tokenIn: "KLV", tokenOut: "KFI" }, 400, /amount of tokenIn/],
    ["an unknown token", { amountIn: "5", tokenIn: "KLV", tokenOut: "ABC-1A2B" }, 404, "token not found"],
    [
      "a token without pool",
      { amountIn: "5", tokenIn: "KLV", tokenOut: "LPKLVKFI-3I0N" },
      404,
      "no route between the tokens",
    ],
    ["the same token twice", { amountIn: "5", tokenIn: "KLV", tokenOut: "KLV" }, 404, "no route between the tokens"],
  ])("refuses %s", async (_, body, status, error) => {
    const answer = await quote(defaultWorld(), body);
    expect(answer.status).toBe(status);
    expect((answer.json as { error: string }).error).toMatch(error);
  });

  it("uses only active pairs", async () => {
    const pair = {
      address: pairAddresses[0],
      firstToken: "KLV",
      secondToken: "KFI",
      reserveFirst: "1000000",
      reserveSecond: "1000000",
    };
    const body = { amountIn: "0.001", tokenIn: "KLV", tokenOut: "KFI" };
    expect((await quote(emptyWorld({ pairs: [pair] }), body)).json).toMatchObject({ amountOut: "0.000996" });
    expect((await quote(emptyWorld({ pairs: [{ ...pair, state: "PartialActive" }] }), body)).status).toBe(404);
  });

  it("quotes zero from an empty pool", async () => {
    const pair = { address: pairAddresses[0], firstToken: "KLV", secondToken: "KFI" };
    const body = { amountIn: "0", tokenIn: "KLV", tokenOut: "KFI" };
    expect((await quote(emptyWorld({ pairs: [pair] }), body)).json).toMatchObject({ amountOut: "0" });
  });
});
