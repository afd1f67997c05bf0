import { withToken } from "../../../cards/amount.js";
import { referralSplit } from "../../../encoding/amount.js";
import { swapSubject, swapSummary } from "../../../cards/swap.js";
import { changePerson } from "../../../services/people.js";
import { bestOfPools } from "../../../services/chain/best-of-pools.js";
import type { Ways } from "../../../services/routes/pools-price.js";
import { comparedWith } from "../../../services/swap/better-way.js";
import { readSwapOutcome, type SwapDraft } from "../../../services/swap/referral-swap.js";
import { amountPaid } from "../../../services/swap/pay.js";
import { readSwap } from "../../../services/swap/request.js";
import { defineKind, type KindParts } from "../../kind.js";

/** How many tokens are remembered as last used. */
const RECENT_TOKENS = 6;

/** A swap through the referral contract. */
export const swapKind = defineKind("swap", {
  read: (line, { tokens }) => readSwap(line, tokens),
  usage: (words) => words.swap.usage("/swap"),
  draft: async (parts, { userId, person }, request) => {
    const pay = await amountPaid(parts, person, request.pay, request.from);
    parts.routerCheck.assertNoMismatch();
    const { from, to } = request;
    // Runs while the quote is requested.
    const best = bestOfPools(parts, pay, to);
    const draft = await parts.swaps.prepare(person, { ...request, pay });
    await rememberTokens(parts, userId, [from.id, to.id]);
    return compared(parts, draft, await best);
  },
  recheck: async (parts, _person, intent) => {
    await parts.routerCheck.assertMatch();
    const checked = await parts.swaps.recheck(intent);
    if (checked.kind === "holds") return checked;
    const { amountIn, quotedOut } = checked.draft.terms;
    return { ...checked, draft: compared(parts, checked.draft, await bestOfPools(parts, amountIn, quotedOut.token)) };
  },
  subject: swapSubject,
  movement: (intent, encoding) => {
    const { terms } = intent;
    const read = readSwapOutcome(intent, encoding);
    return {
      paid: [terms.amountIn],
      wanted: referralSplit(terms.minimumOut, terms.referralPercentage).rest,
      ...(read !== undefined && { received: read.received, fee: read.referral }),
    };
  },
  summary: swapSummary,
  moved: (before, now, words) =>
    words.intent.worse(withToken(before.minimumOut, words), withToken(now.quotedOut, words)),
});

function compared({ settings }: KindParts, draft: SwapDraft, best: Ways | "not-offered" | undefined): SwapDraft {
  return { ...draft, terms: comparedWith(best, draft.terms, settings.betterRouteBps) };
}

async function rememberTokens(parts: KindParts, userId: number, used: readonly string[]): Promise<void> {
  await changePerson(parts.store, userId, (person) => {
    const recentTokens = [...new Set([...used, ...person.recentTokens])].slice(0, RECENT_TOKENS);
    return recentTokens.join() === person.recentTokens.join() ? person : { ...person, recentTokens };
  });
}
