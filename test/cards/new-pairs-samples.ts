import { newPairsCard, newPairsNewsCard } from "../../src/cards/new-pairs.js";
import type { TokenMarket } from "../../src/services/history/token-market.js";
import type { NewPair } from "../../src/services/alerts/new-pair-queries.js";
import { poolAddress, poolOf } from "../services/market/pool-samples.js";
import { kfi, klv } from "../services/samples.js";
import { now } from "./arrange.js";
import type { CardSample } from "./card-sample.js";

const pair = (fields: Partial<NewPair> = {}): NewPair => ({
  address: poolAddress(1),
  first: "KLV",
  second: "NEW-1A2B",
  depth: 12_345_678_901n,
  openedAt: now - 90_000,
  ...fields,
});
const pool = poolOf(1, ["KFI", 251_904_663_712n], ["KLV", 12_345_678_901n]);
const market: TokenMarket = {
  counter: klv,
  pools: [pool],
  pool,
  price: { tokenIn: "KFI", unitsIn: 251_904_663_712n, tokenOut: "KLV", unitsOut: 12_345_678_901n },
  isThin: true,
  changes: { day: undefined, week: undefined },
  firstSeen: { at: now - 90_000, isOpening: true },
  locked: { isNone: false, bps: 9_512n },
};
const untold = { told: "untold" as const, between: { contracts: [], account: undefined } };
const listed = { pair: pair({ first: kfi.id, second: klv.id }), market, rights: untold };
const unlisted = { pair: pair(), market: undefined, rights: untold };

export const newPairsSamples: readonly CardSample[] = [
  { name: "new pairs, off", draw: (view) => newPairsCard(undefined, { ...view, tokenOf: () => klv }) },
  { name: "new pairs, on", draw: (view) => newPairsCard(1_000_000_000n, { ...view, tokenOf: () => klv }) },
  {
    name: "a new pair, whose token is on the list",
    draw: (view) => newPairsNewsCard({ pairs: [listed], more: 0 }, { ...view, tokenOf: (id) => ({ ...klv, id }) }),
  },
  {
    name: "several new pairs",
    draw: (view) => {
      const other = { pair: pair({ first: "DVK-34ZH", depth: 98_765_432_109n }), market: undefined, rights: untold };
      return newPairsNewsCard(
        { pairs: [other, unlisted, listed], more: 4 },
        { ...view, tokenOf: (id) => ({ ...klv, id }) },
      );
    },
  },
];
