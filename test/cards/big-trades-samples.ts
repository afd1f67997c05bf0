import { bigTradesCard, bigTradesNewsCard } from "../../src/cards/big-trades.js";
import type { BigTrade } from "../../src/services/alerts/big-trade-queries.js";
import { dvk, kfi, klv } from "../services/samples.js";
import { poolAddress } from "../services/market/pool-samples.js";
import { now } from "./arrange.js";
import type { CardSample } from "./card-sample.js";
import type { View } from "../../src/cards/card.js";

const listed = (view: View): View => ({
  ...view,
  tokenOf: (id) => [klv, kfi, dvk].find((token) => token.id === id) ?? { ...klv, id },
});
const watch = { pair: poolAddress(1), base: kfi.id, quote: klv.id, least: 10_000_000_000n };
const other = { pair: poolAddress(2), base: dvk.id, quote: klv.id, least: 500_000_000n };
const seen = { missedAt: undefined, isLeft: false };
const trade = (change: Partial<BigTrade> = {}): BigTrade => ({
  hash: "ab".repeat(32),
  at: now - 90_000,
  isBuy: true,
  baseUnits: 5_000_000_000n,
  quoteUnits: 12_000_000_000n,
  ...change,
});
const since = now - 7_200_000;

export const bigTradesSamples: readonly CardSample[] = [
  {
    name: "big trades, off",
    draw: (view) => bigTradesCard({ watches: [], isLive: true, since }, undefined, listed(view)),
  },
  {
    name: "big trades, with a pair to choose an amount for",
    draw: (view) => bigTradesCard({ watches: [], isLive: true, since }, { base: kfi.id, quote: klv.id }, listed(view)),
  },
  {
    name: "big trades, on",
    draw: (view) => {
      const watches = [watch, other].map((each) => ({ ...each, ...seen }));
      return bigTradesCard({ watches, isLive: true, since }, undefined, listed(view));
    },
  },
  {
    name: "big trades, while the node tells of none",
    draw: (view) => {
      const watches = [
        { ...watch, ...seen, missedAt: now - 60_000 },
        { ...other, ...seen, isLeft: true },
      ];
      return bigTradesCard({ watches, isLive: false, since: now - 600_000 }, undefined, listed(view));
    },
  },
  {
    name: "a big trade",
    draw: (view) => {
      const linked = { ...listed(view), explorerUrl: "https://explorer.example" };
      return bigTradesNewsCard({ watch, largest: [trade()], more: 0 }, linked);
    },
  },
  {
    name: "several big trades",
    draw: (view) => {
      const sale = trade({ isBuy: false, baseUnits: 4_200_123_456n, quoteUnits: 10_080_296_294n, at: now - 30_000 });
      return bigTradesNewsCard({ watch, largest: [trade(), sale, trade({ at: now })], more: 12 }, listed(view));
    },
  },
];
