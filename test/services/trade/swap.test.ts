import { describe, expect, it } from "vitest";
import { amountOf, type Amount } from "../../../src/encoding/amount.js";
import { wireBody } from "../../../src/encoding/call.js";
import { Fault } from "../../../src/fault.js";
import type { IntentOf } from "../../../src/services/intent/intent.js";
import type { Pools } from "../../../src/services/market/pools.js";
import type { SwapRequest } from "../../../src/services/terms/swap-terms.js";
import { createSwaps, readSwapOutcome } from "../../../src/services/trade/swap.js";
import {
  alice,
  dvk,
  kfi,
  klv,
  locked,
  operator,
  person,
  referralContract,
  silent,
  testClock,
  unchecked,
  untoldRights,
} from "../samples.js";
import { fc, property } from "../../support/property.js";

const config = {
  referralAddress: operator,
  referralPercentage: 1000,
  referralContract,
  routerContract: referralContract,
  defaultSlippageBps: 100,
  maxSlippageBps: 1500,
  quoteTtlSeconds: 30,
  betterRouteBps: 50,
};

/** No pools are known. */
const pools = { known: async () => undefined, areOffered: () => true } as unknown as Pools;

/** Swaps over a quotation service that gives these quotes in order, and records its requests. */
function swapsQuoted(...quotes: readonly (Amount | Fault)[]) {
  const asked: unknown[] = [];
  const quote = async (...request: unknown[]) => {
    asked.push(request);
    const next = quotes[asked.length - 1];
    if (next === undefined) throw new Error("no quote was expected");
    if (next instanceof Fault) throw next;
    return next;
  };
  return {
    asked,
    ...createSwaps({
      ...{ quotation: { quote }, pools, rights: untoldRights, routerCheck: unchecked, config },
      ...{ clock: testClock(), log: silent },
    }),
  };
}

const request: SwapRequest<Amount> = { kind: "swap", pay: amountOf(klv, 100_000_000n), from: klv, to: kfi };
const quoted = amountOf(kfi, 1_234_567n);
const { wallet: _wallet, ...homeless } = person();

describe("prepare", () => {
  it("builds the call from the numbers on the card", async () => {
    const { prepare, asked } = swapsQuoted(quoted);
    const draft = await prepare(person(), request);
    expect({ ...draft, call: wireBody(draft.call) }).toEqual({
      terms: {
        kind: "swap",
        amountIn: amountOf(klv, 100_000_000n),
        request,
        quotedOut: quoted,
        minimumOut: amountOf(kfi, 1_222_221n),
        slippageBps: 100,
        referralPercentage: 1000,
        payout: alice,
      },
      call: {
        scAddress: referralContract,
        funcName: "swap",
        args: [`address:${operator}`, "u64:1000", "string:KLV", "string:KFI", "BigUint:1222221", `address:${alice}`],
        value: "KLV=100000000",
      },
      expiresAt: 1_030_000,
    });
    expect(asked).toEqual([[amountOf(klv, 100_000_000n), kfi]]);
  });

  it("uses the user's slippage, up to the operator's maximum", async () => {
    const own = await swapsQuoted(quoted).prepare(person({ slippageBps: 0 }), request);
    expect(own.terms.minimumOut).toEqual(quoted);
    const high = await swapsQuoted(quoted).prepare(person({ slippageBps: 5000 }), request);
    expect(high.terms).toMatchObject({ slippageBps: 1500, minimumOut: { units: 1_049_381n } });
  });

  it("never takes less than a standing limit, whatever the fee, nor less than the slippage floor", async () => {
    const limit = (least: bigint) => ({ id: "order", kind: "limit" as const, least: amountOf(kfi, least) });
    // 1,234,567 leave 1,222,222 after 1 %; the slippage floor is 1,222,221.
    const { terms, call } = await swapsQuoted(quoted).prepare(person(), { ...request, standing: limit(1_220_000n) });
    expect(terms.minimumOut).toEqual(amountOf(kfi, 1_232_323n));
    expect(wireBody(call).args).toContain("BigUint:1232323");
    const low = await swapsQuoted(quoted).prepare(person(), { ...request, standing: limit(1_000_000n) });
    expect(low.terms.minimumOut).toEqual(amountOf(kfi, 1_222_221n));
    const exact = await swapsQuoted(quoted).prepare(person(), { ...request, standing: limit(1_222_222n) });
    expect(exact.terms.minimumOut.units).toBeLessThanOrEqual(quoted.units);
    await expect(
      swapsQuoted(quoted).prepare(person(), { ...request, standing: limit(1_222_223n) }),
    ).rejects.toMatchObject({ code: "standing-price-back" });
  });

  it("sends nothing of a limit whose price has gone back when it is confirmed", async () => {
    const standing = { id: "order", kind: "limit" as const, least: amountOf(kfi, 1_220_000n) };
    const swaps = swapsQuoted(quoted, amountOf(kfi, 1_232_323n), amountOf(kfi, 1_232_322n));
    const { terms } = await swaps.prepare(person(), { ...request, standing });
    const card = { terms } as IntentOf<"swap">;
    expect(await swaps.recheck(card)).toBeUndefined();
    await expect(swaps.recheck(card)).rejects.toMatchObject({ code: "standing-price-back" });
  });

  it("protects a quote of one unit", async () => {
    const { terms, call } = await swapsQuoted(amountOf(kfi, 1n)).prepare(person(), request);
    expect(terms.minimumOut.units).toBe(1n);
    expect(call.inputs).toMatchObject({ amount_out_min: 1n });
  });

  it.each([
    ["wallet-missing", {}, homeless],
    ["tokens-identical", { to: klv }],
    ["token-not-swappable", { from: locked, pay: amountOf(locked, 1n) }],
    ["token-not-swappable", { to: locked }],
    ["token-precision-unknown", { from: dvk, pay: amountOf(dvk, 1n) }],
  ])("refuses with %s before any request", async (code, fields, owner = person()) => {
    const { prepare, asked } = swapsQuoted(quoted);
    await expect(prepare(owner, { ...request, ...fields })).rejects.toMatchObject({ code });
    expect(asked).toEqual([]);
  });

  it("passes on why there is no quote", async () => {
    const { prepare } = swapsQuoted(new Fault("quote-unreadable", {}));
    await expect(prepare(person(), request)).rejects.toMatchObject({ code: "quote-unreadable" });
  });
});

describe("quote", () => {
  it("needs no wallet", async () => {
    const { terms } = await swapsQuoted(quoted).prepare(person(), request);
    const { payout: _payout, ...numbers } = terms;
    expect(await swapsQuoted(quoted).quote(homeless, request)).toEqual(numbers);
  });
});

describe("recheck", () => {
  /** What a confirm finds after a first quote of 1,000,000 with 1 % slippage: a minimum of 990,000. */
  async function rechecked(fresh: Amount | Fault, slippageBps = 100) {
    const swaps = swapsQuoted(amountOf(kfi, 1_000_000n), fresh);
    const draft = await swaps.prepare(person({ slippageBps }), request);
    return { ...swaps, draft, result: await swaps.recheck(draft as unknown as IntentOf<"swap">) };
  }

  it.each([990_000n, 1_000_000n, 2_000_000n])("holds at %i", async (units) => {
    const { result, asked } = await rechecked(amountOf(kfi, units));
    expect(result).toBeUndefined();
    expect(asked[1]).toEqual(asked[0]);
  });

  it("leads to a card at the fresh price one unit below the minimum", async () => {
    const { result, draft } = await rechecked(amountOf(kfi, 989_999n));
    expect(result).toMatchObject({
      terms: { ...draft.terms, quotedOut: { units: 989_999n }, minimumOut: { units: 980_099n } },
      call: { ...draft.call, inputs: { ...draft.call.inputs, amount_out_min: 980_099n } },
    });
  });

  it("keeps the card's slippage, not the user's current one", async () => {
    const { result } = await rechecked(amountOf(kfi, 400_000n), 500);
    expect(result).toMatchObject({ terms: { slippageBps: 500, minimumOut: { units: 380_000n } } });
  });

  it("fails if there is no quote", async () => {
    const fault = new Fault("service-timeout", { service: "quotation" });
    await expect(rechecked(fault)).rejects.toBe(fault);
  });

  it("rethrows a programming error", async () => {
    const { recheck, prepare } = swapsQuoted(quoted);
    const draft = await prepare(person(), request);
    await expect(recheck(draft as unknown as IntentOf<"swap">)).rejects.toThrow("no quote was expected");
  });
});

describe("readSwapOutcome", () => {
  const ok = (returnData: readonly string[]) => ({ kind: "ok", returnData }) as const;
  const hex = (units: bigint) => {
    const digits = units.toString(16);
    return digits.length % 2 === 0 ? digits : `0${digits}`;
  };
  const terms = {
    kind: "swap",
    amountIn: amountOf(klv, 1n),
    request: { kind: "swap", pay: amountOf(klv, 1n), from: klv, to: kfi },
    quotedOut: amountOf(kfi, 1000n),
    minimumOut: amountOf(kfi, 990n),
    slippageBps: 100,
    referralPercentage: 1000,
    payout: alice,
  } as const;

  property(
    "believes an answer that follows the contract's rule",
    [fc.bigInt(990n, 1n << 100n), fc.integer({ min: 100, max: 5000 })],
    (total, referralPercentage) => {
      const referral = (total * BigInt(referralPercentage)) / 100_000n;
      const answer = [hex(referral), hex(total - referral)];
      expect(readSwapOutcome({ terms: { ...terms, referralPercentage }, outcome: ok(answer) }, "hex")).toEqual({
        referral: amountOf(kfi, referral),
        received: amountOf(kfi, total - referral),
      });
    },
  );

  it("reads base64 too", () => {
    const outcome = readSwapOutcome({ terms, outcome: ok(["Cg==", "A94="]) }, "base64");
    expect(outcome).toMatchObject({ referral: { units: 10n }, received: { units: 990n } });
  });

  it.each([
    ["one entry", ["0a"]],
    ["three entries", ["0a", "03de", "00"]],
    ["no entry", []],
    ["no hex", ["zz", "03de"]],
    ["swapped entries", ["03de", "0a"]],
    ["a referral part that is one too high", ["0b", "03dd"]],
    ["a referral part that is one too low", ["09", "03df"]],
    ["a total below the minimum", [hex(9n), hex(980n)]],
    ["nothing at all", ["00", "00"]],
  ])("claims nothing from %s", (_name, returnData) => {
    expect(readSwapOutcome({ terms, outcome: ok(returnData) }, "hex")).toBeUndefined();
  });

  it("accepts a total of exactly the minimum", () => {
    expect(readSwapOutcome({ terms, outcome: ok([hex(9n), hex(981n)]) }, "hex")).toBeDefined();
  });
});
