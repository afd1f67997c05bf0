import { expect, it, test } from "vitest";
import { royaltiesOn } from "../../../sandbox/chain/royalties.js";
import type { ChainState } from "../../../sandbox/chain/state.js";
import { amountOf, KLV, type Token } from "../../../src/encoding/amount.js";
import {
  isOtherRoyalty,
  royaltiesIn,
  royaltyOn,
  royaltyOnAll,
  wholeSale,
} from "../../../src/services/market/royalty.js";
import type { ToldRights } from "../../../src/services/market/token-rights.js";
import { fc, property } from "../../support/property.js";
import { alice, kfi } from "../samples.js";
import { rightsWith } from "./rights-samples.js";

const moon: Token = { id: "MOON-4R7T", name: "MOON", precision: 6, kind: "fungible" };
const moons = (units: bigint) => amountOf(moon, units);
const bands = (...of: readonly (readonly [bigint, bigint])[]) => of.map(([width, bps]) => ({ width, bps }));
/** 5% of the first 1,000, 2% of what is beyond, and 3 KLV. */
const told = rightsWith(moon.id, bands([1_000_000_000n, 500n], [100_000_000_000n, 200n]), 3_000_000n);

it.each([
  // Worked out by hand.
  ["a share and an amount", 46_995_573n, 2_349_778n, "46.995573 * 0.05 = 2.34977865"],
  ["two bands", 2_500_000_000n, 80_000_000n, "50 + 1500 * 0.02"],
  ["all bands, and beyond", 102_000_000_000n, 2_070_000_000n, "50 + 100000 * 0.02 + 1000 * 0.02"],
  ["less than a unit of a share", 19n, 0n, "0.95, rounded down"],
])("takes %s on top: of %i units, %i", (_, sent, share) => {
  expect(royaltyOn(told, moons(sent))).toEqual({ share: moons(share), fixed: amountOf(KLV, 3_000_000n) });
});

it("of a whole holding leaves room for itself", () => {
  // 49.345351 / 1.05 is 46.995572.38, and a unit more still fits, since the share is rounded down.
  const taken = royaltyOnAll(told, moons(49_345_351n));
  expect(taken?.share).toEqual(moons(2_349_778n));
  expect(wholeSale(told, moons(49_345_351n))).toEqual({ sent: moons(46_995_573n), fixed: amountOf(KLV, 3_000_000n) });
  const onlyShare = rightsWith(moon.id, bands([1_000_000_000n, 500n]), 0n);
  expect(wholeSale(onlyShare, moons(49_345_351n))).toEqual({ sent: moons(46_995_573n) });
});

test("a card has it of what is paid and of what is bought; what isn't known is called so, and no royalty is none", () => {
  const of = (rights: ToldRights) => new Map([[moon.id, rights]]);
  const [pay, got] = [moons(100_000_000n), amountOf(kfi, 5n)];
  const taken = { share: moons(5_000_000n), fixed: amountOf(KLV, 3_000_000n) };
  expect(royaltiesIn(of(told), pay, got)).toEqual({ royalty: taken });
  expect(royaltiesIn(of(told), got, moons(105_000_000n))).toEqual({ resaleRoyalty: taken });
  for (const unread of [undefined, "untold"] as const)
    expect(royaltiesIn(of(unread), pay, got)).toEqual({ royalty: "unknown" });
  expect(royaltiesIn(of(rightsWith(moon.id, [], 0n)), pay, got)).toEqual({});
  // The chain's own tokens have none, whatever a node says.
  expect(royaltiesIn(new Map([["KFI", told]]), got, pay)).toEqual({});
});

test("a card holds unless it is known now that something else is taken", () => {
  const of = (share: bigint, fixed = 0n) => ({ royalty: { share: moons(share), fixed: amountOf(KLV, fixed) } });
  const unknown = { royalty: "unknown" } as const;
  expect([of(1n), of(1n, 1n), of(0n, 3n), {}].map((now) => isOtherRoyalty(of(1n), now))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect([isOtherRoyalty({}, of(1n)), isOtherRoyalty(unknown, of(1n))]).toEqual([true, true]);
  expect([isOtherRoyalty(of(1n), unknown), isOtherRoyalty(unknown, {}), isOtherRoyalty({}, {})]).toEqual([
    false,
    false,
    false,
  ]);
});

const units = (most: bigint) => fc.bigInt({ min: 0n, max: most });
const anyBand = fc.tuple(fc.oneof(units(2_000n), units(1n << 62n)), units(10_000n));

property(
  "is what the chain takes, to the unit, whatever the bands",
  [fc.oneof(units(10_000n), units((1n << 63n) - 1n)), fc.array(anyBand, { maxLength: 5 }), units(9n)],
  (sent, of, fixed) => {
    const TransferPercentage = of.map(([Amount, share]) => ({ Amount, Percentage: Number(share) }));
    const issued = new Map([[moon.id, { Royalties: { TransferPercentage, TransferFixed: fixed } }]]);
    const taken = royaltiesOn({ issued } as unknown as ChainState, alice, { tokenId: moon.id, nonce: 0n, units: sent });
    const { share, fixed: klv } = royaltyOn(rightsWith(moon.id, bands(...of), fixed), moons(sent)) ?? {};
    expect({ kda: share?.units ?? 0n, klv: klv?.units ?? 0n }).toEqual(taken);
  },
);
