import { refusal, typedBehind } from "../../../cards/mends.js";
import { quoteCard } from "../../../cards/swap.js";
import type { Shown } from "../../../conversations/opened.js";
import { messagesIn } from "../../../locales/messages.js";
import { personOf } from "../../../services/people.js";
import { bestOfPools } from "../../../services/chain/best-of-pools.js";
import { comparedWith } from "../../../services/swap/better-way.js";
import type { SwapQuote } from "../../../services/swap/referral-swap.js";
import { readSwapRequest } from "../../../services/swap/request.js";
import type { Parts } from "../../context.js";
import { withOwnAmount, type OwnAmountParts } from "../../intents/own-amount.js";
import { orSentence } from "../../or-sentence.js";
import { viewOf } from "../../person.js";

type ComparedQuoteParts = Pick<Parts, "clock" | "log" | "pools" | "settings" | "swaps">;
export type QuoteParts = ComparedQuoteParts & OwnAmountParts & Pick<Parts, "quoteAllowance" | "store" | "tokens">;

/** What a swap is quoted at, beside what the pools would give. @throws Fault */
export async function comparedQuote(
  parts: ComparedQuoteParts,
  request: Parameters<Parts["swaps"]["quote"]>[0],
): Promise<SwapQuote> {
  const [quoted, best] = await Promise.all([
    parts.swaps.quote(request),
    bestOfPools(parts, request.amountIn, request.tokenOut),
  ]);
  return comparedWith(best, quoted, parts.settings.betterRouteBps);
}

/** The price of `100 KLV KFI`, or every reason why there is none. */
export async function quoteFor(parts: QuoteParts, userId: number, line: string): Promise<Shown> {
  const person = await personOf(parts.store, userId);
  const words = messagesIn(person.language);
  const typed = typedBehind("quote", line);
  const own = await orSentence(words, () => withOwnAmount(parts, person, line), typed);
  if (!own.ok) return own;
  const read = readSwapRequest(own.value, parts.tokens);
  if (read === undefined) return { ok: false, sentence: words.swap.usage("/quote") };
  if (!read.ok) return { ok: false, ...refusal(read.faults, words, typed) };
  const compared = await orSentence(
    words,
    () => {
      parts.quoteAllowance.take(userId);
      return comparedQuote(parts, { person, ...read.request });
    },
    typed,
  );
  return compared.ok ? { ok: true, card: quoteCard(compared.value, viewOf(person, parts)) } : compared;
}
