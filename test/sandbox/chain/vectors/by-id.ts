import { expect } from "vitest";
import * as z from "zod";
import { bytesOf, textOf } from "../../../../sandbox/chain/address.js";
import type { WorldJson } from "../../../../sandbox/world.js";
import {
  alice,
  bob,
  carol,
  emptyWorld,
  founder,
  localChain,
  numberOf,
  pairAddresses,
  paymentsOf,
  type LocalChain,
  type Result,
} from "../local-chain.js";
import { firstDeposit } from "./by-function.js";
import {
  expectError,
  expectHex,
  figure,
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
  type Vector,
} from "./vector.js";

/** Queries a view of a pair with `reserves` about the vector's `ALC`, which is the first token here. */
async function view(vector: Vector, name: string, token: string, amount: string, reserves: string): Promise<void> {
  const local = localChain(pairWorld({ reserveFirst: reserves, reserveSecond: reserves, lpSupply: reserves }));
  const result = await local.call(PAIR, name, [`string:${token}`, `BigUint:${amount}`]);
  if (vector.expect["error"] !== undefined) expectError(vector, result);
  else expect(result.data.map(numberOf)).toEqual([units(vector, "amountOut")]);
}

/** A route vector's two hops: the first from ABC-1A2B to KLV, the second from KLV to KFI. */
function routeWorld(vector: Vector): WorldJson {
  const hop = z.object({ reserveIn: figure, reserveOut: figure });
  const [first, second] = z.tuple([hop, hop]).parse(vector.given["hops"]);
  const pair = (address: (typeof pairAddresses)[number], tokens: readonly [string, string], each: typeof first) => ({
    address,
    firstToken: tokens[0],
    secondToken: tokens[1],
    reserveFirst: each.reserveIn,
    reserveSecond: each.reserveOut,
  });
  return emptyWorld({
    accounts: [{ address: alice, balances: { "ABC-1A2B": RICH } }],
    pairs: [pair(pairAddresses[0], ["ABC-1A2B", "KLV"], first), pair(pairAddresses[1], ["KLV", "KFI"], second)],
  });
}

/** Alice swaps `amountIn` of ABC-1A2B through the first pair to KLV, and through the second to KFI. */
function overTwoPairs(local: LocalChain, amountIn: string): Promise<Result> {
  const hop = (pair: string, token: string) =>
    [`address:${pair}`, "string:swapTokensFixedInput", `string:${token}`, "BigUint:1"] as const;
  const args = [...hop(pairAddresses[0], "KLV"), ...hop(pairAddresses[1], "KFI")];
  return local.call("router", "multiPairSwap", args, { caller: alice, value: `ABC-1A2B=${amountIn}` });
}

const lockWorld = (epoch: number): WorldJson =>
  emptyWorld({
    chain: { epoch },
    accounts: [{ address: alice, balances: { KLV: RICH, "ABC-1A2B": RICH, KFI: RICH } }],
  });
const lock = (local: LocalChain, token: string, amount: string, unlockEpoch: string): Promise<Result> =>
  local.call("simpleLock", "lockTokens", [`u64:${unlockEpoch}`], { caller: alice, value: `${token}=${amount}` });
const unlock = (local: LocalChain, nonce: string, amount: string): Promise<Result> =>
  local.call("simpleLock", "unlockTokens", [], { caller: alice, value: `LKTOK-1A2B/${nonce}=${amount}` });

/** Runs the vectors that need their own set-up. */
export const byId: Readonly<Record<string, (vector: Vector) => Promise<void>>> = {
  v023: (vector) => firstDeposit(vector, ["min"]),
  v035: (vector) => firstDeposit(vector, ["min", "sqrt"]),

  v028: async (vector) => {
    const lockedOutput = {
      deadlineEpoch: given(vector, "lockingDeadlineEpoch"),
      unlockEpoch: given(vector, "unlockEpoch"),
    };
    const json = { ...swapWorld(vector, { lockedOutput }), chain: { epoch: Number(given(vector, "epoch")) } };
    const local = localChain(json);
    const result = await swap(local, "Input", given(vector, "amountIn"), given(vector, "amountOutMin"));
    const out = units(vector, "amountOut");
    expect(paymentsOf(result.data[0])).toEqual([`LKTOK-1A2B/1=${out}`]);
    expect(local.balance(alice, "LKTOK-1A2B/1")).toBe(out);
    expect(local.chain.snapshot().locked["LKTOK-1A2B/1"]).toEqual({ asset: FIRST, unlockEpoch: "10" });
  },

  v031: async (vector) => {
    const cutPercentage = Number(given(vector, "feesCollectorCutPercentage"));
    const local = localChain(swapWorld(vector, { feesCollector: { address: carol, cutPercentage } }));
    const result = await swap(local, "Input", given(vector, "amountIn"), given(vector, "amountOutMin"));
    expect(paymentsOf(result.data[0])).toEqual([`${FIRST}=${units(vector, "amountOut")}`]);
    expect(local.balance(carol, SECOND)).toBe(units(vector, "sentToFeesCollector"));
    expect(local.chain.pools()[0]).toHaveProperty("reserveSecond", text(vector, "expect", "reserveInAfter"));
    const outside = units(vector, "specialFee") - units(vector, "sentToFeesCollector");
    expect(local.balance(PAIR, SECOND)).toBe(units(vector, "reserveInAfter") + outside);
  },

  v039: async (vector) => {
    const reserves = { reserveFirst: "1001000", reserveSecond: "1001000" };
    const local = localChain(
      emptyWorld({
        accounts: [{ address: alice, balances: { "ABC-1A2B": RICH } }],
        pairs: [
          { address: pairAddresses[0], firstToken: "KLV", secondToken: "ABC-1A2B", ...reserves },
          { address: pairAddresses[1], firstToken: "KLV", secondToken: "KFI", ...reserves },
        ],
      }),
    );
    const result = await overTwoPairs(local, "100000");
    expect(paymentsOf(result.data[0])).toEqual(["KFI=82909"]);
    expect(local.balance(alice, "ABC-1A2B")).toBe(BigInt(RICH) - 100_000n);
    expect([local.balance(alice, "KLV"), local.balance(alice, "KFI")]).toEqual([0n, 82_909n]);
    const { WEGLD } = z.object({ WEGLD: figure }).parse(vector.expect["intermediate"]);
    expect(local.balance(pairAddresses[1], "KLV")).toBe(1_001_000n + BigInt(WEGLD));
  },

  v042: async (vector) => {
    const json = pairWorld(
      {
        ...{ reserveFirst: "1000000000", reserveSecond: "1000000" },
        lpSupply: "1000000",
        state: "PartialActive",
        initialLiquidityAdder: bob,
      },
      {
        tokens: [...emptyWorld().tokens, { id: "LTOK2-1234", name: "Other", precision: 6, kind: "semi-fungible" }],
        accounts: [{ address: bob, balances: { "LTOK2-1234/1": "999000" } }],
        lockedNonces: [{ tokenId: "LTOK2-1234", nonce: "1", originalTokenId: LP, unlockEpoch: "100" }],
        router: {
          ...emptyWorld().router,
          commonTokens: [FIRST],
          enableSwapByUser: [{ commonToken: FIRST, lockedToken: "LKTOK-1A2B", minValue: "1", minPeriodEpochs: "1" }],
        },
      },
    );
    const local = localChain(json);
    const value = "LTOK2-1234/1=999000";
    expectError(
      vector,
      await local.call("router", "setSwapEnabledByUser", [`address:${PAIR}`], { caller: bob, value }),
    );
    expect(local.chain.pools()[0]).toHaveProperty("state", vector.expect["pairStateAfter"]);
    expect(local.balance(bob, "LTOK2-1234/1")).toBe(999_000n);
  },

  v043: async () => {
    const local = localChain(emptyWorld());
    const created = await local.call("router", "createPair", ["string:KLV", "string:KFI"], { caller: bob });
    expect(created.ok).toBe(true);
    const address = textOf(Buffer.from(created.data[0]!, "hex"));
    const adder = await local.call(address, "getInitialLiquidtyAdder");
    expect(adder.data).toEqual([`01${bytesOf(bob).toString("hex")}`]);
  },

  v044: async (vector) => {
    const local = localChain(lockWorld(5));
    const result = await lock(local, "ABC-1A2B", "1000", given(vector, "unlockEpoch"));
    expect(paymentsOf(result.data[0])).toEqual(["LKTOK-1A2B/1=1000"]);
    expect(local.chain.snapshot().locked["LKTOK-1A2B/1"]).toEqual({ asset: "ABC-1A2B", unlockEpoch: "10" });
  },

  v046: async (vector) => {
    const local = localChain(lockWorld(5));
    await lock(local, "ABC-1A2B", given(vector, "amount"), given(vector, "unlockEpoch"));
    local.chain.advanceEpoch(5);
    const result = await unlock(local, given(vector, "lockedNonce"), given(vector, "amount"));
    expect(paymentsOf(result.data[0])).toEqual(["ABC-1A2B=1000"]);
    expect(local.balance(alice, "ABC-1A2B")).toBe(BigInt(RICH));
  },

  v047: async (vector) => {
    // The lock's own unit keeps the nonce alive, although nobody else holds any at the start.
    const lockedNonces = [{ tokenId: "LKTOK-1A2B", nonce: "1", originalTokenId: "ABC-1A2B", unlockEpoch: "10" }];
    const local = localChain({ ...lockWorld(9), lockedNonces });
    const result = await lock(local, "ABC-1A2B", "100", given(vector, "unlockEpoch"));
    expect(paymentsOf(result.data[0])).toEqual(["LKTOK-1A2B/1=100"]);
  },

  v051: async () => {
    const local = localChain(lockWorld(5));
    const results = [await lock(local, "KLV", "1000000", "10"), await lock(local, "KFI", "2000000", "15")];
    expect(results.map(({ data }) => paymentsOf(data[0]))).toEqual([
      ["LKTOK-1A2B/1=1000000"],
      ["LKTOK-1A2B/2=2000000"],
    ]);
  },

  v054: async (vector) => {
    const reserves = { reserveFirst: "2000000000", reserveSecond: "2000000000", lpSupply: "2000000000" };
    const local = localChain(pairWorld({ ...reserves, specialFeePercent: 100, feeDestinations: [FIRST] }));
    const supplyBefore = local.chain.state.ledger.supply({ tokenId: FIRST, nonce: 0n });
    const first = await swap(local, "Input", "100000", "50000");
    expect(local.chain.pools()[0]).toMatchObject({ reserveFirst: "1999900206", reserveSecond: "2000100000" });
    // The fee of 100 was swapped for 99 of the first token, which were burned.
    expect(local.chain.state.ledger.supply({ tokenId: FIRST, nonce: 0n })).toBe(supplyBefore - 99n);
    const options = { caller: alice, value: `${FIRST}=100000` };
    const second = await local.call(PAIR, "swapTokensFixedInput", [`string:${SECOND}`, "BigUint:50000"], options);
    const outs = [...first.data, ...second.data].flatMap(paymentsOf).map((payment) => payment.split("=")[1]);
    expect(outs).toEqual(vector.expect["outs"]);
    expectHex({ ...vector, expect: { returnDataHex: [vector.expect["hexLast"]] } }, second.data, {
      [SECOND]: "ALC-abcdef",
    });
  },

  v056: (vector) => view(vector, "getAmountOut", FIRST, given(vector, "amountIn"), given(vector, "reserveIn")),
  v058: (vector) => view(vector, "getAmountOut", FIRST, "0", "2000000000"),
  v060: (vector) => view(vector, "getAmountIn", FIRST, "0", "2000000000"),
  v061: (vector) => view(vector, "getAmountIn", FIRST, "100000000000000", "2000000000"),
  v063: (vector) => view(vector, "getEquivalent", FIRST, "0", "2000000000"),
  v064: (vector) => view(vector, "getEquivalent", "ABC-1A2B", "1", "2000000000"),
  v067: (vector) => view(vector, "getAmountOut", FIRST, "100", "0"),
  v068: (vector) => view(vector, "getAmountIn", FIRST, "100", "0"),
  v069: (vector) => view(vector, "getEquivalent", "ABC-1A2B", "1", "0"),
  v070: (vector) => view(vector, "getEquivalent", FIRST, "100", "0"),

  v075: (vector) => sameToken(vector, "swapTokensFixedInput"),
  v076: (vector) => sameToken(vector, "swapTokensFixedOutput"),

  v080: async (vector) => {
    const local = localChain(pairWorld({}));
    const args = [`string:${FIRST}`, `string:${SECOND}`];
    expectError(vector, await local.call("router", "createPair", args, { caller: founder }));
  },
  v083: async (vector) => {
    const result = await localChain(pairWorld({})).call("router", "getPair", [`string:${FIRST}`, "string:ABC-1A2B"]);
    expect(result.data).toEqual([vector.expect["address"]]);
  },
  v086: async (vector) => {
    const stateWhen = async (active: boolean) => {
      const local = localChain(emptyWorld({ router: { ...emptyWorld().router, active } }));
      return (await local.call("router", "getState")).data;
    };
    expect(await stateWhen(false)).toEqual([vector.expect["afterPause"]]);
    expect(await stateWhen(true)).toEqual([vector.expect["afterResume"]]);
  },

  v105: async (vector) => {
    const start = {
      reserveFirst: "10000000000000000000",
      reserveSecond: "1000000000000000000000",
      lpSupply: "100000000000000000000",
    };
    const local = localChain(pairWorld(start));
    const options = { caller: alice, value: `${FIRST}=10000000000000000000` };
    await local.call(PAIR, "swapTokensFixedInput", [`string:${SECOND}`, "BigUint:1"], options);
    const result = await local.call(PAIR, "getTokensForGivenPosition", ["BigUint:7000000000000000000"]);
    expect(result.data.flatMap(paymentsOf)).toEqual([
      `${FIRST}=${units(vector, "first")}`,
      `${SECOND}=${units(vector, "second")}`,
    ]);
  },

  v118: async (vector) => {
    const result = await overTwoPairs(localChain(routeWorld(vector)), given(vector, "amountIn"));
    expect(paymentsOf(result.data[0])).toEqual([`KFI=${units(vector, "amountOut")}`]);
  },
  v120: async (vector) => {
    const local = localChain(routeWorld(vector));
    const needed = async (pair: (typeof pairAddresses)[number], token: string, amount: bigint) =>
      numberOf((await local.call(pair, "getAmountIn", [`string:${token}`, `BigUint:${amount}`])).data[0]);
    const between = await needed(pairAddresses[1], "KFI", BigInt(given(vector, "amountOut")));
    expect(await needed(pairAddresses[0], "KLV", between)).toBe(units(vector, "amountIn"));
  },
};

async function sameToken(vector: Vector, name: string): Promise<void> {
  const local = localChain(pairWorld({ reserveFirst: "2000000000", reserveSecond: "2000000000" }));
  const options = { caller: alice, value: `${FIRST}=100` };
  expectError(vector, await local.call(PAIR, name, [`string:${FIRST}`, "BigUint:1"], options));
}
