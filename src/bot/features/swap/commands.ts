import { enterDialog } from "../../dialogs/mount.js";
import type { Commands, Feature } from "../../feature.js";
import { answerCommand, replyOpened, typedBehindCommand, type OpenCardParts } from "../../intents/open.js";
import { refusal, typedBehind } from "../../../cards/mends.js";
import { quoteCard } from "../../../cards/swap.js";
import type { Shown } from "../../../conversations/opened.js";
import { bestOfPools } from "../../../services/chain/best-of-pools.js";
import { comparedWith } from "../../../services/swap/better-way.js";
import type { SwapQuote } from "../../../services/swap/referral-swap.js";
import { isIncompleteTrade, readSwapRequest } from "../../../services/swap/request.js";
import type { Parts, PersonFlavor } from "../../context.js";
import { withOwnAmount } from "../../intents/own-amount.js";
import { orSentence, replyRefusal, shownTo } from "../../or-sentence.js";

/** `/swap`, `/multihop` and `/quote`. */
export function swapFeature(parts: OpenCardParts): Feature {
  const commands: Commands = {
    swap: (ctx) => answerCommand(parts, ctx, "swap"),
    multihop: (ctx) => answerCommand(parts, ctx, "multihop"),
    quote: async (ctx) => {
      const typed = typedBehindCommand(ctx);
      if (typed === "") return enterDialog(ctx, "quote");
      const read = await orSentence(
        ctx.words,
        () => isIncompleteTrade(typed, parts.tokens),
        typedBehind("quote", typed),
      );
      if (!read.ok) return replyRefusal(ctx, read);
      if (read.value) return enterDialog(ctx, "quote", typed);
      return replyOpened(parts, ctx, await quoteFor(parts, ctx.userId, typed));
    },
  };

  return { commands };
}

type ComparedQuoteParts = Pick<Parts, "clock" | "log" | "pools" | "settings" | "swaps">;
export type QuoteParts = ComparedQuoteParts & Pick<Parts, "balances" | "quoteAllowance" | "store" | "tokens">;

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
export function quoteFor(parts: QuoteParts, userId: number, line: string): Promise<Shown> {
  const typed = typedBehind("quote", line);
  const quote = async ({ person, words, view }: PersonFlavor): Promise<Shown> => {
    const read = readSwapRequest(await withOwnAmount(parts, person, line), parts.tokens);
    if (read === undefined) return { ok: false, sentence: words.swap.usage("/quote") };
    if (!read.ok) return { ok: false, ...refusal(read.faults, words, typed) };
    parts.quoteAllowance.take(userId);
    const compared = await comparedQuote(parts, { person, ...read.request });
    return { ok: true, card: quoteCard(compared, view) };
  };
  return shownTo(parts, userId, quote, typed);
}
