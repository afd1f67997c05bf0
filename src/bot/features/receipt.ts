import { InputFile } from "grammy";
import type { Logger } from "pino";
import { buttons } from "../../cards/buttons.js";
import { card } from "../../cards/card.js";
import { receiptCard, receiptsFile, receiptsPicture } from "../../cards/receipt.js";
import type { Clock } from "../../clock.js";
import { replyCard } from "../../conversations/reply-card.js";
import type { Intent } from "../../services/intent/intent.js";
import type { Intents } from "../../services/intent/intents.js";
import { createUserRateLimit } from "../../services/limits/rate.js";
import { monthOf, monthPattern, receiptOf, receiptsIn } from "../../services/receipt/receipt.js";
import { wordsOf } from "../../services/text/line.js";
import type { Database } from "../../store/store.js";
import type { BotContext } from "../context.js";
import type { Feature } from "../feature.js";
import { catchUserError, replyRefusal } from "../user-error.js";
import { showPicture } from "../send.js";
import { onTap } from "../tap.js";

/** How many of the newest trades are looked through for one with a receipt. */
const LOOKS_THROUGH = 20;

/** `/receipt`: what the last trade got against quote and pools, and the same of a month, also as a file. */
export function receiptFeature(parts: {
  readonly intents: Pick<Intents, "find" | "history">;
  readonly store: Pick<Database, "db">;
  readonly clock: Clock;
  readonly log: Logger;
}): Feature {
  const { intents, store, clock } = parts;
  const rateLimit = createUserRateLimit({ clock, burst: 10, refillSeconds: 10 });

  const showOne = (ctx: BotContext, found: readonly Intent[], otherwise: string) => {
    const receipt = found
      .map((intent) => receiptOf(intent, ctx.view.returnDataEncoding))
      .find((each) => typeof each === "object");
    return replyCard(ctx, receipt === undefined ? card([otherwise]) : receiptCard(receipt, ctx.view));
  };

  const showMonth = async (ctx: BotContext, month: string, as: "card" | "csv"): Promise<void> => {
    const allowed = await catchUserError(ctx.words, () => rateLimit.take(ctx.userId));
    if (!allowed.ok) return replyRefusal(ctx, allowed);
    const receipts = await receiptsIn(store.db, ctx.userId, month, ctx.view.returnDataEncoding);
    if (as === "card") {
      const { svg, card: caption } = receiptsPicture(month, receipts, ctx.view);
      if (svg !== undefined) return showPicture(ctx, { svg, card: caption }, parts.log);
      return void (await replyCard(ctx, caption));
    }
    const file = new InputFile(receiptsFile(receipts), `${month}.csv`);
    await ctx.replyWithDocument(file, { caption: ctx.words.receipt.fileCaption(month) });
  };

  return {
    name: "receipt",
    commands: {
      receipt: async (ctx, typed) => {
        const words = wordsOf(typed);
        const rest = words.filter((word) => !/^(?:csv|month|m[eê]s)$/i.test(word));
        const month = rest[0] ?? monthOf(clock.now());
        if (rest.length > 1 || !monthPattern.test(month)) return replyCard(ctx, card([ctx.words.receipt.usage]));
        if (words.length > 0) return showMonth(ctx, month, /\bcsv\b/i.test(typed) ? "csv" : "card");
        const { items } = await intents.history(ctx.userId, 0, LOOKS_THROUGH, ["swap", "multihop"]);
        return showOne(ctx, items, items.length === 0 ? ctx.words.history.empty : ctx.words.receipt.none);
      },
    },
    buttons: [
      onTap(buttons.receipt, async (ctx, id) => {
        const intent = await intents.find(ctx.userId, id);
        await showOne(ctx, intent === undefined ? [] : [intent], ctx.words.receipt.none);
      }),
      onTap(buttons.receipts, (ctx, { month, as }) => showMonth(ctx, month, as)),
    ],
  };
}
