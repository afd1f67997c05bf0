import type { MiddlewareFn } from "grammy";
import type { View, CardReply } from "../../cards/card.js";
import { refusal, typedBehind } from "../../cards/correction.js";
import { canBeChecked, intentCard, movedNotice } from "../../cards/intent.js";
import { renewalWords } from "../../cards/subject.js";
import { formatAmount } from "../../encoding/amount.js";
import { isShare, plainNumbers } from "../../encoding/typed.js";
import { within } from "../../clock.js";
import { unlessFault } from "../../fault.js";
import type { Confirmation } from "../../services/intent/confirm.js";
import { isUnresolved, type Intent, type IntentState } from "../../services/intent/intent.js";
import { isUnderWay } from "../../services/intent/machine.js";
import type { Intents } from "../../services/intent/intent-service.js";
import { paymentsOf, requestLine, otherWay, ownRequest } from "../../services/terms/terms.js";
import { readPay } from "../../services/trade/swap-request.js";
import { collectFaults } from "../../services/base/typed-line.js";
import type { TradingPause } from "../../services/operator/operator.js";
import type { Kinds } from "../../services/trade/kinds.js";
import type { BotBase, BotContext } from "../context.js";
import { routeTaps, type Taps } from "../feature.js";
import { alertOnTap, answerAside, deleteTapped, replyCard } from "../reply.js";
import type { IntentCards } from "./intent-cards.js";
import type { ShownCards } from "./shown-cards.js";

export interface ButtonParts {
  readonly base: BotBase;
  readonly cards: IntentCards;
  readonly shownCards: ShownCards;
  readonly intents: Intents;
  readonly tradingPause: TradingPause;
  /** Whether the chain executed an intent's transaction; undefined if it doesn't know it. @throws Fault */
  readonly lookUp: ((intent: Intent) => Promise<boolean | undefined>) | undefined;
  /** Notes that a crash would lose nothing of an update any more. */
  readonly handled: { readonly add: (updateId: number) => void };
}

/**
 * The buttons of every card that spends: confirm, refresh, cancel. Mounted before the dialogs, so that cards work while
 * a dialog is open. No other code starts a call.
 */
export function cardButtons(parts: ButtonParts): MiddlewareFn<BotContext> {
  const { base, intents, shownCards } = parts;
  const { clock, log } = base;
  /** @param has whether the card in its current state has this button. */
  const tap =
    (
      has: (intent: Intent, view: View) => boolean,
      handle: (ctx: BotContext, intent: Intent) => Promise<void>,
      { spends = false, answers = false } = {},
    ) =>
    async (ctx: BotContext, id: string) => {
      const found = await intents.find(ctx.userId, id);
      if (found === undefined) return deleteTapped(ctx, log);
      const isFirstSign = spends && found.proposed !== undefined && found.arrived?.isSure !== true;
      if (isFirstSign && (await noteShown(parts, ctx, found)))
        return ctx.answerCallbackQuery(renewalWords(found.terms, ctx.words).tooSoon);
      const actsFrom = found.actsFrom ?? found.settlesAt;
      const wait = (actsFrom ?? 0) - clock.now();
      // A longer wait than any card has is from before the clock was set back.
      if (spends && wait > 0 && wait < 2 * SETTLES_AFTER_MS)
        return ctx.answerCallbackQuery(renewalWords(found.terms, ctx.words).tooSoon);
      const intent = await withMessage(intents, ctx, found);
      if (!has(intent, ctx.view)) {
        await ctx.answerCallbackQuery(ctx.words.common.oldButton);
        return shownCards.showAgain(intent);
      }
      if (!answers) await ctx.answerCallbackQuery();
      return handle(ctx, intent);
    };
  const always = () => true;
  const takeOther = tap(isShownAs("QUOTED", "EXPIRED"), takeOtherWay.bind(undefined, parts));
  const own: Taps = {
    confirm: tap(always, confirmTapped.bind(undefined, parts), { spends: true, answers: true }),
    // The extra confirmation that some cards require before they offer the confirm button.
    accept: tap(isShownAs("QUOTED"), (_ctx, intent) => shownCards.show(intent, { isAccepted: true }), { spends: true }),
    refresh: tap(isShownAs("QUOTED", "EXPIRED", "FAILED"), refresh.bind(undefined, parts)),
    toRoute: takeOther,
    toSwap: takeOther,
    cancel: tap(always, async (_ctx, { owner, id }) => {
      const now = await intents.cancel(owner, id);
      // A request for a signature is only shown as cancelled once it has ended.
      if (now !== undefined && now.state !== "SIGNING") await shownCards.showAgain(now);
    }),
    check: tap(canBeChecked, checkOutcome.bind(undefined, parts)),
    // The owner states that a call with an unknown outcome never happened.
    file: tap(isUnresolved, async (_ctx, intent) => {
      const check = { at: clock.now(), by: "owner", finding: "not-arrived" } as const;
      await shownCards.show(await intents.markChecked(intent, check));
    }),
  };
  return routeTaps([{ buttons: own }]);
}

const isShownAs =
  (...states: readonly IntentState[]) =>
  ({ state, replacedBy }: Intent) =>
    states.includes(state) && replacedBy === undefined;

/** Takes the message id from the tap if a crash came between sending the card and storing it. */
async function withMessage(intents: Intents, ctx: BotContext, intent: Intent): Promise<Intent> {
  const messageId = ctx.callbackQuery?.message?.message_id;
  if (intent.messageId !== undefined || messageId === undefined) return intent;
  await intents.attachMessage(intent.id, messageId);
  return { ...intent, messageId };
}

/**
 * Notes that a proposal's card is there, of whose arrival this tap is the first to tell: it may have been meant for what
 * was there before. @returns false if the card isn't open.
 */
async function noteShown({ base, intents }: ButtonParts, ctx: BotContext, card: Intent): Promise<boolean> {
  const messageId = ctx.callbackQuery?.message?.message_id;
  if (card.state !== "QUOTED") return false;
  await base.store.write((tx) => intents.noteCardSending(tx, card, { kind: "sent", messageId }));
  return true;
}

async function confirmTapped(parts: ButtonParts, ctx: BotContext, intent: Intent): Promise<void> {
  const { clock, log } = parts.base;
  const pause = await parts.tradingPause.pauseNow();
  const { frozen, "trading-paused": paused } = ctx.words.faults;
  const refused = ctx.person.frozenSince === undefined ? pause && paused(pause) : frozen;
  if (refused !== undefined) {
    await alertOnTap(ctx, refused);
    return parts.shownCards.showAgain(intent);
  }
  const confirming = parts.intents.confirm(ctx.userId, intent.id);
  // The user's app waits for this answer, which says what became of the tap if that is soon known: the card may be taller
  // than the screen. The call does not wait for Telegram.
  const known = within(clock, ANSWER_MS, confirming).catch(() => undefined);
  const answered = known.then((soon) => answerAside(ctx, log, soon && toastOf(soon, intent, ctx)));
  const confirmation = await confirming;
  await answered;
  // What is left is to show its card, which is in the outbox.
  if (confirmation.kind === "ended" || confirmation.kind === "pending") parts.handled.add(ctx.update.update_id);
  try {
    await showConfirmation(parts, ctx, intent, confirmation);
  } catch (err) {
    // The error boundary would claim that nothing was sent, which may be false here.
    log.error({ intent: intent.id, err }, "Card not shown");
  }
}

/** How long the answer to a tap on Confirm waits for what became of it. */
const ANSWER_MS = 2_000;

/** What the answer to a tap on Confirm says: nothing if the card does what its button says. */
function toastOf(confirmation: Confirmation, { terms }: Intent, { view, words }: BotContext): string | undefined {
  switch (confirmation.kind) {
    case "expired":
      return renewalWords(terms, words)[confirmation.intent.replacedBy === undefined ? "late" : "tooSoon"];
    case "worse":
      return movedNotice(terms, confirmation.fresh.terms, view);
    case "not-open":
      return isUnderWay(confirmation.intent.state) ? undefined : words.common.oldButton;
    default:
      return undefined;
  }
}

async function showConfirmation(parts: ButtonParts, ctx: BotContext, tapped: Intent, confirmation: Confirmation) {
  const { shownCards } = parts;
  switch (confirmation.kind) {
    case "expired":
      return confirmation.intent.replacedBy === undefined
        ? renew(parts, ctx, confirmation.intent)
        : shownCards.showAgain(confirmation.intent);
    case "ended":
      return shownCards.showEnd(confirmation.intent, true);
    case "pending":
      return shownCards.show(confirmation.intent);
    case "not-open":
      return shownCards.showAgain(confirmation.intent);
    case "worse": {
      const notice = movedNotice(tapped.terms, confirmation.fresh.terms, ctx.view);
      return shownCards.show(confirmation.fresh, { notice });
    }
    case "refused": {
      const own = ownRequest(tapped.terms.request);
      const [paid] = paymentsOf(tapped.terms);
      const typed = own && paid && typedBehind(own.kind, requestLine(own, formatAmount(paid)));
      return void (await replyCard(ctx, refusal([confirmation.fault], ctx.words, typed)));
    }
    case "not-found":
      await ctx.reply(ctx.words.common.notYours);
  }
}

/** How long a card can't be confirmed after a tap put it in another card's place. */
const SETTLES_AFTER_MS = 1_500;

/** Replaces a card that expired before it was confirmed. The user has to see the new figures and confirm again. */
async function renew(parts: ButtonParts, ctx: BotContext, expired: Intent): Promise<void> {
  const opened = await parts.cards.openAgain(ctx, expired.terms.request);
  if (!opened.ok) await parts.shownCards.show(expired);
  const settlesAt = parts.base.clock.now() + SETTLES_AFTER_MS;
  return replaceCard(parts, ctx, expired, opened, {
    settlesAt,
    notice: renewalWords(expired.terms, ctx.words).renewed,
  });
}

async function refresh(parts: ButtonParts, ctx: BotContext, intent: Intent): Promise<void> {
  await replaceCard(parts, ctx, intent, await parts.cards.openAgain(ctx, intent.terms.request));
}

/** Replaces a swap's card with the same trade as a route, or the reverse, so that a trade has one confirm button. */
async function takeOtherWay(parts: ButtonParts, ctx: BotContext, intent: Intent): Promise<void> {
  const other = otherWay(intent.terms.request);
  const opened = other && (await parts.cards.open(ctx, other));
  if (opened) await replaceCard(parts, ctx, intent, opened, { settlesAt: parts.base.clock.now() + SETTLES_AFTER_MS });
}

/**
 * Shows the opened card in place of an earlier one, or replies with the refusal.
 * @param options when it can first be confirmed, and a notice above it.
 */
async function replaceCard(
  { intents, shownCards }: ButtonParts,
  ctx: BotContext,
  before: Intent,
  opened: CardReply,
  { settlesAt, ...options }: { readonly settlesAt?: number; readonly notice?: string } = {},
): Promise<void> {
  if (opened.intentId === undefined) return void (await replyCard(ctx, opened.card));
  const fresh = await intents.replace(before.owner, before.id, opened.intentId, settlesAt);
  if (fresh !== undefined) await shownCards.show(fresh, options);
}

/** Looks up what became of a call with an unknown outcome and shows the finding on its card. Never sends a call. */
async function checkOutcome(parts: ButtonParts, ctx: BotContext, intent: Intent): Promise<void> {
  const { base, intents, lookUp, shownCards } = parts;
  const looked = await intents.look(intent);
  const isOk = await unlessFault(async () => lookUp?.(looked));
  const byChain = { by: "chain", finding: isOk ? "arrived" : "not-arrived" } as const;
  const found = isOk === undefined ? await intents.findOut(looked) : byChain;
  const checked = await intents.markChecked(looked, { at: base.clock.now(), ...found });
  await shownCards.show(checked);
  if (ctx.callbackQuery?.message?.message_id === intent.messageId) return;
  // Tapped in a list: the card may be far above, so the finding is also a reply.
  const { text, entities } = intentCard(checked, ctx.view);
  await replyCard(ctx, { text, entities });
}

/** A number as users type it, optionally with a token after it. `readPay` decides whether it is an amount. */
const TYPED_AMOUNT = /^(?:[0-9.,][0-9.,'’\s]*[km½¼¾]?|[½¼¾])(?:\s?%|\s[A-Za-z0-9-]+|[A-Za-z][A-Za-z0-9-]{2,})?$/i;

export interface AmountParts {
  readonly cards: IntentCards;
  readonly shownCards: ShownCards;
  readonly intents: Intents;
  readonly trades: Kinds;
}

/**
 * A reply with a number to a card opens one for that amount below, where the user is reading, and an open card says that
 * it was replaced. Mounted before the dialogs, since the reply names the card that it is meant for.
 */
export function replyAmount({ cards, shownCards, intents, trades }: AmountParts): MiddlewareFn<BotContext> {
  return async function changeAmount(ctx, next) {
    const { text = "", reply_to_message: repliedTo } = ctx.message ?? {};
    if (repliedTo === undefined) return next();
    const amount = plainNumbers(text.trim(), ctx.words.decimalMark);
    if (!(TYPED_AMOUNT.test(amount) || isShare(amount))) return next();
    const shown = await intents.inMessage(ctx.userId, repliedTo.message_id);
    const own = shown && ownRequest(shown.terms.request);
    const paid =
      shown && ("amountIn" in shown.terms ? shown.terms.amountIn : "amount" in shown.terms && shown.terms.amount);
    if (!shown || !own || !paid) return next();
    const open = async () => {
      // Of a payment that is found for an exact amount, the number is that amount.
      const wanted = own.kind === "multihop" && own.isFound ? own.stops.at(-1)?.token : undefined;
      if (own.kind === "multihop" && wanted !== undefined) {
        const line = `${requestLine({ ...own, stops: [{ token: wanted }] })}=${amount}`;
        return cards.openRead(ctx, own.kind, line, await trades.read(own.kind, line, ctx));
      }
      const { faults, attempt } = collectFaults();
      const pay = attempt(() => readPay(amount, paid.token));
      const read = pay === undefined ? { faults } : { ...own, pay };
      return cards.openRead(ctx, own.kind, requestLine(own, amount), read);
    };
    const opened = await open();
    const over = opened.ok ? await intents.supersede(shown.owner, shown.id) : undefined;
    await cards.reply(ctx, opened);
    if (over?.state === "SUPERSEDED") await shownCards.show(over);
  };
}
