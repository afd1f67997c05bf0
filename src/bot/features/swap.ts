import { Composer } from "grammy";
import { card, code } from "../../cards/card.js";
import { quoteCard } from "../../cards/swap.js";
import { readSwapRequest } from "../../services/swap-request.js";
import type { BotContext, Parts } from "../context.js";
import { replyOpened } from "../open-card.js";
import { viewOf } from "../person.js";
import { orSentence } from "../or-sentence.js";
import { sentenceOf } from "../../locales/sentence.js";
import { sendCard } from "../send.js";
import { openSwap } from "../swaps.js";

const USAGE = { swap: "/swap 100 KLV KFI", quote: "/quote 100 KLV KFI" };

/** `/swap` and `/quote`, in one line or led step by step. */
export function swapFeature(parts: Parts): Composer<BotContext> {
  const composer = new Composer<BotContext>();

  composer.command("swap", async (ctx) => {
    if (ctx.person.frozenSince !== undefined) {
      await ctx.reply(ctx.words.common.frozen);
      return;
    }
    const typed = wordsOf(ctx.match);
    if (typed.length === 0) {
      await ctx.conversation.enter("swap");
      return;
    }
    const request = await readLine(parts, ctx, typed, USAGE.swap);
    if (request === undefined) return;
    if (ctx.person.wallet === undefined) {
      await ctx.conversation.enter("swap", request);
      return;
    }
    await replyOpened(parts, ctx, await openSwap(parts, ctx.from?.id ?? 0, request));
  });

  composer.command("quote", async (ctx) => {
    const typed = wordsOf(ctx.match);
    if (typed.length === 0) {
      await sendCard(ctx, card([ctx.words.swap.usage, code(USAGE.quote)]));
      return;
    }
    const request = await readLine(parts, ctx, typed, USAGE.quote);
    if (request === undefined) return;
    const read = readSwapRequest(request, parts.tokens);
    if (!read.ok) return;
    const quoted = await orSentence(ctx.words, () => parts.swaps.quote({ person: ctx.person, ...read.request }));
    if (quoted.ok) await sendCard(ctx, quoteCard(quoted.value, viewOf(ctx.person, parts)));
    else await ctx.reply(quoted.sentence);
  });

  return composer;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** The line's three parts when they can be understood; otherwise the person is told every reason, and how the line goes. */
async function readLine(parts: Parts, ctx: BotContext, typed: readonly string[], usage: string) {
  const [amount, tokenIn, tokenOut, ...rest] = typed;
  if (amount === undefined || tokenIn === undefined || tokenOut === undefined || rest.length > 0) {
    await sendCard(ctx, card([ctx.words.swap.usage, code(usage)]));
    return undefined;
  }
  const read = readSwapRequest({ amount, tokenIn, tokenOut }, parts.tokens);
  if (read.ok) return { amount, tokenIn: read.request.tokenIn.id, tokenOut: read.request.tokenOut.id };
  const reasons = read.faults.map((fault) => sentenceOf(fault, ctx.words));
  await sendCard(ctx, card([...reasons, "", ctx.words.swap.usage, code(usage)]));
  return undefined;
}
