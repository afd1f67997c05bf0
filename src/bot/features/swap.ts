import { enterDialog } from "../dialogs/mount.js";
import type { Commands, Feature } from "../feature.js";
import { answerCommand, replyOpened, typedBehindCommand, type OpenCardParts } from "../intents/open.js";
import { refusal, typedBehind } from "../../cards/mends.js";
import { quoteCard } from "../../cards/swap.js";
import type { Shown } from "../or-sentence.js";
import type { Amount } from "../../encoding/amount.js";
import type { Person } from "../../services/person/person.js";
import { lineOf, type SwapRequest } from "../../services/request.js";
import { bestOfPools } from "../../services/pool/best-of-pools.js";
import { comparedWith } from "../../services/swap/better-way.js";
import type { SwapQuote } from "../../services/swap/referral-swap.js";
import { amountPaid } from "../../services/swap/pay.js";
import { readSwap } from "../../services/swap/request.js";
import { isRead, type Read } from "../../services/text/line.js";
import type { Parts, PersonFlavor } from "../context.js";
import { shownTo } from "../or-sentence.js";

/** `/swap`, `/multihop` and `/quote`. */
export function swapFeature(parts: OpenCardParts): Feature {
  const commands: Commands = {
    swap: (ctx) => answerCommand(parts, ctx, "swap"),
    multihop: (ctx) => answerCommand(parts, ctx, "multihop"),
    quote: async (ctx) => {
      const line = typedBehindCommand(ctx);
      const read = readSwap(line, parts.tokens);
      if (read === "incomplete") return enterDialog(ctx, "quote", line);
      return replyOpened(parts, ctx, await quoteFor(parts, ctx.userId, read, line));
    },
  };

  return { commands };
}

type ComparedQuoteParts = Pick<Parts, "clock" | "log" | "pools" | "settings" | "swaps">;
export type QuoteParts = ComparedQuoteParts & Pick<Parts, "balances" | "quoteAllowance" | "store" | "tokens">;

/** What a swap is quoted at, beside what the pools would give. @throws Fault */
export async function comparedQuote(
  parts: ComparedQuoteParts,
  person: Person,
  request: SwapRequest<Amount>,
): Promise<SwapQuote> {
  const [quoted, best] = await Promise.all([
    parts.swaps.quote(person, request),
    bestOfPools(parts, request.pay, request.to),
  ]);
  return comparedWith(best, quoted, parts.settings.betterRouteBps);
}

/** The price of a trade, or every reason why there is none. @param line as it was typed, where it was. */
export function quoteFor(
  parts: QuoteParts,
  userId: number,
  read: Exclude<Read<SwapRequest>, "incomplete">,
  line = isRead(read) ? lineOf(read) : "",
): Promise<Shown> {
  const typed = typedBehind("quote", line);
  const quote = async ({ person, words, view }: PersonFlavor): Promise<Shown> => {
    if (read === "unreadable") return { ok: false, sentence: words.swap.usage("/quote") };
    if ("faults" in read) return { ok: false, ...refusal(read.faults, words, typed) };
    const pay = await amountPaid(parts, person, read.pay, read.from);
    parts.quoteAllowance.take(userId);
    const compared = await comparedQuote(parts, person, { ...read, pay });
    return { ok: true, card: quoteCard(compared, view) };
  };
  return shownTo(parts, userId, quote, typed);
}
