import { swapCard } from "../cards/swap.js";
import type { Opened } from "../conversations/swap.js";
import { messages } from "../locales/messages.js";
import type { Intent } from "../services/intents/intent.js";
import { people } from "../services/people.js";
import { readSwapRequest } from "../services/swap-request.js";
import type { Parts } from "./context.js";
import { changePerson, viewOf } from "./person.js";
import { orSentence } from "./or-sentence.js";
import { sentenceOf } from "./../locales/sentence.js";

/** How many tokens are remembered as last used. */
const RECENT_TOKENS = 6;

/** Quotes what a person typed and opens a card for it, or gives every reason why not. */
export async function openSwap(
  parts: Parts,
  userId: number,
  typed: { readonly amount: string; readonly tokenIn: string; readonly tokenOut: string },
): Promise<Opened> {
  const person = await parts.store.read(people, String(userId));
  if (person === undefined) throw new TypeError("a swap of somebody who never wrote");
  const words = messages[person.language];
  if (person.frozenSince !== undefined) return { ok: false, sentence: words.common.frozen };
  const read = readSwapRequest(typed, parts.tokens);
  if (!read.ok) {
    return { ok: false, sentence: read.faults.map((fault) => sentenceOf(fault, words)).join("\n") };
  }
  const attempt = await orSentence(words, () => parts.swaps.prepare({ person, ...read.request }));
  if (!attempt.ok) return attempt;
  const intent = await parts.intents.open(userId, person.chatId, attempt.value);
  await rememberTokens(parts, userId, [read.request.tokenIn.id, read.request.tokenOut.id]);
  return { ok: true, card: swapCard(intent, intent.terms, viewOf(person, parts)), intentId: intent.id };
}

/** A fresh quote for what an earlier card was about, at the person's settings of now. */
export async function reopenSwap(parts: Parts, intent: Intent): Promise<Opened> {
  const { terms } = intent;
  return openSwap(parts, intent.owner, {
    amount: terms.amountInText,
    tokenIn: terms.amountIn.token.id,
    tokenOut: terms.quotedOut.token.id,
  });
}

async function rememberTokens(parts: Parts, userId: number, used: readonly string[]): Promise<void> {
  await changePerson(parts.store, userId, (person) => {
    const recentTokens = [...new Set([...used, ...person.recentTokens])].slice(0, RECENT_TOKENS);
    return recentTokens.join() === person.recentTokens.join() ? person : { ...person, recentTokens };
  });
}
