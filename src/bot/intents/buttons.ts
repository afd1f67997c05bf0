import { Composer, type MiddlewareFn } from "grammy";
import type { Intent } from "../../model/intent.js";
import type { Confirmation } from "../../services/intents/confirm.js";
import { parseButton } from "../callback.js";
import type { BotContext, Parts } from "../context.js";
import { presentIntent } from "./present.js";
import { sentenceOf } from "../../locales/sentence.js";
import { kinds } from "../kinds.js";
import type { CardOptions } from "./card.js";
import { openPrepared } from "./open.js";
import { describeError } from "../../services/telegram-errors.js";

/**
 * The buttons of every card that spends: confirm, refresh, cancel. It stands before the dialogs, so that a card can be used
 * while a dialog waits, and it is the only place from which a call can be started.
 */
export function cardButtons(parts: Parts): MiddlewareFn<BotContext> {
  const composer = new Composer<BotContext>();
  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    const handle = { c: confirm, r: refresh, x: cancel, a: accept }[button?.verb ?? ""];
    if (button === undefined || handle === undefined) return next();
    const found = await parts.intents.find(ctx.from.id, button.id);
    if (found === undefined) {
      await ctx.answerCallbackQuery({ text: ctx.words.common.notYours, show_alert: true });
      return;
    }
    await handle(parts, ctx, await withMessage(parts, ctx, found));
  });
  return composer.middleware();
}

/** A crash between sending a card and noting its message is healed by the first tap, which tells the message. */
async function withMessage(parts: Parts, ctx: BotContext, intent: Intent): Promise<Intent> {
  const messageId = ctx.callbackQuery?.message?.message_id;
  if (intent.messageId !== undefined || messageId === undefined) return intent;
  await parts.intents.attachMessage(intent.owner, intent.id, messageId);
  return { ...intent, messageId };
}

async function confirm(parts: Parts, ctx: BotContext, intent: Intent): Promise<void> {
  if (ctx.person.frozenSince !== undefined) {
    await ctx.answerCallbackQuery({ text: ctx.words.common.frozen, show_alert: true });
    return;
  }
  // Telegram waits for this answer, so it goes first. The call does not wait for Telegram.
  ctx.answerCallbackQuery().catch((error: unknown) => {
    parts.log.warn({ intent: intent.id, reason: describeError(error) }, "A tap could not be answered");
  });
  let claimedShown: Promise<void> = Promise.resolve();
  const confirmation = await parts.intents.confirm(
    ctx.callbackQuery?.from.id ?? 0,
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
    // The error boundary would say that nothing was sent, which can be wrong here. The next tap or start shows the card.
    parts.log.error({ intent: intent.id, reason: describeError(error) }, "The end of a card could not be shown");
  }
}

async function presentConfirmation(parts: Parts, ctx: BotContext, confirmation: Confirmation): Promise<void> {
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
      await takeOver(parts, ctx, intent, fresh, {
        notice: kinds[intent.terms.kind].moved(intent.terms, fresh.terms, ctx.words),
      });
      return;
    }
    case "frozen":
      await ctx.reply(ctx.words.common.frozen);
      return;
    case "not-found":
      await ctx.reply(ctx.words.common.notYours);
  }
}

/**
 * Shows the fresh card in the message of the one before. That one counts as shown first: its message is no longer its own,
 * and a restart must not put it back over the fresh card.
 */
async function takeOver(
  parts: Parts,
  ctx: BotContext,
  before: Intent,
  fresh: Intent,
  options: CardOptions = {},
): Promise<void> {
  if (before.messageId === undefined) {
    await presentIntent(parts, ctx.api, fresh, options);
    return;
  }
  await parts.intents.markShown(before.owner, before.id, before.state);
  await parts.intents.attachMessage(fresh.owner, fresh.id, before.messageId);
  await presentIntent(parts, ctx.api, { ...fresh, messageId: before.messageId }, options);
}

/** A tap on a card that is over: an edit was lost, so the message gets what belongs there, the newest card first. */
async function healMessage(parts: Parts, ctx: BotContext, tapped: Intent): Promise<void> {
  const cards = await parts.intents.list(tapped.owner);
  const shown = cards.find(({ messageId }) => messageId !== undefined && messageId === tapped.messageId) ?? tapped;
  const isOutdated = shown.id !== tapped.id || shown.shownState !== shown.state || shown.state === "SUPERSEDED";
  if (isOutdated) await presentIntent(parts, ctx.api, shown);
}

async function refresh(parts: Parts, ctx: BotContext, intent: Intent): Promise<void> {
  if (!["QUOTED", "EXPIRED", "FAILED"].includes(intent.state)) {
    await ctx.answerCallbackQuery({ text: ctx.words.common.oldButton });
    return;
  }
  await ctx.answerCallbackQuery();
  const opened = await openPrepared(parts, intent.owner, (owner) =>
    kinds[intent.terms.kind].reopen(parts, owner, intent.terms),
  );
  if (!opened.ok) {
    await ctx.reply(opened.sentence);
    return;
  }
  const before = await parts.intents.supersede(intent.owner, intent.id);
  const fresh = await parts.intents.find(intent.owner, opened.intentId);
  if (before === undefined || fresh === undefined) return;
  // A card that told how a call ended stays in the chat as it is; any other is replaced in place.
  const inPlace = before.messageId !== undefined && (before.state === "SUPERSEDED" || before.state === "EXPIRED");
  if (inPlace) await takeOver(parts, ctx, before, fresh);
  else await presentIntent(parts, ctx.api, fresh);
}

/** The second step that some cards ask for before they offer the confirm button. */
async function accept(parts: Parts, ctx: BotContext, intent: Intent): Promise<void> {
  await ctx.answerCallbackQuery();
  await presentIntent(parts, ctx.api, intent, { isAccepted: true });
}

async function cancel(parts: Parts, ctx: BotContext, intent: Intent): Promise<void> {
  await ctx.answerCallbackQuery();
  const now = await parts.intents.cancel(intent.owner, intent.id);
  if (now !== undefined && now.shownState !== now.state) await presentIntent(parts, ctx.api, now);
}
