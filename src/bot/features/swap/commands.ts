import { enterDialog } from "../../dialogs/enter.js";
import type { Commands, Feature } from "../../feature.js";
import { answerCommand } from "../../intents/command.js";
import { replyOpened, type OpenCardParts } from "../../intents/open.js";
import { quoteFor, type QuoteParts } from "./quote.js";

/** `/swap` and `/quote`, in one line or as a dialog. */
export function swapFeature(parts: OpenCardParts & QuoteParts): Feature {
  const commands: Commands = {
    swap: (ctx) => answerCommand(parts, ctx, "swap"),
    quote: async (ctx) => {
      if (ctx.match.trim() === "") await enterDialog(ctx, "quote");
      else await replyOpened(parts, ctx, await quoteFor(parts, ctx.userId, ctx.match));
    },
  };

  return { commands };
}
