import { withToken } from "../../../cards/amount.js";
import { plainAmount } from "../../../encoding/amount.js";
import { swapSubject, swapSummary } from "../../../cards/swap.js";
import { changePerson } from "../../../services/people.js";
import type { PoolGraph } from "../../../services/routes/pool-graph.js";
import { comparedWith } from "../../../services/swap/better-way.js";
import { readSwapOutcome, type SwapDraft } from "../../../services/swap/referral-swap.js";
import { readSwapRequest } from "../../../services/swap/request.js";
import type { Parts } from "../../context.js";
import { defineKind, type Owner, type Prepared } from "../../kind.js";

export type SwapParts = Pick<Parts, "pools" | "routerCheck" | "settings" | "store" | "swaps" | "tokens">;

/** How many tokens are remembered as last used. */
const RECENT_TOKENS = 6;
/** Pools older than this, in milliseconds, say nothing about the present price. */
const POOLS_MAX_AGE_MILLISECONDS = 60_000;
const POOLS_PATIENCE = 1000;

/** A swap through the referral contract. */
export const swapKind = defineKind("swap", {
  prepare,
  reopen: (parts: SwapParts, owner, { amountInText, amountIn, quotedOut }) =>
    prepare(parts, owner, `${amountInText} ${amountIn.token.id} ${quotedOut.token.id}`),
  withAmount: ({ amountIn: { token }, quotedOut }, amount) =>
    `${plainAmount(amount, token.id)} ${token.id} ${quotedOut.token.id}`,
  recheck: async (parts: SwapParts, _person, intent) => {
    await parts.routerCheck.assertMatch();
    const checked = await parts.swaps.recheck(intent);
    return checked.kind === "worse" ? { ...checked, draft: await compared(parts, checked.draft) } : checked;
  },
  subject: swapSubject,
  movement: ({ terms, outcome }, encoding) => {
    const read = outcome?.kind === "ok" ? readSwapOutcome(terms, outcome.returnData, encoding) : undefined;
    return {
      paid: [terms.amountIn],
      ...(read?.kind === "split" && { received: read.received, fee: read.referral }),
    };
  },
  summary: swapSummary,
  moved: (before, now, words) =>
    words.intent.worse(withToken(before.minimumOut, words), withToken(now.quotedOut, words)),
});

/** Quotes `100 KLV KFI`, or gives every reason why not. */
async function prepare(parts: SwapParts, { userId, person, words }: Owner, typed: string): Promise<Prepared> {
  const read = readSwapRequest(typed, parts.tokens);
  if (read === undefined) return { sentence: words.swap.usage("/swap") };
  if (!read.ok) return { faults: read.faults };
  parts.routerCheck.assertNoMismatch();
  const pools = poolsToCompare(parts);
  const draft = await parts.swaps.prepare({ person, ...read.request });
  await rememberTokens(parts, userId, [read.request.tokenIn.id, read.request.tokenOut.id]);
  return { draft: await compared(parts, draft, pools) };
}

async function compared(parts: SwapParts, draft: SwapDraft, pools = poolsToCompare(parts)): Promise<SwapDraft> {
  return { ...draft, terms: comparedWith(await pools, draft.terms, parts.settings.betterRouteBps) };
}

/** The pools to compare a quote with, read while it is asked for. They hold it up for a second at most. */
export function poolsToCompare({ pools }: Pick<Parts, "pools">): Promise<PoolGraph | undefined> {
  return pools.known(POOLS_MAX_AGE_MILLISECONDS, POOLS_PATIENCE);
}

async function rememberTokens(parts: SwapParts, userId: number, used: readonly string[]): Promise<void> {
  await changePerson(parts.store, userId, (person) => {
    const recentTokens = [...new Set([...used, ...person.recentTokens])].slice(0, RECENT_TOKENS);
    return recentTokens.join() === person.recentTokens.join() ? person : { ...person, recentTokens };
  });
}
