import { card, type Card } from "../../../cards/card.js";
import { quoteCard } from "../../../cards/swap.js";
import { messagesIn } from "../../../locales/messages.js";
import { sentenceOf } from "../../../locales/sentence.js";
import { personOf } from "../../../services/people.js";
import { comparedWith } from "../../../services/swap/better-way.js";
import { readSwapRequest } from "../../../services/swap/request.js";
import type { Parts } from "../../context.js";
import { orSentence } from "../../or-sentence.js";
import { viewOf } from "../../person.js";
import { poolsToCompare } from "./kind.js";

export type QuoteParts = Pick<Parts, "pools" | "quoteAllowance" | "settings" | "store" | "swaps" | "tokens">;

/** The price of `100 KLV KFI`, or every reason why there is none. */
export async function quoteFor(parts: QuoteParts, userId: number, typed: string): Promise<Card> {
  const person = await personOf(parts.store, userId);
  const words = messagesIn(person.language);
  const read = readSwapRequest(typed, parts.tokens);
  if (read === undefined) return card([words.swap.usage("/quote")]);
  if (!read.ok) return card(read.faults.map((fault) => sentenceOf(fault, words)));
  const compared = await orSentence(words, async () => {
    parts.quoteAllowance.take(userId);
    const pools = poolsToCompare(parts);
    const quoted = await parts.swaps.quote({ person, ...read.request });
    return comparedWith(await pools, quoted, parts.settings.betterRouteBps);
  });
  return compared.ok ? quoteCard(compared.value, viewOf(person, parts)) : card([compared.sentence]);
}
