import { Composer, type Bot } from "grammy";
import type { Logger } from "pino";
import { isFault } from "../fault.js";
import type { Orders } from "../services/order/watch.js";
import type { Operator } from "../services/operator/operator.js";
import type { Pacer } from "../services/outbox/pacer.js";
import type { Outbox } from "../services/outbox/sender.js";
import { cardButtons, type CardButtonParts, replyAmount } from "./intents/buttons.js";
import type { BotContext } from "./context.js";
import { card, type Card } from "../cards/card.js";
import { mountDialogs } from "./dialogs/mount.js";
import { allFeatures, commandsOf, type Feature } from "./feature.js";
import { isBroadcasting, isPausing, requireAccess } from "./features/admin.js";
import { wakeWatches } from "./features/order.js";
import { isFreeze } from "./features/security.js";
import { answerInline } from "./inline.js";
import { replyOpened } from "./intents/open.js";
import { withPerson, wordsFor, type ViewParts } from "./person.js";
import { errorMessage } from "../locales/messages.js";
import { answerTaps, errorBoundary, hurryConfirms, typing } from "./middleware/answers.js";
import {
  ownCommandsOnly,
  privateChatOnly,
  refuse,
  shortTextsOnly,
  deleteLeakedSecrets,
  withoutServiceMessages,
} from "./middleware/guards.js";
import { userQueue } from "./middleware/user-queue.js";
import type { Metrics } from "./receive/metrics.js";
import { sayOnTap } from "./tap.js";

interface BotParts extends ViewParts {
  readonly features: readonly Feature[];
  readonly cards: CardButtonParts;
  readonly operator: Operator;
  readonly orders: Orders;
  readonly outbox: Outbox;
  readonly pacer: Pick<Pacer, "hurry">;
  readonly metrics: Pick<Metrics, "updatesFailed">;
  readonly log: Logger;
}

export function handleUpdates(bot: Bot<BotContext>, parts: BotParts): void {
  const { cards, clock, features, log, metrics, pacer, store } = parts;
  bot.use(
    answerInline(parts),
    userQueue({ clock, log, tellToSlowDown, overtakes: (ctx) => overtakes(ctx, parts) }),
    errorBoundary({ log, tell: (ctx, error) => tellOfError(parts, ctx, error), metrics }),
    answerTaps(bot.api),

    // Who may use it, and where: nothing is kept about anybody else.
    privateChatOnly({
      clock,
      commands: commandsOf(features),
      refuse: (ctx) => ctx.reply(wordsFor(ctx).common.privateOnly),
      answer: (ctx, ...asked) => answerInGroup(parts, features, ctx, ...asked),
    }),
    withoutServiceMessages,
    requireAccess(parts),
    ownCommandsOnly,

    typing(clock),
    hurryConfirms(pacer),
    withPerson(parts),
    deleteLeakedSecrets,
    shortTextsOnly((ctx) => isFreeze(ctx) || isBroadcasting(ctx, parts)),
    wakeWatches(parts),

    // What works beside an open dialog, then the dialogs, then the commands that open them.
    cardButtons(cards),
    replyAmount(cards),
    mountDialogs<BotContext>({
      forms: features.flatMap(({ forms = [] }) => forms),
      store,
      clock,
      log,
      show: async (ctx, shown) => {
        if (!shown.ok) return { sentence: shown.sentence, ...(shown.keyboard && { keyboard: shown.keyboard }) };
        await replyOpened(cards, ctx, shown);
        return null;
      },
      onDropped: (ctx) => ctx.reply(ctx.words.common.dialogOutdated),
    }),
    allFeatures(features),
    unhandled(),
  );
}

/** Only prices and orders; all else needs the private chat. */
async function answerInGroup(
  { operator }: { readonly operator: Pick<Operator, "isIn"> },
  features: readonly Feature[],
  ctx: BotContext,
  userId: number,
  command: string,
  typed: string,
): Promise<Card> {
  const { common } = wordsFor(ctx);
  const privately = [[{ text: common.openPrivately, url: `https://t.me/${ctx.me.username}` }]];
  const show = features.flatMap(({ inGroups }) => inGroups?.[command] ?? [])[0];
  if (show === undefined || !(await operator.isIn(userId))) return card([common.privateOnly], privately);
  const shown = await show(userId, typed);
  return shown.ok ? { ...shown.card, keyboard: privately } : card([shown.sentence], privately);
}

function unhandled(): Composer<BotContext> {
  const composer = new Composer<BotContext>();
  composer.on("message::bot_command", (ctx) => ctx.reply(ctx.words.common.unknownCommand));
  composer.on("message", (ctx) => ctx.reply(ctx.words.common.unknownText));
  composer.on("callback_query", (ctx) => sayOnTap(ctx, ctx.words.common.oldButton));
  return composer;
}

function overtakes(ctx: BotContext, parts: Parameters<typeof isPausing>[1]): boolean {
  return isFreeze(ctx) || isPausing(ctx, parts);
}

function tellToSlowDown(ctx: BotContext): Promise<void> {
  return refuse(ctx, wordsFor(ctx).common.slowDown);
}

/** The fault's own sentence where there is one; operators are told of damage. */
async function tellOfError(parts: Pick<BotParts, "operator" | "settings">, ctx: BotContext, error: unknown) {
  parts.operator.noteError(error);
  const words = wordsFor(ctx, parts.settings.supportContact);
  const sentence = isFault(error) ? errorMessage(error, words) : words.common.somethingWentWrong;
  if (ctx.chat !== undefined) await ctx.reply(sentence);
}
