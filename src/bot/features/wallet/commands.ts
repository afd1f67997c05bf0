import { buttons } from "../../../cards/buttons.js";
import { walletCard, walletMark } from "../../../cards/wallet.js";
import type { BotContext } from "../../context.js";
import { alertOnTap, onTapToAnswer } from "../../tap.js";
import { enterDialog } from "../../dialogs/enter.js";
import type { Commands, Feature } from "../../feature.js";
import { orSentence, replyOrSentence } from "../../or-sentence.js";
import { replyCard } from "../../../conversations/reply-card.js";
import { changeWallet, saveWallet, type SaveParts } from "./save.js";

/** `/wallet`: where a person's tokens go. */
export function walletFeature(parts: SaveParts): Feature {
  const save = (ctx: BotContext, typed: string) => replyOrSentence(ctx, () => saveWallet(parts, ctx.userId, typed));

  const commands: Commands = {
    wallet: async (ctx) => {
      const typed = ctx.match.trim();
      if (typed !== "") return save(ctx, typed);
      const { wallet } = ctx.person;
      return wallet === undefined ? enterDialog(ctx, "wallet") : replyCard(ctx, walletCard(ctx.view, wallet));
    },
  };

  const taps = [
    onTapToAnswer(buttons.useAddress, async (ctx, mark) => {
      const { offeredWallet } = ctx.person;
      if (offeredWallet === undefined || walletMark(offeredWallet) !== mark) {
        return alertOnTap(ctx, ctx.words.common.oldButton);
      }
      await ctx.answerCallbackQuery();
      return save(ctx, offeredWallet);
    }),
    onTapToAnswer(buttons.wallet, async (ctx, mark) => {
      const changed = await orSentence(ctx.words, () => changeWallet(parts, ctx.api, ctx.userId, mark));
      if (!changed.ok) return alertOnTap(ctx, changed.sentence);
      if (changed.value === undefined) return alertOnTap(ctx, ctx.words.common.oldButton);
      await ctx.answerCallbackQuery();
      // A message of its own, which rings, so that nobody's address changes unnoticed.
      await ctx.editMessageReplyMarkup();
      return replyCard(ctx, changed.value);
    }),
  ];

  return { commands, taps };
}
