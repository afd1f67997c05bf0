import { buttons, type ButtonKind } from "../../../cards/buttons.js";
import { formatAmount } from "../../../encoding/amount.js";
import type { IntentKind, Terms } from "../../../model/terms.js";
import { enterDialog } from "../../dialogs/enter.js";
import type { Commands, Feature } from "../../feature.js";
import { answerCommand, openCard, replyOpened, type OpenCardParts } from "../../intents/open.js";
import { alertOnTap, onTapToAnswer } from "../../tap.js";
import { quoteFor, type QuoteParts } from "./quote.js";

/** `/swap`, `/multihop` and `/quote`, in one line or as a dialog, and the buttons by which a swap's card and a route's lead to each other. */
export function swapFeature(parts: OpenCardParts & QuoteParts): Feature {
  /** Opens a card of the other kind for the trade that a card is about. */
  const onInstead = (button: ButtonKind<string>, kind: IntentKind, lineOf: (terms: Terms) => string | undefined) =>
    onTapToAnswer(button, async (ctx, id) => {
      const tapped = await parts.intents.find(ctx.userId, id);
      const line = tapped && lineOf(tapped.terms);
      if (line === undefined) return alertOnTap(ctx, ctx.words.common.notYours);
      await ctx.answerCallbackQuery();
      return replyOpened(parts, ctx, await openCard(parts, kind, ctx.userId, line));
    });

  const taps = [
    onInstead(buttons.betterRoute, "multihop", (terms) => {
      if (terms.kind !== "swap") return undefined;
      return `${terms.amountInText} ${terms.amountIn.token.id} ${terms.quotedOut.token.id}`;
    }),
    onInstead(buttons.betterSwap, "swap", (terms) => {
      if (terms.kind !== "multihop") return undefined;
      return `${formatAmount(terms.amountIn)} ${terms.amountIn.token.id} ${terms.expectedOut.token.id}`;
    }),
  ];

  const commands: Commands = {
    swap: (ctx) => answerCommand(parts, ctx, "swap"),
    multihop: (ctx) => answerCommand(parts, ctx, "multihop"),
    quote: async (ctx) => {
      if (ctx.match.trim() === "") await enterDialog(ctx, "quote");
      else await replyOpened(parts, ctx, await quoteFor(parts, ctx.userId, ctx.match));
    },
  };

  return { commands, taps };
}
