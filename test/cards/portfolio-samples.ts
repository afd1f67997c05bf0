import { exitView } from "./exit-samples.js";
import { figure } from "../../src/cards/amount.js";
import { card } from "../../src/cards/card.js";
import { portfolioCard, portfolioPicture } from "../../src/cards/portfolio.js";
import { receiptCard, receiptsPicture } from "../../src/cards/receipt.js";
import { weekPicture } from "../../src/cards/week.js";
import { amountOf, type Amount } from "../../src/encoding/amount.js";
import type { Asset, Portfolio } from "../../src/services/history/portfolio.js";
import type { Week } from "../../src/services/history/week-figures.js";
import type { Receipt } from "../../src/services/history/receipt.js";
import { tradeCost } from "../../src/services/trade/trade-cost.js";
import { lock, lp } from "../services/trade/launch-samples.js";
import { alice, kfi, klv, locked } from "../services/samples.js";
import { dvk, intent, now, swapTerms } from "./arrange.js";
import { asIs, type CardSample } from "./card-sample.js";

const nothing: Asset = {
  token: kfi,
  bought: 0n,
  cost: 0n,
  realised: 0n,
  soldUnknown: 0n,
  held: amountOf(kfi, 5_000_000n),
  sale: undefined,
  paid: undefined,
  unrealised: undefined,
};
const bought: Asset = {
  ...nothing,
  bought: 4_000_000n,
  realised: -2_620_786n,
  sale: { value: amountOf(klv, 491_237_500n), costBps: 131n },
  paid: { known: amountOf(kfi, 4_000_000n), cost: amountOf(klv, 380_000_001n) },
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
  shares: [
    { amount: amountOf(lp, 141_420_356n), first: amountOf(dvk, 999_992_929n), second: amountOf(kfi, 19_999_858n) },
  ],
  locks: [
    {
      ...lock(5_000_000n, 5500n, { amount: amountOf(kfi, 5_000_000n) }),
      epoch: 5500n,
      beginsAt: now + 26 * 86_400_000,
    },
  ],
  otherLocks: [
    {
      locked: { tokenId: "LKTOK-1A2B", nonce: 2n },
      amount: amountOf({ ...locked, id: "LKTOK-1A2B/2" }, 75_000_000n),
    },
  ],
  watchOnly: [],
  uncounted: 0,
  unknownRoyalties: 0,
  tooOld: 0,
};
const { pools, cost, ...uncompared }: Receipt = {
  intent: intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] }),
  at: now,
  paid: amountOf(klv, 100_000_000n),
  received: amountOf(kfi, 982_076n),
  fee: amountOf(kfi, 9_919n),
  networkFee: undefined,
  quoted: amountOf(kfi, 981_000n),
  pools: { ...swapTerms.pools!, price: amountOf(kfi, 995_079n) },
  cost: tradeCost(
    { paid: swapTerms.amountIn, gross: amountOf(kfi, 991_995n), net: amountOf(kfi, 982_076n) },
    swapTerms.pools!,
  ),
  age: 3_200,
};
const receipt: Receipt = { ...uncompared, pools, cost };
const inJune = (each: Receipt) => ({ ...each, intent: { ...each.intent, times: { CLAIMED: now - 3 * 86_400_000 } } });
const choices = ["KFI", "DVK-34ZH"];
const week: Week = {
  from: now - 7 * 86_400_000,
  to: now,
  countedIn: klv,
  trades: 12,
  unproven: 0,
  unknownRoyalties: 0,
  sales: 4,
  unknownSales: 0,
  gain: 123_456_789n,
  routes: 3,
  unknownRoutes: 0,
  tooOld: 0,
  saved: amountOf(klv, 4_200_000n),
};

/** What users see of their holdings and of the results of their trades. */
export const portfolioSamples: readonly CardSample[] = [
  {
    name: "portfolio with an exit, and pictures of two tokens of one ticker",
    draw: (view) => portfolioCard(portfolio, choices, view, [exitView], ["KFI", "KFI-1A2B"]),
  },
  {
    name: "portfolio",
    draw: (view, as = asIs) => portfolioCard(as(portfolio), choices, view, [], ["KFI", "DVK-34ZH"]),
  },
  {
    name: "portfolio with watch-only addresses",
    draw: (view, as = asIs) => {
      const asset = (held: Amount, value?: bigint) => ({
        held,
        sale: value === undefined ? undefined : { value: amountOf(klv, value) },
        paid: undefined,
      });
      const known = [asset(amountOf(klv, 90_000_000n), 90_000_000n), asset(amountOf(kfi, 1_000_000n), 98_250_000n)];
      const watched = [
        { name: "Savings", assets: known },
        { name: "Mum’s", assets: [] },
        { name: "Old phone", assets: [asset(amountOf(dvk, 7_000_000n))] },
        { name: "Till", assets: undefined },
      ];
      const watchOnly = watched.map((each) => ({ address: alice, ...each }));
      return portfolioCard(
        as({ ...portfolio, assets: [native], shares: [], locks: [], otherLocks: [], watchOnly }),
        [],
        view,
      );
    },
  },
  {
    name: "portfolio with a thin token",
    draw: (view) => {
      const sale = { value: amountOf(klv, 7_000_000_000n), costBps: 3_120n, isThin: true, isRoyaltyUnknown: true };
      const asset = { ...nothing, token: dvk, held: amountOf(dvk, 7_000_000n), sale };
      return portfolioCard(
        { ...portfolio, unknownRoyalties: 1, assets: [native, asset], shares: [], locks: [] },
        [],
        view,
      );
    },
  },
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
          shares: undefined,
          locks: [],
          uncounted: 2,
          unknownRoyalties: 2,
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
      const paid = { known: units, cost: amountOf(klv, 380_000_001n) };
      const asset = { ...bought, token: raw, held: units, paid, sale: undefined, unrealised: undefined };
      return portfolioCard({ ...portfolio, assets: [asset], shares: [], locks: [] }, [], view);
    },
  },
  {
    name: "portfolio, empty",
    draw: (view) => portfolioCard({ ...portfolio, assets: [], shares: [], locks: [] }, [], view),
  },
  {
    name: "portfolio over time",
    draw: (view, as = asIs) => {
      const values = [1_600_000_000n, 1_741_237_500n, 1_712_000_000n];
      const at = (index: number) => now - (now % 86_400_000) - (values.length - 1 - index) * 86_400_000;
      return portfolioPicture(as(values.map((units, index) => ({ at: at(index), value: amountOf(klv, units) }))), view)!
        .card;
    },
  },
  { name: "portfolio, looked at on one day only", draw: ({ words }) => card([words.portfolio.notYet]) },
  { name: "receipt", draw: (view, as = asIs) => receiptCard(as(receipt), view) },
  {
    name: "receipt of a sale with a royalty that balances show otherwise",
    draw: (view) => {
      const moon = { id: "MOON-4R7T", name: "MOON", precision: 6, kind: "fungible" } as const;
      const taken = (share: bigint) => ({ share: amountOf(moon, share), fixed: amountOf(klv, 3_000_000n) });
      const moves = { paid: amountOf(klv, 100_000_000n), gross: amountOf(kfi, 991_995n), net: amountOf(kfi, 982_076n) };
      const sold = { paid: amountOf(moon, 5_250_000n), besides: [amountOf(klv, 3_000_000n)] };
      const royalty = { royalty: taken(250_000n), saidRoyalty: taken(100_000n) };
      const cost = tradeCost({ ...moves, hasChange: true }, swapTerms.pools!);
      return receiptCard({ ...uncompared, ...sold, ...royalty, pools, cost }, view);
    },
  },
  { name: "receipt, pools unavailable", draw: (view) => receiptCard(uncompared, view) },
  {
    name: "receipts of a month",
    draw: (view, as = asIs) =>
      receiptsPicture("2026-06", as({ receipts: [receipt, uncompared].map(inJune), unknown: 1, isCut: true }), view)
        .card,
  },
  {
    name: "receipts of a month, one trade",
    draw: (view) => receiptsPicture("2026-07", { receipts: [uncompared], unknown: 0, isCut: false }, view).card,
  },
  {
    name: "receipts of a month, none",
    draw: (view) => receiptsPicture("2026-07", { receipts: [], unknown: 0, isCut: false }, view).card,
  },
  { name: "a week", draw: (view, as = asIs) => weekPicture(as(week), view).card },
  {
    name: "a week of losses, some of it unknown, told on Sundays",
    draw: (view) => {
      const partly = { ...week, gain: -2_620_786n, unknownSales: 1, unknownRoutes: 1, unproven: 2, tooOld: 40 };
      return weekPicture(partly, { ...view, weekly: { sunday: "2026-07-05" } }).card;
    },
  },
  {
    name: "a week, all unknown",
    draw: (view) => {
      const unknown = {
        trades: 2,
        sales: 1,
        unknownSales: 1,
        gain: undefined,
        unproven: 1,
        routes: 1,
        unknownRoutes: 1,
      };
      return weekPicture({ ...week, ...unknown, saved: undefined }, view).card;
    },
  },
  {
    name: "a week without sales and routes",
    draw: (view) => weekPicture({ ...week, sales: 0, gain: undefined, routes: 0, saved: undefined }, view).card,
  },
  { name: "a week without trades", draw: (view) => weekPicture({ ...week, trades: 0 }, view).card },
  { name: "a week chosen", draw: ({ words }) => card([words.week.chosen.on("UTC"), words.week.chosen.off()]) },
  { name: "no receipt", draw: ({ words }) => card([words.receipt.none, words.receipt.usage]) },
  {
    name: "captions of files",
    draw: ({ words }) =>
      card([
        `${words.portfolio.fileName}: ${words.portfolio.fileCaption("KLV")}`,
        words.receipt.fileCaption("2026-07"),
        `${words.admin.volumeName}: ${words.admin.volumeCaption(figure("50000", words))}`,
      ]),
  },
];
