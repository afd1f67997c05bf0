import { intentCard, movedNotice } from "../../src/cards/intent.js";
import { quoteCard } from "../../src/cards/swap.js";
import { tokenCard, unlistedCard } from "../../src/cards/token.js";
import type { Address } from "../../src/encoding/address.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { TokenMarket } from "../../src/services/history/token-market.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import type { ToldRights, TokenRights } from "../../src/services/market/token-rights.js";
import type { Hand } from "../../src/services/market/token-way.js";
import type { MultihopTerms, Royalty, SwapTerms, TokenSign } from "../../src/services/terms/swap-terms.js";
import { poolAddress, poolOf } from "../services/market/pool-samples.js";
import { alice, klv } from "../services/samples.js";
import { dvk, intent, lockTerms, now, routeTerms, swapTerms } from "./arrange.js";
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
const changes = none.now;
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
/** With somebody who may receive it and send it on. */
const passed = (rights: TokenRights, address: Address): TokenRights => {
  const roles = new Set([alice, pool.address, address]);
  return { ...rights, now: { ...changes, senders: roles, receivers: new Set([address]) } };
};
const router = { is: "router", address: poolAddress(1) } as const;
const referral = { is: "referral", address: poolAddress(2) } as const;
const unread: TokenRights = { ...all, isLimited: true, isUnread: true };

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
const token = (name: string, told: ToldRights, contracts: readonly Hand[] = []): CardSample => ({
  name: `a token ${name}`,
  draw: (view) => {
    const rights = { told, between: { contracts, account: undefined } };
    return tokenCard(dvk, list, { market, price, position: undefined, rights }, ["10", "100", "1000"], {
      ...view,
      tokenOf: list.named,
    });
  },
});

const sign: TokenSign = { tokenId: "KFI", readAt: now - 12_000, powers: ["destroy", "pause"] };
const costly = { ...sign, powers: ["limit"], royalties: { leastBps: 100, mostBps: 100, fixed: 0n } } as const;
const step = { tokenId: "KFI", from: "referral", to: "router", isBack: true };
const comesOut = { ...step, from: "KLV/KFI", to: "router", isBack: false };
const resaleRoyalty = { share: amountOf(swapTerms.quotedOut.token, 47_000n), fixed: amountOf(klv, 3_000_000n) };
const closedSteps = [step, comesOut];
const stopped: SwapTerms = { ...swapTerms, rights: [{ ...sign, powers: ["paused", "destroy"] }] };
const { pools: _pools, ...uncompared } = swapTerms;

const moon = { id: "MOON-4R7T", name: "MOON", precision: 6, kind: "fungible" } as const;
const moons = (units: bigint) => amountOf(moon, units);
const taken = { share: moons(2_349_778n), fixed: amountOf(klv, 3_000_000n) };
/** All of 49.345351 MOON: what the walk of a trader sold. */
export const sale: SwapTerms = {
  ...swapTerms,
  amountIn: moons(46_995_573n),
  request: { kind: "swap", pay: moons(46_995_573n), from: moon, to: klv },
  quotedOut: amountOf(klv, 937_215_859n),
  minimumOut: amountOf(klv, 927_843_700n),
  pools: {
    best: amountOf(klv, 937_215_859n),
    path: [moon.id, "KLV"],
    paid: moons(46_995_573n),
    deepest: {
      worth: amountOf(klv, 940_144_929n),
      path: [moon.id, "KLV"],
      price: { unitsIn: 399_950_654_649n, unitsOut: 8_001_000_000_000n },
    },
  },
  rights: [{ ...sign, tokenId: moon.id, powers: [], royalties: { leastBps: 200, mostBps: 500, fixed: 3_000_000n } }],
  royalty: taken,
};
export const bought: SwapTerms = {
  ...swapTerms,
  quotedOut: moons(5_000_000n),
  minimumOut: moons(4_950_000n),
  request: { kind: "swap", pay: amountOf(klv, 100_000_000n), from: klv, to: moon },
  pools: {
    best: moons(5_000_000n),
    path: ["KLV", moon.id],
    paid: amountOf(klv, 100_000_000n),
    deepest: { worth: moons(5_030_000n), path: ["KLV", moon.id] },
  },
  rights: [
    {
      ...sign,
      tokenId: moon.id,
      powers: ["destroy", "pause"],
      royalties: { leastBps: 200, mostBps: 500, fixed: 3_000_000n },
    },
  ],
  resaleRoyalty: { share: moons(235_714n), fixed: amountOf(klv, 3_000_000n) },
};
const takenExactly: Royalty = { share: moons(2_525_000n), fixed: amountOf(klv, 3_000_000n) };
/** What an exact purchase takes of a token with a royalty. */
export const exactly: MultihopTerms = {
  ...routeTerms,
  hops: [
    {
      ...routeTerms.hops[0]!,
      ...{ amountIn: moons(50_500_000n), amountOut: amountOf(klv, 990_000_000n), wanted: amountOf(klv, 990_000_000n) },
      spends: { expected: moons(50_000_000n), atMost: moons(50_500_000n) },
      change: moons(500_000n),
    },
  ],
  ...{
    amountIn: moons(50_500_000n),
    expectedOut: amountOf(klv, 990_000_000n),
    minimumOut: amountOf(klv, 990_000_000n),
  },
  pools: {
    best: amountOf(klv, 990_000_000n),
    path: [moon.id, "KLV"],
    paid: moons(50_000_000n),
    deepest: { worth: amountOf(klv, 1_000_000_000n), path: [moon.id, "KLV"] },
  },
  royalty: takenExactly,
  request: {
    kind: "multihop",
    ...{ pay: moons(50_500_000n), isFound: true, from: moon },
    stops: [{ token: klv, exactly: amountOf(klv, 990_000_000n) }],
  },
};
const offer = (name: string, terms: MultihopTerms | SwapTerms, lines?: number, publicUrl?: string): CardSample => ({
  name,
  draw: (view) => intentCard(intent(terms), { ...view, ...(publicUrl !== undefined && { publicUrl }) }),
  ...(lines !== undefined && { lines }),
});

/** What cards say of a token's issuer. */
export const rightsSamples: readonly CardSample[] = [
  token("whose issuer can do nothing, for ever", none),
  token("whose issuer can do everything", all),
  token("stopped for the last time", { ...none, now: { ...changes, isPaused: true } }),
  token("that can be bought but not sold", trap),
  token("that its pair never gets", { ...trap, now: changes }),
  token("that doesn't get to the contracts", passed(trap, pool.address), [router]),
  token("that may not get from a contract to its pair", passed(trap, router.address), [router, referral]),
  token("of which more can be made without limit", { ...none, canMint: true, now: { ...changes, minters: 1 } }),
  token("that can't be read again", unread),
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
    draw: (view) => unlistedCard("GEM-5D0X", { told: all, between: { contracts: [], account: undefined } }, true, view),
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
    draw: (view) =>
      intentCard(intent({ ...routeTerms, rights: [{ ...sign, powers: ["pause"] }] } satisfies MultihopTerms), view),
  },
  {
    name: "a swap whose royalty was raised before the tap",
    draw: (view) => {
      const [before, now] = [swapTerms, { ...swapTerms, rights: [sign, costly] }];
      return intentCard({ ...intent(now), origin: "recheck" }, view, { notice: movedNotice(before, now, view) });
    },
  },
  offer("a sale with a royalty", sale, 12),
  offer("a sale whose royalty isn't known", { ...sale, rights: [], royalty: "unknown" }, 12),
  offer("a purchase of what has a royalty", { ...bought, rights: [] }, 12),
  offer("a purchase of what has a royalty, with a sign", bought),
  offer("a purchase of what has a royalty, where wallets sign", bought, undefined, "https://bot.example"),
  {
    name: "a purchase of what has a royalty, where wallets sign, all the same",
    draw: (view) => intentCard(intent(bought), { ...view, publicUrl: "https://bot.example" }, { isAccepted: true }),
    lines: 12,
  },
  offer("an exact output of a payment with a royalty", exactly, 13),
  {
    name: "a sale with a royalty, done",
    draw: (view) => {
      const done = intent(sale, "OK", { kind: "ok", returnData: ["8f01fe", "374dc575"] });
      const check = { at: now, by: "balances", finding: "arrived" } as const;
      return intentCard({ ...done, check }, view);
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
  { name: "a quote of what may be stuck", draw: (view) => quoteCard({ ...swapTerms, closedSteps }, view) },
  {
    name: "a swap of what may be stuck",
    draw: (view) => intentCard(intent({ ...swapTerms, closedSteps }), view),
  },
  {
    name: "a swap of what may not come out of its pair",
    draw: (view) => intentCard(intent({ ...swapTerms, closedSteps: [comesOut] }), view),
  },
  {
    name: "a route of what may be stuck since its card",
    draw: (view) => {
      const now: MultihopTerms = { ...routeTerms, closedSteps };
      return intentCard({ ...intent(now), origin: "recheck" }, view, { notice: movedNotice(routeTerms, now, view) });
    },
  },
  {
    name: "a lock of what may not come out",
    draw: (view) =>
      intentCard(intent({ ...lockTerms, amount: amountOf(dvk, 5_000_000n), isReturnUnknown: true }), view),
  },
  {
    name: "a quote of what is dear to sell again",
    draw: (view) => quoteCard({ ...swapTerms, resaleRoyalty }, view),
  },
  {
    name: "a swap of what is dear to sell again",
    draw: (view) => intentCard(intent({ ...swapTerms, rights: [costly], resaleRoyalty }), view),
  },
  {
    name: "a swap of what is dear to sell again, by an unknown share",
    draw: (view) =>
      intentCard(intent({ ...uncompared, amountIn: amountOf(dvk, 1_000_000n), hasNoPools: true, resaleRoyalty }), view),
  },
  {
    name: "a swap of what can't be read again",
    draw: (view) =>
      intentCard(intent({ ...stopped, isResaleUnknown: true, rights: [...stopped.rights!, costly] }), view),
  },
  {
    name: "a sale of what can't be read again",
    draw: (view) => intentCard(intent({ ...swapTerms, isCostUnknown: true, rights: [costly] }), view),
  },
  {
    name: "a swap with everything unknown",
    draw: (view) => intentCard(intent({ ...uncompared, isResaleUnknown: true, rights: stopped.rights! }), view),
  },
];
