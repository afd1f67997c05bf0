import { Bot, Composer, type ApiClientOptions, type Transformer } from "grammy";
import { isFault } from "../fault.js";
import type { Pacer } from "../services/outbox/pacer.js";
import { cardButtons } from "./intents/buttons.js";
import type { BotContext, Parts } from "./context.js";
import { mountDialogs } from "./dialogs/mount.js";
import { allFeatures, commandsOf, type Feature } from "./feature.js";
import { isBroadcasting, isPausing, onlyMembers } from "./features/admin.js";
import { wakeWatches } from "./features/order.js";
import { isFreeze } from "./features/freeze.js";
import { replyOpened } from "./intents/open.js";
import { withPerson, wordsFor } from "./person.js";
import { sentenceOf } from "../locales/sentence.js";
import { answerTaps } from "./middleware/answer-taps.js";
import { apiTransformers, pacedReplies } from "./middleware/api-transformers.js";
import { errorBoundary } from "./middleware/error-boundary.js";
import {
  ownCommandsOnly,
  privateChatOnly,
  refuse,
  shortTextsOnly,
  withoutSecrets,
  withoutServiceMessages,
} from "./middleware/guards.js";
import { inOrder } from "./middleware/in-order.js";
import type { Metrics } from "./receive/metrics.js";
import { sayOnTap } from "./tap.js";
import { replyAmount } from "./intents/reply-amount.js";
import { typing } from "./middleware/typing.js";

/** The bot, from an update's arrival to its answers. How updates arrive is decided elsewhere (`transport/`). */
export function createBot(
  parts: Parts,
  features: readonly Feature[],
  telegram: { readonly token: string; readonly client: ApiClientOptions; readonly olderServer: Transformer },
  surroundings: {
    readonly pacer: Pick<Pacer, "reply">;
    readonly metrics: Metrics;
  },
): Bot<BotContext> {
  const { clock, log, store } = parts;
  const { pacer, metrics } = surroundings;
  const bot = new Bot<BotContext>(telegram.token, { client: telegram.client });
  // A call passes them from the last to the first.
  bot.api.config.use(pacedReplies(pacer), ...apiTransformers(), telegram.olderServer);

  bot.use(
    inOrder({ clock, log, tellToSlowDown, overtakes: (ctx) => overtakes(ctx, parts) }),
    errorBoundary({ log, tell: (ctx, error) => tellOfError(parts, ctx, error), metrics }),
    answerTaps(bot.api),

    // Who may use it, and where: nothing is kept about anybody else.
    privateChatOnly({
      clock,
      commands: commandsOf(features),
      refuse: (ctx) => ctx.reply(wordsFor(ctx).common.privateOnly),
    }),
    withoutServiceMessages,
    onlyMembers(parts),
    ownCommandsOnly,

    // Everything behind these may count on somebody known.
    typing(clock),
    withPerson(parts),
    withoutSecrets,
    shortTextsOnly((ctx) => isFreeze(ctx) || isBroadcasting(ctx, parts)),
    wakeWatches(parts),

    // What works beside an open dialog, then the dialogs, then the commands that open them.
    cardButtons(parts),
    replyAmount(parts),
    mountDialogs<BotContext>({
      forms: features.flatMap(({ forms = [] }) => forms),
      store,
      clock,
      log,
      show: async (ctx, shown) => {
        if (!shown.ok) return { sentence: shown.sentence, ...(shown.keyboard && { keyboard: shown.keyboard }) };
        await replyOpened(parts, ctx, shown);
        return null;
      },
      onDropped: (ctx) => ctx.reply(ctx.words.common.dialogOutdated),
    }),
    allFeatures(features),
    unhandled(),
  );
  return bot;
}

/** Whatever no feature took: the person always gets an answer. */
function unhandled(): Composer<BotContext> {
  const composer = new Composer<BotContext>();
  composer.on("message::bot_command", (ctx) => ctx.reply(ctx.words.common.unknownCommand));
  composer.on("message", (ctx) => ctx.reply(ctx.words.common.unknownText));
  composer.on("callback_query", (ctx) => sayOnTap(ctx, ctx.words.common.oldButton));
  return composer;
}

/** Whether an update is handled at once, whatever the person's others wait for. */
function overtakes(ctx: BotContext, parts: Parameters<typeof isPausing>[1]): boolean {
  return isFreeze(ctx) || isPausing(ctx, parts);
}

/** Tells a person that what they send beyond the limit is dropped. */
function tellToSlowDown(ctx: BotContext): Promise<void> {
  return refuse(ctx, wordsFor(ctx).common.slowDown);
}

/** Tells a person that their update could not be handled: the fault's own sentence where there is one. Operators hear of damage. */
async function tellOfError({ operator }: Parts, ctx: BotContext, error: unknown): Promise<void> {
  operator.noteError(error);
  const words = wordsFor(ctx);
  const sentence = isFault(error) ? sentenceOf(error, words) : words.common.somethingWentWrong;
  if (ctx.chat !== undefined) await ctx.reply(sentence);
}
