import type { Clock } from "../../clock.js";
import type { Config } from "../../config.js";
import type { Address } from "../../encoding/address.js";
import { addAmounts, amountOf, compareAmounts, paymentOf, slippageFloor, type Amount } from "../../encoding/amount.js";
import { assertReferralPercentage, referralOf, referralSplit } from "../../encoding/referral.js";
import { contractCall } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault } from "../../fault.js";
import type { Draft, Recheck, TradeKind } from "../intent/kind.js";
import { outputsOf, seenToArrive, type Answered } from "../intent/finding.js";
import type { IntentOf } from "../intent/intent.js";
import type { SwapTerms } from "../intent/terms.js";
import type { Person } from "../person/person.js";
import type { Quotation } from "../clients/quotation.js";
import { payoutOf, slippageOf, type SlippageConfig, changePerson } from "../person/people.js";
import type { SwapRequest } from "../request.js";
import { assertSwappable, amountPaid, type PayParts, readSwap } from "./request.js";
import type { Database } from "../../store/store.js";
import { bestOfPools, type Ways } from "../pool/best.js";
import type { Pools } from "../pool/pools.js";
import type { StandingCheck } from "../chain/checks.js";
import { comparedWith, type SwapQuote } from "./compare.js";
import type { TokenList } from "../token/list.js";
import type { Logger } from "pino";

export type SwapDraft = Draft & { readonly terms: SwapTerms };

export type ReferralSwap = ReturnType<typeof createReferralSwap>;

/** Swaps through the referral contract, which splits the output between the operator and the person. */
export function createReferralSwap(parts: {
  readonly quotation: Quotation;
  readonly config: SlippageConfig &
    Pick<Config, "quoteTtlSeconds" | "referralAddress" | "referralContract" | "referralPercentage">;
  readonly clock: Clock;
}) {
  const { quotation, config, clock } = parts;

  const quoteOf = (quotedOut: Amount, request: SwapRequest<Amount>, slippageBps: number) => {
    assertReferralPercentage(config.referralPercentage);
    const minimumOut = slippageFloor(quotedOut, slippageBps, config.maxSlippageBps);
    const { referralPercentage } = config;
    const amountIn = request.pay;
    return { kind: "swap" as const, request, amountIn, slippageBps, quotedOut, minimumOut, referralPercentage };
  };

  const draftOf = (quoted: SwapQuote, payout: Address): SwapDraft => ({
    terms: { ...quoted, payout },
    call: contractCall(
      { contract: "referral", address: config.referralContract },
      "swap",
      {
        referral_address: config.referralAddress,
        referral_percentage: BigInt(config.referralPercentage),
        token_in: quoted.amountIn.token.id,
        token_out: quoted.quotedOut.token.id,
        amount_out_min: quoted.minimumOut.units,
        amount_out_destination: payout,
      },
      [paymentOf(quoted.amountIn)],
    ),
    expiresAt: clock.now() + config.quoteTtlSeconds * 1000,
  });

  const quote = async (person: Person, request: SwapRequest<Amount>): Promise<SwapQuote> => {
    const { from, to } = request;
    if (from.id === to.id) throw new Fault("tokens-identical", { token: from.id });
    assertSwappable(from);
    assertSwappable(to);
    // In raw units the payment would be right, but the quotation counts in whole tokens.
    if (from.precision === undefined) throw new Fault("token-precision-unknown", { token: from.id });
    return quoteOf(await quotation.quote(request.pay, to), request, slippageOf(person, config));
  };

  return {
    /**
     * Quotes a swap. A person's slippage above the operator's ceiling counts as the ceiling.
     * @throws as `prepare`, but needs no wallet.
     */
    quote,

    /**
     * Quotes a swap and builds its call. The output goes to the person's wallet, and never less than the slippage floor of the
     * quote.
     * @throws Fault `wallet-missing`, `tokens-identical`, `token-not-swappable`, `token-precision-unknown`, `quote-…`,
     * `service-…`.
     */
    prepare: async (person: Person, request: SwapRequest<Amount>): Promise<SwapDraft> => {
      const payout = payoutOf(person);
      return draftOf(await quote(person, request), payout);
    },

    /** Quotes again: the card holds as long as the new output is not below its minimum. @throws Fault `quote-…`, `service-…`. */
    recheck: async ({ terms }: IntentOf<"swap">): Promise<Recheck<SwapDraft>> => {
      const { amountIn, request, slippageBps, payout } = terms;
      const fresh = await quotation.quote(amountIn, terms.quotedOut.token);
      if (compareAmounts(fresh, terms.minimumOut) >= 0) return { kind: "holds" };
      return { kind: "worse", draft: draftOf(quoteOf(fresh, request, slippageBps), payout) };
    },
  };
}

/**
 * Reads the two amounts of a swap's answer, the operator's and the person's; undefined unless they are what the contract must
 * have done: the referral part is exactly `floor(total * percentage / 100000)`, and the total is not below the minimum. (Whether
 * the contract compares the minimum to the total or to the person's part is not documented; either way the total reaches it.)
 * Without an answer, balances may prove the person's.
 */
export function readSwapOutcome(call: Answered<SwapTerms>, encoding: ReturnDataEncoding) {
  const { terms, outcome } = call;
  if (outcome?.kind === "unknown") return seenOutcome(call);
  const outputs = outputsOf("referral", "swap", outcome, encoding);
  if (outputs === undefined) return undefined;
  const { token } = terms.quotedOut;
  const [referral, received] = [amountOf(token, outputs[0]), amountOf(token, outputs[1])];
  const total = addAmounts(referral, received);
  const split = referralSplit(total, terms.referralPercentage);
  const isLawful = compareAmounts(split.referral, referral) === 0 && compareAmounts(total, terms.minimumOut) >= 0;
  return isLawful ? { referral, received } : undefined;
}

/** The same of a swap to which no answer came, where the person's balances prove it: the fee is the least that goes with what came. */
function seenOutcome(call: Answered<SwapTerms>) {
  const { minimumOut, referralPercentage } = call.terms;
  const received = seenToArrive(call, referralSplit(minimumOut, referralPercentage).rest);
  return received && { referral: referralOf(received, referralPercentage), received };
}

export interface SwapKindParts extends PayParts {
  readonly tokens: TokenList;
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly swaps: ReferralSwap;
  readonly pools: Pools;
  readonly routerCheck: StandingCheck;
  readonly settings: PayParts["settings"] & { readonly betterRouteBps: number };
}

/** How many tokens are remembered as last used. */
const RECENT_TOKENS = 6;

/** A swap through the referral contract. */
export const swapKind: TradeKind<"swap", SwapKindParts> = {
  read: ({ tokens }, line) => readSwap(line, tokens),
  draft: async (parts, request, { userId, person }) => {
    const pay = await amountPaid(parts, person, request.pay, request.from);
    parts.routerCheck.assertNoMismatch();
    const { from, to } = request;
    // Runs while the quote is requested.
    const best = bestOfPools(parts, pay, to);
    const draft = await parts.swaps.prepare(person, { ...request, pay });
    await rememberTokens(parts, userId, [from.id, to.id]);
    return compared(parts, draft, await best);
  },
  recheck: async (parts, intent) => {
    await parts.routerCheck.assertMatch();
    const checked = await parts.swaps.recheck(intent);
    if (checked.kind === "holds") return checked;
    const { amountIn, quotedOut } = checked.draft.terms;
    return { ...checked, draft: compared(parts, checked.draft, await bestOfPools(parts, amountIn, quotedOut.token)) };
  },
  movement: (intent, encoding) => {
    const { terms } = intent;
    const read = readSwapOutcome(intent, encoding);
    return {
      paid: [terms.amountIn],
      wanted: referralSplit(terms.minimumOut, terms.referralPercentage).rest,
      ...(read !== undefined && { received: read.received, fee: read.referral }),
    };
  },
};

function compared({ settings }: SwapKindParts, draft: SwapDraft, best: Ways | "not-offered" | undefined): SwapDraft {
  return { ...draft, terms: comparedWith(best, draft.terms, settings.betterRouteBps) };
}

async function rememberTokens({ store }: SwapKindParts, userId: number, used: readonly string[]): Promise<void> {
  await changePerson(store, userId, (person) => {
    const recentTokens = [...new Set([...used, ...person.recentTokens])].slice(0, RECENT_TOKENS);
    return recentTokens.join() === person.recentTokens.join() ? person : { ...person, recentTokens };
  });
}
