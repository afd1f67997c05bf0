import { card } from "../../src/cards/card.js";
import { portfolioCard } from "../../src/cards/portfolio.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { Asset, Portfolio } from "../../src/services/portfolio/portfolio.js";
import { lock, lp } from "../services/launch/samples.js";
import { kfi, klv } from "../services/samples.js";
import { dvk, now } from "./arrange.js";
import { asIs, type Sight } from "./sight.js";

const nothing: Asset = {
  token: kfi,
  bought: 0n,
  cost: 0n,
  realised: 0n,
  soldUnknown: 0n,
  held: amountOf(kfi, 5_000_000n),
  sale: undefined,
  counted: amountOf(kfi, 0n),
  countedCost: amountOf(klv, 0n),
  unrealised: undefined,
};
const bought: Asset = {
  ...nothing,
  bought: 4_000_000n,
  realised: -2_620_786n,
  sale: { value: amountOf(klv, 491_237_500n), impactBps: 131n },
  counted: amountOf(kfi, 4_000_000n),
  countedCost: amountOf(klv, 380_000_001n),
  unrealised: 12_989_999n,
};
const sold: Asset = {
  ...nothing,
  token: dvk,
  held: amountOf(dvk, 0n),
  realised: 317_000_000n,
  soldUnknown: 3_000_000n,
};
const native: Asset = {
  ...nothing,
  token: klv,
  held: amountOf(klv, 1_250_000_000n),
  sale: { value: amountOf(klv, 1_250_000_000n) },
};
const portfolio: Portfolio = {
  countedIn: klv,
  at: now,
  isSeen: true,
  assets: [bought, native, sold],
  arePoolsKnown: true,
  shares: [
    { amount: amountOf(lp, 141_420_356n), first: amountOf(dvk, 999_992_929n), second: amountOf(kfi, 19_999_858n) },
  ],
  locks: [{ ...lock(5_000_000n, 5500n, { amount: amountOf(kfi, 5_000_000n) }), beginsAt: now + 26 * 86_400_000 }],
  uncounted: 0,
  tooOld: 0,
};
const choices = ["KFI", "DVK-34ZH"];

/** What a person sees of what they hold and what their trades got. */
export const portfolioSights: readonly Sight[] = [
  { name: "portfolio", draw: (view, as = asIs) => portfolioCard(as(portfolio), choices, view) },
  {
    name: "portfolio, prices and pools unavailable",
    draw: (view) =>
      portfolioCard(
        {
          ...portfolio,
          assets: [
            { ...bought, sale: undefined, unrealised: undefined },
            { ...nothing, token: dvk, held: amountOf(dvk, 1n) },
            native,
          ],
          arePoolsKnown: false,
          shares: [],
          locks: [],
          uncounted: 2,
          tooOld: 7,
        },
        choices,
        view,
      ),
  },
  {
    name: "portfolio, balance unavailable",
    draw: (view) =>
      portfolioCard(
        {
          ...portfolio,
          isSeen: false,
          assets: [{ ...bought, held: undefined, sale: undefined, unrealised: undefined }],
          shares: [],
          locks: [],
          uncounted: 1,
        },
        [],
        view,
      ),
  },
  {
    name: "portfolio, decimals unknown",
    draw: (view) => {
      const raw = { id: "RAW-0000", name: "Raw", kind: "fungible" } as const;
      const units = amountOf(raw, 12n);
      const asset = { ...bought, token: raw, held: units, counted: units, sale: undefined, unrealised: undefined };
      return portfolioCard({ ...portfolio, assets: [asset], shares: [], locks: [] }, [], view);
    },
  },
  {
    name: "portfolio, empty",
    draw: (view) => portfolioCard({ ...portfolio, assets: [], shares: [], locks: [] }, [], view),
  },
  {
    name: "captions of files",
    draw: ({ words }) => card([`${words.portfolio.fileName}: ${words.portfolio.fileCaption("KLV")}`]),
  },
];
