import { Composer } from "grammy";
import { tokenCard } from "../../cards/token.js";
import { pastedAddressCard, walletCard } from "../../cards/wallet.js";
import { parseAccountAddress } from "../../encoding/address.js";
import { isTokenId } from "../../encoding/asset.js";
import type { Token } from "../../encoding/token.js";
import { isFault } from "../../fault.js";
import { sentenceOf } from "../../locales/sentence.js";
import type { BotContext, Parts } from "../context.js";
import type { Feature } from "../feature.js";
import { orSentence } from "../or-sentence.js";
import { viewOf } from "../person.js";
import { sendCard } from "../send.js";

type PastedParts = Pick<Parts, "log" | "pools" | "settings" | "tokens">;

/** How old the reserves on a token's card may be, in milliseconds. */
const POOLS_MAX_AGE_MILLISECONDS = 30_000;

/** What is pasted without a command: a token's id or name opens the token, an address is offered as payout address. */
export function pastedFeature(parts: PastedParts): Feature {
  const composer = new Composer<BotContext>();

  composer.hears(/^\s*klv1[0-9a-z]{10,}\s*$/i, async (ctx) => {
    const read = await orSentence(ctx.words, () => parseAccountAddress(ctx.message?.text ?? ""));
    const { wallet, timeZone } = ctx.person;
    if (!read.ok) await ctx.reply(read.sentence);
    else if (read.value === wallet?.address) await sendCard(ctx, walletCard(ctx.words, wallet, timeZone));
    else await sendCard(ctx, pastedAddressCard(ctx.words, read.value, wallet !== undefined));
  });

  composer.on("message:text", async (ctx, next) => {
    const text = ctx.message.text.trim();
    let token: Token;
    try {
      token = parts.tokens.find(text);
    } catch (error) {
      if (!isFault(error)) throw error;
      // Only what looks like an id, or is a name, was meant as a token.
      const isMeant = error.code === "token-ambiguous" || isTokenId(text.toUpperCase());
      if (!isMeant) return next();
      await ctx.reply(sentenceOf(error, ctx.words));
      return;
    }
    const pools = await parts.pools.fresh(POOLS_MAX_AGE_MILLISECONDS).then(
      (graph) => graph.pools(),
      (error: unknown) => {
        if (!isFault(error)) throw error;
        parts.log.info({ err: error }, "A token is shown without its pools");
        return undefined;
      },
    );
    await sendCard(ctx, tokenCard(token, parts.tokens, pools, viewOf(ctx.person, parts)));
  });

  return { other: composer };
}
