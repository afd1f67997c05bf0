import { newPairsCard, newPairsNewsCard } from "../../src/cards/new-pairs.js";
import type { NewPair } from "../../src/services/alerts/pair-readings.js";
import { poolAddress, poolOf } from "../services/market/pool-samples.js";
import { dvk, kfi, klv } from "../services/samples.js";
import { now } from "./arrange.js";
import type { View } from "../../src/cards/card.js";
import { unlistedToken } from "../../src/encoding/amount.js";
import type { CardSample } from "./card-sample.js";

const pair = (fields: Partial<NewPair> = {}): NewPair => ({
  address: poolAddress(1),
  first: "KLV",
  second: "NEW-1A2B",
  openedAt: now - 90_000,
  ...fields,
});
const facts = {
  pool: poolOf(1, ["KFI", 251_904_663_712n], ["KLV", 12_345_678_901n]),
  depth: 12_345_678_901n,
  locked: { isNone: false, bps: 9_512n },
};
const between = { contracts: [], account: undefined };
const depth = 12_345_678_901n;
const listed = { pair: pair({ first: kfi.id, second: klv.id }), depth, facts, told: ["untold" as const] };
const unlisted = {
  pair: pair(),
  depth,
  facts: { ...facts, pool: poolOf(2, ["KLV", 12_345_678_901n], ["NEW-1A2B", 777n]), locked: { isNone: true, bps: 0n } },
  told: ["untold" as const],
};
const drained = { ...listed, facts: { ...facts, depth: 1_000_000n, locked: undefined } };
const empty = { ...listed, facts: { ...facts, depth: 0n, pool: poolOf(1, ["KFI", 0n], ["KLV", 0n]) } };
const named = (view: View): View => ({
  ...view,
  tokenOf: (id) => [klv, kfi, dvk].find((token) => token.id === id) ?? unlistedToken(id),
});

export const newPairsSamples: readonly CardSample[] = [
  { name: "new pairs, off", draw: (view) => newPairsCard({ least: undefined }, { ...view, tokenOf: () => klv }) },
  { name: "new pairs, on", draw: (view) => newPairsCard({ least: 1_000_000_000n }, { ...view, tokenOf: () => klv }) },
  {
    name: "new pairs, of which some may not have arrived, with quiet hours",
    draw: (view) => {
      const unclear = { count: 2, at: view.now - 60_000 };
      const alerts = { modes: {}, quiet: { from: "22:00", to: "07:00" } };
      return newPairsCard({ least: 1_000_000_000n, unclear }, { ...view, alerts, tokenOf: () => klv });
    },
  },
  {
    name: "a new pair, whose tokens are on the list",
    draw: (view) => newPairsNewsCard({ pairs: [listed], between, more: 0 }, named(view)),
  },
  {
    name: "a new pair of two issued tokens",
    draw: (view) => {
      const own = { ...facts, pool: poolOf(3, ["USDT-2AB1", 1_000_000n], ["DVK-34ZH", 1_000n]) };
      const both = { ...listed, pair: pair({ first: "DVK-34ZH", second: "USDT-2AB1" }), facts: own };
      return newPairsNewsCard({ pairs: [{ ...both, told: ["untold", "untold"] }], between, more: 0 }, named(view));
    },
  },
  {
    name: "a new pair that was drained since",
    draw: (view) => newPairsNewsCard({ pairs: [drained], between, more: 0 }, named(view)),
  },
  {
    name: "a new pair that is empty now",
    draw: (view) => newPairsNewsCard({ pairs: [empty], between, more: 0 }, named(view)),
  },
  {
    name: "several new pairs",
    draw: (view) => {
      const other = { ...unlisted, pair: pair({ first: "DVK-34ZH" }), depth: 98_765_432_109n, facts: undefined };
      return newPairsNewsCard({ pairs: [other, unlisted, listed], between, more: 4 }, named(view));
    },
  },
];
