import type { MiddlewareFn } from "grammy";
import { isShare } from "../../encoding/percent.js";
import { plainNumbers } from "../../encoding/typed.js";
import type { BotContext } from "../context.js";
import { lineOf, ownRequest } from "../../services/request.js";
import { readPay } from "../../services/swap/request.js";
import { collectFaults } from "../../services/text/line.js";
import { replaceCard, type CardButtonParts } from "./buttons.js";
import { openRead } from "./open.js";

/** A number as people write it, perhaps with the token behind it; whether it can be an amount is up to its reader. */
const NUMBER = /^[0-9.,][0-9.,\s]*k?(?:\s?%|\s[A-Za-z0-9-]+)?$/i;

/**
 * A reply with a number to a card: the same card for that amount, in its place. It stands before the dialogs, since the reply
 * says what it is about.
 */
export function replyAmount(parts: CardButtonParts): MiddlewareFn<BotContext> {
  return async function changeAmount(ctx, next) {
    const { text = "", reply_to_message: repliedTo } = ctx.message ?? {};
    const typed = text.trim();
    if (repliedTo === undefined || !(NUMBER.test(typed) || isShare(typed))) return next();
    const shown = await parts.intents.inMessage(ctx.userId, repliedTo.message_id);
    const own = shown && ownRequest(shown.terms.request);
    const paid =
      shown && ("amountIn" in shown.terms ? shown.terms.amountIn : "amount" in shown.terms && shown.terms.amount);
    if (!shown || !own || !paid) return next();
    const amount = plainNumbers(typed, ctx.words.decimalMark);
    const { faults, attempt } = collectFaults();
    const pay = attempt(() => readPay(amount, paid.token));
    const read = pay === undefined ? { faults } : { ...own, pay };
    const opened = await openRead(parts, ctx.userId, { kind: own.kind, line: lineOf(own, amount), read });
    return replaceCard(parts, ctx, shown, opened);
  };
}
