import { withToken } from "../../src/cards/amount.js";
import { intentCard, type CardOptions } from "../../src/cards/intent.js";
import { noticeCard } from "../../src/cards/admin.js";
import { orderAlertCard, orderCard, ordersCard } from "../../src/cards/order.js";
import { unlockableCard, locksCard } from "../../src/cards/lock.js";
import { feesNotice, historyCard } from "../../src/cards/history.js";
import { dropLaunchCard, launchCard, launchesCard } from "../../src/cards/launch.js";
import { quoteCard } from "../../src/cards/swap.js";
import { card, type View } from "../../src/cards/card.js";
import { amountOf } from "../../src/encoding/amount.js";
import { Fault } from "../../src/fault.js";
import { contractCall } from "../../src/encoding/call.js";
import type { Intent, IntentOutcome, IntentState, OutcomeCheck } from "../../src/services/intent/intent.js";
import type { LockTerms } from "../../src/services/terms/lock-terms.js";
import type { MultihopTerms, PoolsPrice, SwapTerms } from "../../src/services/terms/swap-terms.js";
import type { Terms } from "../../src/services/terms/terms.js";
import type { Notice } from "../../src/services/telegram/outbox.js";
import type { Order } from "../../src/services/alerts/exchange-client.js";
import { alertFor } from "../../src/services/alerts/watched-order.js";
import { nested } from "../encoding/nested.js";
import {
  checklist,
  factsAfter,
  launch,
  lock,
  lp,
  noFacts,
  pair,
  pairHex,
  terms as launchTerms,
} from "../services/trade/launch-samples.js";
import { order } from "../services/alerts/orders-world.js";
import { kfi, klv, locked, operator } from "../services/samples.js";
import { intent, lockTerms, now, routeTerms, swapTerms, unlockTerms } from "./arrange.js";
import { operatorSamples } from "./operator-samples.js";
import { peopleSamples } from "./people-samples.js";
import { pictureSamples } from "./picture-samples.js";
import { newPairsSamples } from "./new-pairs-samples.js";
import { bigTradesSamples } from "./big-trades-samples.js";
import { alertSamples } from "./price-alert-samples.js";
import { portfolioSamples } from "./portfolio-samples.js";
import { rightsSamples } from "./rights-samples.js";
import { refusalSamples, sentenceSamples } from "./sentence-samples.js";
import { signalsSamples } from "./signals-samples.js";
import { exitSamples } from "./exit-samples.js";
import { standingSamples } from "./standing-samples.js";
import { tokenSamples } from "./token-samples.js";
import { type Place, placeAt, walletTransaction } from "../support/wallet-transaction.js";
import { asIs, type Change, type CardSample } from "./card-sample.js";

const OUTCOME_LINES = 7;
const longTokens = { klv: { ...klv, id: "LPKLVKFI-3I0N" }, kfi: { ...kfi, id: "LPKLVDVK-7Q2M" } };
const hash = "370bc9ef7405fb70a6f3d184e9bafeab259848518b099774c4aa1b5cfa1394cf";
const signed = (about: Intent, place: Place = placeAt(about.state, about.outcome)): Intent => ({
  ...about,
  transaction: walletTransaction(place, {
    hash,
    networkFee: amountOf(klv, 6_200_000n),
    signUntil: now + 300_000,
    sendUntil: now + 600_000,
  }),
});
const estimated = (about: Intent, shareBps?: bigint): Intent => ({
  ...about,
  estimatedFee: { amount: amountOf(klv, 6_210_000n), ...(shareBps !== undefined && { shareBps }) },
});
const changed = (about: Intent, as: Change): Intent => ({ ...about, terms: as(about.terms) });
const signingView = (view: View): View => ({
  ...view,
  publicUrl: "https://bot.example",
  explorerUrl: "https://e.example",
});

const rejectedNow = (about: Intent): Intent =>
  signed(about, { phase: "broadcast", signature: "aa", broadcastAt: 0, refusal: "invalid transaction fees" });

const unlimited = Number.POSITIVE_INFINITY;

/** The card of a call that spends tokens, in every state of its life. */
function lifeOf(terms: Terms, answer: IntentOutcome, offerLines = unlimited): CardSample[] {
  const sample = (name: string, about: Intent, lines = OUTCOME_LINES): CardSample => ({
    name,
    draw: (view, as = asIs) => intentCard(changed(about, as), signingView(view)),
    lines,
  });
  const at = (state: IntentState, outcome?: IntentOutcome) => intent(terms, state, outcome);
  const failed = (text: string) => at("FAILED", { kind: "failed", text });
  const unreadable = at("OK", { kind: "ok", returnData: ["00"] });
  const busy = { kind: "not-sent", code: "wallet-busy", parameters: { paid: "100 KLV" } } as const;
  return [
    sample("offered", estimated(at("QUOTED")), offerLines),
    sample("confirmed", at("CLAIMED"), unlimited),
    sample("waiting for the wallet", signed(at("SIGNING"))),
    sample("sent", at("SENT")),
    sample("accepted by the node", at("OK", answer)),
    sample("carried out on the chain", signed(at("OK", answer))),
    sample("rejected", failed("slippageBps" in terms ? "Slippage exceeded" : "insufficient funds")),
    sample("rejected for an unknown reason", failed("storage decode error")),
    sample("not sent", at("FAILED", busy)),
    sample("unknown", at("UNKNOWN", { kind: "unknown", code: "service-timeout" })),
    sample("response unreadable", unreadable, unlimited),
    sample("confirmed on chain, amounts unreadable", signed(unreadable)),
    sample("expired", at("EXPIRED")),
    sample("cancelled", at("CANCELED")),
    sample("replaced", at("SUPERSEDED")),
  ];
}

const offer = (
  name: string,
  terms: Terms,
  lines: number,
  options?: CardOptions,
  seen = (view: View): View => view,
): CardSample => ({
  name,
  draw: (view, as = asIs) => intentCard(intent(as(terms)), seen(view), options),
  lines,
});
const byNode = (view: View): View => ({ ...view, callIncludesCaller: false });
const accepted: CardOptions = { isAccepted: true };

const { pools: _unknown, ...uncompared } = swapTerms;
const { own: _own, ...compared } = swapTerms.pools!;
const below = { ...compared, deepest: { worth: amountOf(kfi, 2_481_000n), path: ["KLV", "DVK-34ZH", "KFI"] } };
/** A swap whose alternative, a route through one more token, nets `units`. */
const withRoute = (pools: PoolsPrice, units: bigint, isBetter = true): SwapTerms => {
  const amount = amountOf(kfi, units);
  return {
    ...swapTerms,
    pools: { ...pools, best: amount, path: ["KLV", "DVK-34ZH", "KFI"] },
    route: { amount, isBetter },
  };
};
const swapWith = (pools: typeof swapTerms.pools) => ({ ...swapTerms, pools: pools! });
const longSwap = {
  ...swapTerms,
  amountIn: amountOf(longTokens.klv, 123_456_789_123_456n),
  quotedOut: amountOf(longTokens.kfi, 991_995_123n),
  minimumOut: amountOf(longTokens.kfi, 982_075_123n),
  pools: {
    ...swapTerms.pools!,
    best: amountOf(longTokens.kfi, 991_995_123n),
    paid: amountOf(longTokens.klv, 123_456_789_123_456n),
    deepest: { worth: amountOf(longTokens.kfi, 995_079_246n), path: ["LPKLVKFI-3I0N", "LPKLVDVK-7Q2M"] },
    own: {
      worth: amountOf(longTokens.kfi, 995_079_246n),
      path: ["LPKLVKFI-3I0N", "LPKLVDVK-7Q2M"],
      feeBps: 30,
      impactBps: 31,
    },
  },
};
const balances = (klvAfter: bigint, kfiAfter: bigint) => ({
  before: { KLV: 1_250_000_000n, KFI: 5_000_000n },
  after: { KLV: klvAfter, KFI: kfiAfter },
});
const check = (name: string, found: Omit<OutcomeCheck, "at">, held?: Intent["balances"]): CardSample => ({
  name,
  draw: (view, as = asIs) =>
    intentCard(
      {
        ...changed(intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" }), as),
        check: { at: now, ...found },
        ...(held !== undefined && { balances: held }),
      },
      view,
    ),
  lines: OUTCOME_LINES,
});
const checks: readonly CardSample[] = [
  check(
    "unknown, arrived",
    { by: "balances", finding: "arrived" },
    {
      ...balances(1_150_000_000n, 5_982_076n),
      finding: "arrived",
    },
  ),
  check("unknown, not arrived", { by: "balances", finding: "not-arrived" }, balances(1_250_000_000n, 5_000_000n)),
  check("unknown, filed by its owner", { by: "owner", finding: "not-arrived" }),
  check("unknown, still unclear", { by: "balances", finding: "unclear", why: "unknown-before" }),
  check("unknown, unknown-now", { by: "balances", finding: "unclear", why: "unknown-now" }),
  check("unknown, nothing to read", { by: "balances", finding: "unclear", why: "nothing-to-read" }),
  ...(["other-calls", "other"] as const).map((why) =>
    check(`unknown, ${why}`, { by: "balances", finding: "unclear", why }, balances(1_200_000_000n, 5_000_000n)),
  ),
  check("unknown, confirmed on chain", { by: "chain", finding: "arrived" }),
  check("unknown, failed on chain", { by: "chain", finding: "not-arrived" }),
];
const failed = (fields: object = {}): IntentOutcome => ({ kind: "failed", text: "", code: 99, ...fields });
const withClosing = (about: Intent): Intent => signed(about, { phase: "withdrawn", end: "CANCELED" });
/** How a wallet's transaction can end, and a call that was interrupted. */
const endings: readonly CardSample[] = (
  [
    ["cancelling", withClosing(intent(swapTerms, "SIGNING"))],
    ["signed", signed(intent(swapTerms, "SENT"))],
    ["rejected by the network now", rejectedNow(intent(swapTerms, "SENT"))],
    ["failed on chain, with a network fee", signed(intent(swapTerms, "FAILED", failed({ costsFee: true })))],
    ["unknown, not on chain", signed(intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "sent-too-late" }))],
    ["unknown, nonce used", signed(intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "nonce-used" }))],
    ["unknown, restored", intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "restored" })],
    ["unknown, interrupted", intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "interrupted" })],
    ["not sent, unreadable", intent(swapTerms, "FAILED", { kind: "not-sent", code: "answer-unreadable" })],
    ["not sent, interrupted", intent(swapTerms, "FAILED", { kind: "not-sent", code: "interrupted", parameters: {} })],
    [
      "accepted, with a balance to check",
      {
        ...intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] }),
        balances: { before: { KLV: 1_250_000_000n, KFI: 5_000_000n } },
      },
    ],
  ] as const
).map(([name, about]) => ({ name, draw: (view) => intentCard(about, signingView(view)) }));
const swapSamples: CardSample[] = [
  ...lifeOf(swapTerms, { kind: "ok", returnData: ["26bf", "0efc3c"] }, 12),
  {
    name: "offered where no wallet signs",
    draw: ({ publicUrl: _wallets, ...view }, as = asIs) => intentCard(changed(intent(swapTerms), as), view),
    lines: 12,
  },
  {
    name: "done, as balances show",
    draw: (view, as = asIs) =>
      intentCard(
        {
          ...changed(intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] }), as),
          balances: { ...balances(1_150_000_000n, 5_982_076n), finding: "arrived" },
        },
        view,
      ),
    lines: OUTCOME_LINES,
  },
  offer("with a better route", withRoute(swapTerms.pools!, 994_295n), 12),
  offer("with a route through a pool that is far off", withRoute(swapTerms.pools!, 1_485_000n), 12),
  offer("with a route that gives hardly more", withRoute(swapTerms.pools!, 982_100n, false), 12),
  {
    name: "network fee large for the payment, and a better route",
    draw: (view, as = asIs) =>
      intentCard(estimated(intent(as(withRoute(swapTerms.pools!, 994_295n))), 621n), signingView(view)),
    lines: 12,
  },
  {
    name: "network fee large for the payment, which can't be compared",
    draw: (view, as = asIs) =>
      intentCard(estimated(intent(as(uncompared)), 621n), signingView(view), { isAccepted: true }),
  },
  offer("network fee unknown", swapTerms, 12, {}, signingView),
  offer("long names and amounts", longSwap, 12),
  offer(
    "large for the pools",
    swapWith({
      ...compared,
      deepest: { worth: amountOf(kfi, 1_087_418n), path: ["KLV", "KFI"] },
      own: { worth: amountOf(kfi, 1_087_418n), path: ["KLV", "KFI"], feeBps: 30, impactBps: 850 },
    }),
    12,
  ),
  offer(
    "better than the pool price",
    swapWith({ ...compared, deepest: { worth: amountOf(kfi, 980_000n), path: ["KLV", "KFI"] } }),
    12,
  ),
  offer("below the pools: extra confirmation", withRoute(below, 2_480_000n), 12),
  offer("below the pools, agreed to", withRoute(below, 2_480_000n), 12, accepted),
  offer("above the pools", swapWith({ ...swapTerms.pools!, best: amountOf(kfi, 9_018n) }), 12),
  offer("above the pools by little", swapWith({ ...swapTerms.pools!, best: amountOf(kfi, 900_000n) }), 12),
  offer("not compared", uncompared, 12),
  offer("not compared, agreed to", uncompared, 12, accepted),
  {
    name: "price changed at confirmation",
    draw: (view, as = asIs) =>
      intentCard({ ...intent(as(swapTerms)), origin: "recheck" }, view, {
        notice: view.words.intent.worse(as(kfiText(972_255n, view)), as(kfiText(900_000n, view))),
      }),
    lines: 12,
  },
  {
    name: "with a phrase",
    draw: (view, as = asIs) => intentCard(intent(as(swapTerms)), { ...view, phrase: as("blue bicycle") }),
    lines: 12,
  },
  offer("with no slippage", { ...swapTerms, slippageBps: 0 }, 12),
  offer("with a high slippage", { ...swapTerms, slippageBps: 1200 }, 12),
  ...checks,
  ...endings,
  offer("paid by the node's account", swapTerms, unlimited, {}, byNode),
  { name: "a price", draw: (view, as = asIs) => quoteCard(as(swapTerms), view), lines: 12 },
];

const routeAnswer =
  nested.payment({ tokenId: "KLV", units: 902_711n }) + nested.payment({ tokenId: "KFI", units: 890_000n });
const [exactHop, lastHop] = routeTerms.hops;
const { token: dvk } = exactHop!.amountOut;
/** A route without exact amounts, which a swap can replace. */
const asRoute = (swap: SwapTerms["route"]): MultihopTerms => {
  const { spends: _spends, change: _change, ...firstHop } = exactHop!;
  const hops = [{ ...firstHop, function: "swapTokensFixedInput" as const }, lastHop!];
  return { ...routeTerms, hops, ...(swap && { swap }) };
};
/** A first hop that spends the whole payment, and a last one whose exact output leaves some of its input unspent. */
const unbound: MultihopTerms = {
  ...routeTerms,
  hops: [
    { ...asRoute(undefined).hops[0]!, amountOut: amountOf(dvk, 909_000_000n) },
    {
      ...lastHop!,
      function: "swapTokensFixedOutput",
      amountIn: amountOf(dvk, 909_000_000n),
      amountOut: amountOf(kfi, 890_000n),
      wanted: amountOf(kfi, 890_000n),
      spends: { expected: amountOf(dvk, 892_410_000n), atMost: amountOf(dvk, 901_334_100n) },
      change: amountOf(dvk, 16_590_000n),
    },
  ],
  expectedOut: amountOf(kfi, 890_000n),
  minimumOut: amountOf(kfi, 890_000n),
  pools: { ...routeTerms.pools, best: amountOf(kfi, 890_000n) },
};
/** Back and forth so often that the details don't fit. */
const backHop = { ...lastHop!, amountIn: lastHop!.amountOut, amountOut: lastHop!.amountIn, wanted: exactHop!.wanted };
const endless = {
  ...routeTerms,
  hops: [asRoute(undefined).hops[0]!, ...Array.from({ length: 39 }, (_, hop) => (hop % 2 === 0 ? lastHop! : backHop))],
};
const { amountOut: exactly } = exactHop!;
const exact: MultihopTerms = {
  ...routeTerms,
  hops: [exactHop!],
  expectedOut: exactly,
  minimumOut: exactly,
  pools: {
    best: exactly,
    path: ["KLV", "DVK-34ZH"],
    paid: exactHop!.spends!.expected,
    deepest: { worth: amountOf(dvk, 902_710_000n), path: ["KLV", "DVK-34ZH"] },
    own: { worth: amountOf(dvk, 902_718_000n), path: ["KLV", "DVK-34ZH"], feeBps: 30, impactBps: 1 },
  },
};
/** A route that nets half as much again as the deepest pools' price. */
const odd: MultihopTerms = {
  ...asRoute({ amount: amountOf(kfi, 590_000n), isBetter: false }),
  pools: { ...routeTerms.pools, deepest: { worth: amountOf(kfi, 600_000n), path: ["KLV", "KFI"] } },
};
const routeSamples: CardSample[] = [
  ...lifeOf(routeTerms, { kind: "ok", returnData: [routeAnswer] }, 16),
  {
    name: "unknown, arrived, for a payment that isn't proven",
    draw: (view, as = asIs) =>
      intentCard(
        {
          ...changed(intent(routeTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" }), as),
          check: { at: now, by: "balances", finding: "arrived" },
          balances: { before: { KFI: 5_000_000n }, after: { KFI: 5_890_000n }, finding: "arrived" },
        },
        view,
      ),
    lines: OUTCOME_LINES,
  },
  offer("with a better swap", { ...routeTerms, swap: { amount: amountOf(kfi, 910_000n), isBetter: true } }, 16),
  offer("in the place of a swap", asRoute({ amount: amountOf(kfi, 889_000n), isBetter: false }), 16),
  offer("in the place of a swap that can't be quoted now", asRoute(undefined), 16),
  offer("that nets far more than the deepest pools' price", odd, 16),
  offer("hop without a spending cap", unbound, 16),
  { name: "of very many hops", draw: (view) => intentCard(intent(endless), view) },
  offer("to an exact amount", exact, 16),
  offer("to an exact amount, for what it takes", { ...exact, request: { ...exact.request, isFound: true } }, 16),
  offer("sent by an account that nobody names", routeTerms, unlimited, {}, byNode),
];

const lockAnswer = nested.payment({ tokenId: "LKTOK-1A2B", nonce: 7n, units: 5_000_000n });
const { unlocksAt: _date, ...dateless } = lockTerms;
const { epoch: _epoch, ...blind } = dateless;
const years = { unlockEpoch: 9997n, years: 3n };
const yourLocks = [
  lock(5_000_000n, 5396n, { amount: amountOf(kfi, 5_000_000n), locked: { tokenId: "LKTOK-1A2B", nonce: 7n } }),
  lock(5n, 5500n),
];
const useless: LockTerms = {
  ...lockTerms,
  request: { ...lockTerms.request, launchId: "launch" },
  verdict: {
    value: amountOf(kfi, 1_000_000n),
    minimumValue: amountOf(kfi, 7_000_000n),
    period: 103n,
    minimumPeriod: 30n,
  },
};
const lockOffer = (name: string, terms: LockTerms, options?: CardOptions) => offer(name, terms, 12, options);
const lockSamples: CardSample[] = [
  ...lifeOf(lockTerms, { kind: "ok", returnData: [lockAnswer] }, 12),
  lockOffer("without a date", dateless),
  lockOffer("without an epoch", blind),
  lockOffer("for years: extra confirmation", { ...lockTerms, ...years, unlocksAt: now + 1_150 * 86_400_000 }),
  lockOffer("for years, without a date: extra confirmation", { ...dateless, ...years }),
  lockOffer("for years, without an epoch: extra confirmation", { ...blind, ...years }),
  lockOffer("for a launch, not enough: extra confirmation", useless),
  lockOffer("for a launch, nobody knows if it is enough: extra confirmation", {
    ...lockTerms,
    request: { ...lockTerms.request, launchId: "launch" },
  }),
  offer("added to a lock", { ...lockTerms, mergesInto: { tokenId: "LKTOK-1A2B", nonce: 7n } }, unlimited),
  {
    name: "returned, because the epoch had started",
    draw: (view) =>
      intentCard(
        signed(
          intent(lockTerms, "OK", { kind: "ok", returnData: [nested.payment({ tokenId: "KFI", units: 5_000_000n })] }),
        ),
        view,
      ),
  },
  {
    name: "epoch started at confirmation",
    draw: (view) =>
      intentCard({ ...intent({ ...lockTerms, unlockEpoch: 5397n }), origin: "recheck" }, view, {
        notice: view.words.lock.epochBegan,
      }),
  },
  {
    name: "for a launch, no longer enough",
    draw: (view) => intentCard(intent(useless), view, { notice: view.words.launch.noLongerEnough }),
  },
  lockOffer("until a past epoch: extra confirmation", { ...lockTerms, unlockEpoch: 5397n }),
  lockOffer("until a past epoch, agreed to", { ...lockTerms, unlockEpoch: 5397n }, accepted),
  {
    name: "your locks",
    draw: (view, as = asIs) =>
      locksCard(as(yourLocks), 0, view, { epoch: 5397n, epochMilliseconds: 21_600_000, nextEpochAt: now + 3_600_000 }),
  },
  {
    name: "your locks, without dates",
    draw: (view, as = asIs) => locksCard(as([lock(5n, 9n)]), 0, view, { epoch: 7n }),
  },
  { name: "your locks, without the node", draw: (view) => locksCard(yourLocks, 0, view) },
  {
    name: "your locks, with others that the account holds",
    draw: (view) =>
      locksCard(
        [lock(5n, 9n)],
        0,
        view,
        { epoch: 7n },
        {
          locks: [
            {
              locked: { tokenId: "LKTOK-1A2B", nonce: 1n },
              amount: amountOf({ ...locked, id: "LKTOK-1A2B/1" }, 25_000_000n),
            },
          ],
          lockedToken: "LKTOK-1A2B",
          upTo: 32,
        },
      ),
  },
  {
    name: "your locks, many, one ready within the hour",
    draw: (view) =>
      locksCard(
        Array.from({ length: 9 }, () => lock(5n, 5398n)),
        0,
        view,
        { epoch: 5397n, epochMilliseconds: 21_600_000, nextEpochAt: now + 1_800_000 },
      ),
  },
  { name: "no lock", draw: (view) => locksCard([], 0, view, { epoch: 7n }) },
];
const unlockAnswer = nested.payment({ tokenId: "KFI", units: 5_000_000n });
const { original: _original, ...notOnRecord } = unlockTerms;
const unlockSamples: CardSample[] = [
  ...lifeOf(unlockTerms, { kind: "ok", returnData: [unlockAnswer] }, 12),
  offer(
    "unlock too early (warning)",
    { ...unlockTerms, doubts: [{ kind: "too-early", unlockEpoch: 5500n, epoch: 5397n }] },
    12,
  ),
  offer(
    "unlock too early (warning), with a date",
    {
      ...unlockTerms,
      doubts: [{ kind: "too-early", unlockEpoch: 5500n, epoch: 5397n, beginsAt: lockTerms.unlocksAt! }],
    },
    12,
  ),
  offer(
    "unlock too much (warning)",
    { ...unlockTerms, doubts: [{ kind: "too-much", recorded: amountOf(kfi, 2_000_000n) }] },
    12,
  ),
  offer(
    "already unlocked (warning)",
    { ...unlockTerms, doubts: [{ kind: "too-much", recorded: amountOf(kfi, 0n) }] },
    12,
  ),
  offer("not on record", notOnRecord, 12),
  {
    name: "not on record, rejected since it is too early",
    draw: (view) => intentCard(intent(notOnRecord, "FAILED", { kind: "failed", text: "Cannot unlock yet" }), view),
    lines: 12,
  },
  {
    name: "locks changed at confirmation",
    draw: (view) =>
      intentCard({ ...intent(unlockTerms), origin: "recheck" }, view, { notice: view.words.lock.recordChanged }),
  },
];
const STEP_LINES = 24;
const CHECKLIST_LINES = 37;
const BY_HAND_LINES = 43;
const kfiText = (units: bigint, { words }: View) => withToken(amountOf(kfi, units), words);
const state = (name: string, ...about: Parameters<typeof checklist>): CardSample => ({
  name,
  draw: (view, as = asIs) => {
    const list = checklist(...about);
    return launchCard({ ...list, launch: as(list.launch) }, view);
  },
  lines: name.includes("by hand") ? BY_HAND_LINES : CHECKLIST_LINES,
});
const byHand = {
  pair,
  lpTokenId: lp.id,
  done: { "create-pair": "answer", "issue-lp": "answer", "set-roles": "word" } as const,
};
const withRoles = { pair, lpTokenId: lp.id, done: { "set-roles": "answer" } as const };
const manual = contractCall({ contract: "pair", address: pair }, "addInitialLiquidity", {}, [
  { tokenId: "DVK-34ZH", units: 1_000_000_000n },
  { tokenId: "KFI", units: 20_000_000n },
]);
const launchSamples: CardSample[] = [
  ...Object.entries(launchTerms).map(([name, terms]) => offer(name, terms, STEP_LINES, accepted)),
  state("a new checklist", factsAfter(0)),
  state("a checklist before the roles", factsAfter(2), { pair, lpTokenId: lp.id, lpName: "DvkKfiPool" }),
  state("a checklist with a lock that does not suffice", factsAfter(4), { pair, lpTokenId: lp.id }, [
    lock(49_497_481n, 5427n),
  ]),
  state("a complete checklist", factsAfter(6), { pair, lpTokenId: lp.id }),
  state("a checklist with an unknown outcome", noFacts, { unknown: ["create-pair"] }),
  state("a checklist with an unknown outcome, without the node", { isReachable: false }, { unknown: ["create-pair"] }),
  state("a checklist with a step sent a moment ago", factsAfter(0), { unknown: ["create-pair"] }),
  state("a checklist with a call in progress", factsAfter(0), {}, [], {
    state: "under-way",
    canDo: false,
  }),
  state("a checklist for steps made by hand", noFacts, byHand, [], { manualCall: manual, isManual: true, canDo: true }),
  state("a checklist with a first deposit made by hand", factsAfter(3), withRoles, [], {
    manualCall: manual,
    isManual: true,
    canDo: true,
  }),
  state("a checklist with a first deposit that wouldn't come out again", factsAfter(3), withRoles, [], {
    stuck: new Fault("token-stuck", { token: "DVK-34ZH", from: "DVK-34ZH/KFI", to: "account" }),
    canDo: false,
  }),
  state("a checklist with a first deposit that may not come out again", factsAfter(3), withRoles, [], {
    isReturnUnknown: true,
  }),
  state("a checklist with a first deposit to make", factsAfter(3), withRoles, [], {
    isManual: true,
    canDo: true,
  }),
  state("a pair of tokens that the router can't value", { ...factsAfter(3), common: "" }, withRoles),
  state("a router without requirements", { ...factsAfter(3), config: "none" }, withRoles),
  state("a pair without a liquidity provider", { ...factsAfter(3), adder: "none" }, withRoles),
  state("a pair of another account", { ...factsAfter(3), adder: operator }, withRoles, [], {
    obstacles: [{ kind: "other-adder", adder: operator, isCertain: false }],
  }),
  state("a checklist with a lock that suffices", factsAfter(4), { pair, lpTokenId: lp.id }, [lock(49_497_482n, 5500n)]),
  ...(
    [
      ["at the market price", { worth: amountOf(kfi, 20_000_000n), differenceBps: 0n, loss: amountOf(kfi, 0n) }],
      ["above the market", { worth: amountOf(kfi, 19_500_000n), differenceBps: 256n, loss: amountOf(kfi, 3_000n) }],
      [
        "far below the market",
        { worth: amountOf(kfi, 40_000_000n), differenceBps: -5000n, loss: amountOf(kfi, 900_000n) },
      ],
    ] as const
  ).map(([name, market]) => offer(`the first liquidity, ${name}`, { ...launchTerms.addLiquidity, market }, unlimited)),
  offer(
    "the first liquidity, too little to enable swapping",
    {
      ...launchTerms.addLiquidity,
      worth: { least: amountOf(kfi, 6_000_000n), minimum: amountOf(kfi, 7_000_000n) },
    },
    unlimited,
  ),
  offer("a step sent from the node's account", { ...launchTerms.createPair, callerTravels: false }, unlimited),
  ...(
    [
      ["created", "OK", { kind: "ok", returnData: [pairHex] }],
      ["of unknown outcome", "UNKNOWN", { kind: "unknown", code: "service-timeout" }],
      ["rejected", "FAILED", { kind: "failed", text: "Pair already exists" }],
    ] as const
  ).map(([name, state, outcome]) => ({
    name: `a pair ${name}`,
    draw: (view: View) => intentCard(intent(launchTerms.createPair, state, outcome), view),
  })),
  ...(
    [
      ["shown on chain", "arrived", undefined],
      ["not shown yet", "not-arrived", undefined],
      ["that no view shows", "unclear", "no-view"],
      ["that can't be asked about", "unclear", "unread"],
      ["that another call may have made", "unclear", "not-own"],
    ] as const
  ).map(([name, finding, why]) => ({
    name: `a step ${name}`,
    draw: (view: View) => {
      const made = intent(launchTerms.createPair, "OK", { kind: "ok", returnData: [pairHex] });
      return intentCard({ ...made, balances: { before: {} }, check: { at: now, by: "views", finding, why } }, view);
    },
    lines: 12,
  })),
  state("a checklist without the node", { isReachable: false }),
  { name: "launches", draw: (view, as = asIs) => launchesCard([as(launch())], view), lines: 7 },
  {
    name: "removing a launch: extra confirmation",
    draw: (view, as = asIs) => dropLaunchCard(as(launch()), view),
    lines: 8,
  },
];

const ALERT_LINES = 9;
const placed = { price: "0.006780", createdAt: now / 1000 - 7_200, updatedAt: now / 1000 - 600 };
const bought = {
  ...placed,
  averagePrice: "0.006736",
  fee: "0.00006874",
  nativeFee: { amount: "0.000006874", token: "KLV" },
};
const alertOf = (name: string, from: Partial<Order>, to: Partial<Order>): CardSample => ({
  name,
  draw: (view, as = asIs) => {
    const now = order({ ...(to.filled ? bought : placed), ...to });
    return orderAlertCard(as(alertFor({ told: order(from), order: now, hasEnded: false })!), view);
  },
  lines: ALERT_LINES,
});
const noticeOf = (name: string, what: Notice["what"]): CardSample => ({
  name,
  draw: (view, as = asIs) => noticeCard(as(what), view),
  lines: ALERT_LINES,
});
const open = order(placed);
const partly = order({ ...bought, filled: "42.5", status: "PARTIALLY" });
const watch = { order: open, isMuted: false, seenAt: now };
const orderSamples: CardSample[] = [
  alertOf("partially filled", {}, { filled: "42.5", status: "PARTIALLY" }),
  alertOf("filled", { filled: "40", status: "PARTIALLY", averagePrice: "0.0067" }, { filled: "100", status: "DONE" }),
  alertOf("cancelled", {}, { status: "CANCELED" }),
  alertOf(
    "cancelled after a part was filled",
    { filled: "40", status: "PARTIALLY" },
    { filled: "40", status: "CANCELED" },
  ),
  alertOf("expired", {}, { status: "EXPIRED" }),
  alertOf(
    "ended by a word that the exchange alone has, counted in the other token",
    { filled: "40", quantity: "5", status: "PARTIALLY" },
    { filled: "42.5", quantity: "5", status: "EXPIRED_IN_MATCH" },
  ),
  { name: "a lock has ended", draw: (view, as = asIs) => unlockableCard(as(lock(5n, 9n)), view), lines: ALERT_LINES },
  noticeOf("an outage", { kind: "outage", service: "exchange", since: now }),
  noticeOf("outage over", { kind: "return", service: "exchange", since: now }),
  alertOf(
    "another average price",
    { filled: "40", status: "PARTIALLY", averagePrice: "0.0067" },
    { filled: "40", status: "PARTIALLY" },
  ),
  noticeOf("a test", { kind: "test" }),
  noticeOf("let in", { kind: "let-in" }),
  noticeOf("an answer that Telegram didn't take", { kind: "unanswered", at: now }),
  {
    name: "no longer known, with its last state",
    draw: (view, as = asIs) => orderAlertCard(as({ order: partly, from: partly, kind: "other", isGone: true }), view),
  },
  {
    name: "an order",
    draw: (view, as = asIs) => orderCard(as(partly), undefined, now, view, { link: "https://t.me/b" }),
  },
  {
    name: "an order of a sum, without a quantity, and with a time whose zone isn't said",
    draw: (view, as = asIs) =>
      orderCard(
        as({ ...partly, quantity: "0", status: "closed", type: "MARKET", createdAt: "2026-11-22 09:15:00" }),
        undefined,
        now,
        view,
        { link: "https://t.me/b" },
      ),
  },
  {
    name: "watched orders",
    draw: (view, as = asIs) => ordersCard({ standing: [], watched: [{ ...watch, order: as(partly) }] }, 0, view),
  },
  {
    name: "two watched orders, one that the exchange doesn't find",
    draw: (view, as = asIs) =>
      ordersCard(
        {
          standing: [],
          watched: [
            { ...watch, order: as(watch.order) },
            { ...watch, missingSince: now },
          ],
        },
        0,
        view,
      ),
  },
  {
    name: "a watched order, muted",
    draw: (view) => ordersCard({ standing: [], watched: [{ ...watch, isMuted: true }] }, 0, view),
  },
  {
    name: "an order that is watched",
    draw: (view) => orderCard(open, watch, now, view, { link: "https://t.me/b" }),
  },
  {
    name: "an order that is watched, muted and missing",
    draw: (view) =>
      orderCard(open, { ...watch, isMuted: true, missingSince: now }, now, view, { link: "https://t.me/b" }),
  },
  { name: "no watched order", draw: (view) => ordersCard({ standing: [], watched: [] }, 0, view) },
];

const done = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
const lost = intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" });
const standings = [
  intent(swapTerms, "FAILED", { kind: "not-sent", code: "sent-too-late", parameters: {} }),
  { ...lost, check: { at: now, by: "balances", finding: "arrived" } },
  { ...lost, check: { at: now, by: "owner", finding: "not-arrived" } },
  signed(intent(swapTerms, "SIGNING")),
  intent(lockTerms, "OK", { kind: "ok", returnData: [lockAnswer] }),
  intent({ ...lockTerms, request: lockTerms.request }, "SENT"),
] as const;
const happened = [intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "interrupted" }), done, signed(done)];
const pageOf = (items: readonly Intent[]) => ({ items, page: 0, hasOlder: false });
const historySamples: CardSample[] = [
  {
    name: "history",
    draw: (view, as = asIs) => historyCard(pageOf(happened.map((each) => changed(each, as))), "all", view),
  },
  {
    name: "history, every standing, between pages",
    draw: (view) => historyCard({ items: standings, page: 1, hasOlder: true }, "all", view),
  },
  { name: "nothing done yet", draw: (view) => historyCard(pageOf([]), "all", view) },
  { name: "history, empty filter", draw: (view) => historyCard(pageOf([]), "lock", view) },
  { name: "fees", draw: (view, as = asIs) => card(feesNotice([as(amountOf(kfi, 9_919n))], 1000, view)) },
  {
    name: "fees in many tokens",
    draw: (view) =>
      card(
        feesNotice(
          Array.from({ length: 60 }, (_, index) => amountOf({ ...kfi, id: `KFI-00${index + 10}` }, 9_919n)),
          1000,
          view,
        ),
      ),
  },
  { name: "no fees", draw: (view) => card(feesNotice([], 1000, view)) },
];

/** Every card in each state. */
export const gallery: Readonly<Record<string, readonly CardSample[]>> = {
  swap: swapSamples,
  route: routeSamples,
  lock: lockSamples,
  unlock: unlockSamples,
  launch: launchSamples,
  orders: orderSamples,
  standing: standingSamples,
  exits: exitSamples,
  signals: signalsSamples,
  history: historySamples,
  portfolio: portfolioSamples,
  alerts: [...alertSamples, ...newPairsSamples, ...bigTradesSamples],
  people: peopleSamples,
  token: tokenSamples,
  rights: rightsSamples,
  pictures: pictureSamples,
  operator: operatorSamples,
  refusals: refusalSamples,
  sentences: sentenceSamples,
};
