import type { Card } from "../../../cards/card.js";
import { card } from "../../../cards/card.js";
import { quoteCard } from "../../../cards/swap.js";
import type { Opened } from "../../../conversations/opened.js";
import { isFault } from "../../../fault.js";
import { messages } from "../../../locales/messages.js";
import { sentenceOf } from "../../../locales/sentence.js";
import { betterRouteThan } from "../../../services/swap/better-way.js";
import type { Draft } from "../../../services/intents/draft.js";
import { readSwapRequest } from "../../../services/swap/request.js";
import type { Parts } from "../../context.js";
import { openCard } from "../../intents/open.js";
import { viewOf } from "../../person.js";
import { changePerson, personOf } from "../../../services/people.js";

/** How many tokens are remembered as last used. */
const RECENT_TOKENS = 6;
/** Pools older than this, in milliseconds, say nothing about the price of now. */
const POOLS_MAX_AGE = 60_000;

/** Quotes `100 KLV KFI` and opens a card for it, or gives every reason why not. */
export function openSwap(parts: Parts, userId: number, typed: string): Promise<Opened> {
  return openCard(parts, userId, async (person, words) => {
    const read = readSwapRequest(typed, parts.tokens);
    if (read === undefined) return { sentence: words.swap.usage("/swap") };
    if (!read.ok) return { sentence: read.faults.map((fault) => sentenceOf(fault, words)).join("\n") };
    parts.routerCheck.assertNoMismatch();
    const draft = await parts.swaps.prepare({ person, ...read.request });
    await rememberTokens(parts, userId, [read.request.tokenIn.id, read.request.tokenOut.id]);
    return { draft: withBetterRoute(parts, draft) };
  });
}

/** The price of `100 KLV KFI`, or every reason why there is none. */
export async function quoteFor(parts: Parts, userId: number, typed: string): Promise<Card> {
  const person = await personOf(parts.store, userId);
  const words = messages[person.language];
  const read = readSwapRequest(typed, parts.tokens);
  if (read === undefined) return card([words.swap.usage("/quote")]);
  if (!read.ok) return card(read.faults.map((fault) => sentenceOf(fault, words)));
  try {
    return quoteCard(await parts.swaps.quote({ person, ...read.request }), viewOf(person, parts));
  } catch (error) {
    if (!isFault(error)) throw error;
    return card([sentenceOf(error, words)]);
  }
}

/** Adds the better route to a swap's card, where pools are known. A card never waits for them. */
function withBetterRoute(parts: Parts, draft: Draft): Draft {
  const graph = parts.pools.known(POOLS_MAX_AGE);
  if (graph === undefined || draft.terms.kind !== "swap") return draft;
  const betterRoute = betterRouteThan(graph, draft.terms, parts.settings.betterRouteBps);
  return betterRoute === undefined ? draft : { ...draft, terms: { ...draft.terms, betterRoute } };
}

async function rememberTokens(parts: Parts, userId: number, used: readonly string[]): Promise<void> {
  await changePerson(parts.store, userId, (person) => {
    const recentTokens = [...new Set([...used, ...person.recentTokens])].slice(0, RECENT_TOKENS);
    return recentTokens.join() === person.recentTokens.join() ? person : { ...person, recentTokens };
  });
}
