import { refusal } from "../../cards/mends.js";
import { Fault } from "../../fault.js";
import type { DialogId } from "../../conversations/dialogs.js";
import type { IntentKind } from "../../model/terms.js";
import type { BotContext } from "../context.js";
import { enterDialog } from "../dialogs/enter.js";
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
  if (ctx.person.frozenSince !== undefined) {
    await replyRefusal(ctx, refusal([new Fault("frozen", {})], ctx.words));
    return;
  }
  const typed = ctx.match.trim();
  if (typed === "") {
    // Nobody is asked for what would then be refused.
    const open = await orSentence(ctx.words, parts.trading.assertOpen);
    if (!open.ok) {
      await replyRefusal(ctx, open);
      return;
    }
    await enterDialog(ctx, command);
    return;
  }
  const opened = await openCard(parts, command, ctx.userId, typed);
  if (!opened.ok && opened.needsWallet === true) await enterDialog(ctx, command, typed);
  else await replyOpened(parts, ctx, opened);
}
