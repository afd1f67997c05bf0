import { walletCard } from "../../../cards/wallet.js";
import type { Parts } from "../../context.js";
import type { Commands, Feature } from "../../feature.js";
import { orSentence } from "../../or-sentence.js";
import { sendCard } from "../../send.js";
import { saveWallet } from "./save.js";

/** `/wallet`: where a person's tokens go. */
export function walletFeature(parts: Parts): Feature {
  const commands: Commands = {
    wallet: async (ctx) => {
      const typed = ctx.match.trim();
      if (typed !== "") {
        const saved = await orSentence(ctx.words, () => saveWallet(parts, ctx.api, ctx.from?.id ?? 0, typed));
        if (saved.ok) await sendCard(ctx, saved.value);
        else await ctx.reply(saved.sentence);
        return;
      }
      const { wallet } = ctx.person;
      if (wallet === undefined) await ctx.conversation.enter("wallet");
      else await sendCard(ctx, walletCard(ctx.words, wallet, ctx.person.timeZone));
    },
  };

  return { commands };
}
