import type { Database } from "../../store/store.js";
import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { referralSplit } from "../../encoding/referral.js";
import { bestOfPools } from "../pool/best-of-pools.js";
import type { Pools } from "../pool/pools.js";
import type { TradeKind } from "../intent/kind.js";
import { changePerson } from "../person/people.js";
import type { Ways } from "../pool/pools-price.js";
import type { StandingCheck } from "../chain/standing-check.js";
import { comparedWith } from "./better-way.js";
import { amountPaid, type PayParts } from "./pay.js";
import { readSwapOutcome, type ReferralSwap, type SwapDraft } from "./referral-swap.js";
import { readSwap } from "./request.js";
import type { TokenList } from "../token/list.js";

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
