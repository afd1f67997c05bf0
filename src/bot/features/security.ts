import type { Api, Context } from "grammy";
import type { Logger } from "pino";
import { card, type Card, type Line } from "../../cards/card.js";
import { freezeCard, liftingLine } from "../../cards/freeze.js";
import { forgetCard, laterCard, privacyCard, reallyForgetCard, securityCard } from "../../cards/settings.js";
import { messagesIn } from "../../locales/messages.js";
import type { Intent } from "../../services/intent/intent.js";
import type { Intents } from "../../services/intent/intent-service.js";
import type { Later, Person } from "../../services/person/person.js";
import * as people from "../../services/person/person.js";
import { type Delays, delayOf } from "../../services/operator/delays.js";
import type { BotBase, BotContext } from "../context.js";
import { dropEnded } from "../dialogs.js";
import { typedCommand, type Feature, isTapOn } from "../feature.js";
import { cardList, type ShownCards } from "../intents/shown-cards.js";
import { alertOnTap, answerAside, catchUserError, editTapped, replyOrError, replyCard } from "../reply.js";
import { sendCardTo } from "../send.js";
import { isTrade } from "../../services/terms/terms.js";

interface SecurityParts {
  readonly base: BotBase;
  readonly delays: Delays;
  readonly intents: Intents;
  readonly shownCards: ShownCards;
}

/** Whether the user is freezing trading, which must not wait for the confirmation that it should stop. */
export function isFreeze(ctx: Context): boolean {
  if (ctx.chat?.type !== "private") return false;
  return typedCommand(ctx)?.command === "freeze" || isTapOn("freeze", ctx);
}

/** Never retried: nothing is stored to retry from. */
export async function tellForgotten(api: Api, log: Logger, userId: number, { language }: Person): Promise<void> {
  await sendCardTo(api, userId, card([messagesIn(language).security.forgotten])).catch((err: unknown) => {
    log.warn({ err }, "User not told that their data was deleted");
  });
}

/** How long the buttons that delete a user's data work, in seconds. */
const CARD_SECONDS = 600;

/** `/security`, `/cancel`, `/freeze`, `/unfreeze`, `/forget`, and undoing changes before they take effect. */
export function securityFeature(parts: SecurityParts): Feature {
  const { base, delays } = parts;
  const { clock, log, settings, store } = base;
  return {
    commands: {
      security: (ctx) => replyCard(ctx, securityCard(ctx.person, ctx.view)),
      // The command has already ended the dialog: `ctx.dialog` is its state from before.
      cancel: async (ctx) => {
        await dropEnded(store, ctx);
        const said = (cancelled: readonly Intent[]) => [
          // The list of what was cancelled says so as well.
          ...(ctx.dialog !== undefined && cancelled.length === 0 ? [ctx.words.common.dialogLeft] : []),
          ...cardList(ctx.words.common.cardsCanceled, cancelled, ctx.view),
        ];
        // Leaving a question isn't meant for an order whose moment has come.
        return closeCards(parts, ctx, said, true);
      },
      freeze: (ctx) => freeze(parts, ctx),
      forget: (ctx) => replyOrError(ctx, () => offerToForget(parts, ctx)),
      privacy: (ctx) => replyCard(ctx, privacyCard(ctx.words)),
    },
    unlisted: { unfreeze: (ctx) => unfreeze(parts, ctx) },
    buttons: {
      undo: async (ctx, guard) => {
        const isUndone = await store.write(async (tx) => {
          const person = await people.personIn(tx, ctx.userId);
          const isWaiting = people.laterOf(person, guard) !== undefined;
          if (isWaiting) await people.putPerson(tx, ctx.userId, people.withoutLater(person, guard));
          return isWaiting;
        });
        if (!isUndone) return alertOnTap(ctx, ctx.words.common.oldButton);
        await ctx.answerCallbackQuery();
        return editTapped(ctx, card([ctx.words.security.undone[guard]]));
      },
      freeze: (ctx, step) => {
        answerAside(ctx, log);
        if (step === "now") return freeze(parts, ctx);
        return step === "ask" ? replyCard(ctx, freezeCard(ctx.view)) : editTapped(ctx, card([ctx.words.security.kept]));
      },
      forget: async (ctx, { step, at }) => {
        const { words, view, userId } = ctx;
        const person = await people.findPerson(store.db, userId);
        const isOld = person === undefined || Math.abs(inSeconds(clock.now()) - at) > CARD_SECONDS;
        if (isOld) return alertOnTap(ctx, words.common.oldButton);
        if (step !== "now") {
          await ctx.answerCallbackQuery();
          const [delay, now] = [delayOf("forget", person, settings), clock.now()];
          const asked = reallyForgetCard(delay === 0 ? undefined : now + delay, inSeconds(now), view);
          return editTapped(ctx, step === "ask" ? asked : card([words.security.undone.forget]));
        }
        const asked = await catchUserError(words, () => askToForget(base, userId));
        if (!asked.ok) return alertOnTap(ctx, asked.card.text);
        await ctx.answerCallbackQuery();
        // A new message notifies the user, so that nobody's data is deleted unnoticed.
        await ctx.editMessageReplyMarkup();
        await replyCard(ctx, laterCard(asked.value, view));
        return delays.note(userId);
      },
    },
  };
}

/** Closes the open cards and replies with what became of them. @param saidFirst lines about the cancelled ones. */
async function closeCards(
  { shownCards }: SecurityParts,
  ctx: BotContext,
  saidFirst: (cancelled: readonly Intent[]) => Line[],
  keepsOrders = false,
) {
  const { cardsClosing, given, tooLate, cardsKept, nothingToCancel } = ctx.words.common;
  const closed = await shownCards.closeOpen(ctx.userId, keepsOrders);
  const sentences = [
    ...saidFirst(closed.cancelled),
    ...cardList(cardsClosing, closed.closing, ctx.view),
    ...cardList(given, closed.given, ctx.view),
    ...cardList(tooLate, closed.sent, ctx.view),
    ...cardList(cardsKept, closed.kept, ctx.view),
  ];
  await ctx.reply(sentences.length > 0 ? sentences.join("\n") : nothingToCancel);
  await shownCards.showClosed(closed);
}

async function freeze(parts: SecurityParts, ctx: BotContext): Promise<void> {
  const { clock, store } = parts.base;
  const now = clock.now();
  // Freeze before closing the cards, so that no confirm can slip in between.
  const frozen = (person: Person): Person =>
    person.frozenSince === undefined ? people.withChange({ ...person, frozenSince: now }, "freeze", now) : person;
  // Pending changes may be a thief's, so they are dropped.
  await store.write((tx) => people.changePerson(tx, ctx.userId, (person) => people.withoutLater(frozen(person))));
  const { common } = ctx.words;
  const cancelledIn = (cancelled: readonly Intent[]) => {
    const areQuotes = cancelled.every(({ terms }) => isTrade(terms));
    const { frozeQuotes, frozeRequests } = common;
    return cancelled.length > 0 ? [(areQuotes ? frozeQuotes : frozeRequests)(cancelled.length)] : [];
  };
  await closeCards(parts, ctx, (cancelled) => [common.froze, liftingLine(ctx.view), ...cancelledIn(cancelled)]);
}

async function unfreeze({ base, delays }: SecurityParts, ctx: BotContext): Promise<unknown> {
  const { clock, settings, store } = base;
  const now = clock.now();
  const delay = settings.guardDelaySeconds * 1000;
  if (ctx.person.frozenSince === undefined) return ctx.reply(ctx.words.common.notFrozen);
  const asked = { guard: "unfreeze", from: now + delay } as const;
  const unfrozen = (before: Person): Person => {
    if (delay === 0) return people.inEffect(before, asked, now);
    // A second request doesn't restart the delay.
    return people.laterOf(before, "unfreeze") === undefined ? people.withLater(before, asked) : before;
  };
  const person = await store.write((tx) => people.changePerson(tx, ctx.userId, unfrozen));
  const waits = people.laterOf(person, "unfreeze");
  if (waits === undefined) return ctx.reply(ctx.words.common.unfroze);
  await delays.note(ctx.userId);
  return replyCard(ctx, laterCard(waits, ctx.view));
}

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** @throws Fault `frozen`. */
async function offerToForget({ base, intents }: SecurityParts, { userId, view }: BotContext): Promise<Card> {
  const person = await people.findPerson(base.store.db, userId);
  if (person === undefined) return card([view.words.security.forgetNothing]);
  people.assertNotFrozen(person);
  const waits = people.laterOf(person, "forget");
  if (waits !== undefined) return laterCard(waits, view);
  return forgetCard(await intents.countUnresolved(userId), inSeconds(base.clock.now()), view);
}

/** @throws Fault `frozen`. */
function askToForget({ clock, settings, store }: BotBase, userId: number): Promise<Later> {
  return store.write(async (tx) => {
    const person = await people.personIn(tx, userId);
    people.assertNotFrozen(person);
    const waits = people.laterOf(person, "forget");
    // A second request doesn't restart the delay.
    if (waits !== undefined) return waits;
    const later = { guard: "forget", from: clock.now() + delayOf("forget", person, settings) } as const;
    await people.putPerson(tx, userId, people.withLater(person, later));
    return later;
  });
}
