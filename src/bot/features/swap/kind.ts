import { withToken } from "../../../cards/amount.js";
import { plainAmount, referralSplit } from "../../../encoding/amount.js";
import { swapSubject, swapSummary, swapWords } from "../../../cards/swap.js";
import { changePerson } from "../../../services/people.js";
import { bestOfPools } from "../../../services/chain/best-of-pools.js";
import type { Ways } from "../../../services/routes/pools-price.js";
import { comparedWith } from "../../../services/swap/better-way.js";
import { readSwapOutcome, type SwapDraft } from "../../../services/swap/referral-swap.js";
import { isIncompleteTrade, readSwapRequest } from "../../../services/swap/request.js";
import type { PersonFlavor } from "../../context.js";
import { defineKind, type KindParts, type Prepared } from "../../kind.js";

/** How many tokens are remembered as last used. */
const RECENT_TOKENS = 6;

/** A swap through the referral contract. */
export const swapKind = defineKind("swap", {
  prepare,
  isIncomplete: isIncompleteTrade,
  reopen: (parts, owner, terms) => prepare(parts, owner, swapWords(terms)),
  withAmount: ({ amountIn: { token }, quotedOut }, amount) =>
    `${plainAmount(amount, token.id)} ${token.id} ${quotedOut.token.id}`,
  otherWay: (terms) => ({ kind: "multihop", line: swapWords(terms) }),
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

/** Quotes `100 KLV KFI`, or gives every reason why it can't. */
async function prepare(parts: KindParts, { userId, person, words }: PersonFlavor, typed: string): Promise<Prepared> {
  const read = readSwapRequest(typed, parts.tokens);
  if (read === undefined) return { sentence: words.swap.usage("/swap") };
  if (!read.ok) return { faults: read.faults };
  parts.routerCheck.assertNoMismatch();
  const { amountIn, tokenOut } = read.request;
  // Runs while the quote is requested.
  const best = bestOfPools(parts, amountIn, tokenOut);
  const draft = await parts.swaps.prepare({ person, ...read.request });
  await rememberTokens(parts, userId, [amountIn.token.id, tokenOut.id]);
  return { draft: compared(parts, draft, await best) };
}

function compared({ settings }: KindParts, draft: SwapDraft, best: Ways | "not-offered" | undefined): SwapDraft {
  return { ...draft, terms: comparedWith(best, draft.terms, settings.betterRouteBps) };
}

async function rememberTokens(parts: KindParts, userId: number, used: readonly string[]): Promise<void> {
  await changePerson(parts.store, userId, (person) => {
    const recentTokens = [...new Set([...used, ...person.recentTokens])].slice(0, RECENT_TOKENS);
    return recentTokens.join() === person.recentTokens.join() ? person : { ...person, recentTokens };
  });
}
