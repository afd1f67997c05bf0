import { buttons } from "../../../cards/buttons.js";
import { walletCard, walletMark } from "../../../cards/wallet.js";
import type { BotContext } from "../../context.js";
import { replyRefusal } from "../../intents/open.js";
import { onTap } from "../../tap.js";
import { enterDialog } from "../../dialogs/enter.js";
import type { Commands, Feature } from "../../feature.js";
import { orSentence } from "../../or-sentence.js";
import { sendCard } from "../../send.js";
import { changeWallet, saveWallet, type SaveParts } from "./save.js";

/** `/wallet`: where a person's tokens go. */
export function walletFeature(parts: SaveParts): Feature {
  const save = async (ctx: BotContext, typed: string) => {
    const saved = await orSentence(ctx.words, () => saveWallet(parts, ctx.userId, typed));
    if (saved.ok) await sendCard(ctx, saved.value);
    else await replyRefusal(ctx, saved);
  };

  const commands: Commands = {
    wallet: async (ctx) => {
      const typed = ctx.match.trim();
      if (typed !== "") {
        await save(ctx, typed);
        return;
      }
      const { wallet } = ctx.person;
      if (wallet === undefined) await enterDialog(ctx, "wallet");
      else await sendCard(ctx, walletCard(ctx.words, wallet, ctx.person.timeZone));
    },
  };

  const taps = [
    onTap(buttons.useAddress, async (ctx, mark) => {
      const { offeredWallet } = ctx.person;
      if (offeredWallet === undefined || walletMark(offeredWallet) !== mark) {
        await ctx.answerCallbackQuery({ text: ctx.words.common.oldButton, show_alert: true });
        return;
      }
      await ctx.answerCallbackQuery();
      await save(ctx, offeredWallet);
    }),
    onTap(buttons.wallet, async (ctx, mark) => {
      const changed = await orSentence(ctx.words, () => changeWallet(parts, ctx.api, ctx.userId, mark));
      if (!changed.ok || changed.value === undefined) {
        const text = changed.ok ? ctx.words.common.oldButton : changed.sentence;
        await ctx.answerCallbackQuery({ text, show_alert: true });
        return;
      }
      await ctx.answerCallbackQuery();
      // A message of its own, which rings, so that nobody's address changes unnoticed.
      await ctx.editMessageReplyMarkup();
      await sendCard(ctx, changed.value);
    }),
  ];

  return { commands, taps };
}
