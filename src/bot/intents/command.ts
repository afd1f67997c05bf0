import type { DialogId } from "../../conversations/dialogs.js";
import type { IntentKind } from "../../model/terms.js";
import type { Shown } from "../../conversations/opened.js";
import type { BotContext, Parts } from "../context.js";
import { enterDialog } from "../dialogs/enter.js";
import { assertNotFrozen } from "../../services/people.js";
import { orSentence, replyRefusal } from "../or-sentence.js";
import { openCard, replyOpened, type OpenCardParts } from "./open.js";

/**
 * Answers a command that opens a card: with a dialog where nothing follows it, else at once. Whoever has no payout
 * address yet is asked for it first, and then gets the card that they asked for.
 */
export async function answerCommand(
  parts: OpenCardParts,
  ctx: BotContext & { readonly match: string },
  command: IntentKind & DialogId,
): Promise<void> {
  const typed = ctx.match.trim();
  if (typed === "") {
    // Nobody is asked for what would then be refused.
    const open = await orSentence(ctx.words, () => {
      assertNotFrozen(ctx.person);
      return parts.trading.assertOpen();
    });
    return open.ok ? enterDialog(ctx, command) : replyRefusal(ctx, open);
  }
  return replyOrAskWallet(parts, ctx, command, typed, await openCard(parts, command, ctx.userId, typed));
}

/** Shows what a command opened; where only the payout address is missing, its dialog asks for that first. */
export async function replyOrAskWallet(
  parts: Pick<Parts, "intents" | "store">,
  ctx: BotContext,
  command: IntentKind & DialogId,
  typed: string,
  opened: Shown,
): Promise<void> {
  const needsWallet = !opened.ok && opened.needsWallet === true;
  return needsWallet ? enterDialog(ctx, command, typed) : replyOpened(parts, ctx, opened);
}
