import { describe, expect, it } from "vitest";
import { addressToBytes, type Address } from "../../../src/encoding/address.js";
import { pairTradesIn, payersIn } from "../../../src/services/market/pair-trades.js";
import { alice, referralContract } from "../samples.js";
import { poolAddress } from "./pool-samples.js";

const text64 = (address: Address) => Buffer.from(addressToBytes(address)).toString("base64");
const pair = poolAddress(1);
const [own, other, router, trader, collector, lock] = [
  poolAddress(1),
  poolAddress(2),
  referralContract,
  alice,
  poolAddress(8),
  poolAddress(9),
].map(text64) as [string, string, string, string, string, string];
/** In the pair; others move things, too. */
const tradesOf = (transfers: Parameters<typeof pairTradesIn>[0]) =>
  pairTradesIn(transfers).filter((trade) => trade.pair === pair);
const nobody = Buffer.alloc(32).toString("base64");
const move = (from: string, to: string, units: number, asset: string) => ({ from, to, asset, units: BigInt(units) });
const bought = { paid: "KLV", paidUnits: 12_000n, got: "KFI", gotUnits: 5_000n };
const buys = [move(trader, own, 12_000, "KLV"), move(own, trader, 5_000, "KFI")];

const another = Buffer.alloc(32, 7).toString("base64");

it("is paid by the accounts that something left, and by none that only gets a fee or a part back", () => {
  const fee = move(own, another, 10, "KFI");
  expect(payersIn([...buys, fee])).toEqual([alice]);
  expect(payersIn([...buys, move(another, trader, 5, "KLV"), move(trader, another, 5, "KLV")])).toEqual([alice]);
  expect(payersIn([move(nobody, trader, 5, "KLV"), move(own, trader, 5, "KFI")])).toEqual([]);
});

describe("a swap", () => {
  it.each([
    ["is what was paid in and given out", buys, bought],
    [
      "is a sale the other way round",
      [move(trader, own, 5_000, "KFI"), move(own, trader, 11_900, "KLV")],
      { paid: "KFI", paidUnits: 5_000n, got: "KLV", gotUnits: 11_900n },
    ],
    [
      "through a contract counts what reaches the pair, whatever the contract keeps",
      [
        move(trader, router, 12_100, "KLV"),
        move(router, own, 12_000, "KLV"),
        move(own, router, 5_000, "KFI"),
        move(router, collector, 50, "KFI"),
        move(router, trader, 4_950, "KFI"),
      ],
      bought,
    ],
    [
      "through several pairs is the part in this one",
      [
        move(trader, router, 7, "DVK-34ZH"),
        move(router, other, 7, "DVK-34ZH"),
        move(other, router, 12_000, "KLV"),
        move(router, own, 12_000, "KLV"),
        move(own, router, 5_000, "KFI"),
        move(router, trader, 5_000, "KFI"),
      ],
      bought,
    ],
    [
      "for a fixed output leaves out what is given back",
      [move(trader, own, 13_000, "KLV"), move(own, trader, 5_000, "KFI"), move(own, trader, 1_000, "KLV")],
      bought,
    ],
    [
      "includes the fee, whether it is burned in either token or collected",
      [...buys, move(own, collector, 6, "KLV"), move(own, nobody, 6, "KLV"), move(own, nobody, 2, "KFI")],
      bought,
    ],
    ["whose output is locked counts it", [move(trader, own, 12_000, "KLV"), move(own, lock, 5_000, "KFI")], bought],
    ["that is made in two parts is one", [...buys, ...buys], { ...bought, paidUnits: 24_000n, gotUnits: 10_000n }],
    [
      "there and partly back is the rest",
      [...buys, move(trader, own, 1_000, "KFI"), move(own, trader, 2_300, "KLV")],
      { ...bought, paidUnits: 9_700n, gotUnits: 4_000n },
    ],
  ])("%s", (_, transfers, trade) => {
    expect(tradesOf(transfers)).toEqual([{ pair, ...trade }]);
    expect(tradesOf(transfers.toReversed())).toEqual([{ pair, ...trade }]);
  });

  it.each([
    ["without transfers", []],
    ["of another pair", [move(trader, other, 12_000, "KLV"), move(other, trader, 5_000, "KFI")]],
    ["that gives the pair something", [move(trader, own, 12_000, "KLV")]],
    ["that wipes the pair's tokens", [move(own, nobody, 5_000, "KFI")]],
    ["that mints to the pair", [move(nobody, own, 5_000, "KFI"), move(own, trader, 12_000, "KLV")]],
    ["there and all the way back", [...buys, move(trader, own, 5_000, "KFI"), move(own, trader, 11_900, "KLV")]],
    [
      "that adds liquidity",
      [
        move(trader, own, 5_000, "KFI"),
        move(trader, own, 12_000, "KLV"),
        move(nobody, own, 7_000, "LP-1A2B"),
        move(own, trader, 7_000, "LP-1A2B"),
        move(own, trader, 10, "KLV"),
      ],
    ],
    [
      "that removes liquidity",
      [
        move(trader, own, 7_000, "LP-1A2B"),
        move(own, nobody, 7_000, "LP-1A2B"),
        move(own, trader, 5_000, "KFI"),
        move(own, trader, 12_000, "KLV"),
      ],
    ],
    // What of it was swapped, nobody can tell.
    ["that swaps, and adds liquidity", [...buys, move(nobody, own, 1, "LP-1A2B"), move(own, trader, 1, "LP-1A2B")]],
  ])("isn't a transaction %s", (_, transfers) => {
    expect(tradesOf(transfers)).toEqual([]);
  });

  it("isn't made by nobody, from whom one token comes and to whom another goes", () => {
    const mintsAndBurns = [move(nobody, trader, 7_000, "LP-1A2B"), move(other, nobody, 2, "KLV")];
    expect(pairTradesIn([...buys, ...mintsAndBurns])).toEqual([{ pair, ...bought }]);
  });
});
