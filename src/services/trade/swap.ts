import type { Basics } from "../../loop.js";
import type { Config } from "../../config.js";
import type { Address } from "../../encoding/address.js";
import { addAmounts, amountOf, compareAmounts, paymentOf, type Amount } from "../../encoding/amount.js";
import { gainBps } from "../../encoding/amount.js";
import { contractCall } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault, isFault, unlessFault } from "../../fault.js";
import { type TradeKind, outputsOf, seenToArrive, type Answered, type Draft } from "../intent/trade-kind.js";
import type { IntentOf } from "../intent/intent.js";
import type { MultihopTerms, SwapRequest, SwapTerms } from "../terms/swap-terms.js";
import { changePerson, payoutOf, slippageOf, type Person, type SlippageConfig } from "../person/person.js";
import type { Quotation } from "../market/quotation.js";
import { fixedIn, reportedBy, saidRoyalty, withRoyalty } from "./royalty-taken.js";
import { assertSwappable, amountPaid, type PayParts, readSwap } from "./swap-request.js";
import type { Database } from "../../store/store.js";
import { bestOfPools, type Pools } from "../market/pools.js";
import { compareQuote, type Routes } from "../market/comparison.js";
import { bestRoute, poolsWith } from "../market/route.js";
import { CONFIRM_AGE_MS, rightsFor, type RightsReader } from "../market/token-rights.js";
import { isOtherRoyalty, royaltiesIn } from "../market/royalty.js";
import { betweenBySwap } from "../market/token-way.js";
import { isRiskier, rightsInTrade } from "../market/trade-rights.js";
import { priceBetween, type Prices } from "../market/price-history.js";
import type { PeriodicCheck } from "../chain/checks.js";
import type { TokenList } from "../market/token-list.js";
import { slippageFloor } from "../market/slippage.js";
import { leastTotalOf, referralSplit, referralOf } from "../market/referral.js";

export type SwapQuote = Omit<SwapTerms, "payout">;
/** Quotes of swaps, after the bot's fee, and the drafts of their cards. */
export interface Swaps {
  /**
   * Caps slippage at the operator's maximum. @throws Fault `tokens-identical`, `token-not-swappable`,
   * `token-precision-unknown`, `standing-price-back`, `quote-…`, `service-…`.
   */
  readonly quote: (person: Person, request: SwapRequest<Amount>) => Promise<SwapQuote>;
  /**
   * Same as `quote`, with the pools' price, the best route, and what the tokens' issuers can do.
   * @throws as `quote`, and Fault `route-none`, `token-one-way`, `token-limited`, `token-unsellable`.
   */
  readonly compared: (person: Person, request: SwapRequest<Amount>) => Promise<SwapQuote>;
  /** @throws Fault `wallet-missing`, `router-mismatch`, and as `compared`. */
  readonly prepare: (person: Person, request: SwapRequest<Amount>) => Promise<SwapDraft>;
  /**
   * Undefined while the card holds: while a new quote isn't below its minimum, which a limit's never undercuts, and
   * nothing that an issuer does keeps the tokens from moving. @throws as `prepare`.
   */
  readonly recheck: (intent: IntentOf<"swap">) => Promise<SwapDraft | undefined>;
}

export type SwapDraft = Draft & { readonly terms: SwapTerms };

interface SwapServiceParts extends Basics {
  readonly quotation: Quotation;
  readonly pools: Pools;
  readonly rights: RightsReader;
  readonly routerCheck: PeriodicCheck;
  readonly config: SlippageConfig &
    Pick<
      Config,
      | "betterRouteBps"
      | "quoteTtlSeconds"
      | "referralAddress"
      | "referralContract"
      | "referralPercentage"
      | "routerContract"
    >;
  readonly prices?: Pick<Prices, "note" | "noteQuote">;
}

/** Maximum age of the pools that tell whether there is any route, in milliseconds. */
const POOLS_AGE_MS = 20_000;

export function createSwaps(parts: SwapServiceParts): Swaps {
  const { quotation, pools, rights, routerCheck, config, prices } = parts;
  const { referralPercentage } = config;

  /** The quotation doesn't name its route, so each pair of a limited token counts. @throws Fault `token-…`. */
  const rightsIn = async (paid: string, bought: string, account: Address | undefined, maxAge?: number) => {
    const told = await rightsFor(rights, [paid, bought], maxAge);
    const ofBought = told.get(bought);
    const isLimited = typeof ofBought === "object" && ofBought.isLimited;
    const graph = isLimited ? await pools.known(POOLS_AGE_MS) : undefined;
    const givenOut = [{ tokenId: bought, pairs: graph && poolsWith(graph, bought) }];
    const ofTrade = rightsInTrade(told, { paid, bought, givenOut }, betweenBySwap(config, account));
    return (pay: Amount, net: Amount) => ({ ...ofTrade, ...royaltiesIn(told, pay, net) });
  };

  const quoteOf = (quotedOut: Amount, request: SwapRequest<Amount>, slippageBps: number): SwapQuote => {
    const slipped = slippageFloor(quotedOut, slippageBps, config.maxSlippageBps);
    const least = request.standing?.least && leastTotalOf(request.standing.least, referralPercentage);
    if (least !== undefined && compareAmounts(quotedOut, least) < 0) throw new Fault("standing-price-back", {});
    const minimumOut = least === undefined || compareAmounts(slipped, least) >= 0 ? slipped : least;
    return { kind: "swap", request, amountIn: request.pay, slippageBps, quotedOut, minimumOut, referralPercentage };
  };

  const quote = async (person: Person, request: SwapRequest<Amount>): Promise<SwapQuote> => {
    const { pay, from, to } = request;
    if (from.id === to.id) throw new Fault("tokens-identical", { token: from.id });
    assertSwappable(from);
    assertSwappable(to);
    // The payment would be right in base units, but the quotation service counts in whole tokens.
    if (from.precision === undefined) throw new Fault("token-precision-unknown", { token: from.id });
    return quoteOf(await quotation.quote(pay, to), request, slippageOf(person, config));
  };

  const compared = async (person: Person, request: SwapRequest<Amount>): Promise<SwapQuote> => {
    const { pay, to } = request;
    const quoting = quote(person, request).catch(async (error: unknown) => {
      // A longer route can be offered only if there is one.
      const graph = isFault(error, "quote-none") ? await unlessFault(() => pools.known(POOLS_AGE_MS)) : undefined;
      const trade = { tokenIn: pay.token.id, tokenOut: to.id, amountIn: pay.units };
      if (graph === undefined || bestRoute(graph, trade) !== undefined) throw error;
      throw new Fault("route-none", { from: pay.token.id, to: to.id }, { cause: error });
    });
    const account = person.wallet?.address;
    const [quoted, ways, rightsOf] = await Promise.all([
      quoting,
      bestOfPools(parts, pay, to),
      rightsIn(pay.token.id, to.id, account),
    ]);
    if (typeof ways !== "object") prices?.noteQuote(priceBetween(pay, quoted.quotedOut), person.chatId);
    else prices?.note([ways.pair], true, person.chatId);
    return { ...withPools(ways, quoted, config.betterRouteBps), ...rightsOf(pay, outputOf(quoted).net) };
  };

  return {
    quote,
    compared,
    prepare: async (person: Person, request: SwapRequest<Amount>) => {
      routerCheck.assertNoMismatch();
      const payout = payoutOf(person);
      return swapDraft(parts, await compared(person, request), payout);
    },
    recheck: async ({ terms }: IntentOf<"swap">) => {
      const { amountIn, minimumOut, quotedOut, request, slippageBps, payout } = terms;
      await routerCheck.assertMatch();
      const [quotedNow, rightsOf] = await Promise.all([
        quotation.quote(amountIn, quotedOut.token),
        rightsIn(amountIn.token.id, quotedOut.token.id, payout, CONFIRM_AGE_MS),
      ]);
      const told = rightsOf(amountIn, referralSplit(quotedNow, referralPercentage).rest);
      const isOther = isRiskier(terms, told) || isOtherRoyalty(terms, told);
      if (compareAmounts(quotedNow, minimumOut) >= 0 && !isOther) return undefined;
      const ways = await bestOfPools(parts, amountIn, quotedOut.token);
      const fresh = withPools(ways, quoteOf(quotedNow, request, slippageBps), config.betterRouteBps);
      return swapDraft(parts, { ...fresh, ...told }, payout);
    },
  };
}

function swapDraft({ config, clock }: SwapServiceParts, quoted: SwapQuote, payout: Address): SwapDraft {
  const inputs = {
    referral_address: config.referralAddress,
    referral_percentage: BigInt(config.referralPercentage),
    token_in: quoted.amountIn.token.id,
    token_out: quoted.quotedOut.token.id,
    amount_out_min: quoted.minimumOut.units,
    amount_out_destination: payout,
  };
  const target = { contract: "referral", address: config.referralContract } as const;
  return {
    terms: { ...quoted, payout },
    call: contractCall(target, "swap", inputs, [paymentOf(quoted.amountIn)]),
    expiresAt: clock.now() + config.quoteTtlSeconds * 1000,
  };
}

/**
 * Returns the operator's and the user's amounts; undefined unless the operator's is exactly
 * `floor(total * percentage / 100000)` and the total reaches the minimum. (It is undocumented whether the minimum is of
 * the total or of the user's part; the total reaches it either way.)
 */
export function readSwapOutcome(call: Answered<SwapTerms>, encoding: ReturnDataEncoding) {
  const { terms, outcome } = call;
  if (outcome?.kind === "unknown") {
    // Balances prove the amount, but not the fee: take the lowest one that fits.
    const seen = seenToArrive(call.balances, outputOf(terms).least, fixedIn(saidRoyalty(terms)));
    return seen && { referral: referralOf(seen, terms.referralPercentage), received: seen };
  }
  const outputs = outputsOf("referral", "swap", outcome, encoding);
  if (outputs === undefined) return undefined;
  const { token } = terms.quotedOut;
  const [referral, received] = [amountOf(token, outputs[0]), amountOf(token, outputs[1])];
  const total = addAmounts(referral, received);
  const split = referralSplit(total, terms.referralPercentage);
  const isLawful = compareAmounts(split.referral, referral) === 0 && compareAmounts(total, terms.minimumOut) >= 0;
  return isLawful ? { referral, received } : undefined;
}

export interface SwapKindParts extends PayParts {
  readonly tokens: TokenList;
  readonly store: Database;
  readonly swaps: Swaps;
}

const RECENT_TOKENS = 6;

export const swapKind: TradeKind<"swap", SwapKindParts> = {
  read: ({ tokens }, line) => readSwap(line, tokens),
  draft: async (parts, request, { userId, person }) => {
    const pay = await amountPaid(parts, person, request.pay, request.from);
    const draft = await parts.swaps.prepare(person, { ...request, pay });
    const withRecent = (now: Person): Person => {
      const used = [request.from.id, request.to.id, ...now.recentTokens];
      const recentTokens = [...new Set(used)].slice(0, RECENT_TOKENS);
      return recentTokens.join() === now.recentTokens.join() ? now : { ...now, recentTokens };
    };
    if (withRecent(person) !== person) await parts.store.write((tx) => changePerson(tx, userId, withRecent));
    return draft;
  },
  recheck: ({ swaps }, intent) => swaps.recheck(intent),
  flow: (intent, encoding) => {
    const { terms } = intent;
    const read = readSwapOutcome(intent, encoding);
    const taken = withRoyalty(intent, terms.amountIn, reportedBy(intent, read?.received));
    return { ...taken, expected: outputOf(terms).least, received: read?.received, fee: read?.referral };
  },
};

/**
 * Adds the pools' price, and the best route if it nets more than the swap: the router takes no bot fee.
 * @param thresholdBps minimum gain for the route to count as better.
 */
export function withPools(
  ways: Omit<Routes, "pair"> | "not-offered" | undefined,
  quote: SwapQuote,
  thresholdBps: number,
): SwapQuote {
  if (ways === undefined) return quote;
  if (ways === "not-offered") return { ...quote, hasNoPools: true };
  const pools = compareQuote(ways, quote.amountIn, quote.quotedOut);
  const { net } = outputOf(quote);
  const isOffered = compareAmounts(pools.best, net) > 0 && !isAboveLine(quote.request, pools.best);
  if (!isOffered) return { ...quote, pools };
  return { ...quote, pools, route: comparedWith(pools.best, net, thresholdBps) };
}

/** Whether a trade brings more than its order's line: a stop's price isn't there that way. */
export function isAboveLine({ standing }: Pick<SwapRequest, "standing">, net: Amount): boolean {
  return standing?.most !== undefined && compareAmounts(net, standing.most) > 0;
}

/** @param thresholdBps see {@link withPools}. */
export function comparedWithSwap(expectedOut: Amount, quote: SwapQuote, thresholdBps: number) {
  return comparedWith(outputOf(quote).net, expectedOut, thresholdBps);
}

/**
 * Returns a trade's output before the bot fee (none for a route) and after it, and the least output. The least is after
 * the fee too, as the contract takes the fee from its minimum as well.
 */
export function outputOf(trade: SwapQuote | MultihopTerms) {
  const { minimumOut: least } = trade;
  if (trade.kind === "multihop") {
    return { gross: trade.expectedOut, fee: amountOf(least.token, 0n), net: trade.expectedOut, least };
  }
  const { quotedOut: gross, referralPercentage } = trade;
  const { referral: fee, rest: net } = referralSplit(gross, referralPercentage);
  return { gross, fee, net, least: referralSplit(least, referralPercentage).rest };
}

/** Better means a gain above zero, and of at least the threshold. */
function comparedWith(amount: Amount, than: Amount, thresholdBps: number) {
  const gained = gainBps(amount, than) ?? 0n;
  return { amount, isBetter: gained > 0n && gained >= BigInt(thresholdBps) };
}
