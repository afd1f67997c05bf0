import { expect, it } from "vitest";
import { royaltiesOn } from "../../../sandbox/chain/royalties.js";
import type { ChainState } from "../../../sandbox/chain/state.js";
import { mostPayable } from "../../../src/services/market/most-payable.js";
import { fc, property } from "../../support/property.js";
import { alice } from "../samples.js";

type Row = readonly [
  name: string,
  held: bigint,
  bands: readonly (readonly [bigint, bigint])[],
  most: bigint,
  why: string,
];

/** Worked out by hand; the royalties of 2,500 and of 3,000 are those of klever-go's own tests (kapps/kda_test.go). */
const table: readonly Row[] = [
  ["nothing", 1_000n, [], 1_000n, "no royalty"],
  ["5%", 105n, [[1_000n, 500n]], 100n, "100 + 5"],
  ["5%, a unit less", 104n, [[1_000n, 500n]], 99n, "99 + 4.95, down 4, is 103; 100 + 5 is 105"],
  ["5%, a unit more", 106n, [[1_000n, 500n]], 101n, "101 + 5.05, down 5"],
  ["5% of less than a unit", 19n, [[1_000n, 500n]], 19n, "19 + 0.95, down 0"],
  [
    "5%, then 3%",
    2_595n,
    [
      [1_000n, 500n],
      [2_000n, 300n],
    ],
    2_500n,
    "2,500 + 50 + 45",
  ],
  [
    "5%, then 3%, a unit less",
    2_594n,
    [
      [1_000n, 500n],
      [2_000n, 300n],
    ],
    2_499n,
    "2,499 + 50 + 44.97, down 44",
  ],
  [
    "5%, at the end of its band",
    1_050n,
    [
      [1_000n, 500n],
      [2_000n, 300n],
    ],
    1_000n,
    "1,000 + 50",
  ],
  ["2%, beyond the last band", 3_060n, [[1_000n, 200n]], 3_000n, "3,000 + 20 + 40"],
  [
    "a band of nothing before 1%",
    106n,
    [
      [0n, 9_000n],
      [5n, 100n],
    ],
    105n,
    "105 + 0.05, down 0, + 1",
  ],
  ["all again", 9n, [[1n, 10_000n]], 4n, "4 + 4; 5 + 5 is 10"],
  ["all again of one", 1n, [[1n, 10_000n]], 0n, "1 + 1 is 2"],
  ["1%, in an empty account", 0n, [[1n, 100n]], 0n, "0"],
];
const bandsOf = (bands: Row[2]) => bands.map(([width, bps]) => ({ width, bps }));

it.each(table)("with %s, %i pays so much at most", (...[, held, bands, most]) => {
  expect(mostPayable(held, bandsOf(bands))).toBe(most);
});

const units = (most: bigint) => fc.bigInt({ min: 0n, max: most });
const anyBand = fc.tuple(fc.oneof(units(2_000n), units(1n << 62n)), units(10_000n));

property(
  "is all that the chain lets through, to the unit, whatever the bands",
  [fc.oneof(units(10_000n), units((1n << 63n) - 1n)), fc.array(anyBand, { maxLength: 5 })],
  (held, bands) => {
    const TransferPercentage = bands.map(([Amount, share]) => ({ Amount, Percentage: Number(share) }));
    const issued = new Map([["T", { Royalties: { TransferPercentage } }]]);
    const whole = (sent: bigint) =>
      sent + royaltiesOn({ issued } as unknown as ChainState, alice, { tokenId: "T", nonce: 0n, units: sent }).kda;
    const most = mostPayable(held, bandsOf(bands));
    expect(whole(most) <= held && held < whole(most + 1n)).toBe(true);
  },
);
