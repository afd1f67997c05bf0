import { intentCard, movedNotice } from "../../src/cards/intent.js";
import { quoteCard } from "../../src/cards/swap.js";
import { tokenCard, unlistedCard } from "../../src/cards/token.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { TokenMarket } from "../../src/services/history/token-market.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import type { ToldRights, TokenRights } from "../../src/services/market/token-rights.js";
import type { MultihopTerms, SwapTerms, TokenSign } from "../../src/services/terms/swap-terms.js";
import { poolOf } from "../services/market/pool-samples.js";
import { alice, klv } from "../services/samples.js";
import { dvk, intent, now, routeTerms, swapTerms } from "./arrange.js";
import type { CardSample } from "./card-sample.js";

const pool = poolOf(0, ["KLV", 25_317_442_118_203n], ["DVK-34ZH", 251_904_663_712n]);
const lasting = { tokenId: dvk.id, readAt: now - 12_000, precision: 6, canDestroy: false, canPause: false };
const none: TokenRights = {
  ...lasting,
  canMint: false,
  isLimited: false,
  now: {
    ...{ owner: alice, isPaused: false, maximum: 0n, circulating: 5_000_000_000_000n, minters: 0, bands: [] },
    ...{ royalties: undefined, areRoyaltiesFinal: true, senders: new Set([alice]), receivers: new Set([alice]) },
  },
};
const changes = none.now!;
const all: TokenRights = {
  ...none,
  ...{ canDestroy: true, canPause: true, canMint: true },
  now: {
    ...changes,
    ...{ isPaused: true, maximum: 9_000_000_000_000n, minters: 2, areRoyaltiesFinal: false },
    royalties: { leastBps: 200, mostBps: 500, fixed: 3_000_000n },
  },
};
const trap: TokenRights = { ...none, isLimited: true, now: { ...changes, senders: new Set([alice, pool.address]) } };
const { now: _now, ...unread } = { ...all, isLimited: true };

const market: TokenMarket = {
  ...{ counter: klv, pools: [pool], pool, isThin: false, firstSeen: undefined, locked: undefined },
  price: { tokenIn: dvk.id, unitsIn: 251_904_663_712n, tokenOut: "KLV", unitsOut: 25_317_442_118_203n },
  changes: { day: undefined, week: undefined },
};
const list = tokenListOf([klv, dvk]);
const price: SwapTerms = {
  ...swapTerms,
  amountIn: amountOf(dvk, 1_000_000n),
  request: { kind: "swap", pay: amountOf(dvk, 1_000_000n), from: dvk, to: klv },
  quotedOut: amountOf(klv, 99_796_123n),
  pools: {
    best: amountOf(klv, 99_796_123n),
    path: ["DVK-34ZH", "KLV"],
    paid: amountOf(dvk, 1_000_000n),
    deepest: { worth: amountOf(klv, 100_504_063n), path: ["DVK-34ZH", "KLV"] },
  },
};
const token = (name: string, told: ToldRights): CardSample => ({
  name: `a token ${name}`,
  draw: (view) => {
    const rights = { told, between: { contracts: [], account: undefined } };
    return tokenCard(dvk, list, { market, price, position: undefined, rights }, ["10", "100", "1000"], {
      ...view,
      tokenOf: list.named,
    });
  },
});

const sign: TokenSign = { tokenId: "KFI", readAt: now - 12_000, powers: ["destroy", "pause"] };
const costly = { ...sign, powers: ["limit"], royalties: { leastBps: 100, mostBps: 100, fixed: 0n } } as const;
const stopped: SwapTerms = { ...swapTerms, rights: [{ ...sign, powers: ["paused", "destroy"] }] };
const { pools: _pools, ...uncompared } = swapTerms;

/** What cards say of a token's issuer. */
export const rightsSamples: readonly CardSample[] = [
  token("whose issuer can do nothing, for ever", none),
  token("whose issuer can do everything", all),
  token("stopped for the last time", { ...none, now: { ...changes, isPaused: true } }),
  token("that can be bought but not sold", trap),
  token("that its pair never gets", { ...trap, now: changes }),
  token("of which more can be made without limit", { ...none, canMint: true, now: { ...changes, minters: 1 } }),
  token("of which only what never changes is known", unread),
  token("whose issuer can't be read", undefined),
  token("that the node doesn't know", "no-such-token"),
  {
    name: "a token that the chain has built in",
    draw: (view) => {
      const rights = { told: { ...none, tokenId: "KLV" }, between: { contracts: [], account: undefined } };
      return tokenCard(klv, list, { market: undefined, price: undefined, position: undefined, rights }, [], view);
    },
  },
  {
    name: "a token that isn't listed",
    draw: (view) => unlistedCard("GEM-5D0X", { told: all, between: { contracts: [], account: undefined } }, view),
  },
  { name: "a quote with a sign", draw: (view) => quoteCard({ ...swapTerms, rights: [sign] }, view) },
  { name: "a quote of what may not be sold", draw: (view) => quoteCard({ ...swapTerms, isResaleUnknown: true }, view) },
  { name: "a swap with a sign", draw: (view) => intentCard(intent({ ...swapTerms, rights: [sign, costly] }), view) },
  {
    name: "a swap with a sign, where wallets sign",
    draw: (view) => {
      const bought = { ...costly, tokenId: "KFI" };
      return intentCard(intent({ ...swapTerms, rights: [bought] }), { ...view, publicUrl: "https://bot.example" });
    },
  },
  {
    name: "a route with a sign",
    draw: (view) => intentCard(intent({ ...routeTerms, rights: [sign] } satisfies MultihopTerms), view),
  },
  {
    name: "a swap whose royalty was raised before the tap",
    draw: (view) => {
      const [before, now] = [swapTerms, { ...swapTerms, rights: [sign, costly] }];
      return intentCard({ ...intent(now), origin: "recheck" }, view, { notice: movedNotice(before, now, view) });
    },
  },
  { name: "a swap of what is stopped", draw: (view) => intentCard(intent(stopped), view) },
  {
    name: "a swap of what is stopped, all the same",
    draw: (view) => intentCard(intent(stopped), view, { isAccepted: true }),
  },
  {
    name: "a swap of what may not be sold",
    draw: (view) => intentCard(intent({ ...swapTerms, isResaleUnknown: true }), view),
  },
  {
    name: "a swap with everything unknown",
    draw: (view) => intentCard(intent({ ...uncompared, isResaleUnknown: true, rights: stopped.rights! }), view),
  },
];
