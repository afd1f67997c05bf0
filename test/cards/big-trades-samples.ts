import { bigTradesCard, bigTradesNewsCard } from "../../src/cards/big-trades.js";
import type { BigTrade } from "../../src/services/alerts/big-trades.js";
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
const told = { subject: `${watch.pair} ${watch.base} ${watch.quote}`, least: watch.least };
const trade = (change: Partial<BigTrade["what"]> = {}, units = 12_000_000_000n): BigTrade => ({
  units,
  what: { hash: "ab".repeat(32), at: now - 90_000, isBuy: true, baseUnits: 5_000_000_000n, ...change },
});

const reading = { isCurrent: true, since: now - 7_200_000, isClosed: false, missedAt: undefined };

export const bigTradesSamples: readonly CardSample[] = [
  {
    name: "big trades, off",
    draw: (view) =>
      bigTradesCard({ watches: [], ...reading, since: undefined }, undefined, ["KFI", "DVK-34ZH"], listed(view)),
  },
  {
    name: "big trades, with a pair to choose an amount for",
    draw: (view) =>
      bigTradesCard({ watches: [], ...reading }, { base: kfi.id, quote: klv.id }, ["KFI", "DVK-34ZH"], listed(view)),
  },
  {
    name: "big trades, on",
    draw: (view) =>
      bigTradesCard({ watches: [watch, other], ...reading }, undefined, ["KFI", "DVK-34ZH"], listed(view)),
  },
  {
    name: "big trades, of somebody with quiet hours",
    draw: (view) => {
      const alerts = { modes: {}, quiet: { from: "22:00", to: "07:00" } };
      return bigTradesCard({ watches: [watch], ...reading }, undefined, ["KFI", "DVK-34ZH"], {
        ...listed(view),
        alerts,
      });
    },
  },
  {
    name: "big trades, while older blocks are read",
    draw: (view) => {
      const behind = { ...reading, isCurrent: false, since: now - 600_000, missedAt: now - 900_000 };
      return bigTradesCard({ watches: [watch], ...behind }, undefined, ["KFI", "DVK-34ZH"], listed(view));
    },
  },
  {
    name: "big trades, with a node that serves no blocks",
    draw: (view) =>
      bigTradesCard(
        { watches: [], ...reading, isClosed: true },
        { base: kfi.id, quote: klv.id },
        ["KFI", "DVK-34ZH"],
        listed(view),
      ),
  },
  {
    name: "a big trade",
    draw: (view) => {
      const linked = { ...listed(view), explorerUrl: "https://explorer.example" };
      return bigTradesNewsCard({ watch: told, found: [], named: [trade()], more: 0 }, linked);
    },
  },
  {
    name: "several big trades",
    draw: (view) => {
      const sale = trade({ isBuy: false, baseUnits: 4_200_123_456n, at: now - 30_000 }, 10_080_296_294n);
      return bigTradesNewsCard(
        { watch: told, found: [], named: [trade(), sale, trade({ at: now })], more: 12 },
        listed(view),
      );
    },
  },
];
