import { exitView } from "./exit-samples.js";
import { atPriceCard } from "../../src/cards/at-price.js";
import type { DecimalText } from "../../src/encoding/decimal.js";
import { tokenCard, whichTokenCard } from "../../src/cards/token.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { TokenMarket } from "../../src/services/history/token-market.js";
import type { TokenPosition } from "../../src/services/history/token-position.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import type { TokenRights } from "../../src/services/market/token-rights.js";
import type { SwapTerms } from "../../src/services/terms/swap-terms.js";
import { poolOf } from "../services/market/pool-samples.js";
import { alice, kfi, klv, locked } from "../services/samples.js";
import { lp } from "../services/trade/launch-samples.js";
import { dvk, now, swapTerms } from "./arrange.js";
import { asIs, type CardSample } from "./card-sample.js";

const raw = { id: "RAW-0000", name: "Raw", kind: "fungible" } as const;
const imitation = { ...raw, id: "RAW-9999" };
const lpPool = poolOf(1, ["DVK-34ZH", 1_000_000_000n], ["KFI", 20_000_000n], {
  lpTokenId: lp.id,
  totalSupply: 141_421_356n,
});
const list = tokenListOf([klv, kfi]);
const pool = poolOf(0, ["KLV", 25_317_442_118_203n], ["KFI", 251_904_663_712n]);
const terms: SwapTerms = {
  ...swapTerms,
  amountIn: amountOf(kfi, 1_000_000n),
  request: { kind: "swap", pay: amountOf(kfi, 1_000_000n), from: kfi, to: klv },
  quotedOut: amountOf(klv, 99_796_123n),
  pools: {
    ...swapTerms.pools!,
    best: amountOf(klv, 99_796_123n),
    path: ["KFI", "KLV"],
    paid: amountOf(kfi, 1_000_000n),
    deepest: { worth: amountOf(klv, 100_504_063n), path: ["KFI", "KLV"] },
    own: { worth: amountOf(klv, 100_504_063n), path: ["KFI", "KLV"], feeBps: 30, impactBps: 1 },
  },
};
const market: TokenMarket = {
  counter: klv,
  pools: [pool],
  pool,
  price: { tokenIn: "KFI", unitsIn: 251_904_663_712n, tokenOut: "KLV", unitsOut: 25_317_442_118_203n },
  isThin: false,
  changes: { day: 312n, week: -1_050n },
  firstSeen: { at: now - 40 * 86_400_000, isOpening: false },
  locked: { isNone: false, bps: 1_234n },
};
const closed: TokenMarket = {
  counter: klv,
  pools: [],
  pool: undefined,
  price: undefined,
  isThin: false,
  changes: { day: undefined, week: undefined },
  firstSeen: undefined,
  locked: undefined,
};
const nothing: TokenPosition = {
  token: kfi,
  countedIn: klv,
  bought: 0n,
  cost: 0n,
  realised: 0n,
  soldUnknown: 0n,
  held: amountOf(kfi, 0n),
  sale: undefined,
  paid: undefined,
  unrealised: undefined,
  uncounted: 0,
  tooOld: 0,
  unknownRoyalties: 0,
};
const partly: TokenPosition = {
  ...nothing,
  bought: 4_000_000n,
  realised: -2_620_786n,
  held: amountOf(kfi, 5_000_000n),
  sale: { value: amountOf(klv, 491_237_500n), costBps: 131n },
  paid: { known: amountOf(kfi, 4_000_000n), cost: amountOf(klv, 380_000_001n) },
  unrealised: 12_989_999n,
};
const fromElsewhere: TokenPosition = {
  ...nothing,
  held: amountOf(kfi, 5_000_000n),
  sale: { value: amountOf(klv, 491_237_500n), costBps: 131n },
};
const issued: TokenRights = {
  tokenId: raw.id,
  readAt: now,
  precision: 0,
  canDestroy: false,
  canPause: false,
  canMint: false,
  isLimited: false,
  now: {
    owner: alice,
    isPaused: false,
    maximum: 0n,
    circulating: 5n,
    minters: 0,
    bands: [],
    areRoyaltiesFinal: true,
    senders: new Set(),
    receivers: new Set(),
  },
};
const amounts = ["10", "100", "1000"];
/** What a node without tokens says of the issuer. */
const rights = { told: "untold", between: { contracts: [], account: undefined } } as const;
const unpriced = { price: undefined, position: undefined, rights };

const nowAt = { priced: "KFI", counted: "KLV", price: "100.5" as DecimalText };
const own = { pay: amountOf(kfi, 5_000_000n), now: nowAt };

const samples: readonly CardSample[] = [
  {
    name: "a token that one has traded",
    draw: (view, as = asIs) =>
      tokenCard(as(kfi), list, { market: as(market), price: as(terms), position: as(partly), rights }, amounts, view),
  },
  {
    name: "a token with an exit",
    draw: (view) => {
      const facts = { market, price: terms, position: partly, rights, exit: exitView };
      return tokenCard(kfi, list, facts, amounts, view);
    },
  },
  {
    name: "a token with an exit, of which nobody says how much one holds",
    draw: (view) =>
      tokenCard(
        kfi,
        list,
        { market, price: terms, position: { ...nothing, held: undefined }, rights, exit: exitView },
        amounts,
        view,
      ),
  },
  {
    name: "a token that one has from elsewhere, in a thin pool first seen now",
    draw: (view) => {
      const young = {
        ...closed,
        pools: [pool],
        pool,
        price: market.price,
        isThin: true,
        firstSeen: { at: now, isOpening: true },
        locked: { isNone: true, bps: 0n },
      };
      return tokenCard(kfi, list, { market: young, price: terms, position: fromElsewhere, rights }, ["10"], view);
    },
  },
  {
    name: "a token that one doesn't have, and a lock contract that can't be read",
    draw: (view) => {
      const unread = { ...market, changes: { day: 0n, week: undefined }, locked: undefined };
      return tokenCard(kfi, list, { market: unread, price: terms, position: nothing, rights }, amounts, view);
    },
  },
  {
    name: "a token, where balances can't be read",
    draw: (view) => {
      const unseen = { ...partly, held: undefined, sale: undefined, unrealised: undefined, uncounted: 2, tooOld: 40 };
      return tokenCard(kfi, list, { market, price: terms, position: unseen, rights }, amounts, view);
    },
  },
  {
    name: "a token without a quote",
    draw: (view) =>
      tokenCard(kfi, list, { market: { ...market, locked: { isNone: false, bps: 0n } }, ...unpriced }, [], view),
  },
  {
    name: "a token, pools unavailable",
    draw: (view, as = asIs) =>
      tokenCard(as(dvk), list, { market: { ...closed, pools: undefined }, ...unpriced }, [], view),
  },
  {
    name: "a token with namesakes, in no pool",
    draw: (view) => {
      const facts = { market: closed, ...unpriced, rights: { ...rights, told: issued } };
      return tokenCard(raw, tokenListOf([klv, kfi, raw, imitation]), facts, [], view);
    },
  },
  {
    name: "a name that two tokens have",
    draw: (view) => {
      const choices = [
        { id: raw.id, told: issued },
        { id: imitation.id, told: "untold" },
      ] as const;
      return whichTokenCard("Raw", choices, view);
    },
  },
  {
    name: "prices to buy and sell at",
    draw: (view) =>
      atPriceCard(kfi, klv, { buy: { pay: amountOf(klv, 100_000_000n), now: nowAt }, sell: own, isHeld: true }, view),
  },
  {
    name: "prices to buy and sell at, where balances aren't told",
    draw: (view) =>
      atPriceCard(kfi, klv, { buy: { pay: amountOf(klv, 100_000_000n), now: nowAt }, sell: own, isHeld: false }, view),
  },
  {
    name: "prices to buy at, without any",
    draw: (view) => atPriceCard(kfi, klv, { isHeld: false }, view),
  },
  {
    name: "a semi-fungible token",
    draw: (view) => tokenCard(locked, tokenListOf([locked]), { market: undefined, ...unpriced }, [], view),
  },
  {
    name: "an LP token",
    draw: (view) => {
      const position = { ...nothing, token: lp, held: amountOf(lp, 141_420_356n) };
      const facts = { market: { ...closed, pools: [lpPool] }, price: undefined, position, rights };
      return tokenCard(lp, tokenListOf([klv, kfi, lp]), facts, [], view);
    },
  },
  {
    name: "a token in pools that are closed",
    draw: (view) => {
      const pools = (["Inactive", "PartialActive"] as const).map((state) => ({ ...pool, state }));
      return tokenCard(kfi, list, { market: { ...closed, pools }, ...unpriced }, [], view);
    },
  },
];

const { named } = tokenListOf([klv, kfi, dvk, lp]);

/** A token's card in each state: what the market, the account and the node tell, or don't. */
export const tokenSamples = samples.map((sample): CardSample => {
  return { ...sample, draw: (view, as) => sample.draw({ ...view, tokenOf: named }, as) };
});
