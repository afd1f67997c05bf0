import type { MiddlewareFn } from "grammy";
import { buttons } from "../../cards/buttons.js";
import { refusal } from "../../cards/mends.js";
import { Fault } from "../../fault.js";
import type { CardOptions } from "../../cards/subject.js";
import type { Intent } from "../../model/intent.js";
import type { Confirmation } from "../../services/intents/confirm.js";
import type { BotContext, Parts } from "../context.js";
import { checkOutcome, type CheckParts } from "./check.js";
import { presentIntent, presentLater, type PresentLaterParts, type PresentParts } from "./present.js";
import { sentenceOf } from "../../locales/sentence.js";
import { onTap, routeTaps } from "../tap.js";
import { kinds } from "../kinds.js";
import { openPrepared, replyRefusal, type OpenCardParts } from "./open.js";
import { describeError } from "../../services/telegram-errors.js";

type CardButtonParts = OpenCardParts & PresentLaterParts & CheckParts;

/**
 * The buttons of every card that spends: confirm, refresh, cancel. It stands before the dialogs, so that a card can be used
 * while a dialog waits, and it is the only place from which a call can be started.
 */
export function cardButtons(parts: CardButtonParts): MiddlewareFn<BotContext> {
  const act =
    (handle: (parts: CardButtonParts, ctx: BotContext, intent: Intent) => Promise<void>) =>
    async (ctx: BotContext, id: string) => {
      const found = await parts.intents.find(ctx.userId, id);
      if (found === undefined) {
        await ctx.answerCallbackQuery({ text: ctx.words.common.notYours, show_alert: true });
        return;
      }
      const spends = handle === confirm || handle === accept;
      if (spends && found.actsFrom !== undefined && parts.clock.now() < found.actsFrom) {
        await ctx.answerCallbackQuery({ text: ctx.words.intent.tooSoon });
        return;
      }
      await handle(parts, ctx, await withMessage(parts, ctx, found));
    };
  return routeTaps([
    onTap(buttons.confirm, act(confirm)),
    onTap(buttons.accept, act(accept)),
    onTap(buttons.refresh, act(refresh)),
    onTap(buttons.cancel, act(cancel)),
    onTap(buttons.details, act(show({ isAccepted: true, isDetailed: true }))),
    onTap(buttons.brief, act(show({ isAccepted: true }))),
    onTap(buttons.check, act(checkOutcome)),
  ]);
}

/** A crash between sending a card and noting its message is healed by the first tap, which names the message. */
async function withMessage(parts: Pick<Parts, "intents">, ctx: BotContext, intent: Intent): Promise<Intent> {
  const messageId = ctx.callbackQuery?.message?.message_id;
  if (intent.messageId !== undefined || messageId === undefined) return intent;
  await parts.intents.attachMessage(intent.owner, intent.id, messageId);
  return { ...intent, messageId };
}

async function confirm(parts: CardButtonParts, ctx: BotContext, intent: Intent): Promise<void> {
  if (ctx.person.frozenSince !== undefined) {
    await ctx.answerCallbackQuery({ text: ctx.words.faults.frozen({}), show_alert: true });
    return;
  }
  const pause = await parts.trading.pauseNow();
  if (pause !== undefined) {
    // A tap's answer holds 200 characters.
    const text = ctx.words.faults["trading-paused"](pause).slice(0, 200);
    await ctx.answerCallbackQuery({ text, show_alert: true });
    return;
  }
  // Telegram waits for this answer, so it goes first. The call does not wait for Telegram.
  ctx.answerCallbackQuery().catch((error: unknown) => {
    parts.log.warn({ intent: intent.id, reason: describeError(error) }, "A tap could not be answered");
  });
  let claimedShown: Promise<void> = Promise.resolve();
  const confirmation = await parts.intents.confirm(
    ctx.userId,
    intent.id,
    (person, claimed) => kinds[claimed.terms.kind].recheck(parts, person, claimed),
    (claimed) => {
      // Showing the claim must not hold up the call, nor stop it when Telegram fails; the last edit below matters.
      claimedShown = presentIntent(parts, ctx.api, claimed).catch((error: unknown) => {
        parts.log.warn({ intent: intent.id, reason: describeError(error) }, "The claim could not be shown");
      });
    },
  );
  await claimedShown;
  try {
    await presentConfirmation(parts, ctx, confirmation);
  } catch (error) {
    // The error boundary would say that nothing was sent, which can be wrong here.
    parts.log.error({ intent: intent.id, reason: describeError(error) }, "The end of a card could not be shown");
    void presentLater(parts, ctx.api, intent);
  }
}

async function presentConfirmation(parts: PresentParts, ctx: BotContext, confirmation: Confirmation): Promise<void> {
  switch (confirmation.kind) {
    case "settled":
    case "pending":
    case "expired":
      await presentIntent(parts, ctx.api, confirmation.intent);
      return;
    case "not-open":
      await healMessage(parts, ctx, confirmation.intent);
      return;
    case "not-sent":
      await presentIntent(parts, ctx.api, confirmation.intent, { notice: sentenceOf(confirmation.fault, ctx.words) });
      return;
    case "worse": {
      const { intent, fresh } = confirmation;
      await presentIntent(parts, ctx.api, fresh, {
        notice: kinds[intent.terms.kind].moved(intent.terms, fresh.terms, ctx.words),
      });
      return;
    }
    case "limited":
      await ctx.reply(sentenceOf(confirmation.fault, ctx.words));
      return;
    case "frozen":
      await replyRefusal(ctx, refusal([new Fault("frozen", {})], ctx.words));
      return;
    case "not-found":
      await ctx.reply(ctx.words.common.notYours);
  }
}

/** A tap on a card that is over: an edit was lost, so the message gets what belongs there. */
async function healMessage(parts: PresentParts, ctx: BotContext, tapped: Intent): Promise<void> {
  if (tapped.replacedBy !== undefined || tapped.shownState !== tapped.state)
    await presentIntent(parts, ctx.api, tapped);
}

async function refresh(parts: OpenCardParts, ctx: BotContext, intent: Intent): Promise<void> {
  if (!["QUOTED", "EXPIRED", "FAILED"].includes(intent.state) || intent.replacedBy !== undefined) {
    await ctx.answerCallbackQuery({ text: ctx.words.common.oldButton });
    return;
  }
  await ctx.answerCallbackQuery();
  const opened = await openPrepared(parts, intent.owner, (owner) =>
    kinds[intent.terms.kind].reopen(parts, owner, intent.terms),
  );
  if (!opened.ok) {
    await replyRefusal(ctx, opened);
    return;
  }
  const fresh = await parts.intents.replace(intent.owner, intent.id, opened.intentId);
  if (fresh !== undefined) await presentIntent(parts, ctx.api, fresh);
}

/** The second step that some cards require before they offer the confirm button. */
const accept = show({ isAccepted: true });

/** Shows the card with more or less of what it has to say. Its details are offered only once the second step was taken. */
function show(options: CardOptions) {
  return async (parts: PresentParts, ctx: BotContext, intent: Intent): Promise<void> => {
    await ctx.answerCallbackQuery();
    await presentIntent(parts, ctx.api, intent, options);
  };
}

async function cancel(parts: PresentParts, ctx: BotContext, intent: Intent): Promise<void> {
  await ctx.answerCallbackQuery();
  const now = await parts.intents.cancel(intent.owner, intent.id);
  if (now !== undefined) await healMessage(parts, ctx, now);
}
